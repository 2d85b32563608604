"""Judges' leaderboards against a truth's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
import pytest

from tests.sentences import refused
from workbench.analysis.judges.boards import Asked, JudgedBoard, Submission
from workbench.analysis.judges.comparison import compared
from workbench.core.errors import NotThere
from workbench.methods.statistics.all_pairs import pairwise_t
from workbench.methods.statistics.intervals import resampled_means, t_intervals
from workbench.methods.statistics.paired import holm
from workbench.methods.statistics.rank_correlation import correlations_of_each, tau_ap_b, tau_b, tau_b_of_each

TYPES = {"run": pl.String, "topic": pl.String, "measure": pl.String, "value": pl.Float64}
NO_DRAWS = Asked(resamples=0)


def submission(
    name: str, scores: Mapping[str, Sequence[float | None]], *, measure: str = "M", overall: bool = False
) -> Submission:
    """Scores of each run by topic, 1, 2 ...; None where there is none. With `overall` the first is of all topics."""
    rows = [
        (run, None if overall and not place else str(place + (not overall)), measure, value)
        for run, values in scores.items()
        for place, value in enumerate(values)
        if value is not None
    ]
    return Submission(name, pl.DataFrame(rows, schema=TYPES, orient="row"))


def only(truth: Submission, judge: Submission, asked: Asked = NO_DRAWS) -> JudgedBoard:
    found = compared("leaderboards", [truth], [judge], asked).boards
    assert len(found) == 1
    return found[0]


TRUTH = submission("truth", {"a": [0.9, 0.7], "b": [0.6, 0.6], "c": [0.1, 0.3], "d": [0.0, 0.1]})


def test_a_truth_agrees_with_itself_and_not_with_its_opposite() -> None:
    same = only(TRUTH, TRUTH)
    assert (same.tau, same.tau_b, same.tau_ap, same.spearman, same.topic_tau_b) == pytest.approx((1,) * 5)
    turned = submission("turned", {"d": [0.9, 0.7], "c": [0.6, 0.6], "b": [0.1, 0.3], "a": [0.0, 0.1]})
    found = only(TRUTH, turned)
    assert (found.tau, found.tau_b, found.tau_ap, found.spearman) == pytest.approx((-1,) * 4)


def test_runs_and_topics_that_one_side_lacks_are_counted_and_left_out() -> None:
    judge = submission("judge", {"b": [0.5], "c": [0.4], "d": [0.45], "new": [1.0]})
    found = only(TRUTH, judge)
    assert (found.runs, found.runs_missing, found.topics, found.topics_missing) == (3, 1, 1, 1)
    assert found.tau_b == pytest.approx(1 / 3)  # of bc, bd, cd the last pair changes
    assert found.pairs is None  # of one topic


def test_a_score_that_the_judge_lacks_counts_0_and_is_counted() -> None:
    judge = submission("judge", {"a": [0.9, None], "b": [0.6, 0.6], "c": [0.1, 0.3], "d": [0.0, 0.1]})
    found = only(TRUTH, judge)
    assert found.scores_missing == 1
    assert found.tau_b == pytest.approx(tau_b([0.8, 0.6, 0.2, 0.05], [0.45, 0.6, 0.2, 0.05]))


def test_without_topics_the_scores_of_all_topics_together_are_compared() -> None:
    judge = submission("judge", {"a": [0.9], "b": [0.95], "c": [0.1]}, overall=True)
    truth = submission("truth", {"a": [0.5, 0.1], "b": [0.4, 0.2], "c": [0.3, 0.9], "d": [0.2]}, overall=True)
    found = only(truth, judge)
    assert (found.runs, found.runs_missing, found.topics) == (3, 1, 0)
    assert found.tau_b == pytest.approx(1 / 3)
    assert found.topic_tau_b is None


def test_the_best_are_the_truths_with_those_that_tie_with_the_last() -> None:
    truth = submission("truth", {"a": [4.0], "b": [3.0], "c": [3.0], "d": [1.0]})
    judge = submission("judge", {"a": [1.0], "b": [2.0], "c": [3.0], "d": [4.0]})
    found = compared("leaderboards", [truth], [judge], Asked(best=(1, 2, 9), resamples=0)).boards
    assert [(each.best, each.runs) for each in found] == [(None, 4), (1, 1), (2, 3), (9, 4)]
    assert found[2].tau_b == pytest.approx(tau_b([4, 3, 3], [1, 2, 3]))
    assert found[1].tau is None  # of one run


def noisy(name: str, seed: int, share: float) -> Submission:
    """Eight runs on 30 topics: qualities that all have, and noise of its own."""
    rng = np.random.default_rng(seed)
    values = share * np.linspace(0, 0.4, 8) + rng.normal(0, 0.15, (30, 8))
    return submission(name, {f"r{run}": values[:, run].tolist() for run in range(8)})


def test_significant_pairs_are_kept_lost_reversed_or_added() -> None:
    truth, judges = noisy("truth", 1, 1), [noisy("good", 2, 1), noisy("weak", 3, 0), noisy("bad", 4, -1)]
    good, weak, bad = compared("leaderboards", [truth], judges, Asked(resamples=0)).boards
    table = truth.scores["value"].to_numpy().reshape(8, 30).T
    significant = int((holm(pairwise_t(table)[np.triu_indices(8, 1)]) <= 0.05).sum())
    assert significant > 10
    for each in (good, weak, bad):
        assert each.pairs is not None
        assert each.pairs.kept + each.pairs.lost + each.pairs.reversed == significant
    assert good.pairs is not None
    assert weak.pairs is not None
    assert bad.pairs is not None
    assert good.pairs.kept > significant / 2 > bad.pairs.kept
    assert good.pairs.reversed == 0 < bad.pairs.reversed
    assert weak.pairs.lost == significant


def test_draws_are_the_same_whatever_other_judges_there_are_and_depend_on_the_seed() -> None:
    truth, judges = noisy("truth", 1, 1), [noisy("one", 2, 1), noisy("two", 3, 1)]
    both = compared("leaderboards", [truth], judges, Asked(resamples=50)).boards
    alone = compared("leaderboards", [truth], judges[1:], Asked(resamples=50)).boards
    assert both[1] == alone[0]
    other = compared("leaderboards", [truth], judges[1:], Asked(resamples=50, seed=9)).boards[0]
    assert (other.tau_b, other.tau_b_draws != alone[0].tau_b_draws) == (alone[0].tau_b, True)
    for draws in (alone[0].tau_draws, alone[0].tau_ap_draws, alone[0].pearson_draws, alone[0].spearman_draws):
        assert draws is not None
        assert -1 <= draws.low < draws.high <= 1


def test_every_measure_of_a_truth_meets_every_one_of_a_judge_unless_some_are_named() -> None:
    two = Submission(
        "two", pl.concat([TRUTH.scores, TRUTH.scores.with_columns(pl.lit("N").alias("measure"))])
    )
    found = compared("leaderboards", [two, TRUTH], [two], Asked(resamples=0)).boards
    assert [(each.truth, each.truth_measure, each.measure) for each in found] == [
        *(("two", truth, own) for truth in "MN" for own in "MN"),
        *(("truth", "M", own) for own in "MN"),
    ]
    assert len(compared("leaderboards", [two], [two], Asked(["M"], ["N"], resamples=0)).boards) == 1
    with refused(NotThere, "truth", "'X'"):
        compared("leaderboards", [TRUTH], [two], Asked(truth_measures=["X"]))


@pytest.mark.parametrize("names", ["", "z"])
def test_judges_that_share_nothing_with_the_truth_have_no_values(names: str) -> None:
    found = only(TRUTH, submission("other", {name: [0.5, 0.5] for name in names or "a"}, measure="M"))
    assert found.tau_b is None
    assert found.tau_ap is None


def test_ties_are_as_in_the_functions_of_one_pair() -> None:
    truth, judge = [3.0, 2.0, 2.0, 1.0, 1.0], [1.0, 1.0, 3.0, 0.0, 1.0]
    found = only(
        *(
            submission(name, {f"r{i}": [v] for i, v in enumerate(side)})
            for name, side in (("t", truth), ("j", judge))
        )
    )
    assert (found.tau_b, found.tau_ap) == pytest.approx((tau_b(truth, judge), tau_ap_b(truth, judge)))


@pytest.mark.parametrize(("own", "shared", "noise"), [(0.01, 0.8, 0.05), (0.05, 0.3, 0.15), (0.1, -0.3, 0.1)])
def test_the_interval_of_tau_by_topic_holds_its_mean_and_draws_of_tau_do_not(
    own: float, shared: float, noise: float
) -> None:
    """Judges that see the qualities of 20 runs well, badly, or turned round; 3,000 topics are all there are."""
    rng = np.random.default_rng(4)
    quality, of_topic = rng.normal(0, 0.06, 20), rng.normal(0, 0.15, (3_000, 20))
    truth = quality + of_topic
    judge = (
        np.sign(shared) * quality
        + rng.normal(0, own, 20)
        + shared * of_topic
        + rng.normal(0, noise, (3_000, 20))
    )
    by_topic = tau_b_of_each(truth, judge)
    for topics in (10, 50):
        low, high = t_intervals(rng.choice(by_topic, (topics, 4_000))).T
        assert 0.935 <= ((low <= by_topic.mean()) & (by_topic.mean() <= high)).mean() <= 0.965
    if own == 0.01:
        whole, held = tau_b(truth.mean(axis=0), judge.mean(axis=0)), 0
        for _ in range(50):
            chosen = rng.integers(0, len(truth), 10)
            means = resampled_means(np.hstack([truth[chosen], judge[chosen]]), resamples=200, rng=rng)
            low, high = np.quantile(correlations_of_each(*np.hsplit(means, 2)).tau_b, [0.025, 0.975])
            held += low <= whole <= high
        assert held < 40  # why they are called draws
