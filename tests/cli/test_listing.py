"""runs, topics: what is in a campaign, as lists."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fixture_types import Workbench
from tests.sentences import says
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign import Campaign


def test_the_runs_are_listed_with_what_they_brought(done: Workbench) -> None:
    head, alpha, beta = done("runs", "small").stdout.splitlines()
    names = ["Run", "Topics", "Lines", "Warnings", "Pooled", "Unique", "Relevant", "Judged@10", "State"]
    assert head.split() == names
    assert alpha.split() == ["alpha", "2", "5", "1", "4", "2", "0", "0.0000", "in"]
    assert beta.split() == ["beta", "3", "6", "1", "5", "3", "0", "0.0000", "in"]


def test_a_withdrawn_run_is_listed_as_such(done: Workbench) -> None:
    done("withdraw", "small", "beta")
    assert done("runs", "small").stdout.splitlines()[2].split()[-1] == "withdrawn"
    assert done("runs", "small", "--as-of", "6").stdout.splitlines()[2].split()[-1] == "in"


def test_the_runs_are_listed_for_other_programs(done: Workbench) -> None:
    rows = list(
        csv.DictReader(done("runs", "small", "--format", "csv", "--judged-at", "5").stdout.splitlines())
    )
    assert [(row["run"], row["unique"], row["judged"]) for row in rows] == [
        ("alpha", "2", "0.0"),
        ("beta", "3", "0.0"),
    ]
    assert len(json.loads(done("runs", "small", "--format", "json").stdout)["runs"]) == 2


def test_a_campaign_without_runs_says_how_to_add_some(done: Workbench) -> None:
    done("new", "empty")
    told = done("runs", "empty")
    assert (told.stdout, says(told.stderr)) == ("", True)


@pytest.fixture
def judged(done: Workbench, folder: Path) -> Path:
    """AP of alpha and beta is 1 and 1/3 on topic 1, 1/2 and 1 on topic 2; nothing of topic 10 is judged."""
    (folder / "qrels").write_text("1 0 d1 1\n2 0 d2 2\n", encoding="utf-8")
    done("add", "qrels", "small", "qrels")
    return folder


def test_the_topics_are_listed_with_how_hard_they_are(done: Workbench, judged: Path) -> None:
    head, one, two, ten = done("topics", "small").stdout.splitlines()
    assert " ".join(head.split()) == ("Topic Title Runs Pooled Judged To judge Relevant Median AP Mean Place")
    assert one.split() == ["1", "frozen", "rivers", "2", "3", "1", "2", "1", "0.6667", "0.6667", "1"]
    assert ten.split() == ["10", "deep", "seas", "1", "1", "0", "1", "0"]
    assert two.split() == ["2", "warm", "lakes", "2", "3", "1", "2", "1", "0.7500", "0.7500", "2"]


def test_the_hardest_topic_can_come_first(done: Workbench, judged: Path) -> None:
    lines = done("topics", "small", "--hardest", "--format", "csv").stdout.splitlines()
    assert [line.split(",")[0] for line in lines] == ["topic", "1", "2", "10"]


def test_the_topics_are_listed_as_of_a_row_of_the_log(done: Workbench, judged: Path) -> None:
    then = json.loads(done("topics", "small", "-m", "RR", "--as-of", "6", "--format", "json").stdout)
    assert (then["seq"], then["measure"]) == (6, "RR")
    assert {topic["judged"] for topic in then["topics"]} == {0}


def test_a_campaign_without_topics_says_how_to_add_some(done: Workbench) -> None:
    done("new", "empty")
    told = done("topics", "empty")
    assert says(told.stderr)


def test_a_pool_that_cannot_be_made_again_is_warned_about(
    done: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        STRATEGIES, "of a later version", replace(STRATEGIES["depth"], name="of a later version")
    )
    done("pool", "small", "--strategy", "of a later version", "--depth", "3")
    del STRATEGIES["of a later version"]
    told = done("runs", "small").stderr
    assert says(told)


@pytest.mark.parametrize(
    "call",
    [
        "topics small --format csv",
        "assign list small --format csv",
        "pool small --depth 2 --dry-run --format csv",
        "agreement small --by topic",
    ],
)
def test_tables_of_topics_are_in_natural_order(done: Workbench, campaign: Campaign, call: str) -> None:
    for name, grade in (("Ann", 1), ("Ben", 0)):
        lines = (
            f"{topic} 0 {document} {grade}" for topic, document in (("1", "d1"), ("2", "d1"), ("10", "d6"))
        )
        Path("by.qrels").write_text("\n".join(lines), encoding="utf-8")
        done("add", "qrels", "small", "by.qrels", "--assessor", name, "--yes")
    first = [re.split(r"[ ,]", row.strip())[0] for row in done(*call.split()).stdout.splitlines()]
    assert [cell for cell in first if cell.isdigit()] == ["1", "2", "10"]
