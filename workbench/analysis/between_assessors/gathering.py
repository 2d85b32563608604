"""The pairs that several assessors judged, or one assessor twice, as one table; and those drawn for that, by weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.wording import none_such
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.ratings import MISSING, IntArray
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.grades import labels, sources
from workbench.storage.campaign.grades.current_judgments import (
    IndependentGrade,
    independent_grades,
    model_grades,
)
from workbench.storage.campaign.grades.off_record import RepeatedJudgment, repeated_judgments
from workbench.storage.campaign.grades.residual import not_counted
from workbench.storage.campaign.models.judges import judges
from workbench.storage.campaign.models.submitted import withdrawn
from workbench.storage.campaign.organising import settings

Pair = tuple[str, str]
"""A topic's id and a document's."""

TIMES = ("first", "again")


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
        assessors: who gave a grade, people before models, each in byte order.
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
            both = graded[one] & graded[other]
            if both.any():
                names = self.assessors[one], self.assessors[other]
                yield self._replace(assessors=names, labels=self.labels[:, [one, other]]).select(both)


def graded_pairs(
    pairs: Collection[Pair],
    given: Iterable[tuple[int, str, int]],
    *,
    assessors: Sequence[str],
    grades: Collection[int],
    relevant_from: int,
) -> GradedPairs:
    """A table of grades, each given as the row of its pair, the assessor and the grade; all pairs weigh the same."""
    scale, column = sorted(grades), {name: place for place, name in enumerate(assessors)}
    category = {grade: place for place, grade in enumerate(scale)}
    labels = np.full((len(pairs), len(column)), MISSING, np.int64)
    for row, assessor, grade in given:
        labels[row, column[assessor]] = category[grade]
    return GradedPairs(
        grades=tuple(scale),
        relevant=sum(grade < relevant_from for grade in scale),
        assessors=tuple(assessors),
        pairs=tuple(pairs),
        labels=labels,
        weights=np.ones(len(pairs)),
        strata=np.zeros(len(pairs), np.int64),
        judged=len(pairs),
    )


def given_grades(campaign: Campaign) -> list[IndependentGrade]:
    """Every assessor's own grade in force of each pair whose labels count in the campaign as it is seen."""
    return _that_count(campaign, independent_grades(campaign))


def labels_of_models(campaign: Campaign) -> list[IndependentGrade]:
    """The newest label of every model that is not withdrawn, for the same pairs."""
    out = withdrawn(campaign)
    return _that_count(campaign, (each for each in model_grades(campaign) if each.assessor not in out))


def _that_count(campaign: Campaign, given: Iterable[IndependentGrade]) -> list[IndependentGrade]:
    out = not_counted(campaign)
    return [each for each in given if each.document_id not in out.get(each.topic_id, ())]


def judge_of(campaign: Campaign, judge: str | None) -> tuple[str, dict[str, dict[Pair, int]]]:
    """The judge that is asked for, by default that with most labels, "" without any, and the labels of all judges.

    UnknownName where no model of this name has labels, or is declared for what is judged.
    """
    known = {each.name for each in judges(campaign) if each.question == campaign.question}
    found: dict[str, dict[Pair, int]] = {
        each: {} for each in known - withdrawn(campaign).keys() if each == judge
    }
    for each in labels_of_models(campaign):
        found.setdefault(each.assessor, {})[each.topic_id, each.document_id] = each.grade
    if judge is not None and judge not in found:
        raise UnknownName(none_such("judge", judge, sorted(found)))
    return judge or max(sorted(found), key=lambda name: len(found[name]), default=""), found


def people_of(campaign: Campaign) -> dict[Pair, int]:
    """People's label of each pair by the campaign's rule, whether it was given here or imported."""
    precedence = sources.precedence_at(campaign).of((sources.HERE, sources.IMPORT))
    return {label.pair: label.grade for label in labels.qrels(campaign, precedence=precedence)}


def gather(campaign: Campaign, sample: Sample | None = None, *, judges: bool = False) -> GradedPairs:
    """The pairs of a campaign that several assessors judged, now or as of a row of its log.

    With a sample only the pairs drawn are gathered; without one each has weight 1. With `judges` models are assessors
    like people.
    """
    rules = settings.read(campaign)
    people, models = given_grades(campaign), labels_of_models(campaign) if judges else []
    given = [*people, *models]
    pairs = dict.fromkeys(sorted((one.topic_id, one.document_id) for one in given))
    place = {pair: row for row, pair in enumerate(pairs)}
    whole = graded_pairs(
        pairs,
        ((place[one.topic_id, one.document_id], one.assessor, one.grade) for one in given),
        assessors=[*sorted({one.assessor for one in people}), *sorted({one.assessor for one in models})],
        grades={grade.grade for grade in rules.grades} | {one.grade for one in given},
        relevant_from=rules.relevant_from,
    )
    shared = (whole.labels != MISSING).sum(axis=1) >= 2
    if sample is not None:
        shared &= np.array([pair in sample for pair in place], np.bool_)
        drawn = [sample.get(pair, Drawn(1.0)) for pair in place]
        whole = whole._replace(
            weights=np.array([each.weight for each in drawn], np.float64),
            strata=np.array([each.stratum for each in drawn], np.int64),
        )
    return whole.select(shared)._replace(judged=len(place))


def gather_repeats(campaign: Campaign) -> tuple[GradedPairs, dict[str, GradedPairs]]:
    """All hidden repeats that have a grade both times, and those of each assessor who judged any, by name.

    The two "assessors" are the first and the second judgment: the one in force when the pair was shown again, and the
    newest repeat. `judged` has all repeats.
    """
    rules = settings.read(campaign)
    twice = repeated_judgments(campaign)
    given = {grade for each in twice for grade in (each.first, each.again) if grade is not None}
    scale = {grade.grade for grade in rules.grades} | given

    def table(some: Sequence[RepeatedJudgment]) -> GradedPairs:
        both = [each for each in some if each.first is not None and each.again is not None]
        return graded_pairs(
            [(each.topic_id, each.document_id) for each in both],
            ((row, when, getattr(each, when)) for row, each in enumerate(both) for when in TIMES),
            assessors=TIMES,
            grades=scale,
            relevant_from=rules.relevant_from,
        )._replace(judged=len(some))

    names = sorted({each.assessor for each in twice})
    return table(twice), {name: table([each for each in twice if each.assessor == name]) for name in names}


def drawn_sample(campaign: Campaign) -> Sample:
    """Every pair drawn for a second judgment, with the inverse of its sampling rate; empty if nothing was drawn.

    Each stratum of each draw is a stratum of its own. Of several draws each represents the pairs it was drawn from.
    """
    found: dict[Pair, Drawn] = {}
    numbers: dict[tuple[int, str], int] = {}
    for draw in draws.all_draws(campaign):
        for pair in draw.drawn:
            stratum = numbers.setdefault((draw.seq, pair.stratum), len(numbers))
            found[pair.topic_id, pair.document_id] = Drawn(1 / pair.inclusion_probability, stratum)
    return found


def sample_to_show(campaign: Campaign) -> Sample | None:
    """The drawn pairs, if at least one of them has the grades of two assessors: what is shown where none is chosen."""
    drawn = drawn_sample(campaign)
    if not drawn:
        return None
    given = Counter((each.topic_id, each.document_id) for each in given_grades(campaign))
    return drawn if any(given[pair] > 1 for pair in drawn) else None
