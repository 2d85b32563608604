"""The live board: scores that follow the log, topic by topic.

A board keeps rankings, labels and values per topic in memory. Before it answers it asks the log what is new:
a judgment changes one label, or by the model of Dawid and Skene several, and only their topics are scored again, for
all runs at once. What changes more than labels (runs, pools, settings, topics) makes it load everything again. Any
number of server processes have each their own board, and agree, since all of them follow the one log.

Rankings and labels take four bytes for each ranked document, and little else; values of measures are found
when they are asked for, and for the topics that changed since.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from threading import Lock
from typing import NamedTuple, TypeVar

import numpy as np

from workbench.core.ranking import POOLED, UNJUDGED
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.measures import BoundMeasure, JudgedRankings
from workbench.methods.measures.judged import FloatArray
from workbench.scoring.board.loading import Scoring, load_scoring
from workbench.scoring.board.of_round import narrowed
from workbench.scoring.board.table import ScoreTable, choose, tabulate, usual_of, wanted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning.assignments import ASSIGNMENT
from workbench.storage.campaign.collection import (
    pools,
    run_details,
    runs,
    topic_withdrawals,
    units,
    withdrawals,
)
from workbench.storage.campaign.collection.changed_ids import KIND as CHANGED_IDS
from workbench.storage.campaign.collection.changed_ids import named_ids
from workbench.storage.campaign.collection.question_topics import asked, key_of, topic_of
from workbench.storage.campaign.collection.rounds import JUDGED, OfRound
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.label_rules import OWNER
from workbench.storage.campaign.grades.labels import labels_after
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Followers
from workbench.storage.campaign.log.log import LogChanges, changes_since

T = TypeVar("T")

CHANGES_EVERYTHING = (
    withdrawals.KINDS
    | topic_withdrawals.KINDS
    | units.KINDS
    | {*("pool", "settings", "topics"), *(pools.RETIREMENT, run_details.DETAILS, CHANGED_IDS)}
)
"""Kinds of events after which the pairs that were judged do not tell the scores."""

CHANGES_LABELS = {OWNER: frozenset({ASSIGNMENT})}
"""By some rules further kinds of events change labels."""

MANY_JUDGMENTS = 1000
ENTRIES_PER_JUDGMENT = 1000
"""Loading everything is quicker than following more judgments than the first, and than one for this many ranked
documents, which take as long to load."""

SMALL_TOPIC = 20_000
"""Ranked documents of a topic, on average, from which on topics are scored one by one: then it pays that what is in
memory of each is used again.
"""

KEPT_MEASURES = 64
KEPT_TABLES = 16
KEPT_ROUNDS = len(JUDGED)
"""Boards of the round that is open, by whichever judgments count."""
KEPT_ENTRIES = 1 << 22
"""How many ranked documents stay in memory with their labels: those of the topics judged last."""


class _Values(NamedTuple):
    """A measure's values, float64 (topics, runs), and the topics of which they are out of date."""

    values: FloatArray
    stale: set[int]


