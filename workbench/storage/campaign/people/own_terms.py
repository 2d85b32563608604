"""Which words an assessor sees marked in the documents of a topic: some of their own, and not all of the topic's."""

from __future__ import annotations

from workbench.methods.text.terms import COLOURS
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.erasable import Ids, id_of


def colours(campaign: Campaign, assessor: str, topic_id: str) -> dict[str, int]:
    """An assessor's terms for a topic, in order, each with the colour it keeps: its number modulo the colours."""
    rows = campaign.execute(
        "SELECT term, number FROM own_term WHERE assessor = ? AND topic = ? ORDER BY number",
        [id_of(campaign, assessor), topic_id],
    )
    return {term: number % COLOURS for term, number in rows}


def of_topic(campaign: Campaign, assessor: str, topic_id: str) -> list[str]:
    """An assessor's terms for a topic, in the order they were added."""
    return list(colours(campaign, assessor, topic_id))


def put(campaign: Campaign, assessor: str, topic_id: str, term: str, colour: int = 0) -> None:
    """Add a term at the end, inside the open write transaction; one that is there keeps its place and colour."""
    newest = campaign.number("SELECT coalesce(max(number), 0) FROM own_term")
    number = newest + 1 + (colour - newest - 1) % COLOURS
    campaign.execute(
        "INSERT INTO own_term (number, assessor, topic, term) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [number, Ids(campaign)[assessor], topic_id, term],
    )


def remove(campaign: Campaign, assessor: str, topic_id: str, term: str) -> None:
    """Take a term away, inside the open write transaction; one that is not there changes nothing."""
    campaign.execute(
        "DELETE FROM own_term WHERE assessor = ? AND topic = ? AND term = ?",
        [id_of(campaign, assessor), topic_id, term],
    )


def unmarked(campaign: Campaign, assessor: str, topic_id: str) -> list[str]:
    """The words of the topic that an assessor has switched off, in byte order."""
    return campaign.column(
        "SELECT term FROM unmarked_term WHERE assessor = ? AND topic = ? ORDER BY term",
        [id_of(campaign, assessor), topic_id],
    )


def switch(campaign: Campaign, assessor: str, topic_id: str, term: str, *, off: bool) -> None:
    """Switch a word of the topic off, or on again, inside the open write transaction."""
    statement = (
        "INSERT INTO unmarked_term (assessor, topic, term) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        if off
        else "DELETE FROM unmarked_term WHERE assessor = ? AND topic = ? AND term = ?"
    )
    campaign.execute(statement, [Ids(campaign)[assessor], topic_id, term])
