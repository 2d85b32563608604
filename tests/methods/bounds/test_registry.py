from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.bounds.conftest import differences_reached, topic_of, topics
from tests.sentences import says
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, UNJUDGED, FloatArray
from workbench.methods.bounds import DIFFERENCES, TopicRuns, average_precision
from workbench.methods.bounds.additive import form_of
from workbench.methods.bounds.registry import differences, why_no_differences
from workbench.methods.measures import parse_measure

NAMES = {
    "P": ["P@1", "P@4", "P(rel=2)@20"],
    "RBP": [
        "RBP(p=0.8)",
        "RBP(p=0.95,rel=2)@4",
        "RBP(p=0.5,gains={1:0.25,2:1,3:0.5})",
        "RBP(p=0.5,gains={0:0.6,1:1,2:0.2,3:1})",
    ],
    "CG": ["CG", "CG(gains={0:0.5,1:-1,2:4})@3"],
    "DCG": ["DCG", "DCG(gains=exp)@4", "DCG(gains={0:-1,1:3,2:1},discount=after-first,base=10)"],
    "R": ["R@1", "R@4", "R(rel=2)@20"],
    "RR": ["RR", "RR@2", "RR(rel=2)@5"],
    "Success": ["Success@1", "Success@4", "Success(rel=2)@3"],
    "nDCG": [
        "nDCG", "nDCG@2", "nDCG@4", "nDCG(gains=exp)@3", "nDCG(gains={1:1,2:10,3:11})@4",
        "nDCG(gains={1:5,2:2,3:2.5})", "nDCG(gains={0:0.5,1:1,2:4})", "nDCG(gains={0:3,1:1,2:0.25})@3",
        "nDCG(discount=below-base,base=3)",
    ],
    "AP": ["AP", "AP@3", "AP(rel=2)"],
}  # fmt: skip
EVERY_NAME = [name for names in NAMES.values() for name in names]
EXACT = [name for name in EVERY_NAME if DIFFERENCES[parse_measure(name).name].reached]
TOP_GRADE = 2
LEAST = st.sampled_from([0, -2])
"""The lowest grade that an undecided document may get."""


def possible(least: int) -> list[int]:
    return sorted({least, *range(TOP_GRADE + 1)})


def bounds(
    name: str, topic: TopicRuns, top_grade: int = TOP_GRADE, least: int = 0
) -> tuple[FloatArray, FloatArray]:
    """The lowest and the highest difference of each two runs, each float64 (S, S)."""
    highest = differences(parse_measure(name), top_grade=top_grade, least_grade=least).highest(topic)
    return -highest.T, highest


def test_every_measure_with_differences_is_tried_and_those_that_add_up_have_weights_by_rank() -> None:
    assert form_of(differences(parse_measure("P@4"), top_grade=1), 3).weight.tolist() == [0.25, 0.25, 0.25]
    with pytest.raises(ValueError, match=r"^AP is not additive$"):
        form_of(differences(parse_measure("AP"), top_grade=1), 3)
    assert NAMES.keys() == DIFFERENCES.keys()


@pytest.mark.parametrize("name", EXACT)
@settings(max_examples=at_length(160, 14))
@given(topic=topics(n_runs=3), least=LEAST)
def test_the_bounds_are_those_of_all_ways_to_go_on(name: str, topic: TopicRuns, least: int) -> None:
    reached = differences_reached(parse_measure(name), topic, possible(least))
    lower, upper = bounds(name, topic, least=least)
    assert lower == pytest.approx(reached.min(axis=0), abs=1e-12)
    assert upper == pytest.approx(reached.max(axis=0), abs=1e-12)


@pytest.mark.parametrize("name", NAMES["AP"])
@settings(max_examples=at_length(600, 50))
@given(topic=topics(), several=st.integers(0, 3))
def test_the_outer_bound_of_ap_is_never_passed(name: str, topic: TopicRuns, several: int) -> None:
    reached = differences_reached(parse_measure(name), topic, possible(0))
    with mock.patch.object(average_precision, "SORTED", several):
        lower, upper = bounds(name, topic)
    assert (lower <= reached.min(axis=0) + 1e-12).all()
    assert (upper >= reached.max(axis=0) - 1e-12).all()


