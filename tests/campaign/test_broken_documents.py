"""Documents whose text is broken are marked and wait, all that are named or none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asked_answers import add_answers, add_texts
from tests.made_answers import REEFS, YEARS, answer
from tests.sentences import refused
from workbench.campaign.assessing import queue
from workbench.campaign.content_changes import LONGEST_REASON, mark_broken, mark_not_broken
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import CITATIONS, DOCUMENT_PAIRS, LIST_PAIRS
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken, units
from workbench.storage.campaign.log.log import newest_seq

ALL_PAIRS = {"strategy": "all-pairs"}


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


@pytest.mark.parametrize(
    ("about", "pool"), [(CITATIONS, {"depth": 9}), (LIST_PAIRS, ALL_PAIRS), (DOCUMENT_PAIRS, ALL_PAIRS)]
)
def test_units_that_show_a_broken_document_wait_with_it(
    small: Campaign, about: str, pool: dict[str, Any]
) -> None:
    add_answers(small, answer("1", ("Deep.", [0]), ("Cold.", [1])))
    question = USUAL[about]._replace(depth=1 if about == LIST_PAIRS else USUAL[about].depth)
    declare(small.by("Olga"), question)
    add_pool(small.asking(question.name).by("Olga"), **pool)
    add_texts(small, {REEFS: "Reefs recover.", YEARS: "Some years are cooler."})
    shows = {each.unit_id: each.documents for each in units.of_topic(small, f"1!{question.name}").units}
    text = next(iter(shows.values()))[0]
    mark_broken(small.by("Olga"), [text], reason="cut off")
    waiting = {each for each, shown in shows.items() if text in shown}
    there = {each.document_id for each in queue(small, f"1!{question.name}", "Ann")}
    assert waiting
    assert there == shows.keys() - waiting
    mark_not_broken(small.by("Olga"), [text])
    assert {each.document_id for each in queue(small, f"1!{question.name}", "Ann")} == shows.keys()


def test_a_document_without_a_text_waits_for_one_as_it_is(small: Campaign) -> None:
    with refused(NotThere, "d6"):
        mark_broken(small.by("Olga"), ["d1", "d6"], reason="cut off")
    assert marked(small) == {}
