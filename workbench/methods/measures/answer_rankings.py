"""What runs answer, joined with the labels of its units: the one thing that measures of answers look at.

A unit is a sentence with a document that it cites, a nugget with an answer, or an answer as a whole. An answer may have
a unit several times, which rankings of units do not. A grade from 0 on is worth its share of the highest grade of the
scale; one below 0 says that the document, or the answer, contradicts, and is worth nothing, as is a unit that is not
judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from workbench.core.about import CITATIONS, NUGGETS
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, FloatArray, IntArray, Labels, cells_of
from workbench.core.wording import listed
from workbench.methods.answers.nuggets import Assigned
from workbench.methods.answers.reports import ReportCounts
from workbench.methods.answers.support import Cited
from workbench.methods.measures.judged import Shared
from workbench.methods.measures.sampled_rankings import SampledRankings


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of R rows, and the N units that they have, one after another.

    Attributes:
        kind: CITATIONS, NUGGETS or ANSWERS of core/about.py.
        top: the highest grade of the scale, which is worth 1.
        row_start: int64 (R + 1). Row i has the units row_start[i] to row_start[i + 1] - 1, in the order of its
            sentences, or of the nuggets; none where the run has no answer.
        sentences, words: int64 (R), how long each answer is.
        number: uint32 (N), which unit of the topic it is.
        place: int32 (N), ascending in a row: the sentence, or the nugget, from 0.
        extra: bool (N), whether the document is cited as one that contradicts the sentence; whether the nugget is
            vital.
        weight: float64 (N), what the nugget weighs.
        rests: bool (N), whether the nugget is a question of which an answer rests on a document, or the bank has none.
    """

    kind: str
    top: int
    row_start: IntArray
    sentences: IntArray
    words: IntArray
    number: NDArray[np.uint32]
    place: NDArray[np.int32]
    extra: NDArray[np.bool_]
    weight: FloatArray
    rests: NDArray[np.bool_]

    def of_rows(self, rows: IntArray) -> Answers:
        """The answers of these rows, in this order."""
        row_start, units = cells_of(self.row_start, rows)
        found = {name: getattr(self, name)[rows] for name in ("sentences", "words")}
        of_units = ("number", "place", "extra", "weight", "rests")
        found |= {name: getattr(self, name)[units] for name in of_units}
        return replace(self, row_start=row_start, **found)


