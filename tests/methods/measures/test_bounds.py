from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, product
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.fixture_types import MakeJudged
from tests.methods.measures.conftest import Row, judged_rows
from tests.sentences import refused
from workbench.core.errors import GradesDoNotFit, UnknownName
from workbench.core.ranking import POOLED, UNJUDGED, starts_of
from workbench.methods.measures import BoundMeasure, JudgedRankings, parse_measure
from workbench.methods.measures.additive import additive_form
from workbench.methods.measures.bounds import Undecided, running_sums_up
from workbench.methods.measures.registry import BOUNDS, MEASURES, bind

# Documents d1 to d10 as retrieved, d11 and d12 not; d3 and d8 are pooled, d5 and d9 are not. R = 4, N = 4.
RANKED = [1, 0, POOLED, 1, UNJUDGED, 0, 1, POOLED, UNJUDGED, 0]
OTHERS = [1, 0]


def bounds(name: str, judged: JudgedRankings, **given: int) -> list[list[float]]:
    """The lower and the upper values of the measure, one of each per row."""
    found = parse_measure(name)
    values = {**dict(found.values), **given}
    return [bind(found.measure, {**values, "bound": side})(judged).tolist() for side in ("lower", "upper")]


@pytest.mark.parametrize(
    ("name", "lower", "upper"),
    [
        ("P@5", 0.4, 0.6), ("RBP(p=0.8)", 0.354829, 0.524772), ("DCG@5", 1.430677, 1.930677),
        ("nDCG@5", 0.485229, 0.654809), ("AP", 0.482143, 0.602183), ("RR", 1, 1), ("R@10", 0.75, 0.833333),
    ],
)  # fmt: skip
def test_the_worked_example_has_its_published_digits(
    judge: MakeJudged, name: str, lower: float, upper: float
) -> None:
    found = bounds(name, judge(RANKED, OTHERS))
    assert found == [pytest.approx([lower], abs=6e-7), pytest.approx([upper], abs=6e-7)]


NAMES = {
    "P": ["P@1", "P@4", "P(rel=2)@20"],
    "R": ["R@1", "R@4", "R(rel=2)@20"],
    "Rprec": ["Rprec", "Rprec(rel=2)"],
    "RR": ["RR", "RR@2", "RR(rel=2)@5"],
    "Success": ["Success@1", "Success@4", "Success(rel=2)@20"],
    "ERR": ["ERR", "ERR(max_grade=3)@4", "ERR@20"],
    "AP": ["AP", "AP@1", "AP@4", "AP(rel=2)", "AP(rel=2)@5"],
    "RBP": ["RBP(p=0.8)", "RBP(p=0.95,rel=2)@4", "RBP(p=0.5,gains={1:0.25,2:1,3:0.5})"],
    "DCG": [
        "DCG",
        "DCG(gains=exp,discount=below-base,base=3)@4",
        "DCG(gains={0:-1,1:3,2:1},discount=after-first,base=10)",
    ],
    "nDCG": [
        "nDCG", "nDCG@1", "nDCG@4", "nDCG@20", "nDCG(gains=exp)", "nDCG(gains={1:1,2:10,3:11})@4",
        "nDCG(gains={1:5,2:2,3:2.5})", "nDCG(discount=below-base,base=3)",
        "nDCG(discount=after-first,base=2)@4", "nDCG(discount=plus-one,base=10)@4",
    ],
}  # fmt: skip
GAINS_FOR_GRADE_0 = ["DCG(gains={0:2})@3", "nDCG(gains={0:0.5,1:1,2:4})", "nDCG(gains={0:3,1:1,2:0.25})@3"]


def test_every_measure_with_bounds_is_tried() -> None:
    assert NAMES.keys() == {name for name in BOUNDS if not MEASURES[name].of_answers}


EVERY_NAME = [name for names in NAMES.values() for name in names]


@st.composite
def rows(draw: st.DrawFn, grades: list[int]) -> Row:
    """A ranking and the documents it lacks, up to five of all undecided."""
    known = st.lists(st.sampled_from([UNJUDGED, -2, *grades]), max_size=7)
    ranked, others = draw(known), draw(known)
    for _ in range(draw(st.integers(0, 5))):
        part = draw(st.sampled_from([ranked, ranked, others]))
        part.insert(draw(st.integers(0, len(part))), POOLED)
    return ranked, others


def completions(row: Row, grades: Iterable[int]) -> list[Row]:
    """The row with each way to give its undecided documents one of the grades."""
    ranked, others = row
    labels = [*ranked, *others]
    undecided = [place for place, label in enumerate(labels) if label == POOLED]
    found: list[Row] = []
    for chosen in product(grades, repeat=len(undecided)):
        for place, grade in zip(undecided, chosen, strict=True):
            labels[place] = grade
        found.append((labels[: len(ranked)], labels[len(ranked) :]))
    return found


