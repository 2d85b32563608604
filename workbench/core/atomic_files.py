"""Files that are made beside their place, and get their name once they are whole and on the disk.

What a process makes lies in a folder `.NAME.workbench-draft` beside the file, locked for as long as the process
lives. Killed at any moment it leaves either nothing under the file's name or all of it, and a folder that no living
process holds: the next one that makes a file there removes it, and so does a server when it starts.

The lock is `flock` on the folder itself, which ends with the process that holds it, however that ends. On a disk
without such locks a draft is made under its name all the same, and one that is left has to be removed by hand.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from math import inf
from pathlib import Path

from workbench.core.errors import CampaignBeingCreated

try:
    import fcntl
except ImportError:  # no POSIX
    fcntl = None  # type: ignore[assignment]

ENDING = ".workbench-draft"
PATIENCE = 1.0
"""Seconds until a draft counts as held by another process: one that only removes it is soon done."""

LONGEST_NAME = 200
"""Bytes of a file's name that its draft's folder takes over; a longer one is shortened."""


@contextmanager
def drafting(target: Path, *, wait: bool = False) -> Iterator[Path]:
    """A path on the disk of `target`, with its name, to write its file at; gone after the block with all beside it.

    Drafts of dead processes in the folder are removed first. While another process makes the same file this waits
    for it, or raises CampaignBeingCreated. OSError when there can be no draft there.
    """
    remove_abandoned(target.parent)
    folder = target.with_name(f".{_short(target.name)}{ENDING}")
    with _held(folder, inf if wait else PATIENCE):
        yield folder / target.name


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for temporary files (TMPDIR chooses where), for this user alone; gone after the block.

    Those that killed processes left are removed first.
    """
    place = Path(tempfile.gettempdir())
    remove_abandoned(place)
    with _held(place / f"workbench-{secrets.token_hex(8)}{ENDING}", PATIENCE) as folder:
        yield folder


def name_new(draft: Path, target: Path) -> None:
    """Give a file its name once it is on the disk, and keep both there; FileExistsError when something has the name."""
    sync(draft)
    try:
        os.link(draft, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names for a file
        if os.path.lexists(target):
            raise FileExistsError(target) from None
        draft.rename(target)
    sync(target.parent)


def put_over(draft: Path, target: Path) -> None:
    """Give a file its name once it is on the disk, whatever has the name now."""
    sync(draft)
    draft.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk; some systems cannot do so with folders."""
    try:
        # Windows, which alone has files of text, writes out what may be written through the descriptor.
        descriptor = os.open(path, os.O_RDWR if hasattr(os, "O_BINARY") else os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        if not path.is_dir():
            raise


def remove_abandoned(place: Path) -> None:
    """Remove what killed processes of this user were making in a folder; nothing that a living process holds."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(place) as entries:
        found = [Path(entry.path) for entry in entries if entry.name.endswith(ENDING)]
        for folder in found:
            with suppress(OSError, CampaignBeingCreated, _Vanished), _locked(folder, 0):
                shutil.rmtree(folder)


def _short(name: str) -> str:
    as_bytes = os.fsencode(name)
    if len(as_bytes) <= LONGEST_NAME:
        return name
    return f"{os.fsdecode(as_bytes[:100])}-{sha256(as_bytes).hexdigest()[:16]}"


@contextmanager
def _held(folder: Path, patience: float) -> Iterator[Path]:
    """An empty folder that is ours, and is removed after the block."""
    while True:
        try:
            folder.mkdir(mode=0o700)
            ours = True
        except FileExistsError:
            ours = False
        try:
            with _locked(folder, patience, needed=not ours):
                _empty(folder)
                try:
                    yield folder
                finally:
                    shutil.rmtree(folder, ignore_errors=True)
                return
        except _Vanished:
            pass  # once more


class _Vanished(Exception):
    """The folder was removed by the process that held it before us."""


@contextmanager
def _locked(folder: Path, patience: float, *, needed: bool = True) -> Iterator[None]:
    """The lock of a folder of this user, or none where that is not `needed` and the disk has no such locks.

    Raises CampaignBeingCreated or OSError when it cannot be ours, _Vanished when the folder is not there any more.
    """
    if fcntl is None:
        yield
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise _Vanished from None
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise PermissionError(1, "this folder belongs to another user", str(folder))
        try:
            _lock(descriptor, folder, patience)
        except OSError:  # a disk without such locks
            if needed:
                raise
        if not _is_at(descriptor, folder):
            raise _Vanished
        yield
    finally:
        os.close(descriptor)


def _is_at(descriptor: int, folder: Path) -> bool:
    """Whether the opened folder is still the one at its path: asked once, since it may go between two questions."""
    try:
        return os.path.samestat(os.fstat(descriptor), folder.stat())
    except FileNotFoundError:
        return False


def _lock(descriptor: int, folder: Path, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                message = f"{folder}: another command or server is making this file; wait until it has ended"
                raise CampaignBeingCreated(message) from None
            time.sleep(0.01)
        else:
            return


def _empty(folder: Path) -> None:
    for left in folder.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left)
        else:
            left.unlink()
