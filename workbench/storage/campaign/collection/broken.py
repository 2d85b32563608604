"""Documents whose stored text is broken: marked by an organiser, so that they wait until the text is replaced.

A mark is an event of the log that names the document and the hash of its text, so it is about this text alone: once
the text is another, the mark is in force no longer. It changes no label and no score.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events

BROKEN = kinds.BROKEN_DOCUMENT
REPAIRED = kinds.MENDED_DOCUMENT

KINDS = (BROKEN, REPAIRED)

BROKEN_NOW = f"""SELECT marked.document FROM (
        SELECT content ->> '$.document' AS document, content ->> '$.text_hash' AS text_hash, kind, max(seq)
        FROM event WHERE kind IN ('{BROKEN}', '{REPAIRED}') GROUP BY content ->> '$.document'
    ) AS marked CROSS JOIN document AS of_text USING (document)
    WHERE marked.kind = '{BROKEN}' AND of_text.text_hash = marked.text_hash"""
"""The documents that are marked now, as a query of SQL for the other modules that hold pairs back."""


class Mark(NamedTuple):
    """A document that is marked as broken: since which row of the log, when, by whom and why."""

    document_id: str
    seq: int
    at: str
    actor: str
    reason: str


def put(
    campaign: Campaign,
    document_id: str,
    text_hash: str,
    *,
    is_broken: bool,
    reason: str,
    actor: str,
    now: datetime | None = None,
) -> int:
    """Mark a document, or take the mark back, inside the open write transaction; returns the event's `seq`."""
    content = {"document": document_id, "text_hash": text_hash, "reason": reason}
    return append_event(campaign, BROKEN if is_broken else REPAIRED, content, actor=actor, now=now)


def marked(campaign: Campaign) -> dict[str, Mark]:
    """Every document that is marked now, by id, in the order of the log."""
    now = {document_id for (document_id,) in campaign.db.conn.execute(BROKEN_NOW)}
    newest = {event.content["document"]: event for event in events(campaign, BROKEN)} if now else {}
    return {document_id: _mark(event) for document_id, event in newest.items() if document_id in now}


def history_of(campaign: Campaign, document_id: str) -> list[Event]:
    """The events that marked a document or took the mark back, in the order of the log."""
    return [event for event in events(campaign, *KINDS) if event.content["document"] == document_id]


def _mark(event: Event) -> Mark:
    return Mark(event.content["document"], event.seq, event.at, event.actor, event.content["reason"])
