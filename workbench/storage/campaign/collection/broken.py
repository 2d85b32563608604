"""Documents whose stored text is broken: marked by an organiser, so that they wait until the text is replaced.

A mark is an event of the log that names the document and the hash of its text, so it is about this text alone: once
the text is another, the mark is in force no longer. It changes no label and no score.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import State, part

BROKEN = kinds.BROKEN_DOCUMENT
REPAIRED = kinds.MENDED_DOCUMENT

KINDS = (BROKEN, REPAIRED)

BROKEN_NOW = "SELECT value FROM json_each(:broken)"
"""What is held back now, as a query of SQL for the other modules that hold pairs back: its parameter
`broken` is what `now` gives."""

CITED = """SELECT topic, document AS unit, unit.fields ->> 'document' AS cited
    FROM document AS unit JOIN pooled USING (document) WHERE document >= 'unit:' AND document < 'unit;'
    UNION ALL SELECT topic, document, listed.value
    FROM document AS unit JOIN pooled USING (document) JOIN json_each(unit.fields ->> 'documents') AS listed
    WHERE document >= 'unit:' AND document < 'unit;'"""
"""Each pooled unit with its topic and a document that it shows; `cited` is NULL for units that show none."""


class Mark(NamedTuple):
    """A document that is marked as broken: since which row of the log, when, by whom and why."""

    document_id: str
    seq: int
    at: str
    actor: str
    reason: str


def put(campaign: Campaign, document_id: str, text_hash: str, *, is_broken: bool, reason: str) -> int:
    """Mark a document, or take the mark back, inside the open write transaction; returns the event's `seq`."""
    content = {"document": document_id, "text_hash": text_hash, "reason": reason}
    return append_event(campaign, BROKEN if is_broken else REPAIRED, content)


@part(BROKEN, REPAIRED, start=dict)
def _marks(found: dict[str, tuple[str, Mark]], event: Event) -> None:
    """The mark of each document whose mark was not taken back, with the hash of the text that it is about."""
    document_id = event.content["document"]
    if event.kind == BROKEN:
        mark = Mark(document_id, event.seq, event.at, event.actor, event.content["reason"])
        found[document_id] = event.content["text_hash"], mark
    else:
        found.pop(document_id, None)


def marked(campaign: Campaign) -> dict[str, Mark]:
    """Every document that is marked now, by id, in the order of the log."""
    state = State.of(campaign.now)
    marks = state[_marks]
    if not marks:
        return {}
    stored = campaign.mapping(
        "SELECT document, text_hash FROM document WHERE document IN (SELECT value FROM json_each(?))",
        [json.dumps(list(marks))],
    )
    return {
        document_id: mark._replace(actor=state.names[mark.actor])
        for document_id, (text_hash, mark) in marks.items()
        if stored.get(document_id) == text_hash
    }


def held_back(campaign: Campaign) -> set[str]:
    """The documents that are marked now, and the pooled units that show one of them."""
    there, units = list(marked(campaign)), list[str]()
    if there:
        showing = f"SELECT unit FROM ({CITED}) WHERE cited IN (SELECT value FROM json_each(?))"
        units = campaign.column(showing, [json.dumps(there)])
    return {*there, *units}


def now(campaign: Campaign) -> str:
    """What is held back now, as a JSON array."""
    return json.dumps(sorted(held_back(campaign)))


def history_of(campaign: Campaign, document_id: str) -> list[Event]:
    """The events that marked a document or took the mark back, in the order of the log."""
    return [event for event in events(campaign, *KINDS) if event.content["document"] == document_id]
