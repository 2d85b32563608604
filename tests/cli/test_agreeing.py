"""workbench judging agreement."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from tests.fixture_types import Workbench
from tests.sentences import says


@pytest.fixture
def disputed(done: Workbench) -> None:
    """Ann and Ben have three pairs in common, and no grade."""
    Path("ann.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    Path("ben.txt").write_text("1 0 d1 0\n1 0 d4 1\n2 0 d2 1\n", encoding="utf-8")
    done("add", "qrels", "small", "ann.txt", "--assessor", "Ann")
    done("add", "qrels", "small", "ben.txt", "--assessor", "Ben")


@pytest.mark.usefixtures("disputed")
def test_a_campaign_has_all_coefficients_and_the_table(done: Workbench) -> None:
    result = done("agreement", "small")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[1][:3] == ["raw", "agreement", "0.3333"]
    assert "Ann \\ Ben" in result.stdout
    assert says(result.stderr)
    assert says(result.stderr)


@pytest.mark.usefixtures("disputed")
def test_self_agreement_says_what_to_do_as_long_as_nobody_judged_a_pair_again(done: Workbench) -> None:
    result = done("agreement", "small", "--by", "assessor")
    assert result.stdout == ""
    assert says(result.stderr)


@pytest.mark.usefixtures("disputed")
def test_by_topic_says_what_is_not_defined_and_why(done: Workbench) -> None:
    result = done("agreement", "small", "--by", "topic")
    assert [line.split()[:3] for line in result.stdout.splitlines()[1:]] == [["1", "2", "2"], ["2", "2", "1"]]
    assert "not defined" in result.stdout
    assert says(result.stderr)


@pytest.mark.usefixtures("disputed")
def test_by_pair_as_csv_has_every_coefficient(done: Workbench) -> None:
    rows = list(
        csv.DictReader(done("agreement", "small", "--by", "pair", "--format", "csv").stdout.splitlines())
    )
    assert {row["scope"] for row in rows} == {"Ann, Ben"}
    assert float(rows[0]["value"]) == 1 / 3
    assert len(rows) == 17


@pytest.mark.usefixtures("disputed")
def test_json_is_the_same_for_the_same_seed(done: Workbench) -> None:
    words = ("agreement", "small", "--format", "json", "--seed", "3", "--draws", "50")
    content = json.loads(done(*words).stdout)
    assert (content["seed"], content["resamples"], content["shared"]) == (3, 50, 3)
    assert done(*words).stdout == done(*words).stdout


@pytest.mark.usefixtures("disputed")
def test_what_disagreement_does_to_the_leaderboard(done: Workbench) -> None:
    result = done("agreement", "small", "-m", "AP")
    words = [line.split() for line in result.stdout.splitlines()]
    assert words[1][:4] == ["Ann", "3", "3", "1.0000"]
    assert [line[0] for line in words[-2:]] == ["beta", "alpha"]
    assert "AP on 3 topics" in result.stderr
    assert says(result.stderr)
    rows = list(csv.DictReader(done("agreement", "small", "-m", "AP", "--format", "csv").stdout.splitlines()))
    assert float(rows[1]["union"]) == pytest.approx(1 / 3)
    assert json.loads(done("agreement", "small", "-m", "AP", "--format", "json").stdout)["shared_topics"] == 2


@pytest.mark.usefixtures("disputed")
def test_any_moment_can_be_asked_for(done: Workbench) -> None:
    newest = json.loads(done("agreement", "small", "--format", "json").stdout)["seq"]
    then = done("agreement", "small", "--as-of", str(newest - 1), "--format", "json").stdout
    assert json.loads(then)["shared"] == 2


def test_with_one_assessor_it_says_what_to_do(done: Workbench) -> None:
    assert says(done("agreement", "small").stderr)
    assert done("agreement", "small").stdout == ""
    assert says(done("agreement", "small", "-m", "AP").stderr)


def test_what_cannot_be_asked_is_said(workbench: Workbench) -> None:
    assert workbench("agreement", "small", "--by", "topic", "-m", "AP").exit_code == 2
    beyond = workbench("agreement", "small", "--as-of", "9999")
    assert (beyond.exit_code, "no row 9999 yet" in beyond.stderr) == (1, True)
    assert workbench("agreement", "small", "-m", "nDGC@10").exit_code == 1


@pytest.mark.usefixtures("disputed")
def test_of_choices_that_tie_all_runs_there_is_no_tau_and_the_others_are_counted(done: Workbench) -> None:
    done("rule", "small", "most lenient")
    words = ("agreement", "small", "-m", "P(rel=2)@1", "--draws", "40")
    said = done(*words).stderr.splitlines()[-1]
    assert re.fullmatch(
        "Ranges: an assessor drawn for each topic 40 times, seed 1; Kendall's tau to the campaign's own order is "
        r"1\.000 on average over the \d\d for which it is defined, 1\.000 at 2\.5%, 1\.000 at worst\.",
        said,
    )
    tied = done("agreement", "small", "-m", "P@1", "--draws", "40").stderr.splitlines()[-1]
    assert "for which it is defined" not in tied
