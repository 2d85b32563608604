"""Examples, and practice in windows of all sizes: the document has room before the grade and beside the feedback."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.axe import found
from tests.web.judging.judging_page import SEEN_LINES, can_judge
from workbench.campaign import training
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning.training import EXAMPLE, PRACTICE, TrainingPair
from workbench.storage.campaign.grades import judgments

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONG = "\n\n".join(f"{number}. The ice of the river lasts until spring." for number in range(200))
REASON = "Ice alone is not about rivers."


@pytest.fixture
def rivers(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """A practice set of one long document, to which the organiser gave grade 1."""
    topic = Topic("1", "frozen rivers", "Which rivers freeze?")
    path = make_campaign("rivers", [topic], [Document("d1", "Ice", LONG)], {"a": {"1": ["d1"]}})
    with open_campaign(path) as campaign:
        judging_as(campaign, "Carla", "1", "d1", 1)
        training.choose_pair(campaign.by("Anna"), TrainingPair("1", "d1", PRACTICE, 1, REASON))
    return path


def seen(page: Page) -> float:
    """The share of the window's height that is document; all of the window is used."""
    expect(page.frame_locator("iframe.current").locator("h1")).to_have_text("Ice")
    bottom = page.evaluate("document.querySelector('.judge-document').getBoundingClientRect().bottom")
    assert bottom >= page.evaluate("document.querySelector('.controls').getBoundingClientRect().top") - 1
    return float(page.evaluate(SEEN_LINES, ".stage"))


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [(1440, 900, "light"), (1366, 768, "dark"), (720, 450, "light"), (390, 844, "dark")],
)
def test_at_least_half_of_the_height_is_the_practised_document_also_beside_the_feedback(
    visit: Visit, rivers: Path, width: int, height: int, scheme: str
) -> None:
    page = visit("/c/rivers/practice", viewport={"width": width, "height": height}, color_scheme=scheme)
    assert seen(page) >= 0.5
    assert found(page, "practice") == []
    page.locator(".grade").first.click()
    expect(page.get_by_role("region", name="Feedback")).to_contain_text(REASON)
    assert seen(page) >= 0.5
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert found(page, "feedback") == []
    page.get_by_role("link", name="Result").click()
    expect(page.get_by_role("heading", name="Practice")).to_be_visible()
    assert found(page, "result") == []


def test_practice_has_marks_find_note_and_keys_of_the_judging_page_and_the_scale_keeps_both_grades(
    visit: Visit, rivers: Path
) -> None:
    page = visit("/c/rivers/practice", viewport={"width": 1440, "height": 900})
    inside = page.frame_locator("iframe.current")
    can_judge(page)
    expect(page.locator("#terms .term")).to_have_text(["frozen0", "rivers200"])
    page.get_by_label("Mark another word").fill("spring")
    page.keyboard.press("Enter")
    expect(inside.locator("mark.own").first).to_have_text("spring")
    can_judge(page)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("199.")
    expect(page.locator("#find-count")).to_have_text("1 of 1")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.keyboard.type("Names 1 river.")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    page.keyboard.press("0")
    marks = page.locator(".grade-by")
    expect(marks).to_have_text(["You", "Organiser"])
    expect(page.locator(".grade:has(.grade-by)")).to_have_count(2)
    expect(page.locator(".grade").nth(0)).to_have_accessible_description("You")
    expect(page.locator("#note")).to_have_value("Names 1 river.")
    can_judge(page)
    page.keyboard.press("1")
    expect(marks).to_have_text(["You", "Organiser"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Practice")).to_be_visible()
    with open_campaign(rivers) as campaign:
        assert [answer.grade for answer in training.practice(campaign, "Ben").answers] == [0]
        assert [each.assessor for each in judgments.log(campaign)] == ["Carla"]


def test_an_example_is_read_as_on_the_judging_page_with_the_grade_of_the_organiser_on_the_scale(
    visit: Visit, rivers: Path
) -> None:
    with open_campaign(rivers) as campaign:
        training.remove_pair(campaign.by("Anna"), "1", "d1", PRACTICE)
        training.choose_pair(campaign.by("Anna"), TrainingPair("1", "d1", EXAMPLE, 1, REASON))
    page = visit("/c/rivers/guidelines")
    page.get_by_role("link", name="Open as on").click()
    can_judge(page)
    expect(page.locator(".grade-by")).to_have_text(["Organiser"])
    expect(page.get_by_role("region", name="Feedback")).to_contain_text(REASON)
    assert found(page, "example") == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Examples")).to_be_visible()


def test_the_line_over_the_first_example_is_as_far_from_the_heading_as_from_the_example(
    visit: Visit, rivers: Path
) -> None:
    with open_campaign(rivers) as campaign:
        training.choose_pair(campaign.by("Anna"), TrainingPair("1", "d1", EXAMPLE, 1, REASON))
    page = visit("/c/rivers/guidelines")
    above, below = page.get_by_role("heading", name="Examples").evaluate(
        """(heading) => {
            const first = heading.nextElementSibling.firstElementChild;
            const [line, text] = [first, first.firstElementChild].map((one) => one.getBoundingClientRect().top);
            return [line - heading.getBoundingClientRect().bottom, text - line - 1];
        }"""
    )
    assert above == below == 16
