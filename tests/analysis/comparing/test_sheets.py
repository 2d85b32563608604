"""Comparisons as rows and columns, and as JSON: nothing but what JSON knows, with all digits."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.sentences import says
from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.comparing.leaderboards import leaderboard, two_leaderboards
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.runs import compare_runs
from workbench.analysis.comparing.scores import scores_of
from workbench.analysis.comparing.sheets import sheet_of_groups, sheet_of_pairs, sheet_of_runs
from workbench.core.results import content
from workbench.formats.tables.json_text import json_text
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_the_baseline_stands_first_without_a_difference(judged: Campaign) -> None:
    sheet = sheet_of_runs(compare_runs(judged, ["alpha", "beta"]))
    heads = [column.name for column in sheet.columns]
    alpha, beta = (dict(zip(heads, row, strict=True)) for row in sheet.rows)
    assert (alpha["run"], alpha["mean"], alpha["difference"]) == ("alpha", 0.5, None)
    assert (beta["wins"], beta["ties"], beta["losses"], beta["p_randomisation"]) == (2, 0, 1, 0.75)


def test_every_pair_has_a_row_with_the_better_run_first(judged: Campaign) -> None:
    found = all_pairs(judged, permutations=20, baseline="alpha")
    (row,) = sheet_of_pairs(found).rows
    assert row[:2] == ("beta", "alpha")
    assert row[2] == pytest.approx(7 / 9 - 0.5)
    groups = sheet_of_groups(found)
    assert says([column.head for column in groups.columns][-1])
    assert [row[0] for row in groups.rows] == ["beta", "alpha"]
    assert groups.rows[1][-1] is None
    told = json.loads(json_text(content(found)))
    assert (told["runs"], told["p_max_t"][1]) == (["beta", "alpha"], 1)


def test_numbers_are_plain_python_numbers(judged: Campaign) -> None:
    found = all_pairs(judged, permutations=20, baseline="alpha")
    for sheet in (
        sheet_of_runs(compare_runs(judged, ["alpha", "beta"])),
        sheet_of_pairs(found),
        sheet_of_groups(found),
    ):
        assert not any(isinstance(cell, np.generic) for row in sheet.rows for cell in row)


def test_a_comparison_of_runs_has_every_score(judged: Campaign) -> None:
    found = json.loads(json_text(content(compare_runs(judged, ["alpha", "beta"], seed=4))))
    assert found["per_topic"]["beta"] == {"1": 1 / 3, "10": 1, "2": 1}
    assert (found["seq"], found["seed"], found["baseline"]) == (log.newest_seq(judged), 4, "alpha")
    (beta,) = found["differences"]
    names = ["paired t", "randomisation", "Wilcoxon signed ranks", "sign"]
    assert [test["name"] for test in beta["tests"]] == names
    assert beta["tests"][1]["note"] == "all 8 assignments of signs"


def test_two_leaderboards_and_plans_can_be_written(judged: Campaign, small: Campaign) -> None:
    one = leaderboard(judged)
    assert json.loads(json_text(content(two_leaderboards(one, one))))["tau_b"] == 1
    assert json.loads(json_text(content(plan_topics(scores_of(judged, "AP")))))["measure"] == "AP"
