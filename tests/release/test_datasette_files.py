"""A campaign opens in Datasette with every table and column described and its rankings decoded."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.fixture_types import JudgeAs
from tests.log_rows import row as log_row
from workbench.release.datasette_files import METADATA, PLUGIN, datasette_files, metadata_of
from workbench.release.export import export_run
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, settings
from workbench.storage.campaign.file.schema_docs import TABLES
from workbench.storage.campaign.file.schema_queries import QUERIES
from workbench.storage.campaign.log import log

Get = Callable[..., list[str]]

DATASETTE = """
import sys
from datasette.cli import cli

words, addresses = (list(part.splitlines()) for part in sys.stdin.read().split("\\n\\n"))
for address in addresses:
    try:
        cli.main([*words, "--get", address], prog_name="datasette")
    except SystemExit as ended:
        print(f"\\0{ended.code or 0}", end="\\0")
"""
"""The command `datasette ... --get ADDRESS` for one address after the other, in a process that imports it once."""


def columns_of(campaign: Campaign, table: str) -> list[str]:
    return [row[1] for row in campaign.db.execute(f"PRAGMA table_xinfo({table})").fetchall()]


def test_every_table_and_view_is_described_and_nothing_else(small: Campaign) -> None:
    rows = small.db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    assert {name for (name,) in rows} - {"_sqlite_migrations"} == set(TABLES)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_described_and_nothing_else(small: Campaign, table: str) -> None:
    assert sorted(columns_of(small, table)) == sorted(TABLES[table].columns)
    assert not TABLES[table].label or TABLES[table].label in TABLES[table].columns


def test_the_metadata_are_those_of_the_file_by_its_name(small: Campaign) -> None:
    metadata = metadata_of(small)
    assert metadata["title"] == "Small"
    assert list(metadata["databases"]) == ["small"]
    tables = metadata["databases"]["small"]["tables"]
    assert tables["topic"]["label_column"] == "title"
    assert tables["_sqlite_migrations"] == {"hidden": True}
    assert json.loads(datasette_files(small)[METADATA]) == metadata


def test_tables_of_use_to_the_workbench_alone_are_hidden(small: Campaign) -> None:
    tables = metadata_of(small)["databases"]["small"]["tables"]
    assert {name for name, table in tables.items() if table.get("hidden")} == {
        "_sqlite_migrations",
        "claim",
        "compared",
        "former_assignment",
        "later",
        "own_term",
        "preference",
        "remark",
        "source_documents",
        "unmarked_term",
    }


COLUMNS_OF_QUERIES = {
    "progress": "topic title pooled graded relevant",
    "disagreements": "topic document lowest highest grades adjudicated adjudicator label",
    "said_twice": "topic document assessor first again",
}


def test_queries_without_the_plugin_need_nothing_but_sqlite(small: Campaign) -> None:
    names = [name for name, query in QUERIES.items() if "ranked" not in query.sql]
    assert names == list(COLUMNS_OF_QUERIES)
    for name in names:
        columns = [column[0] for column in small.db.execute(QUERIES[name].sql).description]
        assert columns == COLUMNS_OF_QUERIES[name].split()


def test_progress_counts_what_is_graded_and_relevant(small: Campaign, judging_as: JudgeAs) -> None:
    for document_id, grade in (("d1", 2), ("d2", 0), ("d4", None)):
        judging_as(small, "Ann", "1", document_id, grade)
    assert small.db.execute(QUERIES["progress"].sql).fetchall() == [
        ("1", "frozen rivers", 3, 2, 1),
        ("10", "deep seas", 1, 0, 0),
        ("2", "warm lakes", 3, 0, 0),
    ]


def test_disagreements_name_the_assessors_and_their_grades_and_what_settled_them(
    small: Campaign, judging_as: JudgeAs
) -> None:
    told = [
        ("Ben", "d1", 0),
        ("Ann", "d1", 2),
        ("Ann", "d2", 1),
        ("Ben", "d2", 1),
        ("Ann", "d4", 1),
        ("Ben", "d4", 0),
    ]
    for assessor, document_id, grade in told:
        judging_as(small, assessor, "1", document_id, grade)
    with small.write():
        settings.change(small, {"label_rule": "adjudicated first"}, actor="Olga")
        log.append_judgments(small, [log_row("Ben", "1", "d1", 1, kind="adjudication")])
        log.append_judgments(
            small, [log_row("Ann", "1", "d2", 0, kind=kind) for kind in ("repeat", "norming")]
        )
    assert small.db.execute(QUERIES["disagreements"].sql).fetchall() == [
        ("1", "d1", 0, 2, "Ann: 2, Ben: 0", 1, "Ben", 1),
        ("1", "d4", 0, 1, "Ann: 1, Ben: 0", None, None, 0),
    ]
    assert small.db.execute(QUERIES["said_twice"].sql).fetchall() == [("1", "d2", "Ann", 1, 0)]


def test_of_two_repeats_the_last_stands_beside_what_was_said_before_the_first(small: Campaign) -> None:
    said = [
        ("d1", 0, "grade", "screen"),
        ("d1", 1, "grade", "screen"),
        ("d1", 2, "repeat", "screen"),
        ("d1", 0, "grade", "screen"),
        ("d1", 1, "repeat", "screen"),
        ("d2", 1, "grade", "screen"),
        ("d2", 2, "repeat", "screen"),
        ("d2", None, "repeat", "screen, taken back"),
    ]
    with small.write():
        for document_id, grade, kind, source in said:
            one = log_row("Ann", "1", document_id, grade, kind=kind)._replace(source=source)
            log.append_judgments(small, [one])
        log.append_judgments(small, [log_row("Ben", "1", "d1", 0)])
    assert small.db.execute(QUERIES["said_twice"].sql).fetchall() == [("1", "d1", "Ann", 1, 1)]


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


def answers(words: Sequence[str | Path], addresses: Sequence[str]) -> list[str]:
    """What the real Datasette prints for each address."""
    pytest.importorskip("datasette", reason="datasette is among the peers")
    given = "\n\n".join("\n".join(map(str, part)) for part in (words, addresses))
    command = [sys.executable, "-c", DATASETTE]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split("\0")
    assert printed[1::2] == ["0"] * len(addresses), done.stderr + done.stdout
    return printed[:-1:2]


def address(path: str, **asked: str) -> str:
    return f"{path}?{urlencode(asked)}" if asked else path


@pytest.fixture
def get(small: Campaign, tmp_path: Path) -> Get:
    """What Datasette answers to addresses, over the files that are made for the campaign."""
    for name, text in datasette_files(small).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = [small.path, "--metadata", tmp_path / METADATA, "--plugins-dir", (tmp_path / PLUGIN).parent]
    return lambda *addresses: answers(words, addresses)


def rows(answer: str) -> Any:
    return json.loads(answer)


@pytest.mark.slow
def test_datasette_decodes_every_ranking_as_the_export_does(get: Get, small: Campaign) -> None:
    rankings = {
        stored.record.tag: export_run(small, stored.record.tag).rankings for stored in runs.all_runs(small)
    }
    assert set(rankings) == {"alpha", "beta"}
    expected = [(tag, *ranking) for tag, of_run in rankings.items() for ranking in of_run]
    asked = [
        address("/small/one_ranking.json", run=tag, topic=topic_id, _shape="array")
        for tag, topic_id, _, _ in expected
    ]
    for (_, _, document_ids, scores), answer in zip(expected, get(*asked), strict=True):
        shown = rows(answer)
        ranking = list(zip(document_ids, scores, strict=True))
        assert [(row["document"], row["score"]) for row in shown] == ranking
        assert [row["rank"] for row in shown] == list(range(1, len(ranking) + 1))


@pytest.mark.slow
def test_datasette_shows_grades_beside_a_ranking_and_who_retrieved_a_document(
    get: Get, small: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(small, "Ann", "1", "d2", 2)
    ranking, retrieved = get(
        address("/small/one_ranking.json", run="alpha", topic="1", _shape="array"),
        address("/small/retrieved_by.json", topic="1", document="d1", _shape="array"),
    )
    assert [(row["document"], row["title"], row["grade"]) for row in rows(ranking)] == [
        ("d1", "Document d1", None),
        ("d2", "Document d2", 2),
        ("d3", "Document d3", None),
    ]
    assert rows(retrieved) == [
        {"run": "alpha", "rank": 1, "score": 100.0},
        {"run": "beta", "rank": 3, "score": 98.0},
    ]


@pytest.mark.slow
def test_datasette_describes_tables_and_columns_and_shows_cells_that_can_be_read(get: Get) -> None:
    front, page, overview, qrel, event = get("/", "/small/ranking", "/small", "/small/qrel", "/small/event")
    assert "Small" in front
    assert "<dt>documents</dt><dd>Numbers into the topic&#39;s vocabulary in rank order" in page
    assert "3: 0, 1, 2" in page
    assert "&lt;Binary" not in page
    assert "One ranking" in overview
    assert "The label of each pair: the one grade that counts" in qrel
    assert "SHA-256 of the hash before it and this row" in event


@pytest.mark.slow
def test_datasette_shows_every_kind_of_table_without_our_files_too(small: Campaign) -> None:
    tables = ("ranking", "pooled", "judgment", "document", "run", "current_judgment")
    assert all(answers([small.path], [f"/small/{table}" for table in tables]))


def test_no_query_has_the_name_of_a_table() -> None:
    assert not set(QUERIES) & set(TABLES)


@pytest.mark.slow
def test_datasette_changes_nothing_in_the_campaign(get: Get, small: Campaign) -> None:
    before = small.db.execute("SELECT * FROM sqlite_master").fetchall()
    get(address("/small/one_ranking.json", run="alpha", topic="1"))
    assert small.db.execute("SELECT * FROM sqlite_master").fetchall() == before
