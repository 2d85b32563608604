"""Tables that follow from the log, compared with what it says."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.log import events
from workbench.storage.campaign.people import members


def differences(campaign: Campaign) -> Iterator[str]:
    """A sentence for each kind of thing of which a table says something else than the log; judgments are left out."""
    yield from differences_of_labels(campaign)
    stored = {row.topic.topic_id: row for row in topics.all_topics(campaign)}
    yield from _different("topics", topics.by_id(campaign), stored)
    logged = events(campaign, members.MEMBER)
    yield from _different("members", members.replay(logged), members.all_members(campaign))
    yield from _different("teams of participants", members.replay_teams(logged), members.teams(campaign))


def differences_of_labels(campaign: Campaign) -> Iterator[str]:
    """The same of what decides which judgments give the labels."""
    logged = events(campaign, assignments.ASSIGNMENT)
    yield from _different("assignments", assignments.replay(logged), assignments.stored(campaign))


def _different(what: str, logged: object, stored: object) -> Iterator[str]:
    if logged != stored:
        yield f"{what}: not what the log says"
