"""Measures of answers over labels: exact bounds, and estimates that are right on average over all samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.about import CITATIONS, NUGGETS
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, UNJUDGED, Labels, Rankings, starts_of
from workbench.methods.measures import MEASURES, parse_measure
from workbench.methods.measures.answer_rankings import AnswerRankings, Answers
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels, sample_of_strata

Row = Sequence[tuple[int, int, bool]]
"""The units of an answer: number, place, and what is said beside."""

OF = {kind: [name for name, one in MEASURES.items() if one.of == kind] for kind in (CITATIONS, NUGGETS)}
EITHER = [(kind, name) for kind, names in OF.items() for name in names]
ESTIMATED = [(kind, name) for kind, name in EITHER if f"stat_{name}" in MEASURES]
TOP = 2


def answers(kind: str, rows: Sequence[Row], sentences: int = 3) -> Answers:
    every = [unit for row in rows for unit in row]
    return Answers(
        kind,
        TOP,
        starts_of(np.array([len(row) for row in rows], np.int64)),
        np.full(len(rows), sentences),
        np.full(len(rows), 10),
        np.array([number for number, _, _ in every], np.uint32),
        np.array([place for _, place, _ in every], np.int32),
        np.array([extra for _, _, extra in every], np.bool_),
        np.array([1.0 + number % 3 for number, _, _ in every]),
        np.array([number % 2 == 0 for number, _, _ in every], np.bool_),
    )


def joined(
    kind: str, rows: Sequence[Row], grades: Sequence[int], sample: SampleLabels | None = None
) -> AnswerRankings:
    """Rows of one topic with the label of each of its units, and what is drawn of them."""
    topic, labels = np.zeros(len(rows), np.int32), np.array(grades, np.int16)
    sampled = None
    if sample is not None:
        ranked = [list(dict.fromkeys(number for number, _, _ in row)) for row in rows]
        start = starts_of(np.array([len(row) for row in ranked], np.int64))
        documents = np.array([number for row in ranked for number in row], np.uint32)
        sampled = SampledRankings.join(Rankings(start, documents, topic, topic), sample)
    whole = Labels(np.array([0, len(labels)], np.int64), labels)
    return AnswerRankings(answers(kind, rows), topic, whole, sampled)


UNITS = 6
placed = st.tuples(st.integers(0, UNITS - 1), st.integers(0, 2), st.booleans())
some_rows = st.lists(
    st.lists(placed, max_size=6).map(lambda row: sorted(row, key=lambda unit: unit[1])),
    min_size=1,
    max_size=3,
)
some_labels = st.lists(
    st.sampled_from([2, 1, 0, -1, POOLED, POOLED, UNJUDGED]), min_size=UNITS, max_size=UNITS
)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, name in EITHER if MEASURES[name].has_bounds]
)
@given(rows=some_rows, labels=some_labels)
def test_bounds_are_the_least_and_the_greatest_value_over_all_grades_of_what_is_pooled(
    kind: str, name: str, rows: Sequence[Row], labels: Sequence[int]
) -> None:
    waiting = [place for place, label in enumerate(labels) if label == POOLED]
    found = []
    for given_grades in product((-1, 0, 1, 2), repeat=len(waiting)):
        settled = list(labels)
        for place, grade in zip(waiting, given_grades, strict=True):
            settled[place] = grade
        found.append(parse_measure(name)(joined(kind, rows, settled)))
    here = joined(kind, rows, labels)
    for side, least in (("lower", np.min), ("upper", np.max)):
        bound = parse_measure(f"{name}(bound={side},top_grade=2,least_grade=-1)")
        assert bound(here) == pytest.approx(least(found, axis=0), abs=1e-12)


@pytest.mark.parametrize(("kind", "name"), EITHER)
@given(rows=some_rows, labels=some_labels)
def test_values_are_in_range_and_an_answer_with_nothing_in_it_has_no_share(
    kind: str, name: str, rows: Sequence[Row], labels: Sequence[int]
) -> None:
    values = parse_measure(name)(joined(kind, [*rows, []], labels))
    assert values.dtype == np.float64
    assert values.min() >= 0
    if name != "words":
        assert values.max() <= 1
        assert values[-1] == 0


# Two runs with units of both strata in common, one of which the second has twice; a third that has one unit alone.
SHARED: tuple[Row, ...] = (
    [(0, 0, False), (1, 0, False), (2, 1, False), (3, 1, True), (4, 2, False)],
    [(2, 0, False), (4, 0, True), (2, 1, False), (5, 2, False)],
    [(5, 0, False)],
)
VITAL: tuple[Row, ...] = (
    [(0, 0, True), (1, 1, False), (2, 2, True)],
    [(3, 0, True), (1, 1, False), (4, 2, True)],
    [(5, 0, True), (1, 1, False)],
)
ROWS = {CITATIONS: SHARED, NUGGETS: VITAL}
TRUTH = (2, 1, 0, -1, 2, 1)


class Strata(NamedTuple):
    """The stratum of each unit, and how many of each stratum are judged."""

    of_unit: tuple[int, ...]
    judged: tuple[int, ...]

    def samples(self) -> Iterator[list[int]]:
        """Every set of units that could have been judged."""
        members = [
            [u for u, s in enumerate(self.of_unit) if s == stratum] for stratum in range(len(self.judged))
        ]
        for chosen in product(*(combinations(each, n) for each, n in zip(members, self.judged, strict=True))):
            yield [unit for each in chosen for unit in each]


DESIGNS = [
    Strata((0,) * 6, (3,)),
    Strata((0,) * 6, (1,)),
    Strata((0, 0, 0, 1, 1, 1), (2, 2)),
    Strata((0, 0, 1, 1, 1, 1), (1, 3)),
    Strata((0, 1, 1, 2, 2, 2), (1, 1, 2)),
    Strata((0, 0, 0, 0, 0, 1), (5, 1)),
]


def estimate(kind: str, name: str, design: Strata, judged: Iterable[int]) -> np.ndarray:
    """What a measure gives of each row when these units alone are judged; what contradicts is worth nothing."""
    seen = np.full(UNITS, UNJUDGED, np.int16)
    seen[list(judged)] = np.array(TRUTH)[list(judged)]
    drawn = np.where(seen > POOLED, np.maximum(seen, 0), seen)
    sample = sample_of_strata(np.array([0, UNITS]), np.array(design.of_unit), drawn)
    return parse_measure(name)(joined(kind, ROWS[kind], seen.tolist(), sample))


@pytest.mark.parametrize(("kind", "name"), ESTIMATED)
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_estimates_are_right_on_average_over_all_samples_of_strata(
    kind: str, name: str, design: Strata
) -> None:
    exact = parse_measure(name)(joined(kind, ROWS[kind], TRUTH))
    every = [estimate(kind, f"stat_{name}", design, judged) for judged in design.samples()]
    assert np.mean(every, axis=0) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(("kind", "name"), ESTIMATED)
@pytest.mark.parametrize("design", [each for each in DESIGNS if min(each.judged) > 1], ids=str)
def test_the_variance_is_right_on_average_where_two_units_of_each_stratum_are_judged(
    kind: str, name: str, design: Strata
) -> None:
    every = [estimate(kind, f"stat_{name}", design, judged) for judged in design.samples()]
    told = [estimate(kind, f"stat_{name}_variance", design, judged) for judged in design.samples()]
    assert np.mean(told, axis=0) == pytest.approx(np.var(every, axis=0), abs=1e-12)


@pytest.mark.parametrize(("kind", "name"), ESTIMATED)
def test_a_stratum_of_which_nothing_is_judged_adds_nothing(kind: str, name: str) -> None:
    design = Strata((0, 0, 0, 1, 1, 1), (3, 0))
    known = [TRUTH[unit] if unit < 3 else UNJUDGED for unit in range(UNITS)]
    (judged,) = design.samples()
    exact = parse_measure(name)(joined(kind, ROWS[kind], known))
    assert estimate(kind, f"stat_{name}", design, judged) == pytest.approx(exact)
    assert not estimate(kind, f"stat_{name}", Strata((0,) * 6, (0,)), ()).any()


def test_an_interval_of_two_standard_errors_would_miss_its_level_where_little_is_judged() -> None:
    design, exact = Strata((0,) * 6, (2,)), parse_measure("vital_score")(joined(NUGGETS, VITAL, TRUTH))
    samples = list(design.samples())
    found = np.array([estimate(NUGGETS, "stat_vital_score", design, judged) for judged in samples])
    variance = np.array(
        [estimate(NUGGETS, "stat_vital_score_variance", design, judged) for judged in samples]
    )
    assert (np.abs(found - exact) <= 1.96 * np.sqrt(variance)).mean() < 0.8


CHANCES = np.array([1.0, 0.5, 0.9, 0.25, 0.4, 0.75])


@pytest.mark.parametrize(("kind", "name"), ESTIMATED)
def test_estimates_are_right_on_average_where_each_unit_had_a_chance_of_its_own(kind: str, name: str) -> None:
    # Each unit is drawn by itself; of those that are not certain, all but one are judged, whichever it is.
    exact, mean = parse_measure(name)(joined(kind, ROWS[kind], TRUTH)), np.zeros(len(ROWS[kind]))
    for drawn in product((True, False), repeat=UNITS - 1):
        chance = prod(p if here else 1 - p for p, here in zip(CHANCES[1:], drawn, strict=True))
        open_ = [unit for unit, here in enumerate(drawn, 1) if here]
        orders = list(combinations(open_, max(len(open_) - 1, min(len(open_), 1))))
        for judged in orders:
            seen = np.full(UNITS, UNJUDGED, np.int16)
            seen[[0, *judged]] = np.array(TRUTH)[[0, *judged]]
            grade = np.where(seen > POOLED, np.maximum(seen, 0), seen)
            sample = SampleLabels(
                np.array([0, UNITS]), np.zeros(UNITS, np.int64), grade, CHANCES, np.array([True, *drawn]),
                has_strata=False,
            )  # fmt: skip
            found = parse_measure(f"stat_{name}")(joined(kind, ROWS[kind], seen.tolist(), sample))
            mean += chance * found / len(orders)
    assert mean == pytest.approx(exact, abs=1e-12)


def test_the_best_of_several_citations_has_no_estimate_and_answers_have_no_rankings_to_condense() -> None:
    estimated = {name for _, name in ESTIMATED}
    assert estimated.isdisjoint({"weighted_recall_maximum", "strict_recall", "relaxed_recall"})
    assert estimated.issuperset({"weighted_precision", "weighted_recall_first"})
    assert {*OF[NUGGETS]} - estimated == {"nugget_coverage", "nugget_coverage_weighted"}
    with refused(UnknownName, "weighted_precision", "judged_only"):
        parse_measure("weighted_precision(judged_only=true)")
