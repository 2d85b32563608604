"""An open campaign file: its connection, transactions, and snapshots; it is opened in `opening`.

One connection belongs to one thread. Reading needs no ceremony; every change happens inside
`with campaign.write():`, which begins IMMEDIATE, so that a writer waits for its turn instead of failing with
"database is locked" half-way (a plain BEGIN that reads first and then writes fails at once when another process
else wrote in between, whatever the timeout).

What SQLite says of a file as a whole becomes a sentence for people (`explain_failures`).
"""

from __future__ import annotations

import shlex
import sqlite3
import zlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from sqlite_utils import Database

from workbench.core import file_permissions
from workbench.core.errors import (
    CampaignBusy,
    CampaignReadOnly,
    CampaignUnavailable,
    DamagedCampaign,
    NotACampaign,
    UnusableCampaign,
)
from workbench.core.values import LARGEST_INTEGER
from workbench.storage.campaign.file.write_queue import WriteQueue, write_queue_of
from workbench.storage.instance import command_name

FileFailure = sqlite3.DatabaseError
"""What SQLite raises when it cannot do something: with the file, or because the program asked for nonsense."""

PASSING = {
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""What may go wrong with a file that is a good campaign nevertheless (primary result codes of SQLite)."""

SYMPTOMS = (
    *(sqlite3.Error, TypeError, ValueError, LookupError, AttributeError, ArithmeticError, MemoryError),
    *(AssertionError, RecursionError, zlib.error, DamagedCampaign),
)
"""What reading a value raises that is not what was written."""

NOT_WRITABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_READONLY_DIRECTORY}
"""What is said to a writer of a file that can be read (extended result codes)."""

DAMAGED = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


@contextmanager
def explain_failures(path: Path | str, *, opening: bool = False) -> Iterator[None]:
    """Turn what SQLite says about a file as a whole into a sentence for people; what is our mistake passes.

    While a file is opened nothing is asked of it that a campaign cannot answer: then it is never our mistake.
    """
    try:
        yield
    except FileFailure as error:
        said = words_for(path, error, opening=opening)
        if said is None:
            raise
        raise said from error
    except UnicodeDecodeError as error:
        if not opening:
            raise
        # SQLite's message repeats text of the file, which is UTF-8 in every file that we write.
        message = f"{path}: not a campaign of the workbench, or a damaged one (text that is not UTF-8)"
        raise NotACampaign(message) from error


def words_for(path: Path | str, error: FileFailure, *, opening: bool = False) -> UnusableCampaign | None:
    """What is wrong with the file, or None where the file is not to blame."""
    extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    code = extended & 0xFF
    if code == sqlite3.SQLITE_BUSY:
        return busy(path)
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN} and (
        barrier := file_permissions.way_out(path)
    ):
        if extended in NOT_WRITABLE and not opening:
            return CampaignReadOnly(f"{path}: this user can read this campaign but not change it; {barrier}")
        return CampaignUnavailable(f"{path}: SQLite must be able to write there even to read it; {barrier}")
    if code in PASSING:
        return CampaignUnavailable(f"{path}: {error}; is the disk full, or the file or its folder read-only?")
    if opening or code in DAMAGED:
        return NotACampaign(f"{path}: not a campaign of the workbench, or a damaged one ({error})")
    return None


def busy(path: Path | str) -> CampaignBusy:
    """The error of a writer whose wait timed out."""
    return CampaignBusy(f"{path}: another process has been writing for too long; try again later")


T = TypeVar("T")

BUSY_SECONDS = 30.0
"""How long a writer waits for another one, unless `open_campaign` gets another value."""


EVERY = "*"
"""In the place of a question: all of them and relevance, for those who compare the whole file with its log."""


class CampaignFile(NamedTuple):
    """The file that a campaign was opened from: its full path, and its device and number there, 0 when it is gone."""

    path: Path
    device: int
    number: int


@dataclass
class _Connected:
    """What all views of an open campaign share.

    `file` and `mark` are which file it is, and the mark of its log, once they were asked for: the first row never
    changes. `known` is what `once` has read in the block that is open, with the state that it was read in, None outside
    of one; `appended` counts what this connection has appended to the log.
    """

    file: CampaignFile | None = None
    mark: str | None = None
    known: dict[Hashable, tuple[int, Any]] | None = None
    appended: int = 0
    writes_ahead: bool = False


@dataclass
class Campaign:
    """An open campaign file: where it is, and the connection that the functions of this package use.

    `patience` is how many seconds a writer waits for its turn; `damage_in` finds the first damage in the file, once
    reading it has failed. `as_of` is the row of the log that it is read as of, None for now: `at` gives such a view.
    `part` is the round whose runs are looked at (collection/rounds.py), None for all: `of` gives such a view.
    `question` is what is asked about documents, "" for relevance: `asking` gives such a view.
    `actor` is who changes it, `moment` when, None for the clock, and `through` by what, one of core.records.DOORS or ""
    for this program alone: `by` gives such a view, and without it nothing can be appended to the log.
    Names of people are as they are now, in every view. `ids` are those of people that the caller has looked up for as
    long as it works with this connection, by the names that it uses.
    """

    path: Path
    db: Database
    patience: float = BUSY_SECONDS
    damage_in: Callable[[Campaign], str | None] = field(default=lambda _: None, repr=False, compare=False)
    as_of: int | None = field(default=None, init=False)
    part: Any = field(default=None, init=False)
    question: str = field(default="", init=False)
    coded: bool = field(default=False, init=False)  # whether runs go by codes, see collection/run_codes.py
    actor: str = field(default="", init=False)
    moment: datetime | None = field(default=None, init=False)
    through: str = field(default="", init=False)
    ids: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    connected: _Connected = field(default_factory=_Connected, init=False, repr=False, compare=False)

    def at(self, as_of: int | None) -> Self:
        """The same campaign as of a row of its log, to read; None for now."""
        if as_of == self.as_of:
            return self
        view = copy(self)
        view.as_of = as_of
        return view

    def by(self, actor: str, moment: datetime | None = None, *, through: str | None = None) -> Self:
        """The same campaign for someone who changes it, now or at a moment that tests choose."""
        view = copy(self)
        view.actor, view.moment = actor, moment
        view.through = self.through if through is None else through
        return view

    def of(self, part: Hashable) -> Self:
        """The same campaign by what a part of it shows; None for the whole."""
        view = copy(self)
        view.part = part
        return view

    def asking(self, question: str) -> Self:
        """The same campaign by what was answered to one of its questions; "" for relevance."""
        view = copy(self)
        view.question = question
        return view

    @property
    def view(self) -> tuple[Any, str]:
        """What of the campaign is shown, its part and question: another connection shows the same by `showing`."""
        return self.part, self.question

    def showing(self, view: tuple[Any, str]) -> Self:
        """The same campaign by what another view of it shows."""
        return self.of(view[0]).asking(view[1])

    @property
    def now(self) -> Self:
        """The same campaign as it is now."""
        return self.at(None)

    @property
    def whole(self) -> Self:
        """The same campaign by all that it has."""
        return self.of(None)

    @property
    def up_to(self) -> int:
        """The last row of the log that counts, as SQL compares it."""
        return LARGEST_INTEGER if self.as_of is None else self.as_of

    @cached_property
    def write_queue(self) -> WriteQueue:
        """The queue of those in this process who want to write to this file."""
        return write_queue_of(self.path)

    @property
    def file(self) -> CampaignFile:
        """Which file this is, as of the first time that this is asked."""
        if self.connected.file is None:
            path = self.path.resolve()
            try:
                found = path.stat()
            except FileNotFoundError:
                self.connected.file = CampaignFile(path, 0, 0)
            else:
                self.connected.file = CampaignFile(path, found.st_dev, found.st_ino)
        return self.connected.file

    @cached_property
    def name(self) -> str:
        """The file's name without its suffix, as addresses use it."""
        return self.path.stem

    @cached_property
    def command_name(self) -> str:
        """What commands in messages call it, quoted for a shell, see `storage.instance.command_name`."""
        return command_name(self.path)

    def with_bare_name(self) -> Self:
        """Itself, called by its name in messages: on a page they do not say where the server keeps its files."""
        self.command_name = shlex.quote(self.name)
        return self

    def damaged(self, found: str) -> DamagedCampaign:
        """The error for a damaged file: what was found first, and the way out."""
        way_out = f"go back to a backup: workbench campaign restore {self.command_name} BACKUP"
        return DamagedCampaign(f"{self.path}: damaged ({found}); {way_out}")

    def execute(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> sqlite3.Cursor:
        """What a statement gives, row by row."""
        return self.db.conn.execute(sql, values)

    def column(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """The one value of each row that a statement gives."""
        return [value for (value,) in self.db.conn.execute(sql, values)]

    def mapping(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> dict[Any, Any]:
        """The second value of each row that a statement gives, by the first."""
        return dict(self.db.conn.execute(sql, values))

    def number(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> int:
        """The number in the first row that a statement gives; 0 for NULL, and without a row."""
        return int(self.value(sql, values) or 0)

    def value(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Any | None:
        """The value in the first row that a statement gives; None without a row."""
        row = self.db.conn.execute(sql, values).fetchone()
        return row[0] if row else None

    @contextmanager
    def write(self, *, keep: bool = True) -> Iterator[None]:
        """One transaction that holds the right to write from its first statement on; all or nothing.

        Without `keep` it is a trial: what is written can be looked at inside the block, and is gone after it.

        Raises CampaignUnavailable when the file cannot be written now: another process writes for too long, the disk is
        full.
        """
        if self.as_of is not None:
            raise TypeError(f"{self.path}: a view as of row {self.as_of} is read-only")
        connection = self.db.conn
        with self._turn(), explain_failures(self.path), self.reading_once():
            if not self.connected.writes_ahead:  # a backup is a file of its own until it is first written to
                connection.execute("PRAGMA journal_mode = WAL")
                self.connected.writes_ahead = True
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT" if keep else "ROLLBACK")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The right to be the one thread of this process that writes to the file."""
        if self.db.conn.in_transaction:  # SQLite says what is wrong with this; waiting for oneself would not
            yield
            return
        if not self.write_queue.acquire(self.patience):
            raise busy(self.path)
        try:
            yield
        finally:
            self.write_queue.release()

    @property
    def reads_snapshot(self) -> bool:
        """Whether what is read is as of one row of the log, which others may have written on from."""
        return self.db.conn.in_transaction

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One consistent view for several reads, whatever others write meanwhile."""
        connection = self.db.conn
        if connection.in_transaction:
            yield
            return
        connection.execute("BEGIN")
        try:
            with self.reading_once():
                yield
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    @contextmanager
    def reading_once(self) -> Iterator[None]:
        """A block in which `once` reads each thing once: a transaction, or a request that changes nothing."""
        outer, self.connected.known = self.connected.known, {}
        try:
            yield
        finally:
            self.connected.known = outer

    def once(
        self,
        what: Hashable,
        read: Callable[[], T],
        *,
        only_in_transactions: bool = False,
        of_log: bool = False,
    ) -> T:
        """What `read` gives, which is called once in such a block until this connection changes something.

        What is read of the log alone is read again only when this connection has appended to it. The value is shared:
        callers must not change it.
        """
        known, asked = self.connected.known, (self.as_of, self.question, what)
        if known is None or (only_in_transactions and not self.reads_snapshot):
            return read()
        state = self.connected.appended if of_log else self.db.conn.total_changes
        if asked not in known or known[asked][0] != state:
            known[asked] = state, read()
        found: T = known[asked][1]
        return found

    def forget_readings(self) -> None:
        """Have `once` read everything again: something was rolled back inside the block."""
        if self.connected.known:
            self.connected.known.clear()

    def refuse_writes(self) -> None:
        """From now on SQLite refuses every write through this connection."""
        self.db.conn.execute("PRAGMA query_only = ON")

    def close(self) -> None:
        """Close the connection; the last one to close folds the write-ahead log into the one file."""
        self.db.close()

    def __enter__(self) -> Self:
        """The campaign itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the campaign, whatever happened; a failure caused by a damaged file is reported as such."""
        damage = self.damage_in(self) if isinstance(error, SYMPTOMS) else None
        self.close()
        if damage is not None and not isinstance(error, DamagedCampaign):
            raise self.damaged(damage) from error
