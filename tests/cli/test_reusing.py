"""`workbench analyse reuse`."""

from __future__ import annotations

import csv
import json

from click.testing import CliRunner
from pytest import approx

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.cli import main
from workbench.storage.campaign import Campaign


def run(campaign: Campaign, *words: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, ["reuse", str(campaign.path), *words], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.stdout if status == 0 else result.output


def judged(campaign: Campaign, judging_as: JudgeAs) -> Campaign:
    """Topic 1: alpha has d1 d2 d3, beta d4 d2 d1, pooled to depth 2; d1 and d4 are relevant."""
    for document, grade in {"d1": 1, "d2": 0, "d4": 2}.items():
        judging_as(campaign, "Anna", "1", document, grade)
    return campaign


def test_csv_has_the_promised_columns(small: Campaign, judging_as: JudgeAs) -> None:
    text = run(judged(small, judging_as), "--format", "csv")
    assert text.splitlines()[0] == "left_out,run,score,score_without,change,rank,rank_without,unique_relevant"
    rows = list(csv.DictReader(text.splitlines()))
    # R = 2: alpha (1/1) / 2, beta (1/1 + 2/3) / 2. Without alpha d1 is lost: beta 1, alpha 0; without beta d4 is.
    assert [(row["left_out"], row["run"], *map(float, list(row.values())[2:])) for row in rows] == [
        ("alpha", "alpha", 0.5, 0, -0.5, 2, 2, 1),
        ("beta", "beta", approx(5 / 6), approx(1 / 3), approx(-0.5), 1, 2, 1),
    ]


def test_the_table_ends_with_the_verdict_and_its_reasons(small: Campaign, judging_as: JudgeAs) -> None:
    text = run(judged(small, judging_as))
    assert says(text, "100.0 %", "0.5000 to 0.0000")


def test_json_has_everything_with_all_digits(small: Campaign, judging_as: JudgeAs) -> None:
    found = json.loads(run(judged(small, judging_as), "--by", "run", "-m", "P@2", "--format", "json"))
    told = (found["by"], found["measure"], found["verdict"]["level"], found["topics"])
    assert told == ("run", "P@2", "red", 1)
    (of_run,) = found["left_out"][0]["runs"]
    names = "run score score_without change change_percent rank rank_without".split()
    assert of_run == dict(zip(names, ("alpha", 0.5, 0.0, -0.5, -100.0, 1, 2), strict=True))
    assert "alpha & alpha & 0.5000 & 0.0000" in run(small, "--format", "latex")
    assert "choose another measure" in run(small, "-m", "num_ret", status=1)


def test_before_anything_is_judged_it_says_so(small: Campaign) -> None:
    assert says(run(small))
    assert run(small, "--format", "csv").splitlines() == [
        "left_out,run,score,score_without,change,rank,rank_without,unique_relevant"
    ]
