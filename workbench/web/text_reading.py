"""Texts that a new pool needs are read from the recorded sources behind the page: for a large collection it takes long.

One reading of a campaign runs at a time. Whoever asks for another one meanwhile has it begin once more at the end.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import cast

from flask import current_app

from workbench.campaign import documents, open_campaign
from workbench.ingest import fetch_missing_texts

AT_ONCE = 2.0
"""Seconds in which a small collection is read, so that the next page shows its texts at once."""

LAST_WORD = 10.0

logger = logging.getLogger("workbench.web")


class _Stopping(Exception):
    """The server ends: what was read so far is given up, and read again when a pool is made next."""


class Reading:
    """The reading of one campaign's missing texts: how many bytes of how many have been read at most."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.read = 0
        self.total = 0
        self._lock = threading.Lock()
        self._is_asked = True
        self._is_stopping = False
        self._done = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether texts are still being read."""
        return not self._done.is_set()

    def ask_again(self) -> bool:
        """Have it begin once more when it is through; False when it has ended."""
        with self._lock:
            self._is_asked = self.is_running
            return self._is_asked

    def wait(self, seconds: float) -> bool:
        """Wait for the end so long at most; whether it came."""
        return self._done.wait(seconds)

    def stop(self) -> None:
        """Give up at the next piece that is read."""
        self._is_stopping = True

    def run(self) -> None:
        """Read what is missing, and once more if somebody asked meanwhile."""
        try:
            with open_campaign(self.path) as campaign:
                self.total = sum(source.file.size for source in documents.sources(campaign))
                while self._goes_on():
                    fetch_missing_texts(campaign, on_bytes=self._advance)
        except _Stopping:
            logger.warning("%s: reading texts was given up, since the server stops", self.path.name)
        except Exception as error:  # noqa: BLE001 - whatever it was, pages say which texts are missing
            logger.error("%s: texts were not read: %s", self.path.name, error)
        finally:
            self._done.set()

    def _goes_on(self) -> bool:
        with self._lock:
            self.read, is_asked, self._is_asked = 0, self._is_asked, False
            if not is_asked:
                self._done.set()
            return is_asked

    def _advance(self, size: int) -> None:
        if self._is_stopping:
            raise _Stopping
        self.read = min(self.read + size, self.total)


class Readings:
    """The readings of a server's campaigns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[Path, Reading] = {}

    def begin(self, path: Path) -> Reading:
        """Read a campaign's missing texts in a thread of its own, or once more by the one that runs."""
        with self._lock:
            known = self._running.get(path)
            if known is not None and known.ask_again():
                return known
            reading = self._running[path] = Reading(path)
        threading.Thread(target=reading.run, daemon=True).start()
        return reading

    def of(self, path: Path) -> Reading | None:
        """The reading that runs for a campaign now."""
        known = self._running.get(path)
        return known if known is not None and known.is_running else None

    def stop(self) -> None:
        """Have all of them give up, and wait for that."""
        for reading in list(self._running.values()):
            reading.stop()
            reading.wait(LAST_WORD)


def readings() -> Readings:
    """The readings of the server that answers this request."""
    return cast("Readings", current_app.extensions["workbench_readings"])
