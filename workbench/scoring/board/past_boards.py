"""The board as it was after any row of the log, at once: rankings stay in memory, only labels are recomputed.

The runs, settings and judgments are those of the moment, by the same functions that `score_campaign` uses, so the
digits are the same. What never changes is kept: rankings (those of the live board wherever they suffice), the log as
arrays, and the tables that were asked for last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.about import DOCUMENTS
from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels, Rankings, starts_of
from workbench.core.recently_used import RecentlyUsed
from workbench.core.records import LABEL
from workbench.core.values import LARGEST_INTEGER
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.measures.judged import FloatArray
from workbench.scoring.board.labelling import Numbers, answers_to_questions
from workbench.scoring.board.live import board_of
from workbench.scoring.board.loading import Scoring, load_scoring
from workbench.scoring.board.of_round import narrowed
from workbench.scoring.board.sample_design import design_of, sample_labels
from workbench.scoring.board.table import (
    ScoreTable,
    TopicScores,
    by_topic,
    choose,
    tabulate,
    usual_of,
    wanted,
)
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topic_withdrawals, topics
from workbench.storage.campaign.collection.changed_ids import id_tables
from workbench.storage.campaign.collection.pools import retired
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.collection.rankings import StoredRankings, load_grid
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.grades import judgments, rows_over_time
from workbench.storage.campaign.grades.label_rules import NEWEST, Label
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.grades.sources import ALIKE, Precedence, precedence
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache, Followers
from workbench.storage.campaign.organising import settings


class LabelHistory:
    """The log's judgments and pools as arrays, read once and then followed.

    Args:
        topic_ids: the campaign's topics in byte order.
        sizes: how many numbers of documents the rankings of each topic use, int64 (T).
        numbers: numbers that are known already; others are looked up.
    """

    def __init__(self, topic_ids: Sequence[str], sizes: IntArray, numbers: Numbers) -> None:
        self._index = {topic_id: topic for topic, topic_id in enumerate(topic_ids)}
        self._numbers = {topic_id: dict(numbers.get(topic_id, {})) for topic_id in topic_ids}
        self._sizes = sizes.copy()
        self._lines: dict[tuple[str | None, bool], int] = {}
        self._kinds: dict[str, int] = {}
        self._read = 0
        self._said = np.empty((6, 0), np.int64)
        self._until = np.empty(0, np.int64)
        self._graded = np.empty(0, np.bool_)
        self._pooled = np.empty((4, 0), np.int64)

    @property
    def numbers(self) -> Numbers:
        """The numbers of all documents that were judged or pooled so far."""
        return self._numbers

    def follow(self, campaign: Campaign, seq: int) -> None:
        """Read the log up to its row `seq`, if it is not read so far yet."""
        if seq <= self._read:
            return
        said = list(rows_over_time.grades_between(campaign, self._read, seq))
        pooled = rows_over_time.pooled_between(campaign, self._read, seq)
        pairs = {(row.topic_id, row.document_id) for row in said}
        self._number(campaign, pairs | {(row.topic_id, row.document_id) for row in pooled})
        pooled_rows = ((row.seq, self._index[row.topic_id], self._number_of(row), row.pool) for row in pooled)
        self._pooled = _joined(self._pooled, pooled_rows)
        self._said = _joined(self._said, map(self._said_row, said))
        self._until = _until(self._said)
        self._graded = self._said[4] != UNJUDGED
        self._read = seq

    def labels(self, campaign: Campaign, seq: int, precedence: Precedence = ALIKE) -> Labels:
        """The labels of the moment after row `seq` by the newest grade of those that count."""
        start = starts_of(self._sizes)
        label = np.full(int(start[-1]), UNJUDGED, np.int16)
        pooled = self._pooled[:, : _rows_up_to(self._pooled, seq)]
        out = list(retired(campaign.at(seq)))
        _, topic, number, _ = pooled[:, ~np.isin(pooled[3], out)] if out else pooled
        label[start[topic] + number] = POOLED
        rows = _rows_up_to(self._said, seq)
        in_force = self._said[:, :rows][:, self._graded[:rows] & (self._until[:rows] > seq)]
        for kinds in self._tiers(precedence):
            _, topic, number, _, grade, _ = in_force[:, np.isin(in_force[5], kinds)]
            # Of several values for one place numpy keeps the last, which is the newest.
            label[start[topic] + number] = grade
        for topic_id in topic_withdrawals.left_out(campaign.at(seq)) & self._index.keys():
            place = self._index[topic_id]
            label[start[place] : start[place + 1]] = UNJUDGED
        return Labels(start, label)

    def _tiers(self, precedence: Precedence) -> list[list[int]]:
        """The numbers of the kinds that count, those of one tier together, what counts before others last."""
        found: dict[int, list[int]] = {}
        for kind, number in self._kinds.items():
            tier = precedence.tier(kind)
            if tier is not None:
                found.setdefault(tier, []).append(number)
        return [kinds for _, kinds in sorted(found.items(), reverse=True)]

    def relabelled(self, labels: Labels, given: Iterable[Label]) -> Labels:
        """Labels of the same pairs by another rule than the newest grade: `given` are all of them."""
        label, start = labels.label.copy(), labels.topic_start
        for one in given:
            topic = self._index[one.topic_id]
            label[start[topic] + self._numbers[one.topic_id][one.document_id]] = one.grade
        return Labels(labels.topic_start, label)

    def _said_row(self, row: rows_over_time.LoggedGrade) -> tuple[int, int, int, int, int, int]:
        line = self._lines.setdefault(row.line, len(self._lines))
        kind = self._kinds.setdefault(row.kind, len(self._kinds))
        grade = UNJUDGED if row.grade is None else row.grade
        return row.seq, self._index[row.topic_id], self._number_of(row), line, grade, kind

    def _number_of(self, row: rows_over_time.LoggedGrade | rows_over_time.LoggedPooling) -> int:
        return self._numbers[row.topic_id][row.document_id]

    def _number(self, campaign: Campaign, pairs: set[tuple[str, str]]) -> None:
        """Give numbers to those pairs that have none: those of the vocabulary, and new ones beyond it."""
        new: dict[str, list[str]] = {}
        for topic_id, document_id in sorted(pairs):
            if document_id not in self._numbers[topic_id]:
                new.setdefault(topic_id, []).append(document_id)
        for topic_id, document_ids in new.items():
            place = {each: number for number, each in enumerate(runs.vocabulary(campaign, topic_id))}
            known, topic = self._numbers[topic_id], self._index[topic_id]
            beyond = max(len(place), int(self._sizes[topic]), 1 + max(known.values(), default=-1))
            for document_id in document_ids:
                known[document_id] = place.get(document_id, beyond)
                beyond += document_id not in place
        for topic_id in {topic_id for topic_id, _ in pairs}:
            topic, highest = self._index[topic_id], max(self._numbers[topic_id].values())
            self._sizes[topic] = max(self._sizes[topic], 1 + highest)


def _joined(before: IntArray, rows: Iterator[tuple[int, ...]]) -> IntArray:
    """Rows put after the columns that are there, int64 (fields, rows)."""
    new = np.array(list(rows), np.int64).reshape(-1, len(before)).T
    return np.concatenate([before, new], axis=1)


def _rows_up_to(rows: IntArray, seq: int) -> int:
    return int(np.searchsorted(rows[0], seq, side="right"))


def _until(said: IntArray) -> NDArray[np.int64]:
    """The row of the log by which the same assessor judged the same pair again, int64 (J)."""
    seq, topic, number, line, _, _ = said
    order = np.lexsort((seq, line, number, topic))
    sorted_rows = said[1:4, order]
    again = (sorted_rows[:, 1:] == sorted_rows[:, :-1]).all(axis=0)
    until = np.full(said.shape[1], LARGEST_INTEGER, np.int64)
    until[order[:-1][again]] = seq[order[1:][again]]
    return until


KEPT_TABLES = 256
KEPT_GRIDS = 2
"""How many sets of rankings stay in memory besides those of the live board: for moments with runs withdrawn since."""


class BoardState(NamedTuple):
    """A moment of the log: what to score, and which of the runs there took part then (None for all)."""

    scoring: Scoring
    columns: list[int] | None

    @property
    def participating(self) -> Scoring:
        """The same with the runs that took part, for tables of values that have only their columns."""
        if self.columns is None:
            return self.scoring
        return replace(self.scoring, runs=tuple(self.scoring.runs[column] for column in self.columns))

    def values_of(self, measures: Sequence[BoundMeasure]) -> dict[BoundMeasure, FloatArray]:
        """The values of these measures, each float64 (topics, runs that took part)."""
        values = self.scoring.values_of(measures, or_nan=True)
        if self.columns is None:
            return values
        return {measure: whole[:, self.columns] for measure, whole in values.items()}


class BoardHistory:
    """All moments of one campaign; threads may share it, each with its own connection."""

    def __init__(self) -> None:
        """Nothing is known yet; the first question reads the log."""
        self._lock = Lock()
        self._rankings: Rankings | None = None
        self._labels: LabelHistory | None = None
        self._grids: RecentlyUsed[tuple[int, ...], StoredRankings] = RecentlyUsed(KEPT_GRIDS)
        self._tables: Cache[ScoreTable] = Cache(of_one=KEPT_TABLES, in_all=KEPT_TABLES)

    def table(
        self, campaign: Campaign, names: Sequence[str] | None, seq: int, *, only_finished: bool = False
    ) -> ScoreTable:
        """The scores as of a row of the log, its newest if it has less; the rest as in `score_campaign`."""
        wanted_names = None if names is None else tuple(names)
        head = log.head(campaign.at(seq))

        def make() -> ScoreTable:
            moment = self.moment(campaign, head.seq)
            chosen = choose(wanted_names or usual_of(moment.scoring.about), moment.scoring.relevant_from)
            values = moment.values_of(wanted(moment.scoring, chosen))
            return tabulate(moment.participating, chosen, values, only_finished=only_finished)

        return self._tables.at(campaign, head, (wanted_names, only_finished), make)

    def moment(self, campaign: Campaign, seq: int) -> BoardState:
        """All that scores depend on, as of a row of the log; of a round's runs alone where it is looked at by one."""
        # The rankings that are kept are those of now: by other ids, or of units of other nuggets.
        if id_tables(campaign.now) or about(campaign) != DOCUMENTS:
            return BoardState(narrowed(campaign.at(seq), load_scoring(campaign.at(seq))), None)
        with self._lock:
            found = self._moment(campaign.now.whole, log.head(campaign.at(seq)).seq)
        if campaign.part is None:
            return found
        return BoardState(narrowed(campaign, found.scoring, found.columns), None)

    def _moment(self, campaign: Campaign, seq: int) -> BoardState:
        present = board_of(campaign).scoring(campaign)
        if seq == present.head.seq:  # the live board is that moment, and no row of the log need be read again
            return BoardState(present, None)
        history = self._followed(campaign, present)
        seq = min(seq, present.head.seq)  # what came while this was asked is not replayed yet
        taking_part = runs.in_force(campaign.at(seq))
        whole = self._with_runs(campaign, present, taking_part, seq)
        rules = settings.read(campaign.at(seq))
        labels = history.labels(campaign, seq, precedence(rules.imported_labels, rules.model_labels))
        if rules.label_rule != NEWEST:
            labels = history.relabelled(labels, qrels(campaign.at(seq)))
        design = design_of(campaign.at(seq))
        scoring = replace(
            whole.with_labels(labels),
            sample=sample_labels(design, whole.topic_ids, labels, history.numbers),
            why_no_sample=design.why_none,
            questions=answers_to_questions(campaign.at(seq), whole.topic_ids, labels, history.numbers),
            head=log.head(campaign.at(seq)),
            without_grade=judgments.without_grade(campaign.at(seq)),
            relevant_from=rules.relevant_from,
            top_of_scale=max((grade.grade for grade in rules.grades), default=0),
            lowest_of_scale=min((0, *(grade.grade for grade in rules.grades))),
            label_rule=rules.label_rule,
            ordered=rules.answered != LABEL,
        )
        place = {run.run: column for column, run in enumerate(whole.runs)}
        columns = [place[run.run] for run in taking_part]
        return BoardState(scoring, None if columns == list(range(len(place))) else columns)

    def _followed(self, campaign: Campaign, present: Scoring) -> LabelHistory:
        """The log up to the present; read from its beginning when the live board has other rankings than before."""
        if self._labels is None or self._rankings is not present.rankings:
            sizes = np.diff(present.labels.topic_start)
            self._labels = LabelHistory(present.topic_ids, sizes, present.numbers)
            self._rankings = present.rankings
            self._grids.clear()
        self._labels.follow(campaign, present.head.seq)
        return self._labels

    def _with_runs(
        self, campaign: Campaign, present: Scoring, taking_part: Sequence[StoredRun], seq: int
    ) -> Scoring:
        """The present with rankings of at least these runs: its own, or those of the moment if it lacks some."""
        numbers = tuple(run.run for run in taking_part)
        if {run.run for run in present.runs}.issuperset(numbers):
            then = {run.run: run for run in taking_part}  # some may have had other tags or teams
            return replace(present, runs=tuple(then.get(run.run, run) for run in present.runs))
        stored = self._grids.use(numbers, lambda: _on_topics(load_grid(campaign.at(seq)), present.topic_ids))
        return replace(present, runs=tuple(stored.runs), rankings=stored.rankings)


