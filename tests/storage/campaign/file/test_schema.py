"""The log only grows at its end, whatever program writes to the file and however it asks."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.fixture_types import JudgeAs
from tests.log_rows import row as log_row
from workbench.core.records import KINDS, Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

COLUMNS = (
    "seq, uuid, received_at, client_at, assessor, topic, document, pool, text_hash, topic_version, "
    "guideline_version, kind, grade, replaces, active_seconds, comment, source, hash"
)


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Path:
    """A closed campaign with two judgments; the first has the uuid `aaaaaaaa`."""
    judging_as(small, "Ann", "1", "d1", 2, uuid="aaaaaaaa")
    judging_as(small, "Ben", "1", "d1", 0, uuid="bbbbbbbb")
    small.close()
    return small.path


@pytest.fixture(params=["recursive triggers off", "recursive triggers on"])
def foreign(judged: Path, request: pytest.FixtureRequest) -> Iterator[sqlite3.Connection]:
    """The campaign as any other program opens it."""
    connection = sqlite3.connect(judged)
    if request.param.endswith("on"):
        connection.execute("PRAGMA recursive_triggers = ON")
    yield connection
    connection.close()


def contents(connection: sqlite3.Connection) -> list[object]:
    return [
        connection.execute(f"SELECT * FROM {table} ORDER BY seq").fetchall()
        for table in ("event", "judgment")
    ]


CHANGES = {
    "update": "UPDATE judgment SET grade = 1",
    "update of one": "UPDATE judgment SET grade = 1 WHERE uuid = 'aaaaaaaa'",
    "update or replace": "UPDATE OR REPLACE judgment SET uuid = 'bbbbbbbb' WHERE uuid = 'aaaaaaaa'",
    "update or ignore": "UPDATE OR IGNORE judgment SET grade = 1",
    "update of seq": "UPDATE judgment SET seq = 1000 WHERE uuid = 'bbbbbbbb'",
    "update of rowid": "UPDATE judgment SET rowid = 1000 WHERE uuid = 'bbbbbbbb'",
    "update of an event": "UPDATE event SET actor = 'nobody'",
    "update or replace of an event": "UPDATE OR REPLACE event SET seq = 2 WHERE seq = 1",
    "delete": "DELETE FROM judgment",
    "delete of one": "DELETE FROM judgment WHERE uuid = 'aaaaaaaa'",
    "delete of an event": "DELETE FROM event WHERE seq = 1",
}


@pytest.mark.parametrize("statement", CHANGES.values(), ids=CHANGES)
def test_a_row_of_the_log_cannot_be_changed_even_by_plain_sqlite3(
    foreign: sqlite3.Connection, statement: str
) -> None:
    before = contents(foreign)
    with pytest.raises(sqlite3.IntegrityError):
        foreign.execute(statement)
    assert contents(foreign) == before


# A copy of the first judgment with another seq, uuid or grade; `next` stands for the next place in the sequence.
NEXT = "1 + (SELECT max(seq) FROM judgment)"
FIRST = "(SELECT min(seq) FROM judgment)"
INSERTIONS = {
    "replace by seq": ("INSERT OR REPLACE", FIRST, "'cccccccc'", ""),
    "replace by uuid": ("INSERT OR REPLACE", NEXT, "'aaaaaaaa'", ""),
    "replace into": ("REPLACE", FIRST, "'aaaaaaaa'", ""),
    "ignore by uuid": ("INSERT OR IGNORE", NEXT, "'aaaaaaaa'", ""),
    "upsert by seq": ("INSERT", FIRST, "'cccccccc'", "ON CONFLICT (seq) DO UPDATE SET grade = 1"),
    "upsert by uuid": ("INSERT", NEXT, "'aaaaaaaa'", "ON CONFLICT (uuid) DO UPDATE SET grade = 1"),
    "upsert by uuid that does nothing": ("INSERT", NEXT, "'aaaaaaaa'", "ON CONFLICT (uuid) DO NOTHING"),
    "seq of an event": ("INSERT OR REPLACE", "1", "'cccccccc'", ""),
    "negative seq": ("INSERT", "-5", "'cccccccc'", ""),
    "seq -1": ("INSERT", "-1", "'cccccccc'", ""),
    "seq 0": ("INSERT", "0", "'cccccccc'", ""),
    "largest seq": ("INSERT", "9223372036854775807", "'cccccccc'", ""),
    "smallest seq": ("INSERT", "-9223372036854775808", "'cccccccc'", ""),
    "a seq left out": ("INSERT", f"1 + {NEXT}", "'cccccccc'", ""),
    "no seq": ("INSERT", "NULL", "'cccccccc'", ""),
    "no seq, replacing": ("INSERT OR REPLACE", "NULL", "'aaaaaaaa'", ""),
}


@pytest.mark.parametrize("insertion", INSERTIONS.values(), ids=INSERTIONS)
def test_a_judgment_that_is_not_the_next_row_is_refused_by_the_file_itself(
    foreign: sqlite3.Connection, insertion: tuple[str, str, str, str]
) -> None:
    verb, seq, uuid, conflict = insertion
    rest = COLUMNS.removeprefix("seq, uuid, ")
    before = contents(foreign)
    with pytest.raises(sqlite3.IntegrityError):
        foreign.execute(
            f"{verb} INTO judgment ({COLUMNS}) SELECT {seq}, {uuid}, {rest} FROM judgment "
            f"WHERE uuid = 'aaaaaaaa' {conflict}"
        )
    assert contents(foreign) == before


@pytest.mark.parametrize("seq", [FIRST, "1", "0", "-5", "NULL", "9223372036854775807", f"1 + {NEXT}"])
def test_an_event_that_is_not_the_next_row_is_refused_by_the_file_itself(
    foreign: sqlite3.Connection, seq: str
) -> None:
    before = contents(foreign)
    with pytest.raises(sqlite3.IntegrityError):
        foreign.execute(
            "INSERT OR REPLACE INTO event (seq, at, actor, kind, content, hash) "
            f"SELECT {seq}, at, actor, kind, content, hash FROM event WHERE seq = 1"
        )
    assert contents(foreign) == before


def test_the_next_row_may_be_an_event_or_a_judgment(foreign: sqlite3.Connection) -> None:
    (newest,) = foreign.execute("SELECT max(seq) FROM judgment").fetchone()
    foreign.execute(
        f"INSERT INTO event VALUES ({newest + 1}, 'now', 'x', 'note', '{{}}', NULL, zeroblob(32))"
    )
    foreign.execute(
        f"INSERT INTO judgment ({COLUMNS}) SELECT {newest + 2}, 'cccccccc', "
        f"{COLUMNS.removeprefix('seq, uuid, ')} FROM judgment WHERE uuid = 'aaaaaaaa'"
    )
    assert foreign.execute("SELECT max(seq) FROM judgment").fetchone() == (newest + 2,)


def test_each_kind_of_judgment_has_a_grade_or_none_or_may_have_one(judged: Path) -> None:
    connection = sqlite3.connect(judged, isolation_level=None)
    told: dict[str, list[object]] = {}
    for kind, grade in product((*KINDS, "guess"), (1, None, "x")):
        connection.execute("BEGIN")
        with suppress(sqlite3.IntegrityError):
            connection.execute(
                "INSERT INTO judgment (seq, uuid, received_at, assessor, topic, document, kind, grade, comment, "
                f"source, hash) VALUES ({NEXT}, 'cccccccc', 'now', 'Ann', '1', 'd1', ?, ?, '', '', zeroblob(32))",
                [kind, grade],
            )
            told.setdefault(kind, []).append(grade)
        connection.execute("ROLLBACK")
    connection.close()
    assert told == {
        "grade": [1],
        "can't tell": [None],
        "cleared": [None],
        "adjudication": [1, None],
        "import": [1],
        "repeat": [1, None],
        "second look": [1, None],
        "norming": [1, None],
        "model": [1],
    }


def test_the_view_of_judgments_has_the_columns_of_the_table(small: Campaign) -> None:
    names = [
        [row[1] for row in small.db.execute(f"PRAGMA table_xinfo({name})").fetchall()]
        for name in ("judgment", "current_judgment")
    ]
    assert sorted(names[0]) == sorted(names[1])
    assert [*(name.removesuffix("_id") for name in Judgment._fields), "hash", "source_class"] == names[1]


def test_the_views_are_read_with_plain_sqlite3(foreign: sqlite3.Connection) -> None:
    assert foreign.execute("SELECT topic, document, grade FROM qrel").fetchall() == [("1", "d1", 0)]
    assert foreign.execute(
        "SELECT name, grade FROM current_judgment JOIN person ON id = assessor ORDER BY seq"
    ).fetchall() == [("Ann", 2), ("Ben", 0)]


def test_what_is_in_force_is_everybodys_own_judgment_and_one_adjudication_of_a_pair(small: Campaign) -> None:
    with small.write():
        for who, grade, kind in (
            ("Ann", 2, "grade"),
            ("Ann", 1, "adjudication"),
            ("Ben", 0, "adjudication"),
            ("Ann", 0, "repeat"),
            ("Ann", 0, "norming"),
        ):
            log.append_judgments(small, [log_row(who, "1", "d1", grade, kind=kind)])
    found = small.db.execute(
        "SELECT name, kind, grade FROM current_judgment JOIN person ON id = assessor ORDER BY seq"
    ).fetchall()
    assert found == [("Ann", "grade", 2), ("Ben", "adjudication", 0)]


PARTIAL = re.compile("judgment_(adjudication|model)")
"""Indexes of few rows, which a view may read besides."""


def test_views_take_one_pass_over_the_judgments(small: Campaign) -> None:
    for view in ("current_judgment", "qrel"):
        plan = small.db.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {view}").fetchall()
        passes = [row[3] for row in plan if row[3].startswith(("SCAN judgment", "SEARCH judgment"))]
        assert len([each for each in passes if not PARTIAL.search(each)]) == 1


def test_every_table_is_strict_and_every_reference_names_its_column_as_other_tools_need_it(
    small: Campaign,
) -> None:
    rows = small.db.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'").fetchall()
    loose = {name for name, strict in rows if not strict and not name.startswith("sqlite_")}
    assert loose == set()
    tables = [
        name for (name,) in small.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    ]
    references = [
        (table, parent, column)
        for table in tables
        for _, _, parent, _, column, *_ in small.db.execute(f"PRAGMA foreign_key_list({table})").fetchall()
    ]
    assert ("judgment", "judgment", "seq") in references
    assert ("ranking", "topic", "topic") in references
    assert all(column for _, _, column in references)
    text = (ROOT / "docs" / "build" / "campaign-file.md").read_text(encoding="utf-8")
    there = small.db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    assert {name for (name,) in there} <= set(re.findall(r"`(\w+)`", text))
