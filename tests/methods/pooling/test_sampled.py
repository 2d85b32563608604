"""Sampling designs by hand on three runs of five documents, and by property."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import Rankings
from workbench.methods.pooling import STRATEGIES, make_pool
from workbench.methods.pooling.frames import Frame
from workbench.methods.pooling.strategies.sampling import Stratum, probabilities, read_strata

LETTERS = "abcdefghijklmnopqrstuvwxyz"
RUNS = ("abcde", "bacdf", "edbag")
"""Best ranks: a, b and e 1; d 2; c 3; f and g 5."""

DESIGNS: dict[str, dict[str, Any]] = {
    "strata": {"strata": "1:100%,2-3:50%,4-9:25%"},
    "uniform": {"depth": 9, "whole": 1, "percent": 60.0},
    "pps": {"depth": 9, "percent": 40.0},
}
each_design = pytest.mark.parametrize("name", DESIGNS)


def of_topics(*topics: tuple[str, ...], letters: str = LETTERS) -> Rankings:
    """Topic i has the runs of `topics[i]`; the number of a document is its place in `letters`."""
    rows = [
        (topic, run, [letters.index(one) for one in documents])
        for topic, runs in enumerate(topics)
        for run, documents in enumerate(runs)
    ]
    return Rankings(
        np.cumsum([0, *(len(documents) for _, _, documents in rows)]),
        np.array([one for _, _, documents in rows for one in documents], np.uint32),
        np.array([run for _, run, _ in rows], np.int32),
        np.array([topic for topic, _, _ in rows], np.int32),
    )


def frame_of(name: str, rankings: Rankings, **parameters: Any) -> Frame:
    entry = STRATEGIES[name]
    assert entry.frame is not None
    found: Frame = entry.frame(rankings, **entry.check(parameters))
    return found


def by_letter(frame: Frame, column: str, letters: str = LETTERS) -> dict[str, float]:
    values = getattr(frame.pairs, column).tolist()
    return dict(zip((letters[number] for number in frame.pairs.document.tolist()), values, strict=True))


many_runs = st.lists(
    st.lists(st.sampled_from(LETTERS), unique=True, min_size=1, max_size=9).map("".join),
    min_size=1,
    max_size=4,
).map(tuple)


def test_strata_go_by_the_best_rank_and_uniform_by_the_first_ranks() -> None:
    frame = frame_of("strata", of_topics(RUNS), strata="1:100%,2-3:50%,4-5:50%")
    assert by_letter(frame, "stratum") == {"a": 1, "b": 1, "e": 1, "d": 2, "c": 2, "f": 3, "g": 3}
    probability = by_letter(frame, "inclusion_probability")
    assert probability == {"a": 1, "b": 1, "e": 1, "d": 0.5, "c": 0.5, "f": 0.5, "g": 0.5}
    assert len(frame.sample.topic) == 3 + 1 + 1
    frame = frame_of("strata", of_topics(RUNS), strata="1:100%,2-3:1%,4-5:75%")
    assert by_letter(frame, "inclusion_probability")["c"] == 0.5
    assert by_letter(frame, "inclusion_probability")["f"] == 1.0  # 1.5 of two documents, halves up
    frame = frame_of("uniform", of_topics(RUNS), depth=5, whole=1, budget=5)
    probability = by_letter(frame, "inclusion_probability")
    assert probability == {"a": 1, "b": 1, "e": 1, "d": 0.5, "c": 0.5, "f": 0.5, "g": 0.5}
    assert by_letter(frame, "stratum") == {"a": 1, "b": 1, "e": 1, "d": 2, "c": 2, "f": 2, "g": 2}


def test_the_weight_of_pps_is_the_part_in_ap_over_the_runs() -> None:
    frame = frame_of("pps", of_topics(RUNS), depth=5, budget=2)
    six = np.log(6 / np.arange(1, 6))
    weight = {
        "a": six[0] + six[1] + six[3], "b": six[1] + six[0] + six[2], "c": 2 * six[2],
        "d": 2 * six[3] + six[1], "e": six[4] + six[0], "f": six[4], "g": six[4],
    }  # fmt: skip
    whole = sum(weight.values())
    assert by_letter(frame, "inclusion_probability") == pytest.approx(
        {letter: 2 * each / whole for letter, each in weight.items()}
    )


def test_weights_may_be_those_of_rbp_and_what_is_above_one_is_certain() -> None:
    frame = frame_of("pps", of_topics(("ab", "ba", "ca")), depth=2, budget=1, prior="rbp", p=0.5)
    # a 1/2 + 1/4 + 1/4, b 1/4 + 1/2, c 1/2
    assert by_letter(frame, "inclusion_probability") == pytest.approx(
        {"a": 1 / 2.25, "b": 0.75 / 2.25, "c": 0.5 / 2.25}
    )
    assert probabilities(np.array([8.0, 1, 1]), 2).tolist() == [1.0, 0.5, 0.5]
    assert probabilities(np.array([100.0, 10, 1, 1]), 3).tolist() == [1.0, 1.0, 0.5, 0.5]
    assert probabilities(np.array([3.0, 2, 1]), 3).tolist() == [1.0, 1.0, 1.0]


@given(
    st.lists(st.floats(0.001, 1000), min_size=1, max_size=60).flatmap(
        lambda weights: st.tuples(st.just(weights), st.integers(0, len(weights)))
    )
)
def test_probabilities_add_up_to_the_budget(case: tuple[list[float], int]) -> None:
    weights, number = case
    found = probabilities(np.array(weights), number)
    assert found.sum() == pytest.approx(number)
    assert ((found >= 0) & (found <= 1)).all()


@given(many_runs, many_runs, st.integers(0, 9))
@pytest.mark.parametrize("name", DESIGNS)
def test_the_probabilities_of_each_topic_add_up_to_what_is_drawn(
    name: str, one: tuple[str, ...], two: tuple[str, ...], seed: int
) -> None:
    try:
        frame = frame_of(name, of_topics(one, two), **DESIGNS[name], seed=seed)
    except UnknownName as error:
        assert "the budget" in str(error)
        return
    for topic in (0, 1):
        here = frame.pairs.topic == topic
        drawn = int(frame.drawn[here].sum())
        assert frame.pairs.inclusion_probability[here].sum() == pytest.approx(drawn)
        assert len(set(frame.pairs.document[here].tolist())) == here.sum()
    assert (frame.pairs.inclusion_probability > 0).all()
    assert frame.drawn[frame.pairs.inclusion_probability >= 1].all()


@given(many_runs, st.integers(0, 9))
@pytest.mark.parametrize("name", DESIGNS)
def test_the_same_seed_gives_the_same_sample_whatever_the_numbers_of_documents(
    name: str, runs: tuple[str, ...], seed: int
) -> None:
    parameters = DESIGNS[name] | {"seed": seed}
    backwards = LETTERS[::-1]
    try:
        one = make_pool(of_topics(runs), strategy=name, **parameters)
    except UnknownName:
        return
    two = make_pool(of_topics(runs, letters=backwards), strategy=name, **parameters)
    assert {LETTERS[number] for number in one.document} == {backwards[number] for number in two.document}


@each_design
def test_what_is_drawn_comes_as_often_as_its_probability_says(name: str) -> None:
    rounds = 1000
    came, probability = np.zeros(7), np.zeros(7)
    for seed in range(rounds):
        frame = frame_of(name, of_topics(RUNS), **DESIGNS[name], seed=seed)
        came[frame.sample.document] += 1
        probability[frame.pairs.document] = frame.pairs.inclusion_probability
    # Four standard errors of a share.
    assert np.abs(came / rounds - probability).max() <= 4 * np.sqrt(0.25 / rounds)


def test_strata_are_read_in_any_order_with_rates_as_shares_or_percent() -> None:
    bands = read_strata(" 11-40:20%, 1-10 : 1 ,41-100:0.1")
    assert bands == [Stratum(1, 10, 1.0), Stratum(11, 40, 0.2), Stratum(41, 100, 0.1)]
    assert all(one.last + 1 == two.first for one, two in pairwise(bands))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        *(
            ("strata", {"strata": text})
            for text in (
                "", "1-10:100%,10-20:50%", "1-10:100%,5-8:50%", "1-10:100%,12-20:50%", "1-10:100%,21-30:50%",
                "2-10:100%", "1-10:100%,11-40:0%", "1-10:150%", "1-10:1.5", "0-10:1", "10-1:1", "1-10", "1-10:.",
                "1-10:-5%",
            )
        ),
        ("uniform", {"depth": 5, "whole": 3, "budget": 5}),
        ("uniform", {"depth": 5, "whole": 5, "budget": 5}),
        ("uniform", {"depth": 5, "budget": 8}),
        ("pps", {"depth": 5, "budget": 3, "percent": 5.0}),
    ],
)  # fmt: skip
def test_what_makes_no_design_is_refused_with_the_way_out(name: str, parameters: dict[str, Any]) -> None:
    with refused(UnknownName):
        make_pool(of_topics(RUNS), strategy=name, **parameters)


def test_a_budget_in_all_that_does_not_reach_every_topic_is_refused() -> None:
    with refused(UnknownName):
        make_pool(of_topics(RUNS, RUNS), strategy="pps", depth=5, budget=1)


@pytest.mark.parametrize("name", ["uniform", "pps"])
def test_of_a_small_share_each_topic_gives_one_document(name: str) -> None:
    frame = frame_of(name, of_topics(RUNS, ("ab",)), depth=5, percent=1.0)
    assert np.bincount(frame.sample.topic).tolist() == [1, 1]
