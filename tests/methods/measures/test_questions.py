"""Measures of several questions: by hand, against slow definitions, and what holds for all that are registered."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.measures.conftest import judged_rows
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import MEASURES, BoundMeasure, parse_measure
from workbench.methods.measures.question_rankings import Answered, QuestionRankings
from workbench.methods.measures.questions import INNER

Document = tuple[int, int, int]
"""The labels of relevance, readability (0 to 3, good from 2) and trust (0 to 2, good from 1)."""
Row = tuple[Sequence[Document], Sequence[Document]]
"""What is retrieved, in rank order, and what is not."""

GOOD_FROM, TOP = {"readable": 2, "trust": 1}, {"readable": 3, "trust": 2}

RANKED: list[Document] = [
    (2, 3, 1), (0, 3, 0), (1, 1, 2), (UNJUDGED, UNJUDGED, UNJUDGED), (1, 2, 0), (1, POOLED, 2)
]  # fmt: skip
OTHERS: list[Document] = [(1, 2, UNJUDGED), (0, UNJUDGED, 2)]

AP = (1 + 2 / 3 + 3 / 5 + 4 / 6) / 5, (1 + 2 / 2 + 3 / 5) / 4, (1 + 2 / 3 + 3 / 6) / 4
RBP = (1 + 1 / 4 + 1 / 16 + 1 / 32) / 2, (1 + 1 / 2 + 1 / 16) / 2, (1 + 1 / 4 + 1 / 32) / 2
NDCG_AT_2 = 2 / (2 + 1 / log2(3)), 1.0, 1 / (2 + 2 / log2(3))

EXAMPLES = {
    "uRBP(p=0.5)": (1 + 0) / 2,
    "uRBP(question=readable,p=0.5)": (1 + 1 / 16) / 2,
    "uRBP(question=readable,p=0.5,rel=2)": 1 / 2,
    "uRBP(question=trust,p=0.5)@5": (1 + 1 / 4) / 2,
    "uRBPgr(p=0.5)": (1 * 0.5 + 0.4 * 1 / 4) / 2,
    "uRBPgr(question=readable,p=0.5)": (1 + 0.4 / 4 + 0.8 / 16) / 2,
    "uRBPgr(question=trust,p=0.5)": (1 / 2 + 1 / 4 + 1 / 32) / 2,
    "uRBPgr(question=trust,p=0.5,gains={1:0.1})": (0.1 + 1 / 4 + 1 / 32) / 2,
    "CAM@2": sum(NDCG_AT_2) / 3,
    "CAM(of=AP)": sum(AP) / 3,
    "CAM(of=AP,question=readable)": (AP[0] + AP[1]) / 2,
    "CAM(of=RBP,weight=0.6,p=0.5)": 0.6 * RBP[0] + 0.4 * (RBP[1] + RBP[2]) / 2,
    "WHAM(of=RBP,p=0.5)": 3 / (1 / RBP[0] + 1 / RBP[1] + 1 / RBP[2]),
    "WHAM(of=AP,question=trust,weight=0.25)": 1 / (0.25 / AP[0] + 0.75 / AP[2]),
    "WHAM(of=AP,rel=3)": 0.0,
    "CAM(of=AP,judged_only=true,question=readable)": ((1 + 2 / 3 + 3 / 4 + 4 / 5) / 5 + (1 + 1 + 3 / 4) / 4)
    / 2,
}


def column_of(row: Row, at: int) -> tuple[list[int], list[int]]:
    ranked, others = ([document[at] for document in part] for part in row)
    return ranked, others


def rows(*given_rows: Row) -> QuestionRankings:
    relevance, *answers = [judged_rows(*(column_of(row, at) for row in given_rows)) for at in range(3)]
    return QuestionRankings(
        relevance,
        {
            name: Answered(judged, GOOD_FROM[name], TOP[name])
            for name, judged in zip(TOP, answers, strict=True)
        },
    )


def value_of(bound: BoundMeasure, ranked: Sequence[Document], others: Sequence[Document] = ()) -> float:
    (value,) = bound(rows((ranked, others))).tolist()
    return float(value)


@pytest.mark.parametrize(("name", "value"), EXAMPLES.items())
def test_the_example_has_its_value(name: str, value: float) -> None:
    assert value_of(parse_measure(name), RANKED, OTHERS) == pytest.approx(value, rel=1e-14)


def test_every_measure_of_questions_has_an_example() -> None:
    assert {parse_measure(name).name for name in EXAMPLES} == {
        name for name, entry in MEASURES.items() if entry.of == "questions"
    }


VARIANTS = [
    *map(parse_measure, EXAMPLES),
    *(parse_measure(f"{name}(of={of})@3") for name in ("CAM", "WHAM") for of in INNER),
]
bound_measures = st.sampled_from(VARIANTS)
labels = st.sampled_from([UNJUDGED, POOLED, -1, 0, 1, 2, 3])
documents = st.tuples(labels, labels, labels)
rankings = st.lists(documents, max_size=6)


def one_dimension(of: str, ranked: Sequence[int], others: Sequence[int], good: int, p: float) -> float:
    """A measure of one question, all labels being grades of it."""
    if of == "RBP":
        return (1 - p) * sum(p**place for place, label in enumerate(ranked) if label >= good)
    if of == "AP":
        hits = [place for place, label in enumerate(ranked, 1) if label >= good]
        number = sum(label >= good for label in [*ranked, *others])
        return sum(nth / place for nth, place in enumerate(hits, 1)) / number if number else 0.0

    def dcg(labels: Sequence[int]) -> float:
        return sum(max(label, 0) / log2(place + 1) for place, label in enumerate(labels, 1))

    best = dcg(sorted([*ranked, *others], reverse=True))
    return dcg(ranked) / best if best else 0.0


@settings(max_examples=at_length(1000, 100))
@given(of=st.sampled_from(INNER), found=rankings, others=rankings, p=st.sampled_from([0.5, 0.95]))
def test_values_are_those_of_the_definitions(
    of: str, found: list[Document], others: list[Document], p: float
) -> None:
    columns = [column_of((found, others), at) for at in range(3)]
    each = [one_dimension(of, *column, good, p) for column, good in zip(columns, (1, 2, 1), strict=True)]
    cam, wham = (parse_measure(f"{name}(of={of},p={p})") for name in ("CAM", "WHAM"))
    assert value_of(cam, found, others) == pytest.approx(sum(each) / 3)
    harmonic = 3 / sum(1 / value for value in each) if all(each) else 0.0
    assert value_of(wham, found, others) == pytest.approx(harmonic)
    understood = [relevance >= 1 and readable >= 2 and trust >= 1 for relevance, readable, trust in found]
    urbp = (1 - p) * sum(p**place for place, good in enumerate(understood) if good)
    assert value_of(parse_measure(f"uRBP(p={p})"), found, others) == pytest.approx(urbp)
    graded = [
        (relevance >= 1) * {1: 0.4, 2: 0.8, 3: 1.0}.get(readable, 0.0) * min(max(trust, 0) / 2, 1)
        for relevance, readable, trust in found
    ]
    urbpgr = (1 - p) * sum(p**place * worth for place, worth in enumerate(graded))
    assert value_of(parse_measure(f"uRBPgr(p={p})"), found, others) == pytest.approx(urbpgr)


@given(bound=bound_measures, found=rankings, others=rankings, data=st.data())
def test_what_the_registry_says_of_a_measure_of_questions_holds(
    bound: BoundMeasure, found: list[Document], others: list[Document], data: st.DataObject
) -> None:
    entry, value = bound.measure, value_of(bound, found, others)
    assert (entry.end_counts, entry.nonrelevant_counts, entry.rises, entry.best) == (
        False, False, True, "highest"
    )  # fmt: skip
    assert 0 <= value <= 1 + 1e-12
    assert value_of(bound, [], others) == 0
    nothing = (UNJUDGED,) * 3
    assert value_of(bound, [*found, nothing, nothing], others) == value
    if not bound.modifier("judged_only"):
        said = [tuple(0 if label in (UNJUDGED, POOLED) else label for label in each) for each in found]
        assert value_of(bound, said, others) == value  # type: ignore[arg-type]
    best: Document = (3, 3, 3)
    higher, lower = ([first, *found, last] for first, last in ((best, nothing), (nothing, best)))
    assert value_of(bound, higher, others) >= value_of(bound, lower, others) - 1e-12
    several = [(found, others), ([], []), (others, found)]
    assert bound(rows(*several)).tolist() == [value_of(bound, *row) for row in several]


def test_no_rows_have_no_values() -> None:
    assert [bound(rows()).shape for bound in VARIANTS] == [(0,)] * len(VARIANTS)


@pytest.mark.parametrize("p", [1e-300, 1e-160, 0.999999])
def test_very_small_values_have_a_harmonic_mean(p: float) -> None:
    low: list[Document] = [(0, 0, 0), (1, 3, 1)]
    assert value_of(parse_measure(f"WHAM(of=RBP,p={p})"), low) == pytest.approx((1 - p) * p, rel=1e-12)
    assert value_of(parse_measure(f"WHAM(of=RBP,p={p},weight=0)"), [(1, 0, 0), (0, 3, 1)]) == pytest.approx(
        (1 - p) * p, rel=1e-12
    )


def test_a_question_that_is_not_asked_and_judgments_of_one_question_are_refused() -> None:
    with refused(UnknownName, "readible", "readable"):
        parse_measure("uRBP(question=readible)")(rows((RANKED, OTHERS)))
    with refused(UnknownName, "uRBP(p=0.8)"):
        parse_measure("uRBP")(judged_rows(([1, 0], [])))
    with refused(UnknownName, "bounds"):
        parse_measure("CAM(bound=upper)")