def possible_grades(name: str, least_grade: int, top_grade: int) -> dict[str, int]:
    """What a measure is given that asks for more than relevant or not."""
    if name.startswith("ERR"):
        return {"top_grade": top_grade}
    graded = "gains" in name or name.startswith(("DCG", "nDCG"))
    return {"top_grade": top_grade, "least_grade": least_grade} if graded else {}


@pytest.mark.parametrize("least_grade", [0, -1])
@pytest.mark.parametrize("top_grade", [1, 2])
@settings(max_examples=at_length(240, 20))
@given(row=rows([0, 0, 1, 2, 3]))
def test_the_bounds_are_those_of_all_ways_to_go_on(top_grade: int, least_grade: int, row: Row) -> None:
    judged = judged_rows(row)
    graded = judged_rows(*completions(row, range(least_grade, top_grade + 1)))
    # A binary measure gets grades on both sides of the smallest relevant one.
    binary = judged_rows(*completions(row, range(3)))
    for name in [*EVERY_NAME, *GAINS_FOR_GRADE_0]:
        given_grade = possible_grades(name, least_grade, top_grade)
        values = parse_measure(name)(graded if given_grade else binary)
        (lower,), (upper,) = bounds(name, judged, **given_grade)
        expected = (values.min(), values.max())
        assert (name, lower, upper) == (name, *(pytest.approx(value, abs=1e-12) for value in expected))


@settings(max_examples=at_length(160, 14))
@given(several=st.lists(rows([0, 1, 2]), max_size=4))
def test_a_row_has_the_bounds_it_has_alone(several: list[Row]) -> None:
    together, each = judged_rows(*several), [judged_rows(row) for row in several]
    for name in EVERY_NAME:
        given_grade = possible_grades(name, -2, 3)
        alone = [bounds(name, row, **given_grade) for row in each]
        lower, upper = bounds(name, together, **given_grade)
        # The gain of the best ranking is added up over the grades that are there, also in other topics.
        assert (name, lower) == (name, pytest.approx([value for (value,), _ in alone], rel=1e-14))
        assert (name, upper) == (name, pytest.approx([value for _, (value,) in alone], rel=1e-14))


@pytest.mark.parametrize(
    ("name", "ranked", "others"),
    [
        ("nDCG", [3, POOLED], []),
        ("nDCG(gains=exp)", [3, POOLED], []),
        ("nDCG(discount=below-base,base=3)", [2, 3, 3, POOLED], [POOLED]),
        ("AP", [POOLED, POOLED, POOLED, POOLED, POOLED, 1], [POOLED]),
    ],
)
def test_no_bound_passes_the_highest_value_by_rounding(
    judge: MakeJudged, name: str, ranked: list[int], others: list[int]
) -> None:
    assert bounds(name, judge(ranked, others))[1] == [1.0]


@settings(max_examples=at_length(160, 14))
@given(several=st.lists(rows([0, 1, 2, 3]), max_size=4))
def test_bounds_stay_within_the_range_of_the_measure(several: list[Row]) -> None:
    judged = judged_rows(*several)
    highest = {name: parse_measure(name).measure.highest for name in EVERY_NAME}
    for name, limit in highest.items():
        lower, upper = bounds(name, judged)
        assert limit is None or all(value <= limit for value in [*lower, *upper]), name


@pytest.mark.parametrize(
    ("name", "gains", "of_rank_2"),
    [
        ("DCG(gains={0:0.5})", (0, 0.5, 1), 0.5 / log2(3)),
        ("RBP(p=0.5,gains={0:0.5,1:1})", (0, 0.25, 0.5), 0.25 * 0.5),
    ],
)
def test_the_least_grade_is_the_lowest_of_all_labels_and_gains_nothing_below_0(
    judge: MakeJudged, name: str, gains: tuple[float, float, float], of_rank_2: float
) -> None:
    below_0, of_0, of_1 = (pytest.approx([gain + of_rank_2]) for gain in gains)
    assert bounds(name, judge([POOLED, 0])) == [of_0, of_1]
    assert bounds(name, judge([POOLED, 0], [-3])) == [below_0, of_1]
    assert bounds(name, judge([POOLED, 0]), least_grade=-1) == [below_0, of_1]
    assert bounds(name, judge([POOLED, 0], [-3]), least_grade=0) == [of_0, of_1]


def test_grade_0_may_gain_and_without_any_judgment_grade_1_is_possible(judge: MakeJudged) -> None:
    # Nothing is gained by an undecided document, and 1 at least by a judged one.
    assert parse_measure("DCG(gains={0:1})")(judge([POOLED])).tolist() == [0.0]
    assert bounds("DCG(gains={0:1})", judge([POOLED])) == [[1.0], [1.0]]
    assert bounds("nDCG", judge([UNJUDGED, POOLED])) == [[0.0], pytest.approx([1 / log2(3)])]


def test_a_grade_without_a_worth_between_0_and_1_is_refused_among_those_still_possible(
    judge: MakeJudged,
) -> None:
    judged = judge([POOLED, 1], [])
    assert bounds("RBP(p=0.5,gains={1:0.5,2:1})", judged, top_grade=2) == [[0.125], [0.625]]
    with pytest.raises(GradesDoNotFit):
        bounds("RBP(p=0.5,gains={1:0.5,2:1})", judged, top_grade=3)


