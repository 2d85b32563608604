"""How many rows of one pair one assessor can append in a minute: the log keeps every one of them for ever.

More are refused for the moment and not for good. The page keeps what waits and sends it again until it is stored, so
that a pair that was judged back and forth without a connection comes in whole, a little later.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from workbench.core.errors import JudgmentRefused
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import judgments

MOST_ROWS = 30
WINDOW = timedelta(minutes=1)
TOO_MANY = "too many in a minute"


def check_pace(
    campaign: Campaign, topic_id: str, document_id: str, assessor: str, *, now: datetime | None = None
) -> None:
    """Refuse a row of a pair of which the assessor has MOST_ROWS within WINDOW; called inside the write transaction.

    Raises JudgmentRefused as `TOO_MANY`.
    """
    refuse_haste(earlier_row(campaign, topic_id, document_id, assessor), now or datetime.now(UTC))


def earlier_row(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> str | None:
    """When the assessor's row for a pair came in that is MOST_ROWS back; None without one."""
    return judgments.received_at(campaign, topic_id, document_id, assessor, back=MOST_ROWS)


def refuse_haste(earlier: str | None, now: datetime) -> None:
    """Refuse a row where `earlier_row` came in within WINDOW; rows that a clock which was put back has in the future
    do not count. Raises JudgmentRefused as `TOO_MANY`.
    """
    if earlier is not None and timedelta(0) <= now - datetime.fromisoformat(earlier) < WINDOW:
        message = (
            f"you judged this document {MOST_ROWS} times within a minute; send this one again a little later"
        )
        raise JudgmentRefused(TOO_MANY, message)
