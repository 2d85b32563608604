"""Topics of a campaign: how hard each is for the runs, and of one its rankings as a map of grades, the documents on
which runs and assessors disagree, and how its relevant documents were found, judgment by judgment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.comparing.leaderboards import ranks_of
from workbench.analysis.registry import ANALYSES, MeasureName, analysis
from workbench.core.errors import UnknownName
from workbench.core.natural_order import natural
from workbench.core.ranking import POOLED, IntArray
from workbench.core.results import AS_TEXT, FLAT, Column
from workbench.core.wording import none_such
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.judged import FloatArray
from workbench.scoring.board import Scoring, TopicScores
from workbench.scoring.board.past_boards import scoring_of, topic_scores_of
from workbench.scoring.board.table import best_first
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, runs, topics
from workbench.storage.campaign.grades import rows_over_time
from workbench.storage.campaign.grades.labels import chooser, newest
from workbench.storage.campaign.grades.rows_over_time import LoggedGrade
from workbench.storage.campaign.grades.sources import ADJUDICATION, Vote, precedence_at
from workbench.storage.campaign.organising import settings

MEASURE = "AP"
"""The default measure of topic difficulty."""


class Difficulty(NamedTuple):
    """The scores of all runs on one topic; a run without the topic scores 0, as on the leaderboard."""

    lowest: float
    median: float
    mean: float
    highest: float


class TopicRow(NamedTuple):
    """One topic.

    Attributes:
        topic_id, title: which topic.
        runs: how many runs have a ranking for it.
        pooled: how many documents are pooled.
        judged: how many are judged; one outside every pool may be judged (it was imported).
        waiting: how many are pooled and not judged.
        relevant: how many are relevant.
        difficulty: None for a topic without judgments, which has no scores, and where there are no runs.
        place: 1 for the hardest topic; equal medians share the lower place.
    """

    topic_id: Annotated[str, Column("Topic", "topic")]
    title: str
    runs: int
    pooled: int
    judged: int
    waiting: Annotated[int, Column("To judge")]
    relevant: int
    difficulty: Annotated[Difficulty | None, FLAT]
    place: int | None


class TopicTable(NamedTuple):
    """All topics in natural order.

    Attributes:
        seq: the row of the log.
        runs: how many take part.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    runs: int
    rows: Annotated[tuple[TopicRow, ...], Column(name="topics")]

    def row(self, topic_id: str) -> TopicRow | None:
        """The topic of this id, or None."""
        return next((row for row in self.rows if row.topic_id == topic_id), None)

    def hardest_first(self) -> list[TopicRow]:
        """The topics that have scores, from the worst median to the best: the lowest first, unless less is better."""
        scored = (row for row in self.rows if row.place is not None)
        return sorted(scored, key=lambda row: _hardness(row, self.measure.sign))

    def all_hardest_first(self) -> list[TopicRow]:
        """The same, and after them the topics without scores."""
        return [*self.hardest_first(), *(row for row in self.rows if row.place is None)]


def topic_table(campaign: Campaign, measure: str = MEASURE) -> TopicTable:
    """The topics in natural order, now (from the live board), or as of a row of the log.

    Raises UnknownName for a measure that does not exist.
    """
    scores = topic_scores_of(campaign, measure)
    scoring = scoring_of(campaign)
    hard = difficulties(scores)
    hardness = [-scores.measure.sign * one.median for one in hard.values()]
    places = dict(zip(hard, ranks_of(hardness), strict=True))
    texts = topics.titles(campaign)
    pooled = pools.pooled_by_topic(campaign)
    relevant = scoring.labels.num_rel(scoring.relevant_from)
    ranked = (scoring.rankings.lengths.reshape(scoring.shape) > 0).sum(axis=1)
    rows = (
        TopicRow(
            topic_id,
            texts.get(topic_id, ""),
            int(ranked[topic]),
            pooled.get(topic_id, 0),
            int(scoring.num_judged[topic]),
            int(scoring.num_waiting[topic]),
            int(relevant[topic]),
            hard.get(topic_id),
            places.get(topic_id),
        )
        for topic, topic_id in enumerate(scoring.topic_ids)
    )
    ordered = tuple(sorted(rows, key=lambda row: natural(row.topic_id)))
    return TopicTable(scoring.head.seq, scores.measure, len(scoring.runs), ordered)


def as_sheet(found: TopicTable) -> Sheet:
    """A row for each topic with everything that is known."""
    return sheet_of(TopicRow, found.rows)


