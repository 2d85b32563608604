"""What the leaderboard might be if the rest of the pools were judged."""

from __future__ import annotations

import random

import numpy as np
import pytest
from pytest import approx

from tests.analysis.reuse.conftest import Made
from tests.fixture_types import JudgeAs
from workbench.analysis.reuse import stopping
from workbench.analysis.reuse.pair_features import pooled_pairs
from workbench.analysis.reuse.stopped_sheets import stopped_sentences
from workbench.analysis.reuse.stopping import LEAST_DRAWS, if_stopped
from workbench.analysis.run_profiles.table import scoring_of
from workbench.core.errors import CampaignError, UnknownName
from workbench.setup.withdrawing import withdraw_runs
from workbench.storage.campaign import Campaign

TOPICS = [str(number) for number in range(1, 13)]


def half_judged(
    made: Made, *, name: str = "half", share: float = 0.5, top: int = 2, **pool: object
) -> Campaign:
    """Three runs, twelve topics, twelve documents; d1 to d4 are often relevant, and half of the pairs are judged.

    All documents are pooled, or what is said.
    """
    rng = random.Random(4)
    documents = [f"d{number}" for number in range(1, 13)]
    runs = {
        tag: (
            tag,
            {
                topic: " ".join(sorted(documents, key=lambda each: int(each[1:]) * skill + 6 * rng.random()))
                for topic in TOPICS
            },
        )
        for tag, skill in (("good", 1.0), ("fair", 0.5), ("poor", 0.0))
    }
    grades = {
        topic: {
            each: rng.choice([0, 1, top]) if int(each[1:]) < 5 else 0
            for each in documents
            if rng.random() < share
        }
        for topic in TOPICS
    }
    return made(runs, grades, name=name, **(pool or {"depth": 12}))


@pytest.mark.parametrize(
    "measure",
    ["AP", "nDCG@5", *(pytest.param(each, marks=pytest.mark.slow) for each in ("P@5", "RBP(p=0.8)"))],
)
def test_draws_lie_within_what_is_possible(made: Made, measure: str) -> None:
    found = if_stopped(half_judged(made), measure, draws=50)
    assert found.draws == 50
    assert found.judged + found.waiting == 144
    assert found.relevant is not None
    assert 0 < found.relevant.low <= found.relevant.mean <= found.relevant.high < found.waiting
    for run in found.ranges:
        assert None not in run
        low, high = run.low or 0.0, run.high or 0.0
        assert (run.lower or 0.0) - 1e-9 <= low <= high <= (run.upper or 0.0) + 1e-9
        assert (run.best_rank or 0) <= (run.worst_rank or 0)
    assert found.tau is not None
    assert -1 <= found.tau.low <= found.tau.mean <= found.tau.high <= 1


def test_the_same_seed_gives_the_same_draws(made: Made) -> None:
    campaign = half_judged(made)
    once, again = (if_stopped(campaign, "AP", draws=40, seed=3) for _ in range(2))
    assert once == again
    assert if_stopped(campaign, "AP", draws=40, seed=4).ranges != once.ranges


def test_higher_grades_are_drawn_as_they_were_given(made: Made) -> None:
    # With grade 2 only where the scale has it: the ideal of nDCG, and so the scores, are others.
    graded = if_stopped(half_judged(made), "nDCG@5", draws=40)
    binary = if_stopped(half_judged(made, name="binary", top=1), "nDCG@5", draws=40)
    assert graded.ranges != binary.ranges


def test_a_measure_without_bounds_has_draws_alone(made: Made) -> None:
    found = if_stopped(half_judged(made), "AP(mean=geometric)", draws=40)
    assert all((run.lower, run.upper) == (None, None) for run in found.ranges)


def test_one_run_has_no_order_to_change(made: Made) -> None:
    documents = " ".join(f"d{number}" for number in range(1, 13))
    grades = {topic: {f"d{number}": int(number < 4) for number in range(1, 13, 2)} for topic in TOPICS}
    found = if_stopped(made({"a": ("A", dict.fromkeys(TOPICS, documents))}, grades, depth=12), "AP", draws=40)
    assert (found.tau, found.tau_ap, found.same_best) == (None, None, 1.0)


def test_cannot_tell_is_a_judgment(judging_as: JudgeAs, small: Campaign) -> None:
    assert if_stopped(small, "AP").waiting == 7
    for topic, documents in {"1": "d1 d2 d4", "2": "d1 d2 d5"}.items():
        for document in documents.split():
            judging_as(small, "Anna", topic, document, None)
    found = if_stopped(small, "AP")
    assert (found.waiting, found.why_none) == (1, "only 0 topics of 10 are judged")  # d6 of topic 10 waits


def test_with_too_few_judged_pairs_nothing_is_learned(made: Made) -> None:
    rankings = dict.fromkeys(TOPICS, "d1 d2 d3 d4 d5 d6")
    one_each = {topic: {f"d{1 + int(topic) % 6}": int(int(topic) < 7)} for topic in TOPICS}
    with pytest.raises(CampaignError, match="too little is judged to learn from: it takes 20 pooled pairs"):
        if_stopped(made({"a": ("A", rankings)}, one_each, depth=6), "AP")


def test_a_pool_that_is_judged_has_nothing_to_lose(made: Made) -> None:
    with pytest.raises(CampaignError, match="no pooled pair waits"):
        if_stopped(half_judged(made, share=1.0), "AP")
    with pytest.raises(CampaignError, match="no pooled pair waits"):
        if_stopped(made({}, {}, name="empty"), "AP")


