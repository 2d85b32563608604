"""The documents that would swap a pair: if they turn out so, the run that is behind overtakes the other.

By an additive measure they are the fewest that do it: those by which the run behind gains most on the other. By
another measure they are found topic by topic: on each the way to judge that is best for the run behind, on the topics
where that does most; then documents are left out as long as it still overtakes. What is said is checked by scoring
both runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE, columns_of, differences_in, topics_of
from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray, IntArray
from workbench.core.results import Column
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.additive import AdditiveDifferences, form_of
from workbench.methods.bounds.pairs import SMALLEST
from workbench.methods.bounds.registry import Differences
from workbench.scoring.board.loading import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign

BEHIND, AHEAD = 0, 1
LEFT_OUT_ONE_BY_ONE = 200
"""Of more documents than that none is left out again, by a measure that is not additive."""


class Deciding(NamedTuple):
    """A document of a witness.

    Attributes:
        topic_id, document_id: which.
        grade: the one that it would have.
        rank_behind, rank_ahead: its rank in both runs; None where it is not retrieved.
    """

    topic_id: Annotated[str, Column("Topic")]
    document_id: Annotated[str, Column("Document")]
    grade: int
    rank_behind: int | None
    rank_ahead: int | None


class Witness(NamedTuple):
    """How a pair could swap.

    Attributes:
        ahead, behind: the runs; level ones in the order in which they were named.
        difference: of the means if all that is pooled and not judged had the grade 0, `ahead` less `behind`.
        after: the same if the documents were judged so, below 0; None where no way was found.
        documents: which must have these grades; all others that wait get the grade 0, or where that is relevant the
            lowest.
    """

    ahead: str
    behind: str
    difference: float
    after: float | None
    documents: tuple[Deciding, ...]

    def sentence(self) -> str:
        """What it says, for people."""
        if self.after is None:
            return f"No way of judging the rest of the pool was found in which {self.behind} overtakes {self.ahead}."
        number = len(self.documents)
        what = "this document has the grade" if number == 1 else f"these {number:,} documents have the grades"
        return f"If {what} given here, {self.behind} overtakes {self.ahead} ({-self.after:.4f} ahead)."


def witness(campaign: Campaign, run_a: str, run_b: str, measure: str = DEFAULT_MEASURE) -> Witness:
    """The documents by which the run behind would overtake the other, now or as of a row of the log.

    UnknownName: a measure that does not exist or of which nothing is known, or a run that does not take part.
    """
    scoring = scoring_of(campaign)
    kind = differences_in(scoring, measure)
    columns = columns_of(scoring, [run_a, run_b])
    if len(columns) < 2:
        raise UnknownName(f"a pair is of two runs, and {run_a!r} was named twice")
    topics = {topic: whole.of_runs(columns) for topic, whole in topics_of(scoring)}
    sums = sum((kind.values(_with(kind, topic, {})) for topic in topics.values()), np.zeros(2))
    if sums[0] < sums[1]:
        columns = columns[::-1]
    behind_first = {topic: whole.of_runs([columns[1], columns[0]]) for topic, whole in topics_of(scoring)}
    number = max(len(topics), 1)
    lead, after, found = way_to_swap(kind, behind_first)
    swaps = after < -SMALLEST * number
    return Witness(
        scoring.tags[columns[0]],
        scoring.tags[columns[1]],
        lead / number,
        after / number if swaps else None,
        _named(scoring, behind_first, found) if swaps else (),
    )


Chosen = dict[int, dict[int, int]]
"""By topic the grades of documents, by their numbers."""


def way_to_swap(kind: Differences, topics: Mapping[int, TopicRuns]) -> tuple[float, float, Chosen]:
    """How the first of two runs on these topics overtakes the second.

    Returns the lead of the second run, summed over topics, if all that waits gets the grade `rest`; the lead after some
    of it gets other grades, below 0 where a way was found; and these.
    """
    found, lead = _found(kind, topics), _lead(kind, topics)
    return lead, lead - _gained(kind, topics, found), found


def _found(kind: Differences, topics: Mapping[int, TopicRuns]) -> Chosen:
    if kind.all_relevant:
        return {}
    return _fewest(kind, topics) if isinstance(kind, AdditiveDifferences) else _by_topic(kind, topics)


def _lead(kind: Differences, topics: Mapping[int, TopicRuns]) -> float:
    """By how much the run ahead leads, summed over topics."""
    return float(sum(_ahead(kind, topic) for topic in topics.values()))


def _ahead(kind: Differences, topic: TopicRuns, way: Mapping[int, int] = MappingProxyType({})) -> float:
    """By how much the run ahead leads on a topic that is judged so, and the rest with the grade `rest`."""
    values = kind.values(_with(kind, topic, way))
    return float(values[AHEAD] - values[BEHIND])


def _fewest(kind: Differences, topics: Mapping[int, TopicRuns]) -> Chosen:
    """The documents by which the run behind gains most, as many as it needs; all of them where that is not enough."""
    found: list[tuple[FloatArray, IntArray, IntArray, IntArray]] = []
    for topic, runs in topics.items():
        form = form_of(kind, int(runs.rankings.lengths.max(initial=0)))
        undecided = runs.undecided(len(form.weight))
        weight = form.weights_at(undecided.rank)
        ahead = weight[:, BEHIND] - weight[:, AHEAD]
        (usual,) = form.gain_of(np.array([kind.rest], np.int16))
        gain = np.maximum(form.most * ahead, form.least * ahead) - usual * ahead
        grade = np.where(form.most * ahead >= form.least * ahead, form.best_grade, form.worst_grade)
        number = np.full(len(gain), topic)
        kept = gain > 0
        found.append((gain[kept], number[kept], undecided.document[kept], grade[kept]))
    if not found:
        return {}
    gain, number, document, grade = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.argsort(-gain, kind="stable")
    needed = _lead(kind, topics) + SMALLEST * len(topics)
    enough = int(np.searchsorted(np.cumsum(gain[order]), needed, side="right")) + 1
    chosen: Chosen = {}
    for place in order[:enough].tolist():
        chosen.setdefault(int(number[place]), {})[int(document[place])] = int(grade[place])
    return chosen


def _by_topic(kind: Differences, topics: Mapping[int, TopicRuns]) -> Chosen:
    """The topics on which the run behind can gain most, as many as it needs, without documents that are not needed."""
    ways: list[tuple[float, int, dict[int, int]]] = []
    for topic, runs in topics.items():
        completion = kind.best_for(runs)
        named = completion.grade != kind.rest
        way = dict(zip(completion.document[named].tolist(), completion.grade[named].tolist(), strict=True))
        gained = _ahead(kind, runs) - _ahead(kind, runs, way)
        if gained > 0:
            ways.append((gained, topic, way))
    ways.sort(key=lambda each: (-each[0], each[1]))
    needed = _lead(kind, topics) + SMALLEST * len(topics)
    chosen: Chosen = {}
    total = 0.0
    for gained, topic, way in ways:
        chosen[topic] = way
        total += gained
        if total > needed:
            break
    return _without_superfluous(kind, topics, chosen, total - needed) if total > needed else chosen


def _without_superfluous(
    kind: Differences, topics: Mapping[int, TopicRuns], chosen: Chosen, spare: float
) -> Chosen:
    """The same without documents that can be left out, one by one, while something is to spare."""
    if sum(map(len, chosen.values())) > LEFT_OUT_ONE_BY_ONE:
        return chosen
    for topic, way in chosen.items():
        for document in list(way):
            fewer = {other: grade for other, grade in way.items() if other != document}
            lost = _ahead(kind, topics[topic], fewer) - _ahead(kind, topics[topic], way)
            if lost < spare:
                spare -= lost
                del way[document]
    return {topic: way for topic, way in chosen.items() if way}


def _with(kind: Differences, topic: TopicRuns, way: Mapping[int, int]) -> TopicRuns:
    """The topic judged so, and all else that waits with the grade `rest`."""
    grades = np.full(len(topic.label), kind.rest, np.int16)
    grades[list(way)] = list(way.values())
    return topic.completed(topic.waiting, grades[topic.waiting])


def _gained(kind: Differences, topics: Mapping[int, TopicRuns], chosen: Chosen) -> float:
    """By how much the lead shrinks if all of it is judged so: scored, not calculated from weights."""
    return sum(
        _ahead(kind, topics[topic]) - _ahead(kind, topics[topic], way) for topic, way in chosen.items()
    )


def _named(scoring: Scoring, topics: Mapping[int, TopicRuns], chosen: Chosen) -> tuple[Deciding, ...]:
    found = []
    for topic, way in sorted(chosen.items()):
        topic_id = scoring.topic_ids[topic]
        id_of = {number: document_id for document_id, number in scoring.numbers[topic_id].items()}
        for document, grade in way.items():
            behind, ahead = (int(rank) or None for rank in topics[topic].ranks_of_one(document))
            found.append(Deciding(topic_id, id_of[document], grade, behind, ahead))
    return tuple(found)
