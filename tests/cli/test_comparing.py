"""workbench analyse compare."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Rows, Workbench
from tests.sentences import says


@pytest.fixture
def judged(done: Workbench) -> None:
    Path("q.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    done("add qrels small q.txt")


@pytest.mark.usefixtures("judged")
def test_two_runs_are_compared_with_the_first_or_the_baseline(done: Workbench, rows: Rows) -> None:
    result = done("compare small alpha beta")
    assert "+0.2778" in result.stdout
    assert says(result.stderr, "seed 1")
    found = rows("compare small alpha beta --baseline beta -m P@1")
    assert [row["run"] for row in found] == ["beta", "alpha"]
    assert float(found[1]["difference"]) == 1 / 3 - 2 / 3
    for words in ("alpha beta", "--all", "--against-measure P@1"):
        for form in ("json", "latex"):
            shown = done(f"compare small {words} --format {form} --permutations 50").stdout
            assert ("alpha" in shown, "beta" in shown) == (True, True)


@pytest.mark.usefixtures("judged")
def test_all_pairs_say_how_many_differ_and_by_what(done: Workbench) -> None:
    result = done("compare small --all --permutations 99 --seed 3")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["Run", "beta", "alpha"]
    assert says(result.stderr)
    assert "B = 99, seed 3." in result.stderr


@pytest.mark.usefixtures("judged")
def test_two_leaderboards_by_measure_by_moment_and_by_judgments(done: Workbench) -> None:
    Path("other.txt").write_text("1 0 d4 1\n", encoding="utf-8")
    assert "AP against P@1" in done("compare small --against-measure P@1").stderr
    by_then = done("compare small --against-as-of 7 --format json").stdout
    assert json.loads(by_then)["other"] == "AP as of row 7"
    assert "AP against AP by other.txt" in done("compare small --against-qrels other.txt").stderr


@pytest.mark.usefixtures("judged")
def test_on_a_topic_the_documents_that_make_the_difference_are_reported(done: Workbench) -> None:
    result = done("compare small alpha beta --topic 1 --format csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [(row["document_id"], row["grade"], row["rank"], row["baseline_rank"]) for row in rows] == [
        ("d1", "1", "3", "1"),
        ("d2", "", "2", "2"),
    ]
    assert "beta 0.3333, alpha 1.0000, difference -0.6667." in result.stderr
    assert json.loads(done("compare small alpha beta --topic 1 --format json").stdout)["judged"]


@pytest.mark.usefixtures("judged")
def test_the_plan_says_where_its_variance_comes_from(done: Workbench) -> None:
    result = done("compare small --plan -m P@1")
    assert "Topics needed" in result.stdout
    assert "standard deviation" in result.stderr
    assert says(result.stderr)


def test_before_any_judgment_it_says_that_nothing_is_defined(done: Workbench) -> None:
    result = done("compare small alpha beta")
    assert says(result.stderr)
    assert says(result.stderr)
    assert says(done("compare small --all --permutations 9").stderr)


def test_without_runs_there_are_no_pairs(done: Workbench, fails: Fails) -> None:
    done("withdraw small alpha beta")
    assert says(fails("compare small --all").splitlines()[-1])


@pytest.mark.parametrize(
    "words", ["alpha", "alpha gamma", "alpha beta -m nDGC@10", "--against-as-of 1000", "--plan"]
)
def test_what_cannot_be_compared_is_said(fails: Fails, words: str) -> None:
    assert says(fails(f"compare small {words}"))


@pytest.mark.parametrize(
    "words",
    [
        "",
        "--topic 1",
        "alpha beta --topic 1 --all",
        "--all --plan",
        "alpha --plan",
        "alpha --against-measure P@1",
        "alpha beta --workers 2",
    ],
)
def test_what_makes_no_sense_together_is_wrong_usage(fails: Fails, words: str) -> None:
    fails(f"compare small {words}", status=2)
