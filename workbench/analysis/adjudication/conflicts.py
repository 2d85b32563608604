"""The queue of conflicts: those that could change the order of the top runs first, then by the size of the gap.

A conflict could change the order if it does so alone: the topic is scored again with each of the grades that its
assessors gave, all other labels staying as they are, and the runs are compared by their new means. What several
conflicts could do only together is not looked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.about import PAIRS
from workbench.core.errors import CampaignError
from workbench.core.natural_order import natural
from workbench.core.results import FLAT, HIDDEN, Column
from workbench.jobs.observing import observed
from workbench.methods.measures import BoundMeasure, JudgedRankings, parse_measure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.arrays import levels, signs_of
from workbench.scoring.board import Scoring, board_of
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.grades import adjudications, scales
from workbench.storage.campaign.grades.adjudications import Adjudication, Dispute, OwnGrade
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.organising import settings

TOP = 10
"""The number of top runs whose order counts."""

MOST_SCORED = 2_000
"""At most this many conflicts are scored, those of the widest gaps: a few seconds for a hundred runs."""

Pair = tuple[str, str]
"""A topic's id and a document's."""


class Influence(NamedTuple):
    """What the worst of a conflict's grades does.

    Attributes:
        swaps: how many pairs of runs change their order, one of the two being among the top.
        shift: by how much the difference of such a pair changes most, in the measure's own unit.
    """

    swaps: Annotated[int, Column("Runs that change sides")]
    shift: Annotated[float, Column("Largest shift", kind="score")]


NO_INFLUENCE = Influence(0, 0.0)


class Conflict(NamedTuple):
    """A conflict that is open.

    Attributes:
        topic_id, document_id: of which pair.
        grades: the different grades.
        given: as they were given, see `scales.worded`; `own_grades` are a row of the log for each.
        assessors: how many gave them.
        gap: how far the outermost are apart.
    """

    topic_id: Annotated[str, Column("Topic", "topic")]
    document_id: Annotated[str, Column("Document", "document")]
    grades: tuple[int, ...]
    given: str
    own_grades: Annotated[tuple[OwnGrade, ...], HIDDEN]
    assessors: int
    gap: Annotated[int, Column("Apart")]
    influence: Annotated[Influence, FLAT]

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic_id, self.document_id


class Conflicts(NamedTuple):
    """All conflicts of a campaign as of now.

    Attributes:
        measure: by which the runs are compared, as it was asked for.
        runs: how many runs there are.
        top: how many of the best ones' order counts.
        open: what is to be settled, the most urgent first.
        hidden: how many conflicts cannot be shown, since the pair is in no pool or its document has no text.
        settled: what has been settled, the newest first.
        unscored: how many of the open ones were not scored, since there are too many.
    """

    measure: str
    runs: int
    top: int
    open: tuple[Conflict, ...]
    hidden: int
    settled: tuple[Adjudication, ...]
    unscored: int

    @property
    def changing(self) -> int:
        """How many of the open ones could change the order of the top."""
        return sum(conflict.influence.swaps > 0 for conflict in self.open)


class OpenPairs(NamedTuple):
    """Conflicts without an order: those that are open, those that cannot be shown, what is settled, and, by row of the
    log, the grades of the open ones as they were given.
    """

    open: tuple[Dispute, ...]
    hidden: int
    settled: dict[Pair, Adjudication]
    given: dict[int, str]


def open_pairs(campaign: Campaign) -> OpenPairs:
    """Open and settled conflicts. A conflict is reopened by a grade that differs from the
    adjudicated one after it.
    """
    settled = adjudications.in_force(campaign)
    found = []
    for dispute in adjudications.disputes(campaign):
        by = settled.get((dispute.topic_id, dispute.document_id))
        if by is None or not _holds(by, dispute.own_grades):
            found.append(dispute)
    there = adjudications.that_can_be_shown(campaign, found)
    shown = [dispute for dispute in found if (dispute.topic_id, dispute.document_id) in there]
    reopened = {(dispute.topic_id, dispute.document_id) for dispute in found}
    kept = {pair: each for pair, each in settled.items() if pair not in reopened}
    given = scales.worded(campaign, [one.seq for dispute in shown for one in dispute.own_grades])
    return OpenPairs(tuple(shown), len(found) - len(shown), kept, given)


def settled_by_topic(campaign: Campaign) -> Counter[str]:
    """How many conflicts of each topic are settled; costs next to nothing where nothing was adjudicated."""
    found: Counter[str] = Counter()
    for (topic_id, document_id), settled in adjudications.in_force(campaign).items():
        own = adjudications.own_judgments(campaign, topic_id, document_id)
        own_grades = [OwnGrade(row.seq, row.grade) for row in own if row.grade is not None]
        if len({one.grade for one in own_grades}) > 1 and _holds(settled, own_grades):
            found[topic_id] += 1
    return found


def _holds(settled: Adjudication, own_grades: Iterable[OwnGrade]) -> bool:
    """Whether no other grade was given since."""
    return all(one.seq < settled.seq or one.grade == settled.grade for one in own_grades)


def conflicts(campaign: Campaign, measure: str = "", *, top: int = TOP) -> Conflicts:
    """The conflicts of a campaign, in the order in which they should be settled.

    What counts is the order of the `top` runs by a measure in either notation, "" for the first of the leaderboard's;
    pairs that are compared have no scores, and so no influence.

    Raises:
        UnknownName: a measure that does not exist.
        CampaignError: one with another mean than the arithmetic one.
    """
    with campaign.snapshot():
        found = open_pairs(campaign)
        chosen = measure or usual_measures(campaign)[0]
        parsed = parse_measure(chosen, defaults={"rel": settings.read(campaign).relevant_from})
        kind = parsed.modifier("mean")
        if kind not in {None, "arithmetic"}:  # one topic's part in another mean cannot be exchanged
            message = f"{parsed} is a {kind} mean, and conflicts are ordered by arithmetic ones; take it without mean="
            raise CampaignError(message)
        scored = _widest(found.open)[:MOST_SCORED]
        is_scored = bool(scored) and about(campaign) not in PAIRS
        influence = _influences(campaign, scored, parsed, top) if is_scored else {}
        n_runs = len(runs.in_force(campaign))
    return in_order(found, influence, str(parsed), n_runs, top)


_in_order: Cache[Conflicts] = Cache()
_in_earlier_order: Cache[Conflicts] = Cache(of_one=4)


def cached_conflicts(campaign: Campaign, measure: str = "", *, refresh: bool = False) -> Conflicts:
    """The conflicts as `conflicts` gives them: an adjudicator who works through them waits for no new order.

    Which conflicts are open is always as of now. What each could do to the order of the runs is what was found last,
    and conflicts that came since have none; `refresh` finds it as of now.

    Raises:
        UnknownName: a measure that does not exist.
    """
    with campaign.snapshot():
        known = None if refresh else _in_order.newest(campaign, measure)
        if known is None or known[0] == log.head(campaign):
            return _in_order.now(campaign, measure, lambda: conflicts(campaign, measure))
        found_at, before = known
        influence = {conflict.pair: conflict.influence for conflict in before.open}
        return _in_earlier_order.now(
            campaign,
            (measure, found_at),
            lambda: in_order(open_pairs(campaign), influence, before.measure, before.runs, TOP),
        )


def _widest(found: Sequence[Dispute]) -> list[Dispute]:
    """The widest gaps first; those that are equally wide by turns from every topic."""
    turn: Counter[str] = Counter()
    keys = []
    for dispute in found:
        turn[dispute.topic_id] += 1
        keys.append((-dispute.gap, turn[dispute.topic_id]))
    return [found[place] for place in sorted(range(len(found)), key=keys.__getitem__)]


def in_order(
    found: OpenPairs, influence: Mapping[Pair, Influence], measure: str, n_runs: int, top: int
) -> Conflicts:
    """Conflicts in their order, from what is known of their influence; unknown ones come after those that are known
    to change the order.
    """
    rows = []
    for dispute in found.open:
        pair = dispute.topic_id, dispute.document_id
        given = {found.given[one.seq]: one for one in sorted(dispute.own_grades, key=attrgetter("grade"))}
        rows.append(
            Conflict(
                *pair,
                dispute.grades,
                "; ".join(given),
                tuple(given.values()),
                len(dispute.own_grades),
                dispute.gap,
                influence.get(pair, NO_INFLUENCE),
            )
        )
    return Conflicts(
        measure=measure,
        runs=n_runs,
        top=min(top, n_runs),
        open=tuple(sorted(rows, key=_urgency)),
        hidden=found.hidden,
        settled=tuple(sorted(found.settled.values(), key=lambda each: -each.seq)),
        unscored=sum(row.pair not in influence for row in rows),
    )


def _urgency(conflict: Conflict) -> tuple[object, ...]:
    swaps, shift = conflict.influence
    where = natural(conflict.topic_id), natural(conflict.document_id)
    return swaps == 0, -conflict.gap, -swaps, -round(shift, 9), *where


def _influences(
    campaign: Campaign, found: Sequence[Dispute], measure: BoundMeasure, top: int
) -> dict[Pair, Influence]:
    """What each conflict could do to the order of the top, the others staying as they are."""
    scoring, values = board_of(campaign).valued(campaign, lambda known: [known.settled(measure)])
    settled = scoring.settled(measure)
    order = _Order(scoring, values[settled], settled, top)
    by_topic: dict[str, list[Dispute]] = {}
    for dispute in found:
        by_topic.setdefault(dispute.topic_id, []).append(dispute)
    return {
        (dispute.topic_id, dispute.document_id): influence
        for topic_id, some in observed(list(by_topic.items()), "Scoring conflicts")
        for dispute, influence in order.of_topic(topic_id, some)
    }


class _Order:
    """The order of the top runs, and what becomes of it when one label changes."""

    def __init__(self, scoring: Scoring, values: FloatArray, measure: BoundMeasure, top: int) -> None:
        """`values` are of the measure, float64 (topics, runs)."""
        self.scoring, self.values, self.measure = scoring, values, measure
        self.topic_of = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
        here = scoring.topics_for(measure)
        self.counted = max(int(here.sum()), 1)
        self.sums = values[here].sum(axis=0)
        self.top = np.argsort(-levels(measure.sign * self.sums), kind="stable")[:top]
        self.leads = self._leads(self.sums)

    def _leads(self, sums: FloatArray) -> FloatArray:
        """By how much each of the top runs differs from every run in the mean, float64 (top, runs)."""
        return np.asarray((sums[self.top, None] - sums[None, :]) / self.counted, np.float64)

    def of_topic(self, topic_id: str, found: Sequence[Dispute]) -> Iterator[tuple[Dispute, Influence]]:
        """Each conflict of a topic with its influence."""
        topic = self.topic_of[topic_id]
        judged = self.scoring.judged(topic, topic + 1)
        labels = self.scoring.labels.of_topic(topic).label
        numbers = self.scoring.numbers[topic_id]
        for dispute in found:
            number = numbers[dispute.document_id]
            own, worst = int(labels[number]), NO_INFLUENCE
            for grade in (grade for grade in dispute.grades if grade != own):
                labels[number] = grade  # the labels are our own copy, and are put back below
                worst = max(worst, self._influence(topic, self.scoring.relabelled(judged, topic, number)))
            labels[number] = own
            yield dispute, worst

    def _influence(self, topic: int, judged: JudgedRankings) -> Influence:
        changed = self.scoring.value_of(self.measure, judged, topic, topic + 1)
        leads = self._leads(self.sums - self.values[topic] + changed)
        swapped = signs_of(leads) != signs_of(self.leads)
        twice = int(swapped[:, self.top].sum()) // 2  # two runs of the top are a pair in both directions
        return Influence(int(swapped.sum()) - twice, float(np.abs(leads - self.leads).max(initial=0.0)))
