"""Marking documents whose stored text is broken, so that they wait for another text, and deleting documents."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.wording import listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken, documents, runs
from workbench.storage.campaign.log.kinds import LONGEST_REASON


def mark_broken(campaign: Campaign, document_ids: Sequence[str], *, reason: str) -> None:
    """Mark the stored texts of documents as broken; all of them or none.

    Their pairs leave every queue until the text is replaced or the mark is taken back. Judgments stay, and so does
    every label and score; what was judged on a broken text can be overruled or judged again.

    Raises:
        NotThere: the campaign has no text of a document.
        AlreadyDone: a document is marked already.
        CampaignError: no reason is given.
    """
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise CampaignError(f"say what is broken, in 1 to {LONGEST_REASON:,} characters")
    _mark(campaign, document_ids, is_broken=True, reason=reason)


def mark_not_broken(campaign: Campaign, document_ids: Sequence[str], *, reason: str = "") -> None:
    """Take marks back; all of them or none. AlreadyDone for a document that is not marked."""
    _mark(campaign, document_ids, is_broken=False, reason=reason)


def _mark(campaign: Campaign, document_ids: Sequence[str], *, is_broken: bool, reason: str) -> None:
    with campaign.write():
        there = broken.marked(campaign)
        for document_id in dict.fromkeys(document_ids):
            mark = there.get(document_id)
            if (mark is not None) == is_broken:
                state = (
                    "not marked as broken" if mark is None else f"marked as broken already, by {mark.actor}"
                )
                raise AlreadyDone(f"document {document_id!r} is {state}")
            text_hash = documents.text_hash_of(campaign, document_id)
            if text_hash is None:
                message = (
                    f"{campaign.name} has no text of document {document_id!r}, so it waits for one as it is"
                )
                raise NotThere(message)
            broken.put(campaign, document_id, text_hash, is_broken=is_broken, reason=reason.strip())


def delete_documents(campaign: Campaign, document_ids: Sequence[str], *, reason: str = "") -> int:
    """Delete documents that nothing refers to from all sources; all or none. Returns the event's `seq`.

    Their texts are gone from the campaign; the log keeps their ids. The files that they came from stay as they are: a
    file that is added again brings them back.

    Raises:
        NotThere: no source has a document.
        CampaignError: a run (also a withdrawn one), a pool, a judgment or anything else refers to one of them.
    """
    with campaign.write():
        chosen = list(dict.fromkeys(document_ids))
        if ranked := runs.ranked(campaign, chosen):
            message = f"runs rank {listed(ranked)}; only documents that nothing refers to are deleted"
            raise CampaignError(message)
        return documents.remove(campaign, chosen, reason=reason)