def for_people(found: TopicTable) -> Sheet:
    """A row for each topic with what is judged, and how hard it is."""
    counts = ("runs", "pooled", "judged", "waiting", "relevant")
    names = ("topic", "title", *counts, "median", "mean", "place")
    return sheet_of(TopicRow, found.rows, names, {"median": f"Median {found.measure}"})


@analysis("topics", called="Topics", sheet=as_sheet, people=for_people)
def topics_of(campaign: Campaign, on_step: OnStep, *, measure: MeasureName = MEASURE) -> TopicTable:
    """The topics: what is pooled, judged and relevant, and how hard each is for the runs."""
    return topic_table(campaign, measure)


TOPICS = ANALYSES["topics"]


def difficulties(scores: TopicScores) -> dict[str, Difficulty]:
    """Each judged topic's scores in short; empty without runs."""
    if not scores.tags:
        return {}
    values: FloatArray = scores.values
    columns = (values.min(axis=1), np.median(values, axis=1), values.mean(axis=1), values.max(axis=1))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {topic_id: Difficulty(*row) for topic_id, row in zip(scores.topic_ids, rows, strict=True)}


def _hardness(row: TopicRow, sign: int) -> tuple[int, float, str]:
    mean = row.difficulty.mean if row.difficulty else 0.0
    return row.place or 0, sign * mean, row.topic_id


MAP_DEPTH = 100
"""The default number of ranks."""


class Stretch(NamedTuple):
    """Ranks `first` to `last` of a run, whose documents all have one grade; None is unjudged."""

    tag: str
    first: int
    last: int
    grade: int | None


def rank_map(
    campaign: Campaign, topic_id: str, *, depth: int = MAP_DEPTH, measure: str = MEASURE
) -> tuple[list[str], list[Stretch]]:
    """The runs that have the topic, the best first, as added while nothing of it is judged; and their first ranks.

    UnknownName for a topic or measure that is not.
    """
    scoring = scoring_of(campaign)
    topic = topic_number(scoring, topic_id, campaign.name)
    found = topic_scores_of(campaign, measure)
    scores: dict[str, float] = {}
    if topic_id in found.topic_ids:
        values = found.values[found.topic_ids.index(topic_id)]
        scores = dict(zip(found.tags, values.tolist(), strict=True))
    stretches = stretches_of(scoring, topic, depth)
    with_it = list(dict.fromkeys(one.tag for one in stretches))
    order = best_first(found.measure, [scores.get(tag, 0.0) for tag in with_it])
    return [with_it[run] for run in order], stretches


def stretches_of(scoring: Scoring, topic: int, depth: int) -> list[Stretch]:
    """Neighbouring ranks of one grade as one stretch, run by run in the order they were added."""
    judged = scoring.judged(topic, topic + 1)
    found = []
    for run, tag in enumerate(scoring.tags):
        start = int(judged.row_start[run])
        labels = judged.label[start : min(int(judged.row_start[run + 1]), start + depth)]
        labels = np.maximum(labels, POOLED)  # pooled or not: it is not judged
        edges = np.flatnonzero(np.diff(labels)) + 1
        bounds = [0, *edges.tolist(), len(labels)] if len(labels) else []
        for first, last in pairwise(bounds):
            label = int(labels[first])
            found.append(Stretch(tag, first + 1, last, None if label <= POOLED else label))
    return found


def topic_number(scoring: Scoring, topic_id: str, name: str) -> int:
    """The topic's place among all; UnknownName when the campaign has no such topic."""
    if topic_id not in scoring.topic_ids:
        raise UnknownName(none_such("topic", topic_id, scoring.topic_ids, of=name))
    return scoring.topic_ids.index(topic_id)


SHOWN = 10
"""The default number of documents of each kind."""


class Surprise(NamedTuple):
    """A judged document: its grade, how many runs have it within the depth, and the best rank there (None: no run)."""

    document_id: str
    title: str
    grade: int
    runs: int
    best_rank: int | None


class Surprises(NamedTuple):
    """Documents that at least half of the runs found and that are not relevant, and relevant ones that fewer found.

    `runs` is how many runs have the topic, `depth` how many of each one's ranks were looked at.
    """

    depth: int
    runs: int
    not_relevant: tuple[Surprise, ...]
    relevant: tuple[Surprise, ...]


