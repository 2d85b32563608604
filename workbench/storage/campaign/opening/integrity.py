"""What SQLite, the schema and the log say about a file: damage, dangling references, tables that are not ours or not
what follows from the log.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from workbench.jobs.observing import observed_steps
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import documents, pools, runs, topics
from workbench.storage.campaign.file import schema
from workbench.storage.campaign.file.connection import EVERY, Campaign
from workbench.storage.campaign.log.log import events
from workbench.storage.campaign.models import answers
from workbench.storage.campaign.people import members

NUMBERED = (
    ("source_documents", "source"),
    ("document", "source"),
    ("ranking", "run"),
    ("answer", "run"),
    ("model_answer", "batch"),
    ("pooled", "pool"),
    ("retired_pair", "pool"),
    ("judgment", "pool"),
)
"""The columns with numbers of what events alone say."""


def integrity_problems(campaign: Campaign, tables: Sequence[str] = ()) -> Iterator[str]:
    """What SQLite's integrity check reports of these tables with their indexes, or of the file if none is named.

    For some damage that is an error of the check itself.
    """
    checks = [f"SELECT '{table}', * FROM pragma_integrity_check('{table}')" for table in tables]
    sizes = _sizes(campaign, tables) or {"": 1}
    try:
        found = campaign.execute(" UNION ALL ".join(checks or ["SELECT '', * FROM pragma_integrity_check"]))
        with observed_steps("Checking the file", sum(sizes.values())) as advance:
            for table, message in found:
                advance(sizes.pop(table, 0))
                if message != "ok":
                    yield f"integrity: {message}"
    except sqlite3.DatabaseError as error:
        yield f"integrity: {error}"


def _sizes(campaign: Campaign, tables: Sequence[str]) -> dict[str, int]:
    """About how many rows each table has, found without a walk through it; 1 where that cannot be told."""
    ours = schema.ours()["table"]
    counted = [
        f"SELECT '{each}', max(rowid) FROM {each}" for each in tables if "WITHOUT ROWID" not in ours[each]
    ]
    try:
        found = campaign.mapping(" UNION ALL ".join(counted)) if counted else {}
    except sqlite3.DatabaseError:
        found = {}
    newest = {each: found.get(each) for each in tables}
    return {each: size if isinstance(size, int) and size > 0 else 1 for each, size in newest.items()}


def our_tables() -> set[str]:
    """The names of the tables that a campaign file of this version has."""
    return set(schema.ours()["table"])


def wrong_indexes(campaign: Campaign, table: str, names: Iterable[str]) -> Iterator[str]:
    """Indexes of ours that do not have exactly one entry for each row of a table that they are defined for, in order.

    Each row is looked up in the index by all columns and its rowid. As many entries as rows, each of which is found,
    leave no room for another entry or another order. Rows are taken as a scan of the table gives them: what they
    hold is not checked here.
    """
    indexes = [_Index.of(name) for name in names]
    counts = ", ".join(f"total({index.condition})" for index in indexes)
    numbers = campaign.execute(f"SELECT {counts} FROM {table} NOT INDEXED").fetchone()
    for index, rows in zip(indexes, numbers, strict=True):
        entries = campaign.number(index.entries(table))
        if rows != entries or (rows and campaign.execute(index.found(table)).fetchone() != (rows,)):
            yield f"integrity: index {index.name} does not have the rows of {table}"


class _Index(NamedTuple):
    """An index as the workbench defines it: its columns, and the condition that a row with an entry fulfils."""

    name: str
    columns: tuple[str, ...]
    condition: str

    @classmethod
    def of(cls, name: str) -> _Index:
        sql = schema.ours()["index"][name]
        found = re.fullmatch(r"CREATE INDEX \w+ ON \w+ \(([\w, ]+)\)(?: WHERE (.+))?", sql)
        if found is None:
            raise LookupError(f"not an index of columns: {sql}")
        return cls(name, tuple(found[1].split(", ")), found[2] or "rowid IS NOT NULL")

    def entries(self, table: str) -> str:
        """A query of how many entries it has."""
        return f"SELECT total(1) FROM {table} INDEXED BY {self.name} WHERE {self.condition}"

    def found(self, table: str) -> str:
        """A query of how many rows have an entry with all columns and the rowid."""
        same = " AND ".join(f"entry.{column} IS one.{column}" for column in ("rowid", *self.columns))
        return f"""SELECT total(1) FROM {table} AS one NOT INDEXED WHERE one.{self.condition} AND EXISTS (
            SELECT 1 FROM {table} AS entry INDEXED BY {self.name} WHERE entry.{self.condition} AND {same})"""


def foreign_key_problems(campaign: Campaign) -> Iterator[str]:
    """Rows that refer to rows that do not exist, or to a source, a run or a pool that the log does not have."""
    for table, row, parent, _ in campaign.execute("PRAGMA foreign_key_check"):
        yield f"foreign keys: row {row} of {table} refers to a row of {parent} that does not exist"
    known = {
        "source": [each.source for each in documents.sources(campaign)],
        "run": [each.run for each in runs.all_runs(campaign)],
        "batch": [each.seq for each in answers.batches(campaign)],
        "pool": [each.pool for each in pools.all_pools(campaign.asking(EVERY))],
    }
    there = schema.definitions_in(campaign.db)["table"]
    for table, column in [each for each in NUMBERED if each[0] in there]:
        rows = campaign.execute(
            f"""SELECT DISTINCT {column} FROM {table}
            WHERE {column} IS NOT NULL AND {column} NOT IN (SELECT value FROM json_each(?))""",
            [json.dumps(known[column])],
        )
        yield from (
            f"foreign keys: {table} names {column} {number}, which no event mentions" for (number,) in rows
        )


def redefined_tables(campaign: Campaign) -> Iterator[str]:
    """Tables and indexes of ours that have another definition than we gave them, or are missing."""
    found = schema.definitions_in(campaign.db)
    ours = schema.ours()
    for kind in ("table", "index"):
        for name, sql in ours[kind].items():
            if found[kind].get(name) != sql:
                yield f"schema: {name} is not defined as the workbench defines it"


def changed_tables(campaign: Campaign) -> Iterator[str]:
    """Tables and indexes of ours that have another definition than we gave them, or are missing, and what others
    else has tied to them: an index, which can refuse rows, and a table that refers to ours, which can keep them.
    """
    found = schema.definitions_in(campaign.db)
    ours = schema.ours()
    yield from redefined_tables(campaign)
    indexes = campaign.execute(
        "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
    ).fetchall()
    for name, table in indexes:
        if name not in ours["index"] and table in ours["table"]:
            yield f"schema: index {name!a} on {table} is not the workbench's; remove it with DROP INDEX"
    for name in _beside(found, ours):
        if table := _refers_to(campaign, name, ours["table"]):
            yield f"schema: table {name!a} is not the workbench's and refers to {table}; remove it with DROP TABLE"


def tables_beside(campaign: Campaign) -> Iterator[str]:
    """Tables that are not the workbench's, virtual ones and what belongs to them too."""
    found = schema.definitions_in(campaign.db)
    ours = schema.ours()
    for name, sql in _beside(found, ours).items():
        is_virtual = sql.upper().startswith("CREATE VIRTUAL TABLE")
        yield f"{'virtual table' if is_virtual else 'table'} {name!a}, which is not the workbench's"


