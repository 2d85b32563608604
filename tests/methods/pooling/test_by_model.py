"""Blind samples by a model's own grade: in strata, and by what a judgment is worth."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray, Names, Rankings
from workbench.methods.corrected.labels import TwoLabels
from workbench.methods.corrected.measures import estimator_of
from workbench.methods.measures import parse_measure
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels
from workbench.methods.pooling import make_pool, needs
from workbench.methods.pooling.strategies.by_model import allocated, by_model_grade, worth_by_model
from workbench.methods.pooling.strategies.sampling import drawn_systematically

DEPTH = 20


def ranked(grades: list[int | None]) -> Rankings:
    """One topic with one run over documents of these grades by the judge, in the order of the run."""
    ids = [f"d{number}" for number in range(len(grades))]
    labels = {id_: grade for id_, grade in zip(ids, grades, strict=True) if grade is not None}
    return Rankings(
        np.array([0, len(ids)]),
        np.arange(len(ids), dtype=np.uint32),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        names=Names(["1"], {"1": ids}, ["run"], grades={"1": labels}),
    )


GRADES = [3, 0, 0, 1, None, 0, 3, 0, 0, 1, 0, 0, None, 0, 0, 1]


def test_each_grade_and_what_has_none_is_a_stratum_with_its_own_probability() -> None:
    frame = by_model_grade(ranked(GRADES), judge="gpt", depth=DEPTH, budget=10, floor=4)
    by_stratum: dict[int, set[float]] = {}
    for stratum, probability in zip(
        frame.pairs.stratum.tolist(), frame.pairs.inclusion_probability.tolist(), strict=True
    ):
        by_stratum.setdefault(stratum, set()).add(probability)
    # Unlabelled, 0, 1 and 3: both unlabelled ones within the floor of four; the rest goes to the many zeros.
    assert by_stratum == {1: {1.0}, 2: {4 / 9}, 3: {2 / 3}, 4: {1.0}}
    assert (frame.drawn.sum(), frame.has_strata) == (10, True)


def test_where_the_judge_found_nothing_the_floor_holds() -> None:
    frame = by_model_grade(ranked([*[2] * 30, *[0] * 12]), judge="gpt", depth=50, budget=12, floor=9)
    zeros = frame.pairs.stratum == 2
    assert int(frame.drawn[zeros].sum()) == 9
    assert int(frame.drawn[~zeros].sum()) == 3


def test_the_total_of_any_labels_is_unbiased_over_all_samples() -> None:
    """Every choice inside the strata is as likely, so that the mean over all of them is the expectation."""
    grades = [0, 0, 0, 0, 1, 1, 1, None, None]
    frame = by_model_grade(ranked(grades), judge="gpt", depth=DEPTH, budget=6, floor=2)
    people = np.array([1, 0, 0, 1, 1, 0, 1, 0, 1.0])
    weight = people / frame.pairs.inclusion_probability
    strata = [np.flatnonzero(frame.pairs.stratum == number) for number in (1, 2, 3)]
    numbers = [int(frame.drawn[places].sum()) for places in strata]
    assert sum(numbers) == 6
    choices = [
        [subset for subset in product((0, 1), repeat=len(places)) if sum(subset) == number]
        for places, number in zip(strata, numbers, strict=True)
    ]
    estimates = [
        sum(float(weight[places] @ subset) for places, subset in zip(strata, chosen, strict=True))
        for chosen in product(*choices)
    ]
    assert np.mean(estimates) == pytest.approx(people.sum())


def test_every_document_is_drawn_as_often_as_its_probability_says() -> None:
    frames = [
        by_model_grade(ranked(GRADES), judge="gpt", depth=DEPTH, budget=10, floor=2, seed=seed)
        for seed in range(2000)
    ]
    share = np.mean([frame.drawn for frame in frames], axis=0)
    assert share == pytest.approx(frames[0].pairs.inclusion_probability, abs=0.05)  # 4 standard errors


def test_the_allocation_is_the_best_of_all_by_enumeration() -> None:
    sizes, spread, least = np.array([6, 9, 4]), np.array([0.5, 0.2, 0.4]), np.array([2, 2, 2])

    def variance(numbers: tuple[int, ...]) -> float:
        return float(sum((size * s) ** 2 / n for size, s, n in zip(sizes, spread, numbers, strict=True)))

    for number in range(6, 20):
        possible = [each for each in product(range(2, 7), range(2, 10), range(2, 5)) if sum(each) == number]
        found = tuple(allocated(sizes, spread, least, number).tolist())
        assert sum(found) == number
        assert variance(found) == pytest.approx(min(map(variance, possible)))


def test_a_budget_below_what_the_grades_need_is_refused_and_a_share_is_raised() -> None:
    with refused(UnknownName, "topic 1"):
        by_model_grade(ranked(GRADES), judge="gpt", depth=DEPTH, budget=5)
    frame = by_model_grade(ranked(GRADES), judge="gpt", depth=DEPTH, percent=1, floor=2)
    assert int(frame.drawn.sum()) == 8  # two of each


def test_a_judge_without_labels_of_these_topics_is_refused() -> None:
    with refused(UnknownName, "gpt"):
        by_model_grade(ranked([None, None]), judge="gpt", depth=DEPTH)
    with refused(UnknownName, "gpt"):
        by_model_grade(replace(ranked([1]), names=None), judge="gpt", depth=DEPTH)


def test_it_needs_the_labels_of_its_judge_and_others_need_none() -> None:
    assert needs("by-model", "descending", {"judge": "gpt", "depth": 5}) == (False, True, "gpt")
    assert needs("depth", "descending", {"depth": 5}).judge == ""
    pool = make_pool(ranked(GRADES), strategy="by-model", judge="gpt", depth=DEPTH, budget=10, floor=2)
    assert len(pool.topic) == 10


def test_rankings_with_names_go_to_other_processes_with_and_without_labels() -> None:
    for rankings in (ranked([1, None]), replace(ranked([1]), names=Names(["1"], {"1": ["d0"]}, ["run"]))):
        assert pickle.loads(pickle.dumps(rankings)).names == rankings.names


def of_runs(*orders: str, labels: str, people: str = "") -> tuple[Rankings, SampleLabels, NDArray[np.int16]]:
    """One topic with runs over documents named by letters: those that a judge and people call relevant."""
    ids = sorted(set("".join(orders)))
    grades = {id_: int(id_ in labels) for id_ in ids}
    rankings = Rankings(
        np.cumsum([0, *map(len, orders)]),
        np.array([ids.index(id_) for order in orders for id_ in order], np.uint32),
        np.arange(len(orders), dtype=np.int32),
        np.zeros(len(orders), np.int32),
        names=Names(["1"], {"1": ids}, list(map(str, orders)), grades={"1": grades}),
    )
    said = np.array([grades[id_] for id_ in ids], np.int16)
    true = np.array([id_ in people for id_ in ids], np.int16)
    whole = np.ones(len(ids), np.bool_)
    start = np.array([0, len(ids)])
    return rankings, SampleLabels(start, whole - 1, true, whole.astype(float), whole, has_strata=False), said


class _Start:
    """A random number that is known."""

    def __init__(self, number: float) -> None:
        self.random = lambda: number


def all_samples(probability: FloatArray) -> list[tuple[float, NDArray[np.bool_]]]:
    """Every systematic sample with these probabilities, and how likely it is: each is that of an interval of starts."""
    ends = np.cumsum(probability[probability < 1])
    cuts = np.unique(np.r_[0.0, 1.0, (ends * round(ends[-1]) / ends[-1]) % 1.0])
    return [(b - a, drawn_systematically(probability, _Start((a + b) / 2))) for a, b in pairwise(cuts)]  # type: ignore[arg-type]


RUNS = "abcdefgh", "bacfghde", "hgaijbcd", "jihdefga"
WORTH = {"judge": "gpt", "depth": 8, "measure": "RBP(p=0.8)"}


def test_every_pair_is_drawn_with_its_probability_in_all_samples_and_none_has_less_than_the_even_part() -> (
    None
):
    rankings, _, _ = of_runs(*RUNS, labels="adj")
    for budget, evenly in product((3, 5, 8), (10.0, 40.0)):
        probability = worth_by_model(
            rankings, **WORTH, budget=budget, evenly=evenly
        ).pairs.inclusion_probability
        assert probability.sum() == pytest.approx(budget)
        assert probability.min() >= evenly / 100 * budget / 10 - 1e-12
        shares = sum(share * drawn for share, drawn in all_samples(probability))
        assert shares == pytest.approx(probability)


@pytest.mark.parametrize("labels", ["adj", "", "abcdefghij", "bcefghi"])
@pytest.mark.parametrize("measure", ["P@3", "RBP(p=0.8)", "DCG@5"])
def test_corrected_scores_are_unbiased_over_all_samples_whatever_the_judge_says(
    labels: str, measure: str
) -> None:
    rankings, people, said = of_runs(*RUNS, labels=labels, people="adgj")
    frame = worth_by_model(rankings, **WORTH, budget=4)
    by = estimator_of(parse_measure(measure), ranks=8, top_grade=1)

    def scores(probability: FloatArray, drawn: NDArray[np.bool_]) -> FloatArray:
        sample = SampleLabels(
            people.topic_start, people.stratum, people.grade, probability, drawn, has_strata=False
        )
        sampled, both = SampledRankings.join(rankings, sample), TwoLabels(sample, said)
        return by.estimates(sampled, both, np.ones(1), by.spread(sampled, both)).value

    order = frame.pairs.document
    chance = np.zeros(10)
    chance[order] = frame.pairs.inclusion_probability
    mean = sum(
        share * scores(chance, drawn[np.argsort(order)]) for share, drawn in all_samples(chance[order])
    )
    assert mean == pytest.approx(scores(np.ones(10), np.ones(10, np.bool_)))


def test_the_effective_chance_is_that_of_an_even_sample_and_less_where_what_counts_is_seldom_drawn() -> None:
    rankings, people, said = of_runs("ab", labels="a")
    by = estimator_of(parse_measure("P@2"), ranks=2, top_grade=1)
    for chances, expected in (([0.3, 0.3], 0.3), ([0.5, 0.25], 1 / 3), ([1.0, 1.0], 1.0)):
        sample = SampleLabels(
            people.topic_start,
            people.stratum,
            people.grade,
            np.array(chances),
            people.drawn,
            has_strata=False,
        )
        sampled = SampledRankings.join(rankings, sample)
        assert by.effective_chance(sampled, TwoLabels(sample, said)) == pytest.approx(expected)


def test_chances_rise_with_what_a_judgment_would_say_of_the_order_of_the_runs() -> None:
    rankings, _, _ = of_runs("abcd", "acbd", labels="c")
    found = worth_by_model(rankings, judge="gpt", depth=4, budget=1, measure="P@2", missed=0.2)
    by_id = dict(
        zip("abcd", found.pairs.inclusion_probability[np.argsort(found.pairs.document)], strict=True)
    )
    # P@2 differs by b and c alone, by as much; √(.2 · .8) for b, √(1/3 · 2/3) as by-model has it for c.
    unsure = {"b": 0.4, "c": (2 / 9) ** 0.5}
    worth = {id_: unsure.get(id_, 0.0) / sum(unsure.values()) for id_ in "abcd"}
    assert by_id == pytest.approx({id_: 0.9 * each + 0.1 / 4 for id_, each in worth.items()})
