"""Deleting single documents, such as the header line of a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from workbench.core.errors import CampaignError
from workbench.core.wording import listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, runs


def delete_documents(
    campaign: Campaign,
    document_ids: Sequence[str],
    *,
    reason: str = "",
    actor: str,
    now: datetime | None = None,
) -> int:
    """Delete documents that nothing refers to from all sources; all or none. Returns the event's `seq`.

    Their texts are gone from the campaign; the log keeps their ids. The files that they came from stay as they are: a
    file that is added again brings them back.

    Args:
        campaign: an open campaign.
        document_ids: which documents.
        reason: why, for the log.
        actor: who does it, for the log.
        now: the time to record.

    Raises:
        NotThere: no source has a document.
        CampaignError: a run (also a withdrawn one), a pool, a judgment or anything else refers to one of them.
    """
    with campaign.write():
        chosen = list(dict.fromkeys(document_ids))
        if ranked := runs.ranked(campaign, chosen):
            message = f"runs rank {listed(ranked)}; only documents that nothing refers to are deleted"
            raise CampaignError(message)
        return documents.remove(campaign, chosen, reason=reason, actor=actor, now=now)
