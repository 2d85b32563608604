"""workbench judging agreement."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Rows, Workbench
from tests.sentences import says


@pytest.fixture
def disputed(done: Workbench) -> None:
    """Ann and Ben have three pairs in common, and no grade."""
    Path("ann.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    Path("ben.txt").write_text("1 0 d1 0\n1 0 d4 1\n2 0 d2 1\n", encoding="utf-8")
    done("add qrels small ann.txt --assessor Ann")
    done("add qrels small ben.txt --assessor Ben")


@pytest.mark.usefixtures("disputed")
def test_a_campaign_has_all_coefficients_and_the_table(done: Workbench, rows: Rows) -> None:
    result = done("agreement small")
    assert result.stdout.splitlines()[1].split()[:3] == ["raw", "agreement", "0.3333"]
    assert "Ann \\ Ben" in result.stdout
    assert says(result.stderr, "3 of 4")
    found = rows("agreement small --by pair")
    assert {row["scope"] for row in found} == {"Ann, Ben"}
    assert (len(found), float(found[0]["value"])) == (17, 1 / 3)
    words = "agreement small --format json --seed 3 --draws 50"
    content = json.loads(done(words).stdout)
    assert (content["seed"], content["resamples"], content["shared"]) == (3, 50, 3)
    assert done(words).stdout == done(words).stdout
    then = done(f"agreement small --as-of {content['seq'] - 1} --format json").stdout
    assert json.loads(then)["shared"] == 2
    assert says(done("agreement small --by assessor").stderr.splitlines()[-1])


@pytest.mark.usefixtures("disputed")
def test_by_topic_says_what_is_not_defined_and_why(done: Workbench) -> None:
    result = done("agreement small --by topic")
    assert [line.split()[:3] for line in result.stdout.splitlines()[1:]] == [["1", "2", "2"], ["2", "2", "1"]]
    assert "not defined" in result.stdout
    assert says(result.stderr)


@pytest.mark.usefixtures("disputed")
def test_what_disagreement_does_to_the_leaderboard(done: Workbench) -> None:
    result = done("agreement small -m AP")
    words = [line.split() for line in result.stdout.splitlines()]
    assert words[1][:4] == ["Ann", "3", "3", "1.0000"]
    assert [line[0] for line in words[-2:]] == ["beta", "alpha"]
    assert "AP on 3 topics" in result.stderr
    assert says(result.stderr)
    rows = list(csv.DictReader(done("agreement small -m AP --format csv").stdout.splitlines()))
    assert float(rows[1]["union"]) == pytest.approx(1 / 3)
    assert json.loads(done("agreement small -m AP --format json").stdout)["shared_topics"] == 2


def test_with_one_assessor_it_says_what_to_do(done: Workbench) -> None:
    assert says(done("agreement small").stderr)
    assert done("agreement small").stdout == ""
    assert says(done("agreement small -m AP").stderr)


def test_what_cannot_be_asked_is_said(workbench: Workbench, fails: Fails) -> None:
    assert workbench("agreement small --by topic -m AP").exit_code == 2
    assert "no row 9999 yet" in fails("agreement small --as-of 9999")
    assert workbench("agreement small -m nDGC@10").exit_code == 1
