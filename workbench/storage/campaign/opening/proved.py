"""That a large campaign was compared with its hashes once, kept beside it: it holds while no byte of it has changed.

What is kept is a checksum of all bytes of the file and of its write-ahead log, which takes a tenth of the time of
the comparison. It is a convenience and no evidence: where it is missing or another one, the campaign is compared.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from workbench import __version__
from workbench.core.atomic_files import drafting, put_over
from workbench.core.errors import CampaignBeingCreated
from workbench.storage.campaign.file.schema import VERSION

ENDING = "-proved"
AT_ONCE = 4 << 20
"""Bytes that are read at once."""
_Identity = tuple[int, int]
_open: dict[_Identity, int] = {}
"""Descriptors of campaigns, never closed: that would take the locks of this process's connections away."""


def checksum_of(path: Path) -> str:
    """The checksum of the bytes of a campaign, for this version of the workbench; "" where they cannot be read so."""
    if not hasattr(os, "pread"):  # Windows, where a file that is open cannot be replaced
        return ""
    log, journal = (path.with_name(f"{path.name}{end}") for end in ("-wal", "-journal"))
    found = sha256(f"{__version__} {VERSION}\n".encode())
    try:
        if journal.exists() and journal.stat().st_size:
            return ""
        for part in _parts(_descriptor(path)):
            found.update(part)
        if log.exists():
            with log.open("rb") as file:
                for part in _parts(file.fileno()):
                    found.update(part)
    except OSError:
        return ""
    return found.hexdigest()


def is_proved(path: Path, checksum: str) -> bool:
    """Whether a campaign with these bytes was found to be whole."""
    with suppress(OSError):
        return bool(checksum) and path.with_name(path.name + ENDING).read_bytes() == checksum.encode()
    return False


def keep(path: Path, checksum: str) -> None:
    """Keep that a campaign with these bytes is whole; nothing where the folder cannot be written to."""
    target = path.with_name(path.name + ENDING)
    with suppress(OSError, CampaignBeingCreated), drafting(target) as draft:
        draft.write_text(checksum, encoding="ascii")
        put_over(draft, target)


def _descriptor(path: Path) -> int:
    found = path.stat()
    identity = found.st_dev, found.st_ino
    if identity not in _open:
        _open[identity] = os.open(path, os.O_RDONLY)
    return _open[identity]


def _parts(descriptor: int) -> Iterator[bytes]:
    place = 0
    while part := os.pread(descriptor, AT_ONCE, place):
        yield part
        place += len(part)
