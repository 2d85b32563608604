"""A campaign's rankings and labels in memory, as of one row of its log, and which topics a mean is over.

A score is a mean over the topics that have a judgment. That set grows while people judge, and with it the score moves
by more than the topics that have judgments already could move it. So bounds are of another mean: of the one that the
board shows once every pooled pair has a grade. It is over the topics that have a judgment now and those of which
something is pooled, touched or not; a topic that has neither never counts. A topic is judged to the end when no pooled
document of it waits for a judgment; "can't tell" is a judgment without a grade, and counts as not relevant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.about import DOCUMENTS
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, IntArray, Labels, Rankings
from workbench.core.records import LABEL
from workbench.methods.measures import BoundMeasure, JudgedRankings
from workbench.methods.measures.answer_rankings import REPORTS, AnswerRankings, Answers, ReportRankings
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.question_rankings import QUESTIONS, Answered, QuestionRankings
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels
from workbench.scoring.board.answers import answers_beside, answers_of
from workbench.scoring.board.labelling import QuestionLabels, answers_to_questions, labels_of
from workbench.scoring.board.sample_design import design_of, grades_of_sample, sample_labels
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.rankings import load_grid
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

OTHER_SAMPLE = "the pool was sampled with a design of its own; xinfAP and statAP estimate from it"
"""Why a measure does not fit that takes what is judged for a uniform sample."""

Mask = NDArray[np.bool_]
"""One bool for each topic of a campaign, in byte order of their ids."""


class TopicCounts(NamedTuple):
    """How many topics have a judgment, are judged to the end, and count once every pooled pair has a grade."""

    judged: int
    finished: int
    in_the_end: int


NO_TOPICS = TopicCounts(0, 0, 0)

ENTRIES_AT_A_TIME = 1 << 20
"""Topics are scored together up to about this many documents: few steps, and little memory besides the rankings."""


@dataclass(frozen=True, eq=False)
class Scoring:
    """Everything that scores depend on, as of one row of the log.

    Attributes:
        head: that row.
        runs: the runs, in the order they were added.
        topic_ids: all topics of the campaign, in byte order.
        rankings: a grid of rows, row `topic * len(runs) + run`; a run without the topic has an empty row.
        labels: the label of every pair that is judged, by the rule of the moment, and which of the others are pooled.
        num_judged: how many pairs of each topic are judged, int64 (T).
        num_waiting: how many pairs of each topic are pooled and have no grade, int64 (T).
        without_grade: those of them judged without a grade, by topic id and document id.
        numbers: topic id -> document id -> number, of the documents that are judged, pooled, or candidates of a sample
            that was drawn elsewhere; those that no run has come after the topic's vocabulary.
        relevant_from: the smallest grade that the campaign calls relevant.
        top_of_scale: the highest grade of the campaign's scale.
        lowest_of_scale: the lowest one, 0 if that is above.
        label_rule: which of several assessors' grades is a pair's label, one of LABEL_RULES.
        sample: the sample that the pools were drawn as, without grades of the moment; None where they are none.
        why_no_sample: why nothing can be estimated from what was chosen, "" where it can or nothing was sampled.
        answers: what the runs answer, in rows as the rankings have them, where units of answers are judged.
        questions: the answers to the campaign's questions about documents, where it is seen by relevance; where it is
            seen by one about citations or nuggets, those to the ones about the other units.
        ordered: whether higher grades are better; else all that are relevant count alike.
        taken_out: the pairs (topic id, document id) that are in no ranking and have no label, whatever was judged.
    """

    head: log.Head
    runs: tuple[StoredRun, ...]
    topic_ids: tuple[str, ...]
    rankings: Rankings
    labels: Labels
    num_judged: IntArray
    num_waiting: IntArray
    without_grade: set[tuple[str, str]]
    numbers: dict[str, dict[str, int]]
    relevant_from: int
    top_of_scale: int
    label_rule: str
    lowest_of_scale: int = 0
    sample: SampleLabels | None = None
    why_no_sample: str = ""
    answers: Answers | None = None
    questions: tuple[QuestionLabels, ...] = ()
    ordered: bool = True
    taken_out: frozenset[tuple[str, str]] = frozenset()

    @property
    def shape(self) -> tuple[int, int]:
        """How many topics and how many runs: the shape of values per topic."""
        return len(self.topic_ids), len(self.runs)

    @property
    def about(self) -> str:
        """What its measures look at, one of core.about.ABOUT."""
        return DOCUMENTS if self.answers is None else self.answers.kind

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The runs' tags."""
        return tuple(run.record.tag for run in self.runs)

    @cached_property
    def teams(self) -> tuple[str, ...]:
        """The runs' teams."""
        return tuple(run.record.team for run in self.runs)

    @property
    def judged_topics(self) -> Mask:
        """The topics of which at least one pair has a grade."""
        return np.asarray(self.num_judged > 0)

    @property
    def finished_topics(self) -> Mask:
        """Those of them of which no pooled pair waits for a judgment."""
        without = Counter(topic_id for topic_id, _ in self.without_grade)
        waiting = self.num_waiting - np.array([without[topic_id] for topic_id in self.topic_ids], np.int64)
        return self.judged_topics & (waiting <= 0)

    @property
    def topics_in_the_end(self) -> Mask:
        """The topics that have a judgment once every pooled pair has a grade."""
        return np.asarray(self.num_judged + self.num_waiting > 0)

    def topics_for(self, measure: BoundMeasure, *, only_finished: bool = False) -> Mask:
        """The topics that a run's number on this measure is over: of a bound those that count in the end."""
        if measure.modifier("bound") is not None:
            return self.topics_in_the_end
        return self.finished_topics if only_finished else self.judged_topics

    @property
    def topic_counts(self) -> TopicCounts:
        """How many topics of each kind there are."""
        kinds = (self.judged_topics, self.finished_topics, self.topics_in_the_end)
        return TopicCounts(*(int(kind.sum()) for kind in kinds))

    @cached_property
    def range_of_grades(self) -> tuple[int, int]:
        """The lowest and the highest grade of the scale, or those given beyond it; at most 0 and at least 1."""
        least, top = self.labels.range_of_grades()
        if not self.ordered:
            return min(least, self.lowest_of_scale), self.relevant_from
        return min(least, self.lowest_of_scale), max(top, self.top_of_scale)

    def judged(self, first: int, last: int) -> JudgedRankings:
        """The rankings of topics `first` to `last - 1`, a row for each topic and run, joined with their labels."""
        return self._joined(self.labels, first, last, None if self.ordered else self.relevant_from)

    def _joined(self, whole: Labels, first: int, last: int, alike: int | None = None) -> JudgedRankings:
        """Grades from `alike` on are that one, unless it is None, and those below it nothing."""
        n_runs = len(self.runs)
        rows = self.rankings.rows_between(first * n_runs, last * n_runs)
        labels = whole.topics_between(first, last)
        if alike is not None:
            graded = np.where(labels.label >= alike, alike, np.minimum(labels.label, 0))
            labels = replace(labels, label=graded.astype(np.int16))
        label = np.empty(len(rows.document), np.int16)
        cells = labels.topic_start.tolist()
        ends = rows.row_start[::n_runs].tolist() if n_runs else [0] * len(cells)
        for (start, end), (cell, last_cell) in zip(pairwise(ends), pairwise(cells), strict=True):
            # The documents are known to have labels; to check each would take a copy.
            labels.label[cell:last_cell].take(rows.document[start:end], out=label[start:end], mode="clip")
        return JudgedRankings(rows.row_start, rows.topic - np.int32(first), label, labels)

    def sampled(self, first: int, last: int) -> SampledRankings:
        """The same rankings joined with the sample and the grades of the moment; ValueError without a sample."""
        if self.sample is None:
            raise ValueError("the pools are not a sample")
        n_runs = len(self.runs)
        rows = self.rankings.rows_between(first * n_runs, last * n_runs)
        sample = self.sample.topics_between(first, last)
        grade = grades_of_sample(sample.topic_start, self.labels.topics_between(first, last))
        if self.answers is not None:  # what contradicts is judged, and worth nothing
            grade[grade > POOLED] = np.maximum(grade[grade > POOLED], 0)
        moved = Rankings(rows.row_start, rows.document, rows.run, rows.topic - np.int32(first))
        return SampledRankings.join(moved, sample.with_grades(grade))

    def answered(self, judged: JudgedRankings, first: int, last: int) -> AnswerRankings | None:
        """The answers to these topics with the labels of their units; None where documents are judged."""
        if self.answers is None:
            return None
        answers = self.answers.of_rows(np.arange(first * len(self.runs), last * len(self.runs)))
        sampled = None if self.sample is None else judged.once("sample", lambda: self.sampled(first, last))
        return AnswerRankings(answers, judged.topic, judged.labels, sampled)

    def questioned(self, judged: JudgedRankings, first: int, last: int) -> QuestionRankings | None:
        """The rankings of these topics with the answers to questions as well; None where none is asked."""
        found = {}
        for each, labels, _ in self.questions if self.about == DOCUMENTS else ():
            alike = each.relevant_from if each.answered == LABEL else None
            top = alike or max(1, *(grade.grade for grade in each.grades))
            found[each.name] = Answered(self._joined(labels, first, last, alike), each.relevant_from, top)
        return QuestionRankings(judged, found) if found else None

    def reported(self, judged: JudgedRankings, first: int, last: int) -> ReportRankings | None:
        """The answers to these topics by this question and those beside it; None where none is about units."""
        own, rows = (
            self.answered(judged, first, last),
            np.arange(first * len(self.runs), last * len(self.runs)),
        )
        others = {
            each.name: AnswerRankings(answers.of_rows(rows), judged.topic, labels.topics_between(first, last))
            for each, labels, answers in self.questions
            if own and answers
        }
        return ReportRankings(own, others) if own and others else None

    def value_of(
        self, measure: BoundMeasure, judged: JudgedRankings, first: int, last: int, *, or_nan: bool = False
    ) -> FloatArray:
        """A measure's values of the rows of topics `first` to `last - 1`, which are `judged`; `or_nan` as it has it.

        Raises:
            UnknownName: the way in which pairs were chosen does not allow the measure.
        """
        if measure.measure.takes_as_sample and (self.sample is not None or self.why_no_sample):
            message = f"{measure} assumes that the judged documents are one uniform sample of each topic's pool, but "
            raise UnknownName(message + (self.why_no_sample or OTHER_SAMPLE))
        if self.why_no_sample and measure.measure.of_sample:
            raise UnknownName(f"{measure} estimates from a sample, but {self.why_no_sample}")
        found: Any = None
        if measure.measure.of == REPORTS:
            found = judged.once(REPORTS, lambda: self.reported(judged, first, last))
        elif measure.measure.of_answers:
            found = judged.once("answers", lambda: self.answered(judged, first, last))
        elif measure.measure.of == QUESTIONS:
            found = judged.once(QUESTIONS, lambda: self.questioned(judged, first, last))
        elif measure.measure.of_sample and self.sample is not None:
            found = judged.once("sample", lambda: self.sampled(first, last))
        rankings = judged if found is None else found  # which the measure refuses where it is of others
        return measure.or_nan(rankings, (last - first) * len(self.runs)) if or_nan else measure(rankings)

    def relabelled(self, judged: JudgedRankings, topic: int, number: int) -> JudgedRankings:
        """What `judged(topic, topic + 1)` gives now, from what it gave before the label of one document changed."""
        if not self.ordered:
            return self.judged(topic, topic + 1)
        n_runs = len(self.runs)
        documents = self.rankings.rows_between(topic * n_runs, (topic + 1) * n_runs).document
        return judged.relabelled(np.flatnonzero(documents == number), int(judged.labels.label[number]))

    def values_of(
        self, measures: Iterable[BoundMeasure], *, or_nan: bool = False
    ) -> dict[BoundMeasure, FloatArray]:
        """The values of these measures, each float64 (topics, runs); `or_nan` as in `value_of`."""
        values = {measure: np.empty(self.shape) for measure in measures}
        for first, last in self._stretches():
            judged = self.judged(first, last)
            for measure, whole in values.items():
                values_here = self.value_of(measure, judged, first, last, or_nan=or_nan)
                whole[first:last] = values_here.reshape(last - first, len(self.runs))
        return values

    def of_runs(self, columns: Sequence[int]) -> Scoring:
        """The same with the runs in these places alone; this scoring itself where that is all of them."""
        n_topics, n_runs = self.shape
        if list(columns) == list(range(n_runs)):
            return self
        rows = (np.arange(n_topics)[:, None] * n_runs + np.array(columns, np.int64)).ravel()
        run = np.tile(np.arange(len(columns), dtype=np.int32), n_topics)
        return replace(
            self,
            runs=tuple(self.runs[column] for column in columns),
            rankings=replace(self.rankings.select(rows), run=run),
            answers=self.answers and self.answers.of_rows(rows),
            questions=tuple(each.of_rows(rows) for each in self.questions),
        )

    def of_topics(self, places: Sequence[int]) -> Scoring:
        """The same with the topics in these places, as often as they are named; labels do not change with these."""
        topics, n_runs = np.array(places, np.int64), len(self.runs)
        rows = (topics[:, None] * n_runs + np.arange(n_runs)).ravel()
        number = np.repeat(np.arange(len(places), dtype=np.int32), n_runs)
        return replace(
            self,
            topic_ids=tuple(self.topic_ids[topic] for topic in places),
            rankings=replace(self.rankings.select(rows), topic=number),
            labels=self.labels.of_topics(topics),
            num_judged=self.num_judged[topics],
            num_waiting=self.num_waiting[topics],
            sample=None if self.sample is None else self.sample.of_topics(topics),
            answers=self.answers and self.answers.of_rows(rows),
            questions=tuple(
                each.of_rows(rows)._replace(labels=each.labels.of_topics(topics)) for each in self.questions
            ),
        )

    def with_labels(self, labels: Labels) -> Scoring:
        """The same with these labels, and the counts that follow from them."""
        waiting = labels.count(labels.label == POOLED)
        return replace(self, labels=labels, num_judged=labels.num_judged(), num_waiting=waiting)

    def settled(self, measure: BoundMeasure) -> BoundMeasure:
        """The measure with what it would otherwise look up in the labels of all topics together.

        These are the grades that a bound may give.
        """
        if measure.modifier("bound") is None:
            return measure
        missing = [
            (name, grade)
            for name, grade in zip(("least_grade", "top_grade"), self.range_of_grades, strict=True)
            if measure.measure.parameter(name) is not None and measure.modifier(name) is None
        ]
        return BoundMeasure(measure.name, (*measure.values, *missing)) if missing else measure

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """First topics and ends of stretches of topics with about ENTRIES_AT_A_TIME documents each."""
        n_topics, n_runs = self.shape
        starts = self.rankings.row_start[:: max(n_runs, 1)] if n_runs else np.zeros(n_topics + 1, np.int64)
        first = 0
        while first < n_topics:
            last = int(np.searchsorted(starts, starts[first] + ENTRIES_AT_A_TIME, side="right")) - 1
            last = min(max(last, first + 1), n_topics)
            yield first, last
            first = last


