"""Documents whose text is broken are marked and wait, all that are named or none."""

from __future__ import annotations

import pytest

from tests.sentences import refused
from workbench.campaign.content_changes import LONGEST_REASON, mark_broken, mark_not_broken
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.log.log import newest_seq


def marked(campaign: Campaign) -> dict[str, str]:
    return {mark.document_id: mark.reason for mark in broken.marked(campaign).values()}


def test_documents_are_marked_once_with_a_reason_and_the_mark_is_taken_back(small: Campaign) -> None:
    before = newest_seq(small)
    mark_broken(small.by("Olga"), ["d1", "d2", "d1"], reason=" cut off ")
    assert newest_seq(small) == before + 2
    assert marked(small) == {"d1": "cut off", "d2": "cut off"}
    with refused(AlreadyDone, "d2"):
        mark_broken(small.by("Ona"), ["d4", "d2"], reason="cut off")
    with refused(AlreadyDone, "d4"):
        mark_not_broken(small.by("Olga"), ["d1", "d4"])
    assert marked(small) == {"d1": "cut off", "d2": "cut off"}
    mark_not_broken(small.by("Olga"), ["d1", "d1"])
    assert marked(small) == {"d2": "cut off"}


@pytest.mark.parametrize("reason", ["", "  ", "x" * (LONGEST_REASON + 1)])
def test_a_mark_needs_a_reason_that_can_be_read(small: Campaign, reason: str) -> None:
    with refused(CampaignError):
        mark_broken(small.by("Olga"), ["d1"], reason=reason)
    mark_broken(small.by("Olga"), ["d1"], reason="x" * LONGEST_REASON)


def test_a_document_without_a_text_waits_for_one_as_it_is(small: Campaign) -> None:
    with refused(NotThere, "d6"):
        mark_broken(small.by("Olga"), ["d1", "d6"], reason="cut off")
    assert marked(small) == {}
