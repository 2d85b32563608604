"""Two runs compared, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sentences import says
from workbench.analysis.comparing.runs import compare, compare_runs
from workbench.analysis.comparing.scores import Scored
from workbench.core.errors import CampaignError
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign


def scored(values: list[list[float]], measure: str = "AP") -> Scored:
    table = np.array(values)
    tags = tuple(f"run{number}" for number in range(table.shape[1]))
    topic_ids = tuple(str(number) for number in range(len(table)))
    return Scored(1, parse_measure(measure), topic_ids, tags, table, table.mean(axis=0))


def test_two_runs_by_hand(judged: Campaign) -> None:
    found = compare_runs(judged, ["alpha", "beta"])
    (beta,) = found.differences
    assert (found.baseline, found.tags, str(found.measure)) == ("alpha", ("alpha", "beta"), "AP")
    assert beta.by_topic == pytest.approx([-2 / 3, 1, 0.5])
    assert (beta.wins, beta.ties, beta.losses) == (2, 0, 1)
    assert beta.difference == pytest.approx((7 / 3 - 1.5) / 3)
    # Of the eight sums of +-2/3 +-1 +-1/2, six are at least 5/6 from 0.
    assert beta.randomisation.p_value == 0.75
    assert beta.sign.p_value == 1.0
    assert beta.t.n == 3
    assert beta.holm == beta.t.p_value
    assert (beta.interval, says(beta.why_none)) == (None, True)


def test_the_baseline_comes_first_whether_or_not_it_was_named_among_the_runs(judged: Campaign) -> None:
    assert compare_runs(judged, ["alpha", "beta"], baseline="beta").tags == ("beta", "alpha")
    assert compare_runs(judged, ["alpha"], baseline="beta").tags == ("beta", "alpha")


def test_swapping_two_runs_turns_the_difference_round_and_keeps_the_p_values(judged: Campaign) -> None:
    (one,) = compare_runs(judged, ["alpha", "beta"]).differences
    (other,) = compare_runs(judged, ["beta", "alpha"]).differences
    assert one.difference == -other.difference
    assert (one.wins, one.losses) == (other.losses, other.wins)
    assert [test.p_value for test in one.tests] == pytest.approx([test.p_value for test in other.tests])


def test_the_same_seed_gives_the_same_values_whatever_else_is_compared() -> None:
    values = np.random.default_rng(2).random((40, 3)).tolist()
    three = compare(scored(values), seed=5)
    two = compare(scored(values).of_runs(["run0", "run2"]), seed=5)
    again, other = three.differences[1], two.differences[0]
    assert again.randomisation == other.randomisation
    assert again.interval == other.interval
    assert compare(scored(values), seed=6).differences[1].randomisation != again.randomisation


def test_the_interval_of_a_difference_excludes_zero_just_where_the_t_test_finds_one() -> None:
    values = np.random.default_rng(4).random((12, 8)) * [1, 1.1, 1.2, 0.9, 1.3, 0.6, 0.5, 0.7]
    differences = compare(scored(values.tolist())).differences
    assert {each.t.p_value is not None and each.t.p_value < 0.05 for each in differences} == {True, False}
    for each in differences:
        assert each.interval is not None and each.t.p_value is not None
        assert (each.interval.low > 0 or each.interval.high < 0) == (each.t.p_value < 0.05)


def test_the_interval_of_a_difference_ends_where_scores_end() -> None:
    (found,) = compare(scored([[0.0, 1.0]] * 5 + [[1.0, 0.0]])).differences
    assert found.interval is not None and found.interval.high == 1.0


def test_holm_counts_the_runs_compared() -> None:
    found = compare(scored(np.random.default_rng(2).random((40, 4)).tolist()))
    smallest = min(each.t.p_value or 1 for each in found.differences)
    assert min(each.holm or 1 for each in found.differences) == pytest.approx(3 * smallest)


def test_runs_that_are_the_same_tie_everywhere_and_nothing_is_reported() -> None:
    (found,) = compare(scored([[0.2, 0.2], [0.4, 0.4]])).differences
    assert (found.wins, found.ties, found.losses) == (0, 2, 0)
    assert (found.t.p_value, found.wilcoxon.p_value, found.sign.p_value) == (None, None, None)
    assert (found.effect_size, found.holm) == (None, None)
    assert found.randomisation.p_value == 1.0


@pytest.mark.parametrize("tags", [[], ["alpha"], ["alpha", "alpha"]])
def test_one_run_alone_cannot_be_compared(judged: Campaign, tags: list[str]) -> None:
    with pytest.raises(CampaignError, match="two different runs"):
        compare_runs(judged, tags)
