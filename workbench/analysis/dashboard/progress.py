"""Where a campaign stands: what came in, what is judged, and how fast."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from workbench.analysis.adjudication.conflicts import settled_by_topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
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
    """One person: the role they have (None for a non-member, such as a source of imports), their work, and whether they
    go on judging: they can judge, and have open topics.
    """

    role: str | None
    work: AssessorTally
    goes_on: bool = True

    @property
    def hours(self) -> float:
        """Active hours of judging."""
        return self.work.seconds / 3600

    @property
    def per_hour(self) -> float | None:
        """Judgments in an hour; None where no time is known."""
        return self.work.timed / self.hours if self.hours else None


class Pace(NamedTuple):
    """How fast it goes by the people who go on judging: judgments of one person in an hour of judging, pairs that are
    new in a day of the last 14, the hours of judging that are left, and the day on which all is judged when it goes on
    so; None where nothing is known. `gone` counts those who judged in these days and do not go on.
    """

    per_hour: float | None
    per_day: float
    hours_left: float | None
    end: date | None
    gone: int = 0


class State(NamedTuple):
    """A campaign at a glance. `judged_beyond` counts judged pairs that are in no pool; `documents` those in all
    sources, each once; `withdrawn` runs are not among `runs`, nor `withdrawn_topics` among `topics` and their counts;
    `disabled` are the people whose accounts are disabled.
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
    disabled: Collection[str] = ()

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


def state_of(campaign: Campaign, *, now: datetime, disabled: Collection[str] = ()) -> State:
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
        goes_on = _going_on(campaign, states, disabled)
        people = tuple(_assessors(campaign, people_tallies, goes_on))
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
        disabled=disabled,
    )


def pace_of(
    people: Sequence[AssessorState], recent: Mapping[str, int], waiting: int, *, now: datetime
) -> Pace:
    """How fast `waiting` pairs are being judged by the people who go on; `recent` are the pairs of the last 14 days.

    A person's pairs of a day are these, divided by the days since their first judgment where that is less long ago, but
    by one day at least: an hour's work of the first morning is not taken for a day's pace.
    """
    there = [person for person in people if person.goes_on]
    hours = sum(person.hours for person in there)
    timed = sum(person.work.timed for person in there)
    per_hour = timed / hours if hours else None
    per_day = sum(recent.get(each.work.assessor, 0) / _days(each.work.first_at, now) for each in there)
    days = waiting / per_day if per_day else None
    end = (now + timedelta(days=days)).date() if days is not None and days <= FURTHEST_END else None
    gone = sum(recent.get(each.work.assessor, 0) > 0 for each in people if not each.goes_on)
    left = waiting / per_hour if per_hour else None
    return Pace(per_hour, per_day, left, end if waiting else None, gone)


def _going_on(
    campaign: Campaign, states: Sequence[TopicState], disabled: Collection[str]
) -> Callable[[str], bool]:
    """Whether a person can judge and has open topics; who never was a member judges at the server's own computer."""
    roles, owners = members.roles_ever(campaign), assignments.owners(campaign)
    who = settings.read(campaign).who_judges
    waiting = {topic.topic_id for topic in states if topic.open > 0} - assignments.closed(campaign).keys()
    free = waiting if who == "anybody" else waiting - owners.keys() if who == "claimed" else ()
    busy = {name for topic_id in waiting for name in owners.get(topic_id, ())}
    able = (None, *members.JUDGES)
    return lambda name: roles.get(name) in able and name not in disabled and (bool(free) or name in busy)


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


def _assessors(
    campaign: Campaign, tallies: Sequence[AssessorTally], goes_on: Callable[[str], bool]
) -> list[AssessorState]:
    """All assessors in the log, and the members who have not judged yet, by name."""
    roles = members.all_members(campaign)
    found = {tally.assessor: tally for tally in tallies}
    names = sorted(roles.keys() | found.keys())
    return [
        AssessorState(roles.get(name), found.get(name, AssessorTally(name)), goes_on(name)) for name in names
    ]


def _days(first_at: str, now: datetime) -> float:
    since_first = now - datetime.fromisoformat(first_at) if first_at else WINDOW
    if since_first < timedelta(0):  # the clock was ahead then, so the time since then is unknown
        since_first = WINDOW
    return max(1.0, min(WINDOW, since_first) / timedelta(days=1))
