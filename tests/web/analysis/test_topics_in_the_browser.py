"""Topics in a browser: from the list to a topic to a document, and a map of as many runs as campaigns get."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.axe import found
from tests.web.drawings import A_WHILE, drawn
from tests.web.judging.judging_page import ready
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


RUNS = 143
DEPTH = 30
LONG_NAME = "a-team-with-a-long-name.run-17.bm25+rm3.monoT5-3b.rerank-1000.fused"

OVERLAPS = """(labels) => {
    const boxes = labels.map((label) => label.getBoundingClientRect()).sort((one, other) => one.top - other.top);
    return boxes.slice(1).filter((box, place) => box.top + box.height / 2 < boxes[place].bottom - 1).length;
}"""


@pytest.fixture
def many(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """143 runs of 30 documents, each beginning one document later; every third document is judged, and relevant."""
    tags = [f"team{number:03}-with-a-name" for number in range(RUNS - 1)] + [LONG_NAME]
    names = [f"d{number}" for number in range(RUNS + DEPTH)]
    path = make_campaign(
        "many",
        [Topic("1", "frozen rivers", "Which rivers freeze?")],
        [Document(name, f"Document {name}", "Ice.") for name in names],
        {tag: {"1": names[start : start + DEPTH]} for start, tag in enumerate(tags)},
    )
    with open_campaign(path) as campaign:
        for name in names[:60:3]:
            judging_as(campaign, "Ben", "1", name, 1)
    return path


def test_one_comes_from_the_list_to_a_topic_and_to_the_judging_of_a_document(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d4", 0)
    page = visit("/c/small/topics", "Anna")
    page.get_by_role("combobox", name="Order").select_option("Median, smallest first")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"/topics\?q=&state=&m=AP&sort=median$"))
    page.get_by_role("rowheader", name="1").get_by_role("link", name="1").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Topic 1 frozen rivers")
    page.get_by_role("table", name="Non-relevant documents found by many runs").get_by_role(
        "link", name="d4"
    ).click()
    expect(page).to_have_url(re.compile(r"/pair\?topic=1&document=d4$"))


@pytest.mark.usefixtures("many")
def test_a_click_on_the_map_opens_the_document_at_that_rank_of_that_run(visit: Visit) -> None:
    page = visit("/c/many/topic?topic=1", "Anna", viewport={"width": 1440, "height": 900})
    figure = page.locator("figure[data-state=drawn]").first
    expect(figure).to_be_visible(timeout=A_WHILE)
    stretch = figure.locator(".mark-rect path[aria-label*='Run: team100-with-a-name']")
    expect(stretch).to_have_count(1)
    box = stretch.bounding_box()
    assert box is not None
    rank = 7
    stretch.click(position={"x": box["width"] * (rank - 0.5) / DEPTH, "y": box["height"] / 2})
    expect(page).to_have_url(re.compile(rf"/pair\?topic=1&document=d{100 + rank - 1}$"))


@pytest.mark.usefixtures("many")
def test_143_runs_fit_into_a_map_and_their_names_can_be_read(visit: Visit) -> None:
    page = visit("/c/many/topic?topic=1", "Anna", viewport={"width": 1440, "height": 900})
    figure = page.locator("figure[data-state=drawn]").first
    expect(figure).to_be_visible(timeout=A_WHILE)
    names = figure.locator(".role-axis-label text").filter(has_text="team")
    expect(names).to_have_count(RUNS)
    assert names.evaluate_all(OVERLAPS) == 0
    sizes = names.evaluate_all(
        "(labels) => labels.map((label) => parseFloat(getComputedStyle(label).fontSize))"
    )
    assert min(sizes) >= 10
    place = figure.locator(".figure-place")
    assert place.evaluate("(place) => place.scrollWidth <= place.clientWidth")


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
    expect(board.locator("#certain-words")).to_contain_text("0 of 1 pair")
    pairs = visit("/c/two/board?m=P@1", "Anna")
    pairs.get_by_role("link", name="Which pairs are certain").click()
    expect(pairs.locator("#certain .scroll")).to_contain_text("can become level")
    drawn(pairs.locator("figure[data-figure*='certain-pairs']"))
    assert found(pairs, "can we stop") == []
    judging = visit("/c/two/judge?topic=1&document=d2", "Ben")
    ready(judging, "Document 2")
    judging.keyboard.press("0")
    expect(board.locator("#certain-words")).to_contain_text("1 of 1 pair")
    # So does the page of the answer, which nobody loaded again.
    expect(pairs.locator("#answer-words")).to_have_text("Yes: the only pair of runs is certain by P@1.")
    expect(pairs.locator("#answer-next")).to_be_hidden()
    expect(pairs.locator("#answer-news")).to_contain_text("older")
    drawn(pairs.locator("figure[data-figure*='certain-pairs']"))
    assert found(pairs, "can we stop, after a judgment") == []
    pairs.get_by_role("link", name="Reload").click()
    expect(pairs.locator("#certain .scroll")).not_to_contain_text("can become level")
