"""Red, amber and fine, with their reasons; significant differences that stay, go, come, or turn round."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ttest_rel

from tests.sentences import says
from workbench.analysis.reuse.coverage import Coverage, DenseTopic, LateTopic
from workbench.analysis.reuse.rows import LeftOut, Preserved, RunWithout, preserved, significant_pairs
from workbench.analysis.reuse.verdict import Verdict, level_of, verdict

ALL_JUDGED = Coverage(10, {"a": 1.0, "b": 1.0}, {"1": 1.0})


def of_team(score: float, without: float, rank: int = 1, rank_without: int = 1) -> LeftOut:
    return LeftOut("Aachen", 3, 2, (RunWithout("a", score, without, rank, rank_without),))


def of_two(first: LeftOut) -> list[LeftOut]:
    """The row of a team with a second run that loses nothing."""
    return [first._replace(runs=(*first.runs, RunWithout("b", 0.2, 0.2, 2, 2)))]


def found(row: LeftOut, coverage: Coverage = ALL_JUDGED, *, lowest_is_best: bool = False) -> Verdict:
    return verdict("AP", of_two(row), coverage, (), (), lowest_is_best=lowest_is_best)


@pytest.mark.parametrize(
    ("without", "level"), [(0.38, "fine"), (0.379, "amber"), (0.36, "amber"), (0.359, "red"), (0.5, "fine")]
)
def test_a_loss_is_amber_above_5_and_red_above_10_percent(without: float, level: str) -> None:
    row = of_team(0.4, without)
    assert (found(row).level, level_of(row, lowest_is_best=False)) == (level, level)


def test_where_less_is_better_more_is_a_loss() -> None:
    assert found(of_team(0.4, 0.5), lowest_is_best=True).level == "red"
    assert found(of_team(0.4, 0.3), lowest_is_best=True).level == "fine"
    assert found(of_team(0.0, 0.0)).level == "fine"


@pytest.mark.parametrize(("rank_without", "level"), [(4, "fine"), (5, "red")])
def test_more_than_three_ranks_lost_are_red(rank_without: int, level: str) -> None:
    row = of_team(0.4, 0.4, 1, rank_without)
    assert (found(row).level, level_of(row, lowest_is_best=False)) == (level, level)


@pytest.mark.parametrize(("share", "level"), [(0.95, "fine"), (0.94, "amber"), (0.9, "amber"), (0.89, "red")])
def test_the_run_of_which_least_is_judged_decides(share: float, level: str) -> None:
    assert found(of_team(0.4, 0.4), Coverage(10, {"a": 1.0, "b": share}, {})).level == level


def test_reasons_name_the_worst_run_and_count_the_others() -> None:
    coverage = Coverage(10, {"a": 1.0, "b": 0.81}, {})
    dense = [DenseTopic("7", 30, 20), DenseTopic("9", 10, 4)]
    said = verdict(
        "AP", of_two(of_team(0.4, 0.3, 1, 6)), coverage, dense, [LateTopic("9", 3, 1)], lowest_is_best=False
    )
    assert [reason.level for reason in said.reasons] == ["red", "red", "red", "amber", "amber"]
    for reason, values in zip(
        said.reasons,
        (["Aachen", "25.0 %", "0.4000"], ["rank 1", "rank 6"], ["81.0 %"], ["20 of 30"], ["9 (1 of 3)"]),
        strict=True,
    ):
        assert says(reason.words, *values)
    (fine,) = found(of_team(0.4, 0.39, 1, 2)).reasons
    assert says(fine.words)
    dense = [DenseTopic(str(number), 30, 20) for number in range(1, 8)]
    (reason,) = verdict("AP", of_two(of_team(0.4, 0.4)), ALL_JUDGED, dense, (), lowest_is_best=False).reasons
    assert says(reason.words, "5 (20 of 30)")


def test_each_pair_of_runs_is_counted_once() -> None:
    before = np.array([1, 1, 1, 0, 0, -1], np.int8)
    after = np.array([1, 0, -1, 1, 0, -1], np.int8)
    kept = preserved(before, after)
    assert kept == Preserved(agree=2, lost=1, gained=1, reversed=1)
    assert kept.before == 4


def test_significance_is_that_of_scipy() -> None:
    rng = np.random.default_rng(5)
    values = rng.random((20, 4)) + np.array([0.0, 0.0, 0.3, 0.5])
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    p = false_discovery_control([ttest_rel(values[:, one], values[:, other]).pvalue for one, other in pairs])
    expected = [
        int(np.sign((values[:, one] - values[:, other]).mean())) if each <= 0.05 else 0
        for (one, other), each in zip(pairs, p, strict=True)
    ]
    assert significant_pairs(values).tolist() == expected
    assert 0 in expected
    assert -1 in expected


def test_one_run_or_no_topic_has_no_significant_pair() -> None:
    assert significant_pairs(np.ones((5, 1))).tolist() == []
    assert significant_pairs(np.ones((0, 3))).tolist() == [0, 0, 0]
