"""A pair becomes certain while its last document is judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.axe import found
from tests.web.drawings import drawn
from tests.web.judging.judging_page import ready
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def two(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """`one` has d1 on top, which is relevant, and `other` d2, which is not judged."""
    rankings = {"one": {"1": ["d1", "d2"]}, "other": {"1": ["d2", "d1"]}}
    texts = [Document(f"d{number}", f"Document {number}", "text") for number in (1, 2)]
    path = make_campaign("two", [Topic("1", "ice")], texts, rankings)
    with open_campaign(path) as campaign:
        add_pool(campaign.by("Anna"), depth=2)
        judging_as(campaign, "Ben", "1", "d1", 1)
    return path


@pytest.mark.usefixtures("two")
def test_a_pair_becomes_certain_while_its_last_document_is_judged(visit: Visit) -> None:
    board = visit("/c/two/board?m=P@1", "Anna")
    expect(board.locator("#certain-words")).to_have_text("0 of 1 pair of runs certain by P@1.")
    pairs = visit("/c/two/board?m=P@1", "Anna")
    pairs.get_by_role("link", name="Which pairs are certain").click()
    expect(pairs.locator("#certain .scroll")).to_contain_text("can become level")
    drawn(pairs.locator("figure[data-figure*='certain-pairs']"))
    assert found(pairs, "can we stop") == []
    judging = visit("/c/two/judge?topic=1&document=d2", "Ben")
    ready(judging, "Document 2")
    judging.keyboard.press("0")
    expect(board.locator("#certain-words")).to_have_text("1 of 1 pair of runs certain by P@1.")
    # So does the page of the answer, which nobody loaded again.
    expect(pairs.locator("#answer-words")).to_have_text("Yes: the only pair of runs is certain by P@1.")
    expect(pairs.locator("#answer-next")).to_be_hidden()
    expect(pairs.locator("#answer-news")).to_contain_text("the rest of the page is older.")
    drawn(pairs.locator("figure[data-figure*='certain-pairs']"))
    assert found(pairs, "can we stop, after a judgment") == []
    pairs.get_by_role("link", name="Reload").click()
    expect(pairs.locator("#certain .scroll")).not_to_contain_text("can become level")
