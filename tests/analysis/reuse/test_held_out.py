"""How well priors predict topics that they were not learned from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import expit

from tests.at_length import at_length
from workbench.analysis.reuse import held_out
from workbench.analysis.reuse.held_out import FEWEST, Predicted, check
from workbench.analysis.reuse.ranges import Range
from workbench.analysis.reuse.stopped_sheets import check_sentences
from workbench.core.ranking import IntArray
from workbench.methods.statistics.relevance_priors import Features

NOTHING = np.zeros(0, np.int64)


def ranked(topics: int, depth: int) -> tuple[Features, IntArray, IntArray]:
    """Of each topic a document at each rank down to a depth, which one run alone has: features, topics and ranks."""
    rank, topic = np.tile(np.arange(1, depth + 1), topics), np.repeat(np.arange(topics), depth)
    own = np.column_stack([np.ones(len(rank)), np.log(rank), np.full(len(rank), np.log(2))])
    return Features(own, csr_array(1 / np.log2(1 + rank)[:, None])), topic, rank


def test_where_topics_are_alike_as_many_are_relevant_as_expected() -> None:
    features, topic, rank = ranked(40, 30)
    held = pairs = 0
    for seed in range(at_length(20, 5)):
        relevant = np.random.default_rng(seed).random(len(rank)) < expit(1 - np.log(rank))
        found = check(features, topic, relevant, NOTHING, 40, seed)
        assert [(band.first, band.last, band.pairs) for band in found.bands] == [
            (1, 5, 200),
            (6, 10, 200),
            (11, 20, 400),
            (21, 50, 400),
        ]
        assert found.whole is not None
        assert found.whole.relevant == sum(band.relevant for band in found.bands) == relevant.sum()
        held += sum(band.expected.low <= band.relevant <= band.expected.high for band in found.bands)
        pairs += len(found.bands)
    assert held >= 0.8 * pairs


def test_where_the_topics_left_out_are_of_another_kind_it_shows() -> None:
    # Down to rank 10 the even topics have all relevant, the odd ones none: no other topic tells which kind one is.
    features, topic, rank = ranked(40, 10)
    found = check(features, topic, (topic % 2 == 0) & (rank > 0), NOTHING, 40, 0)
    assert found.whole is not None
    low, _, high = found.whole.expected
    assert high - low > 60  # of 400, where independent draws would leave about 40


def test_how_many_runs_have_a_pair_and_its_pool_are_checked_too_and_make_predictions_better() -> None:
    # Odd ranks are from three runs and pool 1, even ones from one run and pool 2, of which few are relevant.
    topic, rank = np.repeat(np.arange(20), 12), np.tile(np.arange(1, 13), 20)
    runs = np.where(rank % 2 == 1, 3, 1)
    own = np.column_stack([np.ones(len(rank)), np.log(rank), np.log1p(runs), rank % 2 == 0])
    relevant = np.random.default_rng(1).random(len(rank)) < np.where(runs == 3, 0.7, 0.1)
    features = Features(own, csr_array((len(rank), 0)))
    found = check(features, topic, relevant, NOTHING, 20, 0, 1 + (rank % 2 == 0))
    assert [(band.runs, band.pairs) for band in found.agreement] == [("1", 120), ("3 to 5", 120)]
    assert [(band.first, band.relevant) for band in found.pools] == [
        (1, relevant[runs == 3].sum()),
        (2, relevant[runs == 1].sum()),
    ]
    for band in (*found.agreement, *found.pools):
        assert band.expected.low <= band.relevant <= band.expected.high
    assert found.losses is not None
    assert found.losses.log < 0.8 * found.losses.log_by_rank
    assert found.losses.brier < 0.8 * found.losses.brier_by_rank
    assert check_sentences(found)[1].startswith(f"Logarithmic loss {found.losses.log:.3f} and Brier score")


def test_pairs_below_nearly_all_that_is_judged_are_counted() -> None:
    features, topic, rank = ranked(FEWEST, 6)
    relevant = rank == 1
    waiting = np.array([5, 6, 7, 9])
    found = check(features, topic, relevant, waiting, FEWEST, 0)
    assert found.beyond == 2  # 20 judged pairs have rank 6
    assert (
        "2 pairs without a judgment rank lower than nearly all that is judged" in check_sentences(found)[-1]
    )


@pytest.mark.parametrize(
    ("topics", "steps", "why"),
    [
        (9, held_out.MOST_STEPS, "only 9 topics of 10 are judged"),
        (10, 1.0, "with this number of runs it would take too long"),
    ],
)
def test_where_nothing_is_predicted_the_reason_is_said(
    monkeypatch: pytest.MonkeyPatch, topics: int, steps: float, why: str
) -> None:
    monkeypatch.setattr(held_out, "MOST_STEPS", steps)
    features, topic, rank = ranked(topics, 5)
    found = check(features, topic, rank == 1, NOTHING, topics, 0)
    assert (found.bands, found.whole, found.why_none) == ((), None, why)
    assert check_sentences(found) == [f"How well this predicts topics left out is not known: {why}."]


@pytest.mark.parametrize(
    ("first", "last", "ranks", "runs"),
    [(1, 1, "1 to 1", "1"), (2, 5, "2 to 5", "2 to 5"), (11, None, "below 10", "more than 10")],
)
def test_ranks_and_numbers_of_runs_are_told_as_text(
    first: int, last: int | None, ranks: str, runs: str
) -> None:
    found = Predicted(first, last, 9, 3, Range(1, 2, 3))
    assert (found.ranks, found.runs) == (ranks, runs)


@pytest.mark.parametrize("relevant_of_the_rest", [True, False])
def test_where_without_a_part_all_or_none_are_relevant_nothing_is_learned(relevant_of_the_rest: bool) -> None:
    features, topic, rank = ranked(10, 5)
    # In topic 3 alone it is otherwise: without the part that has it there is nothing to tell apart.
    relevant = np.where(topic == 3, rank % 2 == int(not relevant_of_the_rest), relevant_of_the_rest)
    found = check(features, topic, relevant, NOTHING, 10, 0)
    assert found.why_none == "without a part of the topics too little is judged to learn from"
    assert (found.bands, found.whole) == ((), None)
