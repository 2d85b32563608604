"""Marking documents whose stored text is broken, so that they wait for another text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken, documents
from workbench.storage.campaign.log.kinds import LONGEST_REASON


def mark_broken(
    campaign: Campaign, document_ids: Sequence[str], *, reason: str, actor: str, now: datetime | None = None
) -> None:
    """Mark the stored texts of documents as broken; all of them or none.

    Their pairs leave every queue until the text is replaced or the mark is taken back. Judgments stay, and so does
    every label and score; what was judged on a broken text can be overruled or judged again.

    Raises:
        NotThere: the campaign has no text of a document.
        AlreadyDone: a document is marked already.
        CampaignError: no reason is given.
    """
    if not reason.strip() or len(reason) > LONGEST_REASON:
        message = f"say what is broken, in 1 to {LONGEST_REASON:,} characters"
        raise CampaignError(message)
    with campaign.write():
        there = broken.marked(campaign)
        for document_id in dict.fromkeys(document_ids):
            if document_id in there:
                mark = there[document_id]
                message = f"document {document_id!r} is marked as broken already, by {mark.actor}"
                raise AlreadyDone(message)
            _put(campaign, document_id, is_broken=True, reason=reason.strip(), actor=actor, now=now)


def mark_not_broken(
    campaign: Campaign,
    document_ids: Sequence[str],
    *,
    reason: str = "",
    actor: str,
    now: datetime | None = None,
) -> None:
    """Take marks back; all of them or none. AlreadyDone for a document that is not marked."""
    with campaign.write():
        there = broken.marked(campaign)
        for document_id in dict.fromkeys(document_ids):
            if document_id not in there:
                message = f"document {document_id!r} is not marked as broken"
                raise AlreadyDone(message)
            _put(campaign, document_id, is_broken=False, reason=reason.strip(), actor=actor, now=now)


def _put(
    campaign: Campaign, document_id: str, *, is_broken: bool, reason: str, actor: str, now: datetime | None
) -> None:
    text_hash = documents.text_hash_of(campaign, document_id)
    if text_hash is None:
        message = f"{campaign.name} has no text of document {document_id!r}, so it waits for one as it is"
        raise NotThere(message)
    broken.put(campaign, document_id, text_hash, is_broken=is_broken, reason=reason, actor=actor, now=now)
