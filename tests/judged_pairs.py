"""Judgments as the judging page would send them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from workbench.campaign.assessing import Receipt, judge, show
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def submission(
    campaign: Campaign, assessor: str, topic_id: str, document_id: str, grade: int | None, **changes: Any
) -> Judgment:
    """What the judging page would send for a pair as it is shown now, with `changes` to any field."""
    shown = show(campaign, topic_id, document_id, assessor)
    sent = shown.judged(
        document_id,
        uuid=str(uuid4()),
        kind="grade" if grade is not None else "can't tell",
        grade=grade,
        replaces=shown.mine.seq if shown.mine else None,
    )
    return sent._replace(**changes)


def judge_as(
    campaign: Campaign,
    assessor: str,
    topic_id: str,
    document_id: str,
    grade: int | None,
    now: datetime = NOW,
    **changes: Any,
) -> Receipt:
    """Judge a pair as the page would; `grade=None` is can't tell unless `kind` says otherwise."""
    norming = changes.pop("norming", None)
    sent = submission(campaign, assessor, topic_id, document_id, grade, **changes)
    return judge(campaign, sent, assessor=assessor, norming=norming, now=now)
