"""Texts that changed between two releases of a collection, and the judgments that were given on the old ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import uuid4

from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, near_duplicates
from workbench.storage.campaign.collection.staging import differing_texts, replace_texts
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.sources import ADJUDICATION
from workbench.storage.campaign.log import log

SOURCE = "changed text"
"""What a judgment that was cleared says of where it came from."""


def put_changed_texts(
    campaign: Campaign, place: int, source: int, *, actor: str, now: datetime | None = None
) -> int:
    """Put the texts staged for `place` in the places of others, inside the open write transaction; how many.

    The event names each document with the hashes of the old and of the new text; the old text is not kept. A source's
    first one is written also where no text differs: texts that are read later come from the newest such source first.
    """
    changes = differing_texts(campaign, place)
    replace_texts(campaign, place, source)
    if changes or source not in {each.source for each in documents.changes(campaign)}:
        documents.put_changes(campaign, source, changes, actor=actor, now=now)
    near_duplicates.forget(
        campaign, near_duplicates.topics_of(campaign, [each.document_id for each in changes])
    )
    return len(changes)


def clear_judgments_of_other_texts(campaign: Campaign, *, now: datetime | None = None) -> int:
    """Clear judgments given on another text than the one stored now, inside the open write transaction; how many.

    These pairs are open again. Imported labels name no text, and stay.
    """
    old = judgments.standing_on_other_texts(campaign)
    texts = {each: documents.text_hash_of(campaign, each) for each in {row.document_id for row in old}}
    log.append_judgments(campaign, [_cleared(row, texts[row.document_id], now) for row in old])
    return len(old)


def _cleared(old: Judgment, text_hash: str | None, now: datetime | None) -> Judgment:
    """The row that takes a judgment back in the name of its assessor; an adjudication without a grade does so too."""
    return old.follows(
        uuid=str(uuid4()),
        received_at=log.timestamp(now),
        text_hash=text_hash,
        kind=ADJUDICATION if old.kind == ADJUDICATION else "cleared",
        grade=None,
        replaces=old.seq,
        comment="",
        source=SOURCE,
        same_as=None,
        rationales=(),
    )


def sources_in_order(campaign: Campaign) -> Sequence[documents.StoredSource]:
    """The recorded sources as texts are read from them: those that changed texts, newest first, then the others."""
    changing = [change.source for change in documents.changes(campaign)]
    rank = {source: place for place, source in enumerate(changing)}
    return sorted(documents.sources(campaign), key=lambda each: -rank.get(each.source, -1))
