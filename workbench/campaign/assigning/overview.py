"""Who judges what, topic by topic, as an organiser sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from workbench.campaign.assigning.changing import is_chosen
from workbench.campaign.assigning.handing_over import without_judge
from workbench.core.natural_order import natural
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims, draws
from workbench.storage.campaign.assigning.assignments import SECOND, WHOLE
from workbench.storage.campaign.assigning.claims import Claim
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import current_judgments
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members


class TopicRow(NamedTuple):
    """A topic with pooled pairs: who has the whole of it, who is second, who has taken it for now, how far it is."""

    topic_id: str
    title: str
    pooled: int
    judged: int
    whole: tuple[str, ...]
    second: str | None
    claim: Claim | None
    is_closed: bool
    drawn: int


class Overview(NamedTuple):
    """All topics in natural order, who may be asked to judge, and those who were asked and are no judges yet.

    `without_judge` counts the open topics that wait for people who cannot judge. Until the setting is made
    (`is_chosen`) any assessor judges any topic.
    """

    who_judges: str
    is_chosen: bool
    lease_minutes: int
    rows: tuple[TopicRow, ...]
    judges: tuple[str, ...]
    without_judging_role: tuple[str, ...]
    without_judge: int = 0

    @property
    def unassigned(self) -> int:
        """Topics with open pairs that are neither assigned nor claimed."""
        return sum(
            not row.whole and row.claim is None and not row.is_closed and row.judged < row.pooled
            for row in self.rows
        )


def overview(campaign: Campaign, now: datetime | None = None, *, disabled: Collection[str] = ()) -> Overview:
    """Who judges what now; people whose accounts are `disabled` cannot judge."""
    moment = now or datetime.now(UTC)
    with campaign.snapshot():
        rules = settings.read(campaign)
        chosen = is_chosen(campaign)
        titles = topics.titles(campaign)
        there = assignments.all_assignments(campaign)
        claimed = rules.who_judges == "claimed"
        taken = claims.live(campaign, moment, rules.lease_minutes) if claimed else {}
        closed = assignments.closed(campaign)
        drawn = draws.drawn(campaign)
        counts = progress_by_topic(campaign, "")
        roles = members.all_members(campaign)
    whole: dict[str, list[str]] = {}
    second: dict[str, str] = {}
    for row in there:
        if row.part == WHOLE:
            whole.setdefault(row.topic_id, []).append(row.assessor)
        elif row.part == SECOND:
            second[row.topic_id] = row.assessor
    rows = [
        TopicRow(
            count.topic_id,
            titles[count.topic_id],
            count.pooled,
            count.judged,
            tuple(whole.get(count.topic_id, ())),
            second.get(count.topic_id),
            taken.get(count.topic_id),
            count.topic_id in closed,
            len(drawn.get(count.topic_id, ())),
        )
        for count in counts
    ]
    judging = tuple(name for name, role in roles.items() if role in members.JUDGES and name not in disabled)
    without_judging_role = sorted({row.assessor for row in there} - set(judging), key=natural)
    ordered = tuple(sorted(rows, key=lambda row: natural(row.topic_id)))
    return Overview(
        rules.who_judges,
        chosen,
        rules.lease_minutes,
        ordered,
        judging,
        tuple(without_judging_role),
        len(without_judge(campaign, disabled)),
    )


class DrawnStratum(NamedTuple):
    """A stratum of a draw, or all of its topics: the draw's time, seed and share, the stratum's name, how many pairs
    were drawn, the lowest and highest probability they had, and how many of them two assessors have judged.
    """

    at: str
    seed: int
    share: float
    words: str
    drawn: int
    lowest: float
    highest: float
    twice: int


def draws_of(campaign: Campaign) -> list[DrawnStratum]:
    """Every draw's strata, oldest draw first; topics are one line."""
    with campaign.snapshot():
        found = draws.all_draws(campaign)
        twice = current_judgments.drawn_twice(campaign)
    return [row for draw in found for row in _strata(draw, twice)]


def _strata(draw: draws.StoredDraw, judged_twice: Collection[tuple[str, str]]) -> Iterator[DrawnStratum]:
    record = draw.record
    strata: dict[str, list[draws.DrawnPair]] = {}
    for pair in draw.drawn:
        strata.setdefault(pair.stratum if record.stratify == "grade" else "", []).append(pair)
    for stratum in sorted(strata, key=natural):
        pairs = strata[stratum]
        chances = [pair.inclusion_probability for pair in pairs]
        words = {"none": "all pairs", "topic": "each topic"}.get(record.stratify, f"grade {stratum}")
        twice = sum((pair.topic_id, pair.document_id) in judged_twice for pair in pairs)
        yield DrawnStratum(
            draw.at, record.seed, record.share, words, len(pairs), min(chances), max(chances), twice
        )