def load_scoring(campaign: Campaign, *, topic_ids: Sequence[str] | None = None) -> Scoring:
    """Rankings and labels of a campaign now, or as of a row of its log; of these topics alone when they are named, in
    byte order.
    """
    with campaign.snapshot():
        stored = load_grid(campaign, only=topic_ids)
        n_runs, grid = len(stored.runs), stored.rankings
        sizes = np.zeros(len(stored.topic_ids), np.int64)  # how many document numbers of each topic are used
        for topic in range(len(sizes)):
            used = grid.rows_between(topic * n_runs, (topic + 1) * n_runs).document
            sizes[topic] = int(used.max()) + 1 if len(used) else 0
        # Pools may hold documents that only withdrawn runs have: these have labels as well.
        for topic, number in runs.largest_withdrawn(campaign, stored.topic_ids):
            sizes[topic] = max(sizes[topic], number + 1)
        labels, numbers = labels_of(campaign, stored.topic_ids, sizes)
        rules = settings.read(campaign)
        ordered, best = rules.answered != LABEL, max((grade.grade for grade in rules.grades), default=0)
        design, top = design_of(campaign), best if ordered else rules.relevant_from
        return Scoring(
            head=log.head(campaign),
            runs=tuple(stored.runs),
            topic_ids=tuple(stored.topic_ids),
            rankings=stored.rankings,
            labels=labels,
            num_judged=labels.num_judged(),
            num_waiting=labels.count(labels.label == POOLED),
            without_grade=judgments.without_grade(campaign),
            numbers=numbers,
            relevant_from=rules.relevant_from,
            top_of_scale=top,
            lowest_of_scale=min((0, *(grade.grade for grade in rules.grades))),
            label_rule=rules.label_rule,
            ordered=ordered,
            sample=sample_labels(design, stored.topic_ids, labels, numbers),
            why_no_sample=design.why_none,
            answers=answers_of(campaign, stored.topic_ids, stored.runs, top),
            questions=answers_to_questions(campaign, stored.topic_ids, labels, numbers)
            or answers_beside(campaign, stored.topic_ids, stored.runs),
        )
