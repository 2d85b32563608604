"""runs, topics: what is in a campaign, as lists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.fixture_types import Rows, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign


def test_the_runs_are_listed_with_what_they_brought(done: Workbench, rows: Rows) -> None:
    head, alpha, beta = done("runs small").stdout.splitlines()
    assert head.split() == "Run Topics Lines Warnings Pooled Unique Relevant Judged@10 State".split()
    assert alpha.split() == "alpha 2 5 1 4 2 0 0.0000 in".split()
    assert beta.split() == "beta 3 6 1 5 3 0 0.0000 in".split()
    done("withdraw small beta")
    assert [row["state"] for row in rows("runs small")] == ["in", "withdrawn"]
    assert [row["state"] for row in rows("runs small --as-of 6 --judged-at 5")] == ["in", "in"]


@pytest.mark.parametrize("what", ["runs", "topics"])
def test_a_campaign_without_any_says_how_to_add_some(done: Workbench, what: str) -> None:
    done("new empty")
    told = done(f"{what} empty")
    assert (told.stdout, says(told.stderr)) == ("", True)


@pytest.fixture
def judged(done: Workbench, folder: Path) -> Path:
    """AP of alpha and beta is 1 and 1/3 on topic 1, 1/2 and 1 on topic 2; nothing of topic 10 is judged."""
    (folder / "qrels").write_text("1 0 d1 1\n2 0 d2 2\n", encoding="utf-8")
    done("add qrels small qrels")
    return folder


def test_the_topics_are_listed_with_how_hard_they_are(done: Workbench, rows: Rows, judged: Path) -> None:
    head, one, two, ten = done("topics small").stdout.splitlines()
    assert head.split() == "Topic Title Runs Pooled Judged To judge Relevant Median AP Mean Place".split()
    assert one.split() == "1 frozen rivers 2 3 1 2 1 0.6667 0.6667 1".split()
    assert ten.split() == "10 deep seas 1 1 0 1 0".split()
    assert two.split() == "2 warm lakes 2 3 1 2 1 0.7500 0.7500 2".split()
    assert [row["topic"] for row in rows("topics small --hardest")] == ["1", "2", "10"]
    then = json.loads(done("topics small -m RR --as-of 6 --format json").stdout)
    assert (then["seq"], then["measure"]) == (6, "RR")
    assert {topic["judged"] for topic in then["topics"]} == {0}


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
        done("add qrels small by.qrels --assessor", name, "--yes")
    first = [re.split(r"[ ,]", row.strip())[0] for row in done(*call.split()).stdout.splitlines()]
    assert [cell for cell in first if cell.isdigit()] == ["1", "2", "10"]