def test_measures_that_rank_no_runs_are_refused(made: Made) -> None:
    with pytest.raises(UnknownName, match="choose"):
        if_stopped(half_judged(made), "num_rel_ret")


def test_the_middle_of_the_ranges_is_not_the_score_of_now(made: Made) -> None:
    # Half of each pool counts as not relevant now, so precision can only rise.
    found = if_stopped(half_judged(made), "P@5", draws=60)
    assert all(run.low is not None and run.low >= run.score - 1e-9 for run in found.ranges)
    assert found.ranges[0].rank == approx(1)


def test_runs_of_lower_scores_are_left_out_where_all_would_take_too_long(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = half_judged(made)
    whole = if_stopped(campaign, "P@5", draws=40)
    assert whole.left_out == ()
    # A run has 144 documents: there is room for 40 draws of two runs and a half, or of none, which is two at least.
    for entries in (LEAST_DRAWS * 360, 1):
        monkeypatch.setattr(stopping, "ENTRIES", entries)
        found = if_stopped(campaign, "P@5", draws=40)
        assert found.left_out == (whole.ranges[2].run,)
        assert [run[:2] for run in found.ranges] == [run[:2] for run in whole.ranges[:2]]
        assert [(run.lower, run.upper) for run in found.ranges] == [
            (run.lower, run.upper) for run in whole.ranges[:2]
        ]
        assert stopped_sentences(found)[-1].startswith(
            "Left out, since drawing would take too long: 1 run of "
        )


def test_where_a_strategy_chose_by_the_judgments_so_far_nothing_is_drawn(made: Made) -> None:
    by_depth = if_stopped(half_judged(made), "P@5", draws=40)
    assert (by_depth.draws, by_depth.why_none) == (40, "")
    chosen = half_judged(made, name="chosen", strategy="hedge", depth=12, budget=120, burn_in=9)
    found = if_stopped(chosen, "P@5", draws=40)
    assert (found.draws, found.why_none) == (0, "hedge chose what is judged by the judgments so far")
    assert (found.relevant, found.tau, found.tau_ap, found.same_best, found.check) == (None,) * 5
    assert all((run.low, run.high, run.best_rank, run.worst_rank) == (None,) * 4 for run in found.ranges)
    assert all(run.lower is not None and run.lower < (run.upper or 0.0) for run in found.ranges)
    assert stopped_sentences(found)[0].startswith(
        f"No labels are drawn for the {found.waiting} pairs without a judgment: hedge chose what is judged by"
    )


def test_where_the_viewing_order_leaves_nothing_to_chance_topics_have_to_be_judged_whole(made: Made) -> None:
    in_part = if_stopped(half_judged(made, depth=12, viewing="best rank"), "P@5", draws=40)
    assert in_part.why_none == "topics are judged in part, in the viewing order “best rank”"
    documents = "d1 d2 d3 d4"
    grades = {f"{number:02}": {each: int(each == "d1") for each in documents.split()} for number in range(28)}
    ids = [*grades, "90", "91"]
    orders = {"a": documents, "b": "d4 d3 d2 d1"}
    runs = {tag: (tag, dict.fromkeys(ids, order)) for tag, order in orders.items()}
    whole = made(runs, grades, name="whole", depth=4, viewing="best rank")
    assert if_stopped(whole, "P@1", draws=40).why_none == ""


def test_a_document_of_runs_that_are_left_out_has_the_ranks_that_they_give_it(made: Made) -> None:
    campaign = half_judged(made)
    scoring = scoring_of(campaign)
    whole, some = pooled_pairs(campaign, scoring), pooled_pairs(campaign, scoring, [0, 2])
    assert some.features.own.tolist() == whole.features.own.tolist()
    assert some.features.of_runs.toarray().tolist() == whole.features.of_runs.toarray()[:, [0, 2]].tolist()


def test_the_curve_over_ranks_may_bend_in_stretches_and_that_of_each_run_where_there_are_few(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Down to rank 12 there are two stretches: 1 to 4, and 4 to 16.
    campaign = half_judged(made)
    scoring = scoring_of(campaign, None)
    first, by_run = pooled_pairs(campaign, scoring).features.bends
    assert (first.shape, by_run.shape) == ((144, 2), (144, 6))
    best = np.exp(pooled_pairs(campaign, scoring).features.own[:, 1])
    assert first.toarray()[:, 0].tolist() == approx(np.clip(np.log(best) / np.log(4), 0, 1).tolist())
    assert first.toarray()[:, 1].tolist() == approx(np.clip(np.log(best) / np.log(4) - 1, 0, 1).tolist())
    monkeypatch.setattr("workbench.analysis.reuse.pair_features.MOST_BENT", 1.0)
    assert len(pooled_pairs(campaign, scoring).features.bends) == 1


def test_without_runs_that_take_part_there_is_no_leaderboard(made: Made) -> None:
    campaign = made({"a": ("A", {"1": "d1 d2 d3"})}, {"1": {"d1": 1}}, depth=3)
    withdraw_runs(campaign, ["a"], reason="", actor="Olga")
    with pytest.raises(CampaignError) as told:
        if_stopped(campaign, draws=1)
    assert str(told.value) == "no run takes part, so there is no leaderboard"
