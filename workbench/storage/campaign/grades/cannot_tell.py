"""Judgments that say "can't tell", with the words beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted
from workbench.storage.campaign.file.shown_names import shown
from workbench.storage.campaign.grades.independent_grades import INDEPENDENT_KINDS
from workbench.storage.campaign.log.log import events
from workbench.storage.campaign.log.remarks import COMMENT
from workbench.storage.campaign.organising.settings import SETTINGS


class CannotTell(NamedTuple):
    """A judgment in force that says "can't tell": its topic, assessor and note."""

    topic_id: str
    assessor: str
    comment: str


def in_force(campaign: Campaign) -> Iterator[CannotTell]:
    """All assessors' judgments in force that say "can't tell", in the order of the log."""
    rows = campaign.db.conn.execute(
        f"""SELECT topic, {shown("judgment.assessor")}, {COMMENT} FROM judgment
        WHERE kind = 'can''t tell' AND NOT EXISTS (
            SELECT 1 FROM judgment AS later WHERE later.topic = judgment.topic
            AND later.document = judgment.document AND later.assessor = judgment.assessor
            AND later.seq > judgment.seq AND later.kind IN ({quoted(INDEPENDENT_KINDS)})
        ) ORDER BY seq"""
    )
    return map(CannotTell._make, rows)


def lists_of_reasons(campaign: Campaign) -> list[str]:
    """Every list of reasons that the organisers set, as the setting has it, oldest first."""
    name = "cannot_tell_reasons"
    return [event.content[name] for event in events(campaign, SETTINGS) if name in event.content]
