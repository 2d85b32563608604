"""Judgments as the judging page would send them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from workbench.campaign.assessing import Receipt, judge, show
from workbench.core.errors import WorkbenchError
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign, open_campaign

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


def at_once(path: Path, act: Callable[[Campaign, Any], Any], items: Sequence[Any]) -> list[Any]:
    """What each item comes to, a result or an error: all begin together, each with a connection of its own."""
    start = threading.Barrier(len(items))

    def begin(item: Any) -> Any:
        with open_campaign(path) as campaign:
            start.wait()
            try:
                return act(campaign, item)
            except WorkbenchError as error:
                return error

    with ThreadPoolExecutor(len(items)) as threads:
        return list(threads.map(begin, items))
