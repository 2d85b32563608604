"""Where a campaign stands: what came in, what is judged, and how fast."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from workbench.analysis.adjudication.conflicts import settled_by_topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, runs, topic_withdrawals, topics
from workbench.storage.campaign.collection.rounds import OfRound
from workbench.storage.campaign.counts import activity
from workbench.storage.campaign.counts.activity import AssessorTally, Tallies, TopicTally
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

WINDOW = timedelta(days=14)
"""How far back the pace per day looks: weekends count, an old campaign's first weeks do not."""

FURTHEST_END = 3650
"""Days; what would end later than in ten years has no date."""

_tallies: Cache[Tallies] = Cache(of_one=2)


class TopicState(NamedTuple):
    """One topic: its runs, and its pairs that are pooled, judged of these, held back for want of a text; judged
    at all, with a grade, relevant, and with grades that differ and are not adjudicated.
    """

    topic_id: str
    title: str
    runs: int
    pooled: int
    judged: int
    held_back: int
    graded: int
    relevant: int
    conflicts: int

    @property
    def open(self) -> int:
        """Pairs that wait for a judgment and can have one."""
        return self.pooled - self.judged - self.held_back


class AssessorState(NamedTuple):
    """One person: the role they have (None for a non-member, such as a source of imports), and their work."""

    role: str | None
    work: AssessorTally

    @property
    def hours(self) -> float:
        """Active hours of judging."""
        return self.work.seconds / 3600

    @property
    def per_hour(self) -> float | None:
        """Judgments in an hour; None where no time is known."""
        return self.work.timed / self.hours if self.hours else None


class Pace(NamedTuple):
    """How fast it goes: judgments of one person in an hour of judging, pairs that are new in a day of the last 14, the
    hours of judging that are left, and the day on which all is judged when it goes on so; None where nothing is known.
    """

    per_hour: float | None
    per_day: float
    hours_left: float | None
    end: date | None


class State(NamedTuple):
    """A campaign at a glance. `judged_beyond` counts judged pairs that are in no pool; `documents` those in all
    sources, each once; `withdrawn` runs are not among `runs`, nor `withdrawn_topics` among `topics` and their counts.
    """

    runs: int
    withdrawn: int
    withdrawn_topics: int
    teams: int
    documents: int
    topics: tuple[TopicState, ...]
    assessors: tuple[AssessorState, ...]
    pooled: int
    judged: int
    held_back: int
    judged_beyond: int
    pace: Pace

    @property
    def open(self) -> int:
        """Pairs that wait for a judgment and can have one."""
        return self.pooled - self.judged - self.held_back

    @property
    def graded(self) -> int:
        """Pairs with a grade, in pools and beyond: what `relevant` is a part of."""
        return sum(topic.graded for topic in self.topics)

    @property
    def relevant(self) -> int:
        """Pairs with a relevant grade."""
        return sum(topic.relevant for topic in self.topics)


def state_of(campaign: Campaign, *, now: datetime) -> State:
    """A campaign's progress; `now` (with its time zone) is the time for which the pace is computed.

    Looked at by a round, its runs and the pairs of its pools are counted; people, documents and pace are of all.
    """
    with campaign.snapshot():
        part: OfRound | None = campaign.part
        found = [run for run in runs.all_runs(campaign) if part is None or part.round.has(run)]
        in_force = [run for run in found if run.withdrawn is None]
        # The slow part of a state, and the same for as long as nothing is written.
        tallies, people_tallies = _tallies.now(
            campaign, part, lambda: activity.tallies(campaign, settings.read(campaign).relevant_from)
        )
        out = topic_withdrawals.withdrawn(campaign)
        tallies = {topic_id: tally for topic_id, tally in tallies.items() if topic_id not in out}
        states = tuple(_topics(campaign, tallies, out))
        people = tuple(_assessors(campaign, people_tallies))
        recent = activity.first_judged_since(campaign, now - WINDOW, now=now)
        collected = documents.number_in_sources(campaign)
    pooled, judged, held_back = (
        sum(getattr(state, name) for state in states) for name in ("pooled", "judged", "held_back")
    )
    return State(
        runs=len(in_force),
        withdrawn=len(found) - len(in_force),
        withdrawn_topics=len(out),
        teams=len({run.record.team for run in in_force} - {""}),
        documents=collected,
        topics=states,
        assessors=people,
        pooled=pooled,
        judged=judged,
        held_back=held_back,
        judged_beyond=sum(tally.judged - tally.judged_in_pool for tally in tallies.values()),
        pace=pace_of(people, recent, pooled - judged - held_back, now=now),
    )


def pace_of(people: Sequence[AssessorState], recent: activity.Recent, waiting: int, *, now: datetime) -> Pace:
    """How fast `waiting` pairs are being judged.

    A day's pairs are those of the last 14 days, divided by the days since the first judgment where that is less long
    ago, but by one day at least: an hour's work of the first morning is not taken for a day's pace.
    """
    hours = sum(person.hours for person in people)
    timed = sum(person.work.timed for person in people)
    per_hour = timed / hours if hours else None
    per_day = recent.pairs / _days(recent, now)
    days = waiting / per_day if per_day else None
    end = (now + timedelta(days=days)).date() if days is not None and days <= FURTHEST_END else None
    return Pace(per_hour, per_day, waiting / per_hour if per_hour else None, end if waiting else None)


def _topics(campaign: Campaign, tallies: Mapping[str, TopicTally], out: Collection[str]) -> list[TopicState]:
    settled = settled_by_topic(campaign)
    runs_of = runs.numbers_by_topic(campaign)
    found = []
    for topic_id, title in topics.titles(campaign).items():
        if topic_id in out:
            continue
        tally = tallies.get(topic_id, TopicTally())
        found.append(
            TopicState(
                topic_id,
                title,
                runs_of.get(topic_id, 0),
                tally.pooled,
                tally.judged_in_pool,
                tally.without_text - tally.judged_without_text,
                tally.graded,
                tally.relevant,
                tally.conflicts - settled[topic_id],
            )
        )
    return found


def _assessors(campaign: Campaign, tallies: Sequence[AssessorTally]) -> list[AssessorState]:
    """All assessors in the log, and the members who have not judged yet, by name."""
    roles = members.all_members(campaign)
    found = {tally.assessor: tally for tally in tallies}
    names = sorted(roles.keys() | found.keys())
    return [AssessorState(roles.get(name), found.get(name, AssessorTally(name))) for name in names]


def _days(recent: activity.Recent, now: datetime) -> float:
    if recent.first_at is None:
        return WINDOW / timedelta(days=1)
    since_first = now - datetime.fromisoformat(recent.first_at)
    if since_first < timedelta(0):  # the clock was ahead then, so the time since then is unknown
        since_first = WINDOW
    return max(1.0, min(WINDOW, since_first) / timedelta(days=1))
