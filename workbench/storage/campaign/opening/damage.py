"""Whether a campaign file is damaged: what it holds compared with the checks and hashes that it carries.

What numbers are made of is compared before anything is read (NUMBERS): the log with its chain, the tables that follow
from it with the log, pairs of pools with their checksums, and the structure of tables and indexes
by SQLite's own check. Stored rankings are compared when they are loaded (`ranking_blobs`), a text when it is shown
(`documents`). A command that reads less says so (LABELS), and can read while this is compared (`compared_beside`).

Two things are read from a large campaign at once, each with a connection of its own. In two threads (`both`) one of
the two should be SQLite's work nearly alone, which goes on without Python's lock: two that go through rows wait for
each other at every row. Such two need a process each (`in_a_process`). A large file that was found to be whole is not
compared again while its bytes are the same (`proved`); the audit always compares it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from sqlite_utils import Database

from workbench.core.errors import DamagedCampaign
from workbench.core.recently_used import KeyedLocks
from workbench.jobs.processes import JobFailed, Limits, Work, Workers
from workbench.storage.campaign.collection import choices, documents, pools, runs
from workbench.storage.campaign.file.connection import BUSY_SECONDS, SYMPTOMS, Campaign
from workbench.storage.campaign.log.chain import broken_rows
from workbench.storage.campaign.opening import integrity, proved

LARGE = 32 << 20
"""Bytes: for a smaller file a second connection costs more than it saves."""

CACHE = "cache_size = -8000"
"""8 MB of pages: what is read once and in order needs no more."""

LIMITS = Limits(seconds=1_000_000)
"""What is waited for takes as long as the file is large."""

Here = TypeVar("Here")
There = TypeVar("There")


def both(
    campaign: Campaign, here: Callable[[Campaign], Here], there: Callable[[Campaign], There]
) -> tuple[Here, There]:
    """What two functions that only read give: `here` with the campaign, `there` with the same file opened again.

    One after the other where the file is small, or cannot be opened again. An error of `here` comes first.
    """
    with _opened_again(campaign) as other:
        if other is None:
            return here(campaign), there(campaign)
        with ThreadPoolExecutor(1) as thread:
            later = thread.submit(there, other)
            try:
                return here(campaign), later.result()
            except BaseException:
                while not later.done():  # who ends the program does not wait for the other thread
                    other.db.conn.interrupt()
                    wait([later], timeout=0.05)
                raise


@contextmanager
def in_a_process(campaign: Campaign, function: Callable[[Campaign], There]) -> Iterator[Callable[[], There]]:
    """A function that waits for what `function` gives, which goes on during the block in a process of its own.

    That process opens the same file again; `function` can be pickled, and only reads. What goes through rows in Python
    takes as long there as alone. Where the file is small `function` is done with the campaign before the block, and
    after it where there can be no such process. What it has not given by the end of the block is not waited for.
    """
    if not _is_large(campaign.path):
        result = function(campaign)
        yield lambda: result
        return
    workers = Workers()
    with ThreadPoolExecutor(1) as thread:
        later = thread.submit(workers.run, Work(_of_the_file, (campaign.path.resolve(), function)), LIMITS)

        def outcome() -> There:
            try:
                found: There = later.result()
            except (JobFailed, OSError, RuntimeError):
                return function(campaign)
            return found

        try:
            yield outcome
        finally:
            workers.close()


def _of_the_file(path: Path, function: Callable[[Campaign], There]) -> There:
    """What a function gives of a file that another process has open."""
    with closing(_connection(path, BUSY_SECONDS)) as connection:
        return function(_campaign(path, connection))


@contextmanager
def _opened_again(campaign: Campaign) -> Iterator[Campaign | None]:
    """The same file for reading only; None if it is small, missing, or not open."""
    if not _is_large(campaign.path):
        yield None
        return
    try:
        connection = _connection(campaign.path, campaign.patience)
    except (OSError, sqlite3.Error):
        yield None
        return
    with closing(connection):
        yield _campaign(campaign.path, connection)


def _is_large(path: Path) -> bool:
    try:
        return path.stat().st_size >= LARGE
    except OSError:
        return False


def _campaign(path: Path, connection: sqlite3.Connection) -> Campaign:
    return Campaign(path, Database(connection, recursive_triggers=False, execute_plugins=False))


def _connection(path: Path, patience: float) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=patience, check_same_thread=False)
    try:
        for pragma in ("trusted_schema = OFF", CACHE):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


BULK = "source_documents"
"""The table that no number rests on and that may be large; its data carries a checksum of its own (zlib's)."""

Check = Callable[[Campaign], Iterator[str]]
_File = tuple[int, int, int, int]


class Reads(NamedTuple):
    """What is checked before a command trusts what it reads: two concurrent groups, the first within SQLite."""

    structure: tuple[Check, ...]
    following: tuple[Check, ...]


def damage_in(campaign: Campaign) -> str | None:
    """The first damage in a campaign file, looked for everywhere; None where the file is whole."""
    return _first(campaign, (*NUMBERS.structure, *NUMBERS.following, *_ELSEWHERE))


def damage_behind(campaign: Campaign) -> str | None:
    """What `damage_in` finds, looked for once per process as long as the file on the disk is the same."""
    return _once(campaign, _EVERYTHING, lambda: damage_in(campaign))


def require_undamaged(campaign: Campaign, reads: Reads | None = None) -> None:
    """Compare what a command reads, once per process as long as the file on the disk is the same.

    This is NUMBERS unless it says otherwise. Raises DamagedCampaign with the first damage, however often it is asked.
    """
    _refuse(campaign, _damage(campaign, reads or NUMBERS))


@contextmanager
def compared_beside(campaign: Campaign, reads: Reads) -> Iterator[Callable[[], None]]:
    """A function that does what `require_undamaged` does, for a campaign that is read in the block meanwhile.

    Nothing that was read may leave the block before the function was called. It is called after the block too, and an
    error in the block is one of the damage where there is some. The log and what follows from it are compared in a
    process of their own meanwhile, the structure in this one when the function is called: both have as much to do.
    """
    if _is_large(campaign.path) and proved.is_proved(campaign.path, proved.checksum_of(campaign.path)):
        yield lambda: None
        return
    structure, following = reads._replace(following=()), reads._replace(structure=())
    with in_a_process(campaign, partial(_damage, reads=following)) as found:

        def damage() -> str | None:
            return _damage(campaign, structure) or found()

        try:
            yield lambda: _refuse(campaign, damage())
        except Exception as error:
            if not isinstance(error, DamagedCampaign) and (cause := damage()) is not None:
                raise campaign.damaged(cause) from error
            raise
        _refuse(campaign, damage())


def forget(path: Path) -> None:
    """Forget what was found out about a file."""
    for key in [key for key in _found if key[0] == path.resolve()]:
        del _found[key]


_found: dict[tuple[Path, Hashable], tuple[_File, str | None]] = {}
_looking = KeyedLocks()


def _refuse(campaign: Campaign, damage: str | None) -> None:
    if damage is not None:
        raise campaign.damaged(damage)


def _damage(campaign: Campaign, reads: Reads) -> str | None:
    return _once(campaign, reads, lambda: _unless_proved(campaign, reads))


def _unless_proved(campaign: Campaign, reads: Reads) -> str | None:
    """The first damage; a large file whose bytes were found to be whole before is not looked at again."""
    if not _is_large(campaign.path):
        return _before_reading(campaign, reads)
    files = campaign.path, campaign.path.with_name(f"{campaign.path.name}-wal")
    before, checksum = [_on_disk(file) for file in files], proved.checksum_of(campaign.path)
    if proved.is_proved(campaign.path, checksum):
        return None
    # Opened again, so that what is compared began after the checksum: where nothing was written meanwhile, both are of
    # the same bytes.
    with _opened_again(campaign) as again:
        found = _before_reading(again or campaign, reads)
    same = again is not None and [_on_disk(file) for file in files] == before
    if found is None and reads == NUMBERS and checksum and same:
        proved.keep(campaign.path, checksum)
    return found


def _once(campaign: Campaign, what: Hashable, look: Callable[[], str | None]) -> str | None:
    path = campaign.path.resolve()
    with _looking.of(path):
        file, key = _on_disk(path), (path, what)
        if key not in _found or _found[key][0] != file:
            _found[key] = file, look()
        return _found[key][1]


def _on_disk(path: Path) -> _File:
    try:
        found = path.stat()
    except FileNotFoundError:  # gone, while this process has it open
        return 0, 0, 0, 0
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _before_reading(campaign: Campaign, reads: Reads) -> str | None:
    """The first damage among what is compared: the structure is looked at beside the others."""
    structure, following = both(
        campaign, partial(_first, checks=reads.structure), partial(_first, checks=reads.following)
    )
    return structure or following


def _first(campaign: Campaign, checks: tuple[Check, ...]) -> str | None:
    try:
        with campaign.snapshot():
            return next((sentence for check in checks for sentence in check(campaign)), None)
    except SYMPTOMS as error:
        if (
            getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT
        ):  # what it would have found is unknown
            raise
        return " ".join(str(error).split()) or type(error).__name__


def _structure(campaign: Campaign) -> Iterator[str]:
    yield from integrity.redefined_tables(campaign)
    yield from integrity.integrity_problems(campaign, sorted(integrity.our_tables() - {BULK}))


def _structure_of_labels(campaign: Campaign) -> Iterator[str]:
    """The structure of what labels are read from; of the log's rows themselves the chain knows."""
    yield from integrity.redefined_tables(campaign)
    yield from integrity.integrity_problems(campaign, TABLES_OF_LABELS)
    yield from integrity.wrong_indexes(campaign, "judgment", INDEXES_OF_LABELS)


def _whole_structure(campaign: Campaign) -> Iterator[str]:
    yield from integrity.integrity_problems(campaign)
    yield from integrity.foreign_key_problems(campaign)


def _chain(campaign: Campaign) -> Iterator[str]:
    yield from (f"row {row.seq} of the log is not what was written" for row in broken_rows(campaign))


def _texts(campaign: Campaign) -> Iterator[str]:
    for document_id in documents.changed_texts(campaign):
        yield f"the text of document {document_id!r} is not the one that was stored"


def unreadable_values(campaign: Campaign) -> Iterator[str]:
    """A sentence for each value that cannot be read, and each source that lists another number of documents."""
    for source in documents.sources(campaign):
        if sum(map(len, documents.source_ids(campaign, source.source))) != source.documents:
            yield f"source {source.source}: its list of documents is not the one that was stored"
    yield from integrity.unreadable_values(campaign)


TABLES_OF_LABELS = ("event", "person", "assignment", "former_assignment")
INDEXES_OF_LABELS = ("judgment_pair", "judgment_adjudication", "judgment_model")
"""What labels are read from, besides the rows of the table `judgment`."""

NUMBERS = Reads((_structure,), (_chain, integrity.differences, pools.wrong_pairs, choices.wrong_choices))
"""What numbers are made of."""

LABELS = Reads((_structure_of_labels,), (_chain, integrity.differences_of_labels))
"""What the labels of pairs, and counts of them, are made of."""

_ELSEWHERE: tuple[Check, ...] = (_whole_structure, runs.wrong_rankings, _texts, unreadable_values)
_EVERYTHING = "everything"