@pytest.mark.parametrize("name", EVERY_NAME)
@settings(max_examples=at_length(160, 14))
@given(topic=topics(), least=LEAST)
def test_the_way_to_judge_that_is_best_for_a_run_reaches_its_bound(
    name: str, topic: TopicRuns, least: int
) -> None:
    kind = differences(parse_measure(name), top_grade=TOP_GRADE, least_grade=least)
    way = kind.best_for(topic)
    assert set(way.grade.tolist()) <= set(possible(least))
    first, second = kind.values(topic.completed(*way))
    highest = kind.highest(topic)[0, 1]
    assert first - second <= highest + 1e-12
    if kind.exact:
        # A document in whose place nothing depends may stay open.
        assert first - second == pytest.approx(highest, abs=1e-12)
    elif first - second < highest - 1e-12:
        reached = differences_reached(parse_measure(name), topic, possible(least))[:, 0, 1]
        assert first - second <= reached.max() + 1e-12


@pytest.mark.parametrize("name", EVERY_NAME)
@settings(max_examples=at_length(120, 10))
@given(topic=topics(n_runs=3), least=LEAST, data=st.data())
def test_a_judgment_never_widens_the_bounds(
    name: str, topic: TopicRuns, least: int, data: st.DataObject
) -> None:
    lower, upper = bounds(name, topic, least=least)
    order = data.draw(st.permutations(topic.waiting.tolist()))
    for document in order:
        grade = data.draw(st.sampled_from(possible(least)))
        topic = topic.completed(np.array([document]), np.array([grade], np.int16))
        before, (lower, upper) = (lower, upper), bounds(name, topic, least=least)
        assert (lower >= before[0] - 1e-12).all()
        assert (upper <= before[1] + 1e-12).all()
    values = parse_measure(name)(topic.judged)
    assert lower == pytest.approx(values[:, None] - values, abs=1e-12)
    assert upper == pytest.approx(values[:, None] - values, abs=1e-12)


# Documents d1 to d12 as 0 to 11; d3 and d8 are pooled, d5 and d9 are not.
LABELS = [1, 0, POOLED, 1, UNJUDGED, 0, 1, POOLED, UNJUDGED, 0, 1, 0]
A = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
B = [2, 0, 7, 1, 3, 8, 10, 5, 6, 4]


@pytest.mark.parametrize(
    ("name", "top_grade", "lower", "upper"),
    [
        ("AP", 1, -0.261310, 0.038889), ("P@5", 1, -0.2, 0.0), ("RBP(p=0.8)", 1, -0.131131, 0.026926),
        ("nDCG@5", 1, -0.199123, 0.161186), ("nDCG(gains={1:1,2:3})@5", 2, -0.416582, 0.161186),
    ],
)  # fmt: skip
def test_the_worked_pair_has_its_published_digits(
    name: str, top_grade: int, lower: float, upper: float
) -> None:
    lowest, highest = bounds(name, topic_of([A, B], LABELS), top_grade)
    assert (lowest[0, 1], highest[0, 1]) == pytest.approx((lower, upper), abs=6e-7)


@pytest.mark.parametrize(
    "name", ["Bpref", "AP(bound=upper)", "AP(judged_only=true)", "AP(mean=geometric)", "nDCG(gains={1:-1})"]
)
def test_a_measure_without_bounds_of_differences_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(UnknownName, match=r".+") as error:
        differences(parse_measure(name), top_grade=1)
    assert says(str(error.value))
    assert why_no_differences(parse_measure(name)) == str(error.value)


@pytest.mark.parametrize(("rel", "grade"), [(2, 0), (1, 0), (0, -1)])
def test_a_document_that_is_not_relevant_has_the_grade_0_or_one_below_the_least_relevant(
    rel: int, grade: int
) -> None:
    assert differences(parse_measure(f"AP(rel={rel})"), top_grade=2).not_relevant == grade


def test_bounds_are_outer_ones_where_every_grade_of_the_scale_is_relevant() -> None:
    measure = parse_measure("P(rel=0)@5")
    assert not differences(measure, top_grade=2).exact
    assert differences(measure, top_grade=2, least_grade=-1).exact
    assert differences(parse_measure("P@5"), top_grade=2).exact
