"""Claim an unassigned topic for a while, and release it."""

from __future__ import annotations

from datetime import UTC, datetime

from workbench.campaign.assigning.changing import check_topics
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims
from workbench.storage.campaign.collection import topic_withdrawals
from workbench.storage.campaign.organising import settings

MOST_CLAIMS = 3
"""How many topics one assessor may hold at a time: who holds more keeps them from others."""


class NotFree(CampaignError):
    """A topic cannot be claimed now: it is assigned, claimed, closed or withdrawn, or too many claims are held."""


def claim(campaign: Campaign, topic_id: str, assessor: str, *, now: datetime | None = None) -> None:
    """Take a topic: it is the assessor's until nothing was judged there for the campaign's `lease_minutes`.

    Raises NotThere for an unknown topic, NotFree when it cannot be taken.
    """
    moment = now or datetime.now(UTC)
    with campaign.write():
        if topic_id in topic_withdrawals.withdrawn(campaign):
            raise NotFree(f"topic {topic_id} was withdrawn by an organiser")
        check_topics(campaign, [topic_id])
        rules = settings.read(campaign)
        _check_free(campaign, topic_id, assessor, rules, moment)
        claims.put(campaign, topic_id, assessor, now=moment, minutes=rules.lease_minutes)


def give_back(campaign: Campaign, topic_id: str, assessor: str) -> None:
    """Give a topic back before the lease ends; what was judged stays."""
    with campaign.write():
        claims.remove(campaign, topic_id, assessor)


def _check_free(
    campaign: Campaign, topic_id: str, assessor: str, rules: settings.Settings, now: datetime
) -> None:
    if rules.who_judges != "claimed":
        raise NotFree("topics are not for the taking in this campaign")
    if topic_id in assignments.closed(campaign):
        raise NotFree(f"topic {topic_id} is closed")
    parts = assignments.of_topic(campaign, topic_id)
    if assignments.WHOLE in parts.values() or assessor in parts:
        raise NotFree(f"topic {topic_id} is assigned already")
    held = {
        topic
        for topic, taken in claims.all_claims(campaign).items()
        if taken.assessor == assessor and taken.is_live(now, rules.lease_minutes)
    }
    there = claims.of_topic(campaign, topic_id)
    if there is not None and there.assessor != assessor and there.is_live(now, rules.lease_minutes):
        raise NotFree(f"another assessor has claimed topic {topic_id}")
    if len(held - {topic_id}) >= MOST_CLAIMS:
        raise NotFree(f"you hold {MOST_CLAIMS} topics already; finish one or give one back first")
