"""Words that an assessor wants to see marked in the documents of a topic, besides those of the topic itself."""

from __future__ import annotations

from workbench.campaign.connection import Campaign


def of_topic(campaign: Campaign, assessor: str, topic_id: str) -> list[str]:
    """An assessor's terms for a topic, in the order they were added."""
    rows = campaign.db.conn.execute(
        "SELECT term FROM own_term WHERE assessor = ? AND topic = ? ORDER BY number", [assessor, topic_id]
    )
    return [term for (term,) in rows]


def put(campaign: Campaign, assessor: str, topic_id: str, term: str) -> None:
    """Add a term at the end, inside the open write transaction; one that is there keeps its place."""
    campaign.db.conn.execute(
        "INSERT INTO own_term (assessor, topic, term) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [assessor, topic_id, term],
    )


def remove(campaign: Campaign, assessor: str, topic_id: str, term: str) -> None:
    """Take a term away, inside the open write transaction; one that is not there changes nothing."""
    campaign.db.conn.execute(
        "DELETE FROM own_term WHERE assessor = ? AND topic = ? AND term = ?", [assessor, topic_id, term]
    )
