"""Two runs compared by hand, from a campaign and from memory, and how many topics it takes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import workbench as wb
from tests.sentences import refused, says
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.runs import compare, compare_runs
from workbench.analysis.comparing.scores import Scored, scores_of
from workbench.core.errors import CampaignError, NotThere, UnknownName
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


QRELS = {"1": {"d1": 1, "d4": 0}, "10": {"d6": 1}, "2": {"d2": 2}}
ALPHA = {"1": {"d1": 3, "d2": 2, "d3": 1}, "2": {"d1": 2, "d2": 1}}
BETA = {"1": {"d4": 3, "d2": 2, "d1": 1}, "2": {"d2": 2, "d5": 1}, "10": {"d6": 1}}
RUNS = {"alpha": ALPHA, "beta": BETA}


def test_two_runs_from_memory() -> None:
    found = wb.evaluate(QRELS, RUNS, ["AP", "P@1"]).compare()
    (beta,) = found.differences
    assert found.baseline == "alpha"
    assert beta.by_topic.tolist() == pytest.approx([-2 / 3, 1, 0.5])
    assert beta.randomisation.p_value == 0.75
    found = wb.evaluate(QRELS, RUNS, ["AP", "P@1"]).compare(["alpha"], measure="P@1", baseline="beta")
    assert found.tags == ("beta", "alpha")
    assert found.differences[0].by_topic.tolist() == [1, -1, -1]


def test_topics_that_a_run_lacks_are_left_out_when_asked_for() -> None:
    found = wb.evaluate(QRELS, RUNS, "AP", complete=False).compare()
    assert found.topic_ids == ("1", "2")


def test_all_pairs_of_runs_in_memory() -> None:
    found = wb.evaluate(QRELS, RUNS, "AP").all_pairs(permutations=50, baseline="alpha")
    assert (found.tags, found.letters) == (("beta", "alpha"), ("a", "a"))
    assert found.max_t is not None


def test_what_is_not_there_is_an_error() -> None:
    scores = wb.evaluate(QRELS, RUNS, ["AP", "P@1"])
    with pytest.raises(UnknownName, match=r"asked for: AP, P@1"):
        scores.compare(measure="RR")
    with pytest.raises(NotThere, match="gamma"):
        scores.compare(["alpha", "gamma"])
    with pytest.raises(CampaignError, match="two different runs"):
        scores.compare(["alpha"])


def test_the_plan_of_a_campaign(judged: Campaign) -> None:
    found = plan_topics(scores_of(judged, "AP"), differences=(0.5,), topics=(10,))
    sd = np.std([-2 / 3, 1, 0.5], ddof=1)
    assert (found.topics, found.runs) == (3, 2)
    assert (found.sd, found.sd_low, found.sd_high) == pytest.approx((sd, sd, sd))
    assert found.needed[0].topics == 25  # 23 by the normal approximation: (2.8016 sd / 0.5)^2 = 22.96
    shift = found.detected[0].difference * np.sqrt(10) / sd
    assert stats.nct.sf(stats.t.isf(0.025, 9), 9, shift) == pytest.approx(0.8, abs=1e-4)


def test_the_residues_of_all_runs_tell_the_same_spread_where_runs_vary_alike() -> None:
    values = np.random.default_rng(1).normal(0.4, 0.1, (400, 8))
    tags = tuple("abcdefgh")
    topic_ids = tuple(map(str, range(400)))
    found = plan_topics(Scored(1, parse_measure("AP"), topic_ids, tags, values, values.mean(axis=0)))
    assert found.sd == pytest.approx(found.sd_residual, rel=0.05)
    assert found.sd == pytest.approx(0.1 * np.sqrt(2), rel=0.05)
    assert [each.topics for each in found.needed] == sorted(
        (each.topics for each in found.needed), reverse=True
    )


def test_before_any_judgment_nothing_is_known_about_the_variance(small: Campaign, empty: Campaign) -> None:
    for campaign in (small, empty):
        with refused(CampaignError):
            plan_topics(scores_of(campaign, "AP"))