def surprises(campaign: Campaign, topic_id: str, *, depth: int = MAP_DEPTH, most: int = SHOWN) -> Surprises:
    """The `most` surprising documents of each kind; UnknownName for a topic that the campaign does not have.

    The not relevant that most runs found come first, then those nearest the top; the relevant that fewest runs found
    come first, then the highest grade.
    """
    scoring = scoring_of(campaign)
    topic = topic_number(scoring, topic_id, campaign.name)
    label = scoring.labels.of_topic(topic).label
    found_by, best, n_runs = _found(scoring, topic, depth, len(label))
    many = (2 * found_by >= n_runs) & (found_by > 0)
    missed = np.flatnonzero((label > POOLED) & (label < scoring.relevant_from) & many)
    missed = missed[np.lexsort((missed, best[missed], -found_by[missed]))][:most]
    hidden = np.flatnonzero((label >= scoring.relevant_from) & ~many)
    hidden = hidden[np.lexsort((hidden, -label[hidden].astype(np.int64), found_by[hidden]))][:most]
    names = _names(campaign, scoring, topic_id, [*missed.tolist(), *hidden.tolist()])
    titles = documents.titles(campaign, list(names.values()))

    def named(number: int) -> Surprise:
        document_id, runs_with_it = names[number], int(found_by[number])
        rank = int(best[number]) if runs_with_it else None
        return Surprise(document_id, titles.get(document_id, ""), int(label[number]), runs_with_it, rank)

    return Surprises(depth, n_runs, tuple(map(named, missed.tolist())), tuple(map(named, hidden.tolist())))


def _found(scoring: Scoring, topic: int, depth: int, size: int) -> tuple[IntArray, IntArray, int]:
    """For each of `size` documents how many runs have it within the depth and its best rank; and the runs' number."""
    n_runs = len(scoring.runs)
    rows = scoring.rankings.rows_between(topic * n_runs, (topic + 1) * n_runs)
    cut = rows.to_depth(depth)
    rank = np.arange(len(cut.document)) - np.repeat(cut.row_start[:-1], cut.lengths) + 1
    best = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(best, cut.document, rank)
    found_by = np.bincount(cut.document, minlength=size)
    return found_by.astype(np.int64), best, int((rows.lengths > 0).sum())


def _names(campaign: Campaign, scoring: Scoring, topic_id: str, numbers: list[int]) -> dict[int, str]:
    """The ids of these documents; judged documents that no run has are numbered after the topic's vocabulary."""
    known = {number: document_id for document_id, number in scoring.numbers.get(topic_id, {}).items()}
    if not all(number in known for number in numbers):
        known |= dict(enumerate(runs.vocabulary(campaign, topic_id)))
    return {number: known[number] for number in numbers}


Line = tuple[str | None, bool]
"""Who gave a grade, and whether that is a model."""


class Found(NamedTuple):
    """After the row `seq` of the log, the `judgments`-th of its topic: how many documents are judged and relevant."""

    seq: int
    judgments: int
    judged: int
    relevant: int


def history_of(campaign: Campaign, topic_id: str) -> list[Found]:
    """The history of judging of a topic, up to now or to a row of the log; empty when it has no judgments.

    What is relevant is so by the rules in force at the end; by the model of Dawid and Skene, which looks at all topics
    together, the majority says it for each step.
    """
    relevant_from = settings.read(campaign).relevant_from
    precedence = precedence_at(campaign)
    said = rows_over_time.logged_grades_of_topic(campaign, topic_id)
    counted = [row for row in said if precedence.tier(row.kind) is not None]
    return follow(counted, relevant_from, chooser(campaign, topic_id))


def follow(
    said: Iterable[LoggedGrade], relevant_from: int, choose: Callable[[Sequence[Vote]], int] = newest
) -> list[Found]:
    """The counts after each row; `choose` makes one grade of those in force, the newest last."""
    in_force: dict[str, dict[Line, Vote]] = {}
    grades: dict[str, int | None] = {}
    judged = relevant = 0
    found = []
    for place, row in enumerate(said, start=1):
        before = grades.get(row.document_id)
        votes = _votes_after(in_force.setdefault(row.document_id, {}), row)
        grades[row.document_id] = after = choose(votes) if votes else None
        judged += (after is not None) - (before is not None)
        relevant += _is_relevant(after, relevant_from) - _is_relevant(before, relevant_from)
        found.append(Found(row.seq, place, judged, relevant))
    return found


def _votes_after(by_line: dict[Line, Vote], row: LoggedGrade) -> list[Vote]:
    """Note what an assessor, or an adjudication, says of a document now; all that is in force, newest last."""
    by_line.pop(row.line, None)
    if row.grade is not None:
        kind = ADJUDICATION if row.assessor is None else row.kind
        by_line[row.line] = Vote(row.seq, row.assessor or "", kind, row.grade)
    return list(by_line.values())


def _is_relevant(grade: int | None, relevant_from: int) -> bool:
    return grade is not None and grade >= relevant_from
