"""Compressed backups: `robust.auto.20260301T120000Z.db.zst`, packed by zstandard, for `workbench campaign restore`.

The newest backup that holds stays as it is, so that it can be opened at once; older ones are packed. A packed copy is
unpacked again and compared before it takes the place of the plain one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from workbench.core.atomic_files import drafting, put_over
from workbench.core.errors import CampaignError
from workbench.formats.text.compression import zstd
from workbench.jobs.processes import Work, Workers
from workbench.release.backups.checks import LIMITS, be_gentle
from workbench.release.backups.files import PACKED, VERIFIED, Backup, finding_of, remove
from workbench.storage.campaign.file.replacing import copy_as_it_is

LEVEL = 9
CHUNK = 1 << 20


def to_pack(backups: Sequence[Backup]) -> list[Backup]:
    """Those of one file's backups (newest first) that are to be packed: all that hold, but for the newest of them."""
    held = [one for one in backups if one.state == VERIFIED]
    return [one for one in held[1:] if one.path.suffix != PACKED]


def pack_in_background(backup: Backup) -> Path:
    """Pack a backup in a process of its own, in the place of the plain file; the new file.

    Killed at any moment it leaves the plain one, the packed one, or both. Raises JobFailed and OSError.
    """
    target = backup.path.with_name(backup.path.name + PACKED)
    if not target.exists():
        workers = Workers()
        try:
            with drafting(target) as draft:
                workers.run(Work(pack_gently, (backup.path, draft)), LIMITS)
                _keep_finding(backup.path, target, draft)
                put_over(draft, target)
        finally:
            workers.close()
    remove(backup)
    return target


def pack_gently(path: Path, target: Path) -> None:
    """Pack a file with the lowest priority, which this process keeps."""
    be_gentle()
    pack(path, target)


def pack(path: Path, target: Path) -> None:
    """Compress a file to `target`, with its mode, and make sure that what comes out again is the same.

    Raises OSError when it is not, or cannot be written; ZstdError when it cannot be read again.
    """
    before = sha256()
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, path.stat().st_mode & 0o777)
    with (
        path.open("rb") as plain,
        os.fdopen(descriptor, "wb") as file,
        zstd().open(file, "wb", options=_options()) as packed,
    ):
        while chunk := plain.read(CHUNK):
            before.update(chunk)
            packed.write(chunk)
    after = sha256()
    with _unpacked(target) as unpacked:
        while chunk := unpacked.read(CHUNK):
            after.update(chunk)
    if before.digest() != after.digest():
        raise OSError(f"{target}: what was packed is not what comes out; is the disk or the memory damaged?")


def copy_of(backup: Path, target: Path) -> None:
    """A copy of a backup, packed or not, at `target`, which is not there yet, for its owner alone.

    Raises NotThere and CampaignError as `copy_as_it_is` does.
    """
    if backup.suffix != PACKED or not backup.is_file():
        copy_as_it_is(backup, target)
        return
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as plain, _unpacked(backup) as file:
            shutil.copyfileobj(file, plain, CHUNK)
    except (zstd().ZstdError, EOFError) as error:
        raise CampaignError(f"{backup}: cannot be unpacked ({error}); try an older backup") from error


def _options() -> dict[Any, int]:
    parameter = zstd().CompressionParameter
    return {parameter.compression_level: LEVEL, parameter.checksum_flag: 1}


def _unpacked(path: Path) -> Any:
    return zstd().open(path)


def _keep_finding(path: Path, target: Path, draft: Path) -> None:
    """Lay a copy of the finding on `path` beside `target`, before that is there: what holds never looks unchecked."""
    beside = finding_of(target)
    aside = draft.with_name(beside.name)
    with suppress(FileNotFoundError):
        aside.write_bytes(finding_of(path).read_bytes())
        put_over(aside, beside)
