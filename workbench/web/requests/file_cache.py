"""Files that took long to make, kept for the next who asks for the same: in a folder of the server, until it ends."""

from __future__ import annotations

import threading
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, cast

from flask import Flask, current_app

from workbench.core.atomic_files import scratch_folder

MOST = 4
LARGEST = 1_000_000_000
"""How many files are kept, and how many bytes of them beside the newest."""


class FileCache:
    """The files of one server by what was asked for, those asked for last at the end."""

    def __init__(self, *, most: int = MOST, largest: int = LARGEST) -> None:
        self._most, self._largest = most, largest
        self._lock = threading.Lock()
        self._scratch = ExitStack()
        self._folder: Path | None = None
        self._made: dict[object, tuple[Path, str]] = {}

    def opened(self, key: object) -> tuple[IO[bytes], str] | None:
        """The file kept for `key`, open, and its name; None without one. It may be forgotten while it is read."""
        with self._lock:
            if key not in self._made:
                return None
            path, name = self._made.pop(key)
            try:
                stream = path.open("rb")
            except FileNotFoundError:  # something tidies up the folder of temporary files
                return None
            self._made[key] = path, name
            return stream, name

    def path(self, key: object) -> Path:
        """Where to make the file for `key`."""
        with self._lock:
            if self._folder is None or not self._folder.is_dir():
                self._folder = self._scratch.enter_context(scratch_folder())
            return self._folder / sha256(repr(key).encode()).hexdigest()

    def keep(self, key: object, path: Path, name: str) -> None:
        """Keep a file that was made, to be given under a name, and forget others that are too many."""
        with self._lock:
            self._made.pop(key, None)
            self._made[key] = path, name
            for old in list(self._made)[:-1]:
                sizes = 0
                for each, _ in list(self._made.values())[:-1]:
                    with suppress(FileNotFoundError):
                        sizes += each.stat().st_size
                if len(self._made) <= self._most and sizes <= self._largest:
                    break
                with suppress(OSError):  # Windows keeps a file that is being read
                    self._made.pop(old)[0].unlink()

    def close(self) -> None:
        """Remove all of them."""
        with self._lock:
            self._made.clear()
            self._scratch.close()
            self._folder = None


def init_app(app: Flask) -> None:
    """Give an application a place for such files."""
    app.extensions["workbench_made_files"] = FileCache()


def file_cache() -> FileCache:
    """The files of the server that answers this request."""
    return cast("FileCache", current_app.extensions["workbench_made_files"])
