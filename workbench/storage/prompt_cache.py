"""The prompt cache of a campaign: what endpoints answered, in one SQLite file beside the campaign, of mode 0600.

The key of an answer is a hash of what was asked, without the address of the endpoint. Each answer is on the disk before
it counts, so that nothing is paid for twice after a kill; with the file, a run is repeated without an endpoint. It
holds the answers of models, which may quote texts, and neither prompts nor keys.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.atomic_files import drafting, name_new
from workbench.core.errors import CampaignBeingCreated, CampaignError
from workbench.formats.tables.json_text import json_line
from workbench.formats.text.compression import unpacked_text

ENDING = ".prompt-cache.sqlite"
LONGEST_BODY = 1_000_000
"""Bytes of an answer as the endpoint sends it."""

MOST_BYTES, PAGE = 20_000_000_000, 4096
"""The largest cache: some ten million answers."""

_TABLE = """CREATE TABLE reply (
    key TEXT PRIMARY KEY, body BLOB NOT NULL, seconds REAL NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID"""


class Kept(NamedTuple):
    """An answer: its body as the endpoint sent it, how long it took, and when it came, in ISO 8601."""

    body: str
    seconds: float
    at: str


def key_of(
    model: str, messages: Sequence[Mapping[str, str]], parameters: Mapping[str, Any], sample: int
) -> str:
    """SHA-256 of all that an answer depends on besides the endpoint, hexadecimal."""
    asked = json_line([model, list(messages), dict(sorted(parameters.items())), sample])
    return sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()


def cache_path(campaign: Path) -> Path:
    """Where the cache of a campaign is: robust.prompt-cache.sqlite beside robust.db."""
    return campaign.with_name(f"{campaign.stem}{ENDING}")


class PromptCache:
    """An open cache, for all threads of a process."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path, self._connection, self._lock = path, connection, threading.Lock()

    def find(self, key: str) -> Kept | None:
        """The answer under a key, or None."""
        with self._lock, _explained(self._path):
            row = self._connection.execute(
                "SELECT body, seconds, at FROM reply WHERE key = ?", [key]
            ).fetchone()
        if row is None:
            return None
        try:
            return Kept(unpacked_text(row[0], 8 * LONGEST_BODY), *row[1:])
        except ValueError as error:
            raise CampaignError(
                f"{self._path}: an answer cannot be read ({error}); remove the file"
            ) from None

    def put(self, key: str, kept: Kept) -> None:
        """Keep an answer: it is on the disk when this returns. The first one under a key stays."""
        with self._lock, _explained(self._path):
            self._connection.execute(
                "INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?)",
                [key, zlib.compress(kept.body.encode()), kept.seconds, kept.at],
            )


@contextmanager
def prompt_cache(campaign: Path) -> Iterator[PromptCache]:
    """A campaign's cache, made if missing, for one process at a time; CampaignError where it is in use or broken."""
    path = cache_path(campaign)
    try:
        with drafting(path) as draft, _explained(path):
            if not path.exists():
                _make(draft)
                name_new(draft, path)
            path.chmod(0o600)
            connection = _connection(path)
            try:
                yield PromptCache(path, connection)
            finally:
                connection.close()
    except CampaignBeingCreated:
        raise CampaignError(
            f"{path}: another process asks models for this campaign; wait for its end, or stop it"
        ) from None


def _make(path: Path) -> None:
    """An empty cache, for its owner alone before anything is in it: SQLite gives its journal the same mode."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = _connection(path)
    connection.execute(_TABLE)
    connection.close()


def _connection(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for pragma in (f"max_page_count = {MOST_BYTES // PAGE}", "trusted_schema = OFF", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise CampaignError(f"{path}: {error}; free the disk, or remove the file if it is damaged") from error
