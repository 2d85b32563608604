"""What an assessor put off: pairs marked to be judged later. They are private and change no counts."""

from __future__ import annotations

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.erasable import Ids, id_of


def of_topic(campaign: Campaign, assessor: str, topic_id: str) -> set[str]:
    """The documents of a topic that an assessor put off."""
    of_topic = "SELECT document FROM later WHERE assessor = ? AND topic = ?"
    return set(campaign.column(of_topic, [id_of(campaign, assessor), topic_id]))


def put(campaign: Campaign, assessor: str, topic_id: str, document_id: str) -> None:
    """Mark a pair, inside the open write transaction; a second mark changes nothing."""
    campaign.execute(
        "INSERT INTO later (assessor, topic, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [Ids(campaign)[assessor], topic_id, document_id],
    )


def remove(campaign: Campaign, assessor: str, topic_id: str, document_id: str) -> None:
    """Take a mark away, inside the open write transaction; without one nothing changes."""
    campaign.execute(
        "DELETE FROM later WHERE assessor = ? AND topic = ? AND document = ?",
        [id_of(campaign, assessor), topic_id, document_id],
    )
