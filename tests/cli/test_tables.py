"""What every command that prints a table has in common: heads, and the same as JSON for programs."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import click
import pytest

from tests.cli.commands import leaves
from tests.conftest import judge_as
from tests.fixture_types import Workbench
from workbench.cli import tables
from workbench.storage.campaign import Campaign

PASSWORD = "the river is deep and cold"

TABLES = [
    "campaign runs small",
    "campaign topics small",
    "pooling search small 1 text",
    "task round small",
    "campaign question small",
    "campaign nuggets small",
    "pool small --depth 3 --dry-run",
    "pooling strategies",
    "pooling simulate small --strategy depth --budget 2",
    "score small",
    "analyse compare small alpha beta",
    "analyse reuse small",
    "analyse costs small",
    "analyse corrected small",
    "analyse certain small",
    "analyse stop small --topics",
    "judging assessors small",
    "judging repeats small",
    "judging norming show small",
    "judging agreement small",
    "judging judge-quality small",
    "judging conflicts small",
    "judging rule small",
    "judge-by-model small --judge jay --model m --dry-run",
    "eval qrels.txt alpha.run beta.run",
    "judges qrels.txt --truth qrels.txt --layout qrels",
    "online boards small",
    "online clicks clicks.jsonl",
    "online ab clicks.jsonl",
    "online interleaving clicks.jsonl --lists lists.jsonl",
    "battles battles.csv",
    "analyse latency times.csv",
    "analyse freshness small",
    "analyse measures",
    "analyse figures",
    "campaign audit small",
    "user log",
    "user list",
    "member list small",
    "member tokens small",
    "assign list small",
    "assign hand-over small ben --to cara",
    "assign again small",
    "assign spread small",
    "campaign set small",
    "judging broken small",
    "campaign steps small",
    "campaign warnings small",
    "campaign webhooks small",
    "task submissions small",
    "task codes small",
    "assign double small --share 0.5 --seed 7 --by ben",
]
"""One call of every command that prints a table, about the campaign as `filled` leaves it."""

JUDGED = [("Ann", "1", "d1", 2), ("Ben", "1", "d1", 0), ("Ann", "2", "d2", 1), ("Ann", "1", "d2", 0)]

FIRST = {
    "campaign question": "question small readable --title Readable? --grades 0:Hard,1:Easy",
    "campaign nuggets": "add nuggets small nuggets.json",
    "analyse stop": "pool small --strategy uniform --depth 3 --set percent=50",
    "analyse corrected": "pool small --strategy uniform --depth 3 --set percent=50 && "
    "add model-labels small qrels.txt --form qrels --judge jay",
    "online boards": "add outcomes small clicks.jsonl",
    "judging broken": "broken small d1 --reason torn",
    "campaign webhooks": "webhooks small --add https://hook.example/",
    "task submissions": "correct small alpha --team Oslo",
    "judging norming show": "norming open small 2",
    "assign again": "assign again small 1 d1",
    "analyse freshness": "add documents small dated.jsonl --changed",
    "assign double": "assign who small assigned",
    "assign hand-over": "assign give small ben 1 2",
}
"""What a command of TABLES needs beside that."""


def forms(command: click.Command) -> tuple[str, ...]:
    """The values of a command's option --format."""
    for parameter in command.params:
        if "--format" in parameter.opts and isinstance(parameter.type, click.Choice):
            return tuple(parameter.type.choices)
    return ()


def name_of(words: str) -> str:
    """The name of the command that is called so."""
    (name,) = (name for name, _ in leaves() if f"{words} ".startswith(f"{name} "))
    return name


WITH_TABLES = {name for name, command in leaves() if "table" in forms(command)}


@pytest.fixture
def filled(done: Workbench, campaign: Campaign) -> None:
    """The campaign `small` with judgments that differ, two assessors, an account, and qrels beside it."""
    done("user add ben --password", PASSWORD)
    done("member add small ben --role assessor")
    done("member token small ben")
    done("member add small cara --role assessor")
    done("repeats small --share 1 --gap 1")
    for assessor, topic_id, document_id, grade in JUDGED:
        judge_as(campaign, assessor, topic_id, document_id, grade)
    Path("nuggets.json").write_text('{"qid": "1", "query": "", "nuggets": [{"text": "x"}]}')
    Path("battles.csv").write_text(
        "battle_id,topic_id,left_run,right_run,winner\nb,1,x,y,left\nc,1,y,x,left\n"
    )
    Path("dated.jsonl").write_text('{"id": "d1", "text": "x", "date": "2026-01-01"}\n')
    Path("times.csv").write_text("run,ms\nalpha,12\n")
    Path("qrels.txt").write_text("1 0 d1 2\n2 0 d2 1\n", encoding="utf-8")
    done("online interleave alpha.run beta.run -o lists.jsonl")
    Path("clicks.jsonl").write_text(
        '{"list_id": "alpha:beta:1:1", "user": "u", "run": "alpha", "shown": ["d1"], "clicked": ["d1"]}\n'
        '{"list_id": "alpha:beta:2:1", "user": "v", "run": "beta", "shown": ["d2"], "clicked": []}\n'
    )


def test_what_prints_a_table_prints_json_too_and_is_tried_here() -> None:
    assert [
        name for name, command in leaves() if "table" in forms(command) and "json" not in forms(command)
    ] == []
    assert set(map(name_of, TABLES)) == WITH_TABLES


@pytest.mark.parametrize("words", TABLES)
def test_a_table_has_heads_and_its_json_is_json(
    done: Workbench, filled: None, folder: Path, words: str
) -> None:
    for name, first in FIRST.items():
        if words.startswith(name):
            for command in first.split(" && "):
                done(*command.split())
    shutil.copytree("instance", "before")
    printed = {}
    for kind in forms(dict(leaves())[name_of(words)]):
        shutil.rmtree("instance")
        shutil.copytree("before", "instance")
        printed[kind] = done(*words.split(), "--format", kind).stdout
    head, first, *_ = (line for line in printed["table"].splitlines() if not line.startswith("Pool over"))
    assert json.loads(printed["json"])
    assert first.strip()
    if "csv" in printed:
        names, *rows = csv.reader(printed["csv"].splitlines())
        assert all(names)
        assert head.split()[0] not in {cells[0] for cells in rows}


@pytest.mark.parametrize("words", [words for words in TABLES if " small" in words])
def test_of_an_empty_campaign_json_is_json_or_the_command_says_what_is_missing(
    workbench: Workbench, folder: Path, words: str
) -> None:
    assert workbench("new empty").exit_code == 0
    result = workbench(*words.replace(" small", " empty").split(), "--format", "json")
    if result.exit_code == 0:
        json.loads(result.stdout)
    else:
        assert (result.stdout, bool(result.stderr)) == ("", True)


def test_a_long_table_is_printed_in_parts_that_look_like_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = [("Topic", False), ("Title", False), ("Grade", False)]
    rows = [[(str(10**row), False), ("\u6587" * row, False), (str(row), row == 2)] for row in range(5)]
    printed = []
    for at_once in (2, 3, 5, 500):
        monkeypatch.setattr(tables, "AT_ONCE", at_once)
        tables.show_grid([heads, *rows], [True, True, False])
        printed.append(capsys.readouterr().out)
    assert len(printed[0].splitlines()) == 6
    assert len(set(printed)) == 1