@pytest.mark.parametrize("name", EVERY_NAME)
def test_an_empty_ranking_has_bounds_of_zero_and_no_rankings_have_none(judge: MakeJudged, name: str) -> None:
    assert bounds(name, judge([], [POOLED, 1])) == [[0.0], [0.0]]
    assert bounds(name, judged_rows()) == [[], []]


@pytest.mark.parametrize(
    "written",
    [
        "AP(bound=upper)", "AP(bound=lower)@10", "AP(rel=2,bound=upper)@10", "P(bound=lower)@5",
        "R(bound=upper)@5", "RR(bound=upper,mean=harmonic)", "RBP(p=0.8,bound=lower)", "nDCG(bound=upper)@10",
        "nDCG(bound=upper,top_grade=3)@10", "DCG(gains={1:3,2:9},bound=lower,top_grade=4)",
        "RBP(p=0.8,gains={1:0.5,2:1},bound=upper)",
        "RBP(p=0.8,gains={0:0.5,1:1},bound=lower,top_grade=1,least_grade=-2)",
    ],
)  # fmt: skip
def test_names_with_bounds_are_written_as_they_are_read(written: str) -> None:
    measure = parse_measure(written)
    assert str(measure) == written
    assert measure == parse_measure(str(measure))
    assert isinstance(measure, BoundMeasure)
    assert measure.trec_eval is None


@pytest.mark.parametrize(
    "written",
    [
        "AP(bound=middle)", "Bpref(bound=upper)", "Q(bound=upper)", "NumRel(bound=upper)", "nDCG(top_grade=3)",
        "nDCG(least_grade=-1)", "nDCG(bound=lower,least_grade=1)", "ERR(bound=lower,least_grade=-1)",
        "nDCG(bound=lower,top_grade=0)", "AP(bound=lower,top_grade=3)", "nDCG(bound=lower,top_grade=32768)",
        "nDCG(bound=lower,gains={1:-1})", "nDCG(bound=lower,discount=after-first,base=3)",
        "AP(bound=lower,judged_only=true)", "AP(bound=lower,mean=micro)",
    ],
)  # fmt: skip
def test_names_that_have_no_bounds_are_refused_with_the_reason(written: str) -> None:
    with refused(UnknownName):
        parse_measure(written)


def test_rprec_has_the_same_bounds_however_many_numbers_are_tried_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows_of_all = [([POOLED] * 3 + [1, 0], [POOLED, 1]), ([], [POOLED]), ([1, POOLED], []), ([0], [])]
    judged = judged_rows(*rows_of_all)
    whole = bounds("Rprec", judged)
    monkeypatch.setattr("workbench.methods.measures.bounds.NUMBERS_AT_A_TIME", 3)
    assert bounds("Rprec", judged_rows(*rows_of_all)) == whole


def test_a_sum_over_ranks_needs_a_worth_from_0_to_1_for_rbp() -> None:
    form = additive_form(parse_measure("RBP(p=0.8,gains={0:0,1:0.5,2:1})"), ranks=3, top_grade=2)
    assert form is not None
    assert form.weight.tolist() == pytest.approx([0.2, 0.16, 0.128])
    with refused(GradesDoNotFit):
        additive_form(parse_measure("RBP(p=0.8,gains={1:0.5})"), ranks=3, top_grade=2)


groups = st.lists(st.lists(st.floats(-10, 10), max_size=20), max_size=6)


@given(parts=groups)
def test_sums_from_the_right_restart_in_each_group(parts: list[list[float]]) -> None:
    values = np.array([value for part in parts for value in part])
    start = starts_of(np.array([len(part) for part in parts], np.int64))
    from_right = [total for part in parts for total in [*accumulate(part[::-1])][::-1]]
    assert running_sums_up(values, start).tolist() == from_right


def test_undecided_documents_are_those_pooled_and_not_judged_and_may_set_the_value(judge: MakeJudged) -> None:
    rows = [([POOLED, 1, UNJUDGED, POOLED], [POOLED, 0, -2]), ([0, UNJUDGED], [POOLED]), ([-1, POOLED], [])]
    undecided = Undecided.of(judge(rows), None)
    assert undecided.hits.row.tolist() == [0, 0, 2]
    assert undecided.hits.rank.tolist() == [1, 4, 2]
    assert undecided.hits.nth.tolist() == [1, 2, 1]
    assert undecided.from_bottom.tolist() == [2, 1, 1]
    assert undecided.outside.tolist() == [1, 1, 0]
    undecided = Undecided.of(judge([([1], []), ([POOLED, POOLED], []), ([], []), ([POOLED], [])]), None)
    values, candidates = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 5.0, 0.0])
    assert undecided.most(values, candidates).tolist() == [1.0, 5.0, 3.0, 4.0]
    assert undecided.least(values, candidates).tolist() == [1.0, 1.0, 3.0, 0.0]
    assert values.tolist() == [1.0, 2.0, 3.0, 4.0]
