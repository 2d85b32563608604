"""An export of labels reads what was compared for it, and nothing damaged leaves it."""

from __future__ import annotations

import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.fixture_types import JudgeAs
from tests.flipping import flip
from tests.log_rows import tampering
from workbench.cli import main
from workbench.core.errors import DamagedCampaign
from workbench.release.export import export_qrels
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades.judgments import log
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.log.log import append_judgments
from workbench.storage.campaign.opening import damage
from workbench.storage.campaign.opening.damage import (
    INDEXES_OF_LABELS,
    TABLES_OF_LABELS,
    forget,
    require_undamaged,
)
from workbench.storage.campaign.opening.integrity import wrong_indexes
from workbench.storage.campaign.organising import settings

SCHEMA = {"sqlite_master", "sqlite_schema"}
VIRTUAL = {"json_each"}
FLIPS = 60


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """Two pairs that two assessors judged, and one that one judged twice."""
    for who, document, grade in [("Ben", "d1", 1), ("Ben", "d2", 0), ("Ann", "d1", 0), ("Ben", "d2", 1)]:
        judging_as(small, who, "1", document, grade)
    return small


@pytest.fixture
def large(judged: Campaign, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign that counts as large, closed."""
    monkeypatch.setattr(damage, "LARGE", 0)
    judged.close()
    return judged.path


def rewritten(path: Path, statement: str) -> None:
    """Change a file behind the triggers' back."""
    with tampering(path) as connection:
        assert connection.execute(statement).rowcount == 1
    forget(path)


def exported(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["export", "qrels", str(path), *more])


def pages_of(path: Path, name: str) -> list[int]:
    """Where the pages of a table or an index begin in the file."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        rows = connection.execute("SELECT pageno FROM dbstat WHERE name = ?", [name]).fetchall()
    return [size * (number - 1) for (number,) in rows]


@pytest.mark.parametrize("rule", LABEL_RULES)
@pytest.mark.parametrize("models", ["never", "gaps"])
@pytest.mark.parametrize("past", [False, True])
def test_labels_are_read_from_the_tables_and_indexes_that_are_compared(
    judged: Campaign, rule: str, models: str, past: bool
) -> None:
    with judged.write():
        chosen = {"label_rule": rule, "imported_labels": "gaps", "model_labels": models}
        seq = settings.change(judged.by("Olga"), chosen)
    read: list[str] = []
    judged.db.conn.set_trace_callback(read.append)
    for only in ((), ("here",), ("import", "model")):
        export_qrels(judged.at(seq if past else None), only=only)
    judged.db.conn.set_trace_callback(None)
    tables, indexes = set[str](), set[str]()
    judged.db.conn.set_authorizer(
        lambda action, table, *_: (
            (tables.add(table) if action == sqlite3.SQLITE_READ and table is not None else None)
            or sqlite3.SQLITE_OK
        )
    )
    for statement in read:
        if statement.lstrip().startswith(("SELECT", "WITH")):
            plan = judged.db.conn.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
            indexes |= {name for row in plan for name in re.findall(r"INDEX (\w+) ", f"{row[3]} ")}
    judged.db.conn.set_authorizer(None)
    own = {name for name in indexes if not name.startswith("sqlite_autoindex")}
    assert own <= {*INDEXES_OF_LABELS}
    assert tables - SCHEMA - VIRTUAL <= {"judgment", *TABLES_OF_LABELS} | own
    assert {"judgment_pair"} <= own
    assert not {name for name in indexes - own if "judgment" in name}


DAMAGE = [
    "UPDATE judgment SET grade = 1 WHERE grade = 0 AND assessor IN (SELECT id FROM person WHERE name = 'Ann')",
    "UPDATE event SET content = replace(content, 'Small', 'Large') WHERE seq = 1",
    "DELETE FROM judgment WHERE seq = (SELECT max(seq) FROM judgment) - 1",
]


@pytest.mark.parametrize("statement", DAMAGE, ids=["grade", "event", "row"])
def test_nothing_of_a_damaged_file_goes_out(large: Path, tmp_path: Path, statement: str) -> None:
    rewritten(large, statement)
    target = tmp_path / "qrels.txt"
    target.write_text("of before")
    for output in ("-", str(target)):
        found = exported(large, "-o", output)
        assert (found.exit_code, found.stdout, found.stderr.startswith(f"{large}: damaged")) == (1, "", True)
    assert target.read_text() == "of before"


def test_nothing_that_was_read_through_a_damaged_index_goes_out(large: Path) -> None:
    [begin] = pages_of(large, "judgment_pair")
    page = large.read_bytes()[begin : begin + 4096]
    with closing(sqlite3.connect(large)) as connection:
        ((id_,),) = connection.execute("SELECT id FROM person WHERE name = 'Ann'").fetchall()
    flip(large, begin + page.index(id_.encode()))
    forget(large)
    found = exported(large)
    assert (found.exit_code, found.stdout, "judgment_pair" in found.stderr) == (1, "", True)


def test_a_whole_file_is_exported_also_where_the_comparison_finds_no_second_process(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    assert exported(large).stdout == "1 0 d1 0\n1 0 d2 1\n"
    monkeypatch.setattr(damage.Workers, "run", refuse)
    assert exported(large).stdout == "1 0 d1 0\n1 0 d2 1\n"
    rewritten(large, DAMAGE[0])
    assert exported(large).exit_code == 1


def test_what_an_export_of_labels_does_not_read_does_not_stop_it(large: Path) -> None:
    rewritten(large, "UPDATE pooled SET best_rank = 9 WHERE topic = '1' AND document = 'd1'")
    assert exported(large).stdout == "1 0 d1 0\n1 0 d2 1\n"
    with open_campaign(large, compare=False) as campaign, pytest.raises(DamagedCampaign, match="pool 1"):
        require_undamaged(campaign)


@pytest.mark.parametrize("index", INDEXES_OF_LABELS)
def test_an_index_that_differs_from_its_table_is_found_whatever_bit_of_it_was_flipped(
    judged: Campaign, index: str
) -> None:
    """Each flip is found, or leaves what is read through the index as it was."""
    if index != "judgment_pair":
        kind = index.removeprefix("judgment_")
        with judged.write():
            append_judgments(
                judged,
                [judgment._replace(uuid=f"{kind} {judgment.seq}", kind=kind) for judgment in log(judged)],
            )
    judged.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    judged.close()
    whole, rng, found = judged.path.read_bytes(), random.Random(1), 0
    expected = read_through(judged.path, index)
    places = [
        begin + place
        for begin in pages_of(judged.path, index)
        for place in range(4096)
        if whole[begin + place]
    ]
    assert len(expected[1]) >= 4
    for place in rng.choices(places, k=FLIPS):
        judged.path.write_bytes(whole)
        flip(judged.path, place, 1 << rng.randrange(8))
        sentences, rows = read_through(judged.path, index)
        found += bool(sentences)
        assert sentences or rows == expected[1], place
    assert (expected[0], found > FLIPS // 2) == ([], True)


def read_through(path: Path, index: str) -> tuple[list[str], list[tuple[object, ...]]]:
    """What is said of an index, and the rows that are read through it in its order."""
    condition = "" if index == "judgment_pair" else f"WHERE kind = '{index.removeprefix('judgment_')}'"
    with open_campaign(path, compare=False) as campaign:
        try:
            sentences = list(wrong_indexes(campaign, "judgment", [index]))
            rows = campaign.db.conn.execute(
                f"SELECT topic, document, seq, grade FROM judgment INDEXED BY {index} {condition} "
                "ORDER BY topic, document"
            ).fetchall()
        except sqlite3.Error as error:
            return [str(error)], []
        return sentences, rows