def _beside(found: schema.Definitions, ours: schema.Definitions) -> dict[str, str]:
    """Foreign tables by name, without SQLite's own."""
    return {
        name: sql
        for name, sql in sorted(found["table"].items())
        if name not in ours["table"] and not name.startswith("sqlite_")
    }


def _refers_to(campaign: Campaign, name: str, ours: dict[str, str]) -> str:
    """A table of ours that a foreign key of the table `name` refers to; "" for none."""
    rows = campaign.execute('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)', [name])
    lower = {table.lower(): table for table in ours}
    return next((lower[parent.lower()] for (parent,) in rows.fetchall() if parent.lower() in lower), "")


def unreadable_values(campaign: Campaign) -> Iterator[str]:
    """A sentence for each table with a text that is not UTF-8, or of an assessor's settings that are not JSON."""
    for name in schema.definitions_in(campaign.db)["table"]:
        try:
            for _ in campaign.execute(f'SELECT * FROM "{name}"'):
                pass
        except sqlite3.DatabaseError as error:
            yield f"table {name}: {error}"
    for (value,) in campaign.execute("SELECT value FROM preference"):
        try:
            json.loads(value)
        except ValueError:
            yield "table preference: a value that is not JSON"


def differences(campaign: Campaign) -> Iterator[str]:
    """A sentence for each kind of thing of which a table says something else than the log; judgments are left out."""
    yield from differences_of_labels(campaign)
    stored = {row.topic.topic_id: row for row in topics.all_topics(campaign.asking(EVERY))}
    yield from _different("topics", topics.by_id(campaign), stored)
    logged = members.replay(events(campaign, members.MEMBER))
    yield from _different("members", logged, members.roles_and_teams(campaign))


def differences_of_labels(campaign: Campaign) -> Iterator[str]:
    """The same of what decides which judgments give the labels."""
    logged = events(campaign, assignments.ASSIGNMENT)
    yield from _different("assignments", assignments.replay(logged), assignments.stored(campaign))


def _different(what: str, logged: object, stored: object) -> Iterator[str]:
    if logged != stored:
        yield f"{what}: not what the log says"