class Board:
    """The scores of one campaign, kept up to date; threads may share it, each with its own connection."""

    def __init__(self) -> None:
        """A board that knows nothing yet; the first question loads the campaign, by the part that it is asked of."""
        self._lock = Lock()
        self._scoring: Scoring | None = None
        self._values: RecentlyUsed[BoundMeasure, _Values] = RecentlyUsed(KEPT_MEASURES)
        self._joined: OrderedDict[int, JudgedRankings] = OrderedDict()
        self._tables: RecentlyUsed[tuple[tuple[str, ...] | None, bool], ScoreTable] = RecentlyUsed(
            KEPT_TABLES
        )

    def table(
        self, campaign: Campaign, names: Sequence[str] | None = None, *, only_finished: bool = False
    ) -> ScoreTable:
        """The scores as of now; arguments and errors as in `score_campaign`."""
        chosen = None if names is None else tuple(names)
        return self._answer(campaign, lambda board, scoring: board._table(scoring, chosen, only_finished))

    def scoring(self, campaign: Campaign) -> Scoring:
        """Rankings and labels as of now, as `load_scoring` gives them; the labels are a copy, the rankings shared."""
        return self._answer(campaign, lambda _, scoring: _lent(scoring))

    def valued(
        self, campaign: Campaign, measures_of: Callable[[Scoring], Sequence[BoundMeasure]]
    ) -> tuple[Scoring, dict[BoundMeasure, FloatArray]]:
        """What `scoring` gives, with the values of the measures that are asked of it, each float64 (topics, runs).

        Only the topics judged since they were last asked for are scored.
        """

        def find(board: Board, scoring: Scoring) -> tuple[Scoring, dict[BoundMeasure, FloatArray]]:
            values = board._score(scoring, measures_of(scoring))
            return _lent(scoring), {measure: each.copy() for measure, each in values.items()}

        return self._answer(campaign, find)

    def _answer(self, campaign: Campaign, find: Callable[[Board, Scoring], T]) -> T:
        """What `find` gives for the scores as of now, or as of the row that a snapshot reads.

        A board does not go back to such a row when it has followed the log beyond it: one of its own is loaded for it,
        which blocks no other request.
        """
        now = campaign.now
        with self._lock:
            known = self._scoring
            is_ahead = known is not None and now.reads_snapshot and log.head(now).seq < known.head.seq
            if not is_ahead:
                return find(self, self._caught_up(now))
        return Board()._answer(now, find)

    def _table(self, scoring: Scoring, names: tuple[str, ...] | None, only_finished: bool) -> ScoreTable:
        def make() -> ScoreTable:
            chosen = choose(names or usual_of(scoring.about), scoring.relevant_from)
            values = self._score(scoring, wanted(scoring, chosen))
            return tabulate(scoring, chosen, values, only_finished=only_finished)

        return self._tables.use((names, only_finished), make)

    def _caught_up(self, campaign: Campaign) -> Scoring:
        known = self._scoring
        if known is not None and log.head(campaign) == known.head:
            return known
        # Until this has gone well, what is in memory may be half-way between two rows of the log.
        self._scoring = None
        with campaign.snapshot():
            followed = None if known is None else self._follow(campaign, known)
            if followed is None:
                self._values.clear()
                self._joined.clear()
                followed = narrowed(campaign, load_scoring(campaign))
            self._scoring = followed
        self._tables.clear()
        return followed

    def _follow(self, campaign: Campaign, known: Scoring) -> Scoring | None:
        """Apply what is new to the labels, and mark the topics it touches; None when all must be loaded."""
        news = changes_since(campaign, known.head)
        decisive = CHANGES_EVERYTHING | CHANGES_LABELS.get(known.label_rule, frozenset())
        if news is None or news.events & decisive:
            return None
        if len(news.judged) + len(news.chosen) > max(
            MANY_JUDGMENTS, len(known.rankings.document) // ENTRIES_PER_JUDGMENT
        ):
            return None
        changes = self._apply(campaign, known, news)
        if changes is None:
            return None
        for kept in self._values.values():
            kept.stale.update(changes)
        for topic in changes.keys() & self._joined.keys():
            before = self._joined.pop(topic)
            if len(changes[topic]) == 1:
                self._joined[topic] = known.relabelled(before, topic, changes[topic][0])
        return replace(known, head=news.head)

    def _apply(self, campaign: Campaign, known: Scoring, news: LogChanges) -> dict[int, list[int]] | None:
        """Set the labels that may be others now; the topics of which some changed, with the documents whose label of
        relevance did, or None if one is new.
        """
        index_of = {topic_id: topic for topic, topic_id in enumerate(known.topic_ids)}
        changes: dict[int, list[int]] = {}
        renamed = named_ids(campaign)
        news_of = (*news.judged, *news.chosen)
        further = {each.question.name: each for each in known.questions}
        for (seen, key, document_id), grade in _grades_after(campaign, further, news_of):
            beside = further.get(seen.question)
            topic_id = key_of(topic_of(campaign, key), campaign.question) if beside else key
            if (topic_id, document_id) in known.taken_out:
                continue
            if document_id in renamed:
                return None
            topic = index_of.get(topic_id)
            number = _number(campaign, known, key if beside and beside.answers else topic_id, document_id)
            if topic is None or number is None:
                return None
            labels = (beside or known).labels.of_topic(topic).label
            label = grade
            if label is None:
                label = UNJUDGED if pools.pool_of(campaign, key, document_id) is None else POOLED
            if number >= len(labels):
                return None
            if beside:
                if labels[number] != label:
                    labels[number] = label
                    changes.setdefault(topic, [])
                continue
            known.without_grade.discard((topic_id, document_id))
            if label == POOLED:
                known.without_grade.update(judgments.without_grade(campaign, pair=(topic_id, document_id)))
            if labels[number] != label:
                known.num_judged[topic] += int(label > POOLED) - int(labels[number] > POOLED)
                known.num_waiting[topic] += int(label == POOLED) - int(labels[number] == POOLED)
                labels[number] = label
                changes.setdefault(topic, []).append(number)
        return changes

    def _judged(self, scoring: Scoring, topic: int) -> JudgedRankings:
        kept = self._joined
        if topic not in kept:
            kept[topic] = scoring.judged(topic, topic + 1)
        kept.move_to_end(topic)
        while len(kept) > 1 and sum(len(each.label) for each in kept.values()) > KEPT_ENTRIES:
            kept.popitem(last=False)
        return kept[topic]

    def _score(self, scoring: Scoring, wanted: Sequence[BoundMeasure]) -> dict[BoundMeasure, FloatArray]:
        missing = [measure for measure in wanted if measure not in self._values]
        found = {measure: self._values[measure] for measure in wanted if measure in self._values}
        if missing:
            new = scoring.values_of(missing, or_nan=True)
            found |= {measure: _Values(values, set()) for measure, values in new.items()}
        behind = {measure: kept for measure, kept in found.items() if kept.stale}
        topics = sorted(set().union(*(kept.stale for kept in behind.values())))
        for measure, values in self._values_of(scoring, list(behind), topics).items():
            behind[measure].values[topics] = values
            behind[measure].stale.clear()
        for measure, kept in found.items():
            self._values.put(measure, kept)
        return {measure: kept.values for measure, kept in found.items()}

    def _values_of(
        self, scoring: Scoring, measures: Sequence[BoundMeasure], topics: Sequence[int]
    ) -> dict[BoundMeasure, FloatArray]:
        """The values of these measures, each float64 (topics, runs); several small topics take little more than one."""
        if len(topics) > 1 and len(scoring.rankings.document) < SMALL_TOPIC * len(scoring.topic_ids):
            return scoring.of_topics(topics).values_of(measures, or_nan=True)
        values = {measure: np.empty((len(topics), len(scoring.runs))) for measure in measures}
        for place, topic in enumerate(topics):
            judged = self._judged(scoring, topic)
            for measure, whole in values.items():
                whole[place] = scoring.value_of(measure, judged, topic, topic + 1, or_nan=True)
        return values


