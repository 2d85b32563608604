"""The campaign `small`, judged by two who do not agree, each with a word on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.adjudication.deciding import Decision, pair_of
from workbench.core.records import Rationale
from workbench.storage.campaign import Campaign

JUDGED = {
    ("1", "d1"): (2, 0),
    ("1", "d2"): (1, 1),
    ("1", "d4"): (1, 0),
    ("2", "d1"): (0, 1),
    ("2", "d2"): (2, None),
    ("2", "d5"): (1, 2),
}
"""Topic and document -> Ann's grade and Ben's; None is can't tell."""


@pytest.fixture
def disputed(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """Ann and Ben differ on d1 and d4 of topic 1, and on d1 and d5 of topic 2."""
    for (topic_id, document_id), grades in JUDGED.items():
        for name, grade in zip(("Ann", "Ben"), grades, strict=True):
            kept = (Rationale("text", 0, 8, "The text"),) if name == "Ann" else ()
            judging_as(small, name, topic_id, document_id, grade, comment=f"{name}'s", rationales=kept)
    return small


def decision(campaign: Campaign, topic_id: str, document_id: str, grade: int, /, **changes: Any) -> Decision:
    """What the page would send for a pair as it is shown now."""
    pair = pair_of(campaign, topic_id, document_id, "Olga")
    given = pair.shown.judged(
        document_id,
        uuid=f"uuid-{topic_id}-{document_id}-{pair.newest}-{pair.before and pair.before.seq}",
        grade=grade,
        replaces=pair.before.seq if pair.before else None,
    )
    newest, overrules = changes.pop("newest", pair.newest), changes.pop("overrules", False)
    return Decision(given._replace(**changes), newest, overrules)


@pytest.fixture
def decided() -> Callable[..., Decision]:
    """The function `decision`."""
    return decision