@dataclass(eq=False, repr=False)
class AnswerRankings(Shared):
    """Answers with the label of each of their units.

    Attributes:
        answers: of R rows with N units.
        topic: int32 (R), the topic of each row.
        labels: those of all units of the topics.
        sampled: the rows' rankings joined with the sample that was drawn of the units; None where none was.
    """

    answers: Answers
    topic: NDArray[np.int32]
    labels: Labels
    sampled: SampledRankings | None = None

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def sample(self) -> SampledRankings:
        """The same as `sampled`; ValueError where none was drawn."""
        if self.sampled is None:
            raise ValueError("the units that are judged are not a sample")
        return self.sampled

    def completed(self, grade: int) -> AnswerRankings:
        """The same as if every pooled, unjudged unit had been given `grade`."""

        def fill() -> AnswerRankings:
            cells = np.where(self.labels.label == POOLED, np.int16(grade), self.labels.label)
            return replace(self, labels=Labels(self.labels.topic_start, cells))

        return self.once(("completed", grade), fill)

    @cached_property
    def label(self) -> NDArray[np.int16]:
        """The label of each unit, int16 (N)."""
        cell = self.labels.topic_start[self.topic[self.row]] + self.answers.number
        return self.labels.label.take(cell)

    @cached_property
    def row(self) -> IntArray:
        """The row of each unit, int64 (N)."""
        return np.repeat(np.arange(len(self)), np.diff(self.answers.row_start))

    @cached_property
    def worth(self) -> FloatArray:
        """What each unit is worth, from 0 to 1, float64 (N)."""
        return np.clip(self.label / max(self.answers.top, 1), 0.0, 1.0)

    @cached_property
    def contradicts(self) -> NDArray[np.bool_]:
        """Whether each unit has a grade below 0, bool (N)."""
        return (self.label < 0) & (self.label > POOLED)

    @cached_property
    def group(self) -> IntArray:
        """Which of all nuggets, or sentences, of all rows each unit is of, ascending from 0, int64 (N)."""
        steps = [np.diff(each, prepend=-1) != 0 for each in (self.row, self.answers.place)]
        return np.cumsum(steps[0] | steps[1]) - 1

    @cached_property
    def assigned(self) -> Assigned:
        """The nuggets of each row, or their answers where these are judged each by itself."""
        weight = self.answers.weight / np.bincount(self.group)[self.group]
        return Assigned(self.answers.row_start, self.answers.extra, self.worth, weight, self.contradicts)

    def reported(self, _: object = None) -> ReportCounts:
        """What ARGUE counts of each row: sentences with all of their citations, or the nuggets that rest on a document,
        each answered where the answer holds it whole, or any of its answers that are judged each by itself.
        """
        first, is_whole = np.flatnonzero(np.diff(self.group, prepend=-1)), self.worth >= 1
        row, count = self.row[first], partial(np.bincount, minlength=len(self))
        if self.answers.kind == CITATIONS:
            supported = np.bincount(self.group, ~is_whole) == 0
            sentences, citations = (count(row), count(row, supported)), count(self.row)
            return ReportCounts(*sentences, citations, supporting=count(self.row, is_whole))
        rests, is_held = self.answers.rests[first], np.bincount(self.group, is_whole) > 0
        weight = rests * self.answers.weight[first]
        nuggets = (count(row, each) for each in (rests, rests & is_held, weight, weight * is_held))
        return ReportCounts(0, 0, 0, 0, 0, *nuggets)

    def cited(self, most: int, contradicting: bool) -> tuple[Cited, IntArray]:
        """The citations of each row that count, and which units they are, ascending, int64 (C).

        They are the first `most` of each sentence, 0: all, of the documents that are cited as contradicting it, which
        are worth 1 where they do, or of the others.
        """

        def find() -> tuple[Cited, IntArray]:
            units = np.flatnonzero(self.answers.extra == contradicting)
            sentences = self.answers.sentences
            sentence = (np.cumsum(sentences) - sentences)[self.row[units]] + self.answers.place[units]
            nth = np.arange(len(units)) - np.searchsorted(sentence, sentence)
            near = (nth < most) | (most == 0)
            units, sentence, against = units[near], sentence[near], self.contradicts
            worth = (against if contradicting else self.worth)[units].astype(np.float64)
            answer = np.repeat(np.arange(len(self)), sentences)
            return Cited(self.answers.words, answer, sentence, worth, against[units]), units

        return self.once(("cited", most, contradicting), find)

    def by_candidate(self, units: IntArray, values: FloatArray) -> FloatArray:
        """What the values of these units, (U,), add up to for each candidate of the sample, float64 (M)."""
        sample = self.sample
        cells = int(sample.labels.topic_start[-1])
        candidate = sample.row * cells + sample.cell
        cell = sample.labels.topic_start[self.topic[self.row]] + self.answers.number
        wanted, order = (self.row * cells + cell)[units], np.argsort(candidate)
        found = np.searchsorted(candidate, wanted, sorter=order)
        place = np.append(order, 0)[found]
        known = np.append(candidate, -1)[place] == wanted
        return np.bincount(place[known], values[known], minlength=len(candidate)).astype(np.float64)


REPORTS, BESIDE = "reports", {CITATIONS: NUGGETS, NUGGETS: CITATIONS}
"""What measures are of that look at citations and nuggets of the same answers, and the units beside those scored."""

NO_REPORTS = (
    "scores citations and nuggets of the same answers, so there must be a question about each (workbench campaign "
    "question --about nuggets), and judgments before a round must count; of documents SetF is the harmonic mean"
)


@dataclass(eq=False, repr=False)
class ReportRankings(Shared):
    """R rows of answers with what was judged of their units by one question, and by others about BESIDE, by name."""

    answers: AnswerRankings
    others: Mapping[str, AnswerRankings]

    @property
    def labels(self) -> Labels:
        """Those of the units that are scored."""
        return self.answers.labels

    def completed(self, grade: int) -> ReportRankings:
        """The same as if every pooled, unjudged unit had been given `grade`, and those beside their best one."""
        others = {name: each.completed(each.answers.top) for name, each in self.others.items()}
        return ReportRankings(self.answers.completed(grade), others)

    def reported(self, question: str | None) -> ReportCounts:
        """What ARGUE counts of each row, with the question of this name beside, or the only one; else UnknownName."""
        name = question or (next(iter(self.others)) if len(self.others) == 1 else "")
        if name not in self.others:
            raise UnknownName(f"write question=NAME with one of {listed(list(self.others))}")
        pair = self.answers.reported(), self.others[name].reported()
        return ReportCounts(*map(sum, zip(*pair, strict=True)))


AnyAnswers = AnswerRankings | ReportRankings