class _RoundBoards:
    """The boards of a campaign's round that is open."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._boards: RecentlyUsed[tuple[int, str], Board] = RecentlyUsed(KEPT_ROUNDS)

    def of(self, part: OfRound) -> Board:
        with self._lock:
            return self._boards.use((part.round.number, part.judged), Board)


_boards = Followers(Board)
_boards_of_rounds = Followers(_RoundBoards)


def board_of(campaign: Campaign) -> Board:
    """This process's board of a campaign's file, or of its round that is open where it is looked at by that."""
    if campaign.part is None:
        return _boards.of(campaign)
    return _boards_of_rounds.of(campaign).of(campaign.part)


def _grades_after(
    campaign: Campaign, further: Iterable[str], judged: Collection[tuple[str, str]]
) -> Iterator[tuple[tuple[Campaign, str, str], int | None]]:
    """What `labels_after` gives by the question that the campaign is seen by, then by further ones."""
    for seen in (campaign, *map(campaign.asking, further)):
        shown = set(asked(seen, {topic_id for topic_id, _ in judged}))
        if pairs := [pair for pair in judged if pair[0] in shown]:
            yield from (((seen, *pair), grade) for pair, grade in labels_after(seen, pairs).items())


def _lent(known: Scoring) -> Scoring:
    """The same with labels and counts of its own, which do not follow the log."""
    return replace(
        known,
        labels=known.labels.copy(),
        questions=tuple(each._replace(labels=each.labels.copy()) for each in known.questions),
        num_judged=known.num_judged.copy(),
        num_waiting=known.num_waiting.copy(),
        without_grade=known.without_grade.copy(),
    )


def _number(campaign: Campaign, known: Scoring, topic_id: str, document_id: str) -> int | None:
    """The document's number, or None if neither a run nor a judgment had it; a number looked up is remembered."""
    numbers = known.numbers.setdefault(topic_id, {})
    if document_id not in numbers:
        vocabulary = runs.vocabulary(campaign, topic_id)
        if document_id not in vocabulary:
            return None
        numbers[document_id] = vocabulary.index(document_id)
    return numbers[document_id]
