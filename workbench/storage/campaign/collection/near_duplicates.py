"""Near duplicates among the pooled documents of each topic, and in which texts they were looked for.

They follow from the stored texts and change no number, so they are no part of the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from workbench.core.about import DOCUMENTS
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.file.connection import Campaign


def of_topic(campaign: Campaign, topic_id: str) -> dict[str, str]:
    """For each document that has near duplicates in a topic, the first of its cluster in byte order of the ids."""
    return campaign.mapping("SELECT document, first FROM near_duplicate WHERE topic = ?", [topic_id])


def everywhere(campaign: Campaign) -> dict[str, dict[str, str]]:
    """`of_topic` for each topic that has near duplicates, in byte order of topics and documents."""
    found: dict[str, dict[str, str]] = {}
    rows = campaign.execute("SELECT topic, document, first FROM near_duplicate ORDER BY topic, document")
    for topic_id, document_id, first in rows:
        found.setdefault(topic_id, {})[document_id] = first
    return found


def put(campaign: Campaign, topic_id: str, clusters: Iterable[tuple[str, ...]], *, texts: int) -> None:
    """Replace a topic's clusters, sorted ids of two documents or more, inside the open write transaction."""
    connection = campaign.db.conn
    connection.execute("DELETE FROM near_duplicate WHERE topic = ?", [topic_id])
    connection.executemany(
        "INSERT INTO near_duplicate (topic, document, first) VALUES (?, ?, ?)",
        ((topic_id, document_id, cluster[0]) for cluster in clusters for document_id in cluster),
    )
    connection.execute(
        "INSERT INTO compared (topic, texts) VALUES (?, ?) ON CONFLICT (topic) DO UPDATE SET texts = excluded.texts",
        [topic_id, texts],
    )


def forget(campaign: Campaign, topic_ids: Sequence[str]) -> None:
    """Let near duplicates be looked for again in these topics, inside the open write transaction."""
    campaign.db.conn.executemany("DELETE FROM compared WHERE topic = ?", [(topic,) for topic in topic_ids])


def topics_of(campaign: Campaign, document_ids: Sequence[str]) -> list[str]:
    """The topics that pooled one of these documents."""
    return campaign.column(
        "SELECT DISTINCT topic FROM pooled WHERE document IN (SELECT value FROM json_each(?))",
        [json.dumps(list(document_ids))],
    )


def with_text(campaign: Campaign, topic_ids: Sequence[str]) -> dict[str, dict[str, str]]:
    """The pooled documents of each topic that have a text, in byte order, each with the hash of its text."""
    found: dict[str, dict[str, str]] = {topic_id: {} for topic_id in topic_ids}
    rows = campaign.execute(
        "SELECT topic, document, text_hash FROM pooled JOIN document USING (document) "
        "WHERE topic IN (SELECT value FROM json_each(?)) AND text_hash IS NOT NULL ORDER BY topic, document",
        [json.dumps(list(topic_ids))],
    )
    for topic_id, document_id, text_hash in rows:
        found[topic_id][document_id] = text_hash
    return found


def to_compare(campaign: Campaign) -> list[str]:
    """Topics with pooled documents that near duplicates were not looked for in, in byte order."""
    found = campaign.column(
        """SELECT topic FROM pooled JOIN document USING (document) WHERE text_hash IS NOT NULL GROUP BY topic
        HAVING count(*) <> coalesce((SELECT texts FROM compared WHERE compared.topic = pooled.topic), 0)
        ORDER BY topic"""
    )
    return [topic_id for topic_id in found if about(campaign, topic_id) == DOCUMENTS]
