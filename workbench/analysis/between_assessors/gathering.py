"""The pairs that several assessors judged, as one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.ratings import MISSING, IntArray
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades.independent_grades import IndependentGrade, independent_grades
from workbench.storage.campaign.organising import settings

Pair = tuple[str, str]
"""A topic's id and a document's."""


class Drawn(NamedTuple):
    """A pair drawn for a second judgment: for how many it stands, and from which stratum it was drawn."""

    weight: float
    stratum: int = 0


Sample = Mapping[Pair, Drawn]
"""The pairs that were drawn for a second judgment, where not all had the same probability."""


class GradedPairs(NamedTuple):
    """The grades of pairs by assessors.

    Attributes:
        grades: the categories: the campaign's scale, and what was given besides, in order.
        relevant: the first category that is relevant, `len(grades)` if none is.
        assessors: who gave a grade, in byte order.
        pairs: the pairs with a grade of at least two of them, in byte order.
        labels: int64 (pairs, assessors). The category given, or MISSING.
        weights: float64 (pairs,). For how many pairs each one stands.
        strata: int64 (pairs,). From which stratum it was drawn.
        judged: how many pairs have a grade of at least one.
    """

    grades: tuple[int, ...]
    relevant: int
    assessors: tuple[str, ...]
    pairs: tuple[Pair, ...]
    labels: IntArray
    weights: FloatArray
    strata: IntArray
    judged: int

    def select(self, chosen: NDArray[np.bool_]) -> GradedPairs:
        """The chosen pairs alone, a mask over them, and who judged one of these."""
        labels = self.labels[chosen]
        there = (labels != MISSING).any(axis=0)
        pairs = tuple(self.pairs[row] for row in np.flatnonzero(chosen).tolist())
        return self._replace(
            assessors=tuple(self.assessors[column] for column in np.flatnonzero(there).tolist()),
            pairs=pairs,
            labels=labels[:, there],
            weights=self.weights[chosen],
            strata=self.strata[chosen],
            judged=len(pairs),
        )

    def of_each_two(self) -> Iterator[GradedPairs]:
        """The pairs that both of two assessors judged, with their grades alone: of every two who have such pairs."""
        graded = np.ascontiguousarray((self.labels != MISSING).T)
        for one, other in combinations(range(len(self.assessors)), 2):
            rows = np.flatnonzero(graded[one] & graded[other])
            if len(rows):
                yield self._replace(
                    assessors=(self.assessors[one], self.assessors[other]),
                    pairs=tuple(self.pairs[row] for row in rows.tolist()),
                    labels=self.labels[rows][:, [one, other]],
                    weights=self.weights[rows],
                    strata=self.strata[rows],
                    judged=len(rows),
                )


def gather(campaign: Campaign, as_of: int | None = None, sample: Sample | None = None) -> GradedPairs:
    """The pairs of a campaign that several assessors judged, now or as of a row of its log.

    With a sample only the pairs drawn are gathered; without one each has weight 1.
    """
    rules = settings.read(campaign, as_of)
    given = independent_grades(campaign, as_of)
    grades = sorted({grade.grade for grade in rules.grades} | {one.grade for one in given})
    assessors = sorted({one.assessor for one in given})
    number = dict.fromkeys([(one.topic_id, one.document_id) for one in given])
    place = {pair: row for row, pair in enumerate(number)}
    labels = _table(given, place, assessors, grades)
    whole = GradedPairs(
        grades=tuple(grades),
        relevant=sum(grade < rules.relevant_from for grade in grades),
        assessors=tuple(assessors),
        pairs=tuple(place),
        labels=labels,
        weights=np.ones(len(place)),
        strata=np.zeros(len(place), np.int64),
        judged=len(place),
    )
    shared = (labels != MISSING).sum(axis=1) >= 2
    if sample is not None:
        shared &= np.array([pair in sample for pair in place], np.bool_)
        drawn = [sample.get(pair, Drawn(1.0)) for pair in place]
        whole = whole._replace(
            weights=np.array([each.weight for each in drawn], np.float64),
            strata=np.array([each.stratum for each in drawn], np.int64),
        )
    return whole.select(shared)._replace(judged=len(place))


def _table(
    given: Sequence[IndependentGrade],
    place: Mapping[Pair, int],
    assessors: Sequence[str],
    grades: Sequence[int],
) -> IntArray:
    column = {name: number for number, name in enumerate(assessors)}
    category = {grade: number for number, grade in enumerate(grades)}
    table = np.full((len(place), len(column)), MISSING, np.int64)
    for one in given:
        pair = place[one.topic_id, one.document_id]
        table[pair, column[one.assessor]] = category[one.grade]
    return table
