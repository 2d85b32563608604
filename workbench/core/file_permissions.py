"""What keeps an ordinary user from a file, and the way out."""

from __future__ import annotations

import os
from pathlib import Path


def way_out(path: Path | str) -> str | None:
    """Which file or folder this user may not use to write `path`, whose it is, and what to do; None for none."""
    barrier = _barrier(Path(path).absolute())
    if barrier is None:
        return None
    if _is_own(barrier):
        return (
            f"{barrier} belongs to this user, who may not use it as it is: chmod u+rwX {barrier}, unless its disk is "
            "read-only"
        )
    owner = _owner(barrier)
    return (
        f"{barrier} belongs to {owner}, and this user may not use it: run the command as {owner}, or ask {owner} for "
        "the right to read and write there"
    )


def _barrier(path: Path) -> Path | None:
    """The first on the way to a file that this user may not pass, or write to at its end."""
    for folder in reversed(path.parents):
        if not os.access(folder, os.X_OK):
            return folder
        if not folder.is_dir():
            return None
    if os.path.lexists(path) and not os.access(path, os.R_OK | os.W_OK):
        return path
    return None if os.access(path.parent, os.W_OK) else path.parent


def _is_own(path: Path) -> bool:
    """Whether this user owns a file or folder."""
    try:
        return path.stat().st_uid == os.geteuid()
    except (AttributeError, OSError):  # no owners on Windows, or a folder that may not be passed
        return False


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except (KeyError, NotImplementedError, OSError):  # no name, no owners on Windows, or no file
        return "another user"
