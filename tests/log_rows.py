"""Rows of the log: put there by tests themselves, past the judging page and its checks, and as they are stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.erasable import Person
from workbench.storage.campaign.log.kinds import kind
from workbench.storage.campaign.log.log import (
    EVENT_COLUMNS,
    GENESIS,
    JUDGMENT_SELECT,
    STORED,
    append_event,
    judgment_of,
    next_hash,
)

_number = count(1)


def row(assessor: str, topic_id: str, document_id: str, grade: int | None, **changes: Any) -> Judgment:
    """A judgment that names nothing but who judged which pair; `changes` are to any other field."""
    bare = Judgment(
        uuid=f"row-{next(_number):032d}",
        received_at="2026-03-01T12:00:00.000+00:00",
        assessor=assessor,
        topic_id=topic_id,
        document_id=document_id,
        grade=grade,
        source="test",
    )
    return bare._replace(**changes)


@contextmanager
def rolled_back(campaign: Campaign) -> Iterator[None]:
    """What is written in the block is gone after it."""
    campaign.db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        campaign.db.conn.execute("ROLLBACK")


class LogRow(NamedTuple):
    """A row of either table as the chain covers it: columns in documented order, and the stored hash."""

    table: str
    row: tuple[Any, ...]
    hash: bytes


def rows_of_the_chain(campaign: Campaign) -> list[LogRow]:
    """Every row of the log with its stored hash, in the order of the sequence."""
    found: list[LogRow] = []
    for table, columns in (("event", ", ".join(EVENT_COLUMNS)), ("judgment", ", ".join(STORED))):
        rows = campaign.db.conn.execute(f"SELECT {columns}, hash FROM {table}")
        found += [LogRow(table, row[:-1], row[-1]) for row in rows]
    return sorted(found, key=lambda each: each.row[0])


def chain_holds(campaign: Campaign) -> bool:
    """Whether the rows follow each other without a gap, and each hash is that of its row and the one before."""
    last = GENESIS
    for place, (table, row, stored) in enumerate(rows_of_the_chain(campaign), start=1):
        last = next_hash(last, table, row)
        if row[0] != place or stored != last:
            return False
    return True


NOTE = kind("note", "nothing", any_field=True)
"""A kind of event for tests."""


def note(campaign: Campaign, word: str | list[str] = "x") -> None:
    """Append an event that means nothing."""
    with campaign.write():
        append_event(campaign.by("Olga", datetime(2026, 3, 1, 12, tzinfo=UTC)), NOTE, {"word": word})


def view_of_current(campaign: Campaign, topic_id: str | None = None) -> list[Judgment]:
    """What the file's own view `current_judgment` says (of one topic, when named), in the order of the log."""
    rows = campaign.db.conn.execute(
        f"SELECT {JUDGMENT_SELECT} FROM current_judgment AS judgment WHERE ifnull(topic = ?, 1) ORDER BY seq",
        [topic_id],
    )
    return [judgment_of(row) for row in rows]


def persons_in(campaign: Campaign) -> list[Person]:
    """The people that the log names by ids, by their shown names."""
    rows = campaign.db.conn.execute("SELECT id, name, shown, state FROM person ORDER BY shown")
    return [Person(*row) for row in rows]


@contextmanager
def tampering(path: Path) -> Iterator[sqlite3.Connection]:
    """The file in the hands of somebody who takes its triggers off, and puts them on again afterwards."""
    connection = sqlite3.connect(path, isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    for _, sql in triggers:
        connection.execute(sql)
    connection.close()
