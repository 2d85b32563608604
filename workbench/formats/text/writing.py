"""Writing files as a whole or not at all; `-` is standard output. Errors as in `workbench.formats.text.files`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

from workbench.core.atomic_files import drafting, put_over
from workbench.formats.text.files import STANDARD_STREAM, explained, refused


def write_atomically(
    path: str | Path, chunks: Iterable[bytes | str], sure: Callable[[], None] | None = None
) -> None:
    """Write a file as a whole or not at all: beside it first, to the disk, then over it in one step.

    Text is written as UTF-8. `-` is standard output. A device or pipe (`/dev/stdout`) is written to directly,
    a link is followed, and a file that is replaced keeps its permissions. If `chunks` raises, nothing changed.
    `sure` is called after the last chunk: if it raises, nothing changed either, and nothing went to a device or pipe.
    """
    if str(path) == STANDARD_STREAM:
        _write_directly(path, sys.stdout.buffer, chunks, sure)
        sys.stdout.buffer.flush()
        return
    with explained(path):
        target = Path(path).resolve()
        if not target.parent.is_dir():
            raise refused(path, f"the folder {target.parent} does not exist; create it first")
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                _write_directly(path, stream, chunks, sure)
            return
        with drafting(target, wait=True) as draft:
            with draft.open("xb") as stream:
                _write(stream, chunks)
            if sure is not None:
                sure()
            if target.exists():
                shutil.copymode(target, draft)
            put_over(draft, target)


def _write_directly(
    path: str | Path, stream: BinaryIO, chunks: Iterable[bytes | str], sure: Callable[[], None] | None
) -> None:
    """Write where nothing can be taken back; what has to wait for `sure` waits in a temporary file."""
    if sure is None:
        _write(stream, chunks)
        return
    with tempfile.TemporaryFile() as held:
        with explained(path):
            _write(held, chunks)
        sure()
        held.seek(0)
        shutil.copyfileobj(held, stream)


def _write(stream: BinaryIO, chunks: Iterable[bytes | str]) -> None:
    for chunk in chunks:
        stream.write(chunk.encode() if isinstance(chunk, str) else chunk)