def _on_topics(stored: StoredRankings, topic_ids: Sequence[str]) -> StoredRankings:
    """The same grid with rows for topics that came later, which are empty."""
    if stored.topic_ids == list(topic_ids):
        return stored
    place = {topic_id: topic for topic, topic_id in enumerate(topic_ids)}
    participating = np.array([place[topic_id] for topic_id in stored.topic_ids], np.int32)
    grid = stored.rankings
    moved = Rankings(grid.row_start, grid.document, grid.run, participating[grid.topic])
    return StoredRankings(moved.as_grid(len(topic_ids), len(stored.runs)), stored.runs, list(topic_ids))


_histories = Followers(BoardHistory)


def board_history_of(campaign: Campaign) -> BoardHistory:
    """This process's past of a campaign's file."""
    return _histories.of(campaign)


def table_of(campaign: Campaign, names: Sequence[str], *, only_finished: bool = False) -> ScoreTable:
    """The scores of every run, from the live board or as of the row that the campaign is seen as of."""
    if campaign.as_of is None:
        return board_of(campaign).table(campaign, names, only_finished=only_finished)
    past = board_history_of(campaign)
    return past.table(campaign, names, campaign.as_of, only_finished=only_finished)


def scoring_of(campaign: Campaign) -> Scoring:
    """Rankings and labels of the runs that take part, likewise."""
    if campaign.as_of is None or campaign.as_of == log.newest_seq(campaign):
        live = board_of(campaign).scoring(campaign)
        if campaign.as_of in {None, live.head.seq}:  # else a row has come meanwhile
            return live
    moment = board_history_of(campaign).moment(campaign, campaign.as_of)
    found = moment.scoring if moment.columns is None else moment.scoring.of_runs(moment.columns)
    if not set(found.topic_ids).issuperset(topics.topic_ids(campaign)):  # one was deleted since
        return narrowed(campaign, load_scoring(campaign))
    return found


def valued(
    campaign: Campaign, measures_of: Callable[[Scoring], Sequence[BoundMeasure]]
) -> tuple[Scoring, dict[BoundMeasure, FloatArray]]:
    """What scores depend on, likewise, with the values of the measures that are asked of it, float64 (topics, runs).

    Its rankings may have further runs than those that took part.
    """
    if campaign.as_of is None:
        return board_of(campaign).valued(campaign, measures_of)
    moment = board_history_of(campaign).moment(campaign, campaign.as_of)
    return moment.participating, moment.values_of(measures_of(moment.scoring))


def topic_scores_of(campaign: Campaign, name: str) -> TopicScores:
    """One measure of every run by topic, likewise; UnknownName for a measure that does not exist."""

    def measure_in(scoring: Scoring) -> BoundMeasure:
        return parse_measure(name, defaults={"rel": scoring.relevant_from})

    scoring, values = valued(campaign, lambda now: [now.settled(measure_in(now))])
    (whole,) = values.values()
    return by_topic(scoring, measure_in(scoring), whole)
