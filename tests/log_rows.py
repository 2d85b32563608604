"""Rows of the log as tests put them there by themselves, past the judging page and its checks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from workbench.campaign import Campaign
from workbench.records import Judgment

_number = count(1)


def row(assessor: str, topic_id: str, document_id: str, grade: int | None, **changes: Any) -> Judgment:
    """A judgment that names nothing but who judged which pair; `changes` are to any other field."""
    bare = Judgment(
        seq=0,
        uuid=f"row-{next(_number):032d}",
        received_at="2026-03-01T12:00:00.000+00:00",
        client_at=None,
        assessor=assessor,
        topic_id=topic_id,
        document_id=document_id,
        pool=None,
        text_hash=None,
        topic_version=None,
        guideline_version=None,
        kind="grade",
        grade=grade,
        replaces=None,
        active_seconds=None,
        comment="",
        source="test",
    )
    return bare._replace(**changes)


@contextmanager
def rolled_back(campaign: Campaign) -> Iterator[None]:
    """What is written in the block is gone after it."""
    campaign.db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        campaign.db.conn.execute("ROLLBACK")
