"""Short documents as cards: one key each, stored as on the page for one, and only for a card in full view."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.axe import found
from tests.web.judging.judging_page import HEAR, MOVING, SEEN_LINES, can_judge, log, short
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents

REPORT = (
    "The river froze from bank to bank in the night, and in the morning children walked over it to their "
    "school, while the fishermen cut holes into the ice and waited there for the whole of the short day, "
    "and the mayor asked everybody to keep away from the bridge until the wind had turned again to the {}."
)
LARGE = {"width": 1600, "height": 1200}
"""A window in which the three near duplicates have room on one card."""


@pytest.fixture
def passages(make_campaign: MakeCampaign) -> Path:
    """Thirty short documents; c1, c2 and c3 are almost the same, and d9 is longer than any screen."""
    texts = {f"d{number:02}": f"Passage {number} is about a river." for number in range(1, 28)}
    texts |= {f"c{number}": REPORT.format(name) for number, name in enumerate(("south", "west", "north"), 1)}
    texts["d09"] = "\n\n".join(f"Line {number} of a long text." for number in range(200))
    made = [
        Document(name, "Winter" if name[0] == "c" else f"Title {name}", text) for name, text in texts.items()
    ]
    path = make_campaign("passages", [Topic("1", "deep rivers")], made, {"alpha": {"1": list(texts)}})
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    return path


def current(page: Page) -> Locator:
    return page.locator(".shown > .card[aria-current]")


def ready(page: Page) -> None:
    """Wait until the current card can be judged, or is known to be too tall for it."""
    expect(
        page.locator("#document[aria-busy=false], .card[aria-current] .card-why:not(:empty)").first
    ).to_be_attached()


def press(page: Page, *keys: str) -> None:
    """Press keys, each once the card has been in full view for long enough."""
    for key in keys:
        if not page.locator("dialog[open]").count():
            can_judge(page)
        page.keyboard.press(key)


def saved(page: Page) -> None:
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")


def hashes(path: Path, document_ids: list[str]) -> set[str | None]:
    with open_campaign(path) as campaign:
        return {documents.text_hash_of(campaign, document_id) for document_id in document_ids}


def test_one_key_is_the_grade_of_a_card_and_near_duplicates_share_one(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE)
    expect(current(page)).to_have_attribute("aria-label", "Winter, and 2 near duplicates")
    expect(current(page).frame_locator("iframe").nth(1).locator("mark.changed").last).to_have_text("west")
    press(page, "1", "0")
    expect(current(page)).to_have_attribute("aria-label", "Title d02")
    expect(page.locator(".shown > .card").first).to_contain_text("Relevant")
    press(page, "x", "1")
    expect(current(page)).not_to_have_attribute("aria-label", "Title d02")
    saved(page)
    assert short(passages) == [
        ("c1", "grade", 1),
        ("c2", "grade", 1),
        ("c3", "grade", 1),
        ("d01", "grade", 0),
        ("d02", "can't tell", None),
    ]
    rows = log(passages)
    assert [(row.input, row.same_as) for row in rows[:4]] == [
        ("key", None),
        ("same", "c1"),
        ("same", "c2"),
        ("key", None),
    ]
    assert rows[4].comment == "Language"
    assert {row.text_hash for row in rows} == hashes(passages, [row.document_id for row in rows])
    expect(page.locator("#progress")).to_contain_text("4 of 30")


@pytest.mark.slow
def test_all_cards_are_judged_and_one_that_no_screen_holds_is_judged_alone(
    visit: Visit, passages: Path
) -> None:
    page = visit("/c/passages/judge?topic=1", viewport={"width": 1366, "height": 768})
    while page.locator(".finished").count() == 0:
        ready(page)
        label = str(current(page).get_attribute("aria-label"))
        if label == "Title d09":
            expect(current(page)).to_contain_text("Taller than")
            page.keyboard.press("1")
            expect(page.locator("#said")).to_contain_text("Ignored: taller")
            page.keyboard.press("f")
            expect(page.locator("#stage")).to_have_attribute("aria-label", "Title d09")
            expect(page.locator("#document")).to_have_attribute("aria-busy", "false")
            page.keyboard.press("0")
            expect(current(page).or_(page.locator(".finished"))).not_to_have_attribute("aria-label", label)
            continue
        page.keyboard.press("1")
        expect(current(page).or_(page.locator(".finished"))).not_to_have_attribute("aria-label", label)
    saved(page)
    assert sorted(row.document_id for row in log(passages)) == sorted(
        {row.document_id for row in log(passages)}
    )
    assert len(log(passages)) == 30


@pytest.mark.slow
def test_a_card_that_is_scrolled_out_of_view_is_not_judged(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1", viewport={"width": 700, "height": 500})
    ready(page)
    page.locator("#cards").evaluate("(place) => place.scrollTo(0, 60)")
    page.keyboard.press("1")
    expect(page.locator("#said")).to_contain_text("in full view")
    page.locator("#cards").evaluate("(place) => place.scrollTo(0, 0)")
    page.keyboard.press("1")
    expect(page.locator("#said")).to_have_text("Ignored: too early")
    ready(page)
    assert log(passages) == []


@pytest.mark.slow
def test_undo_returns_to_a_card_and_its_grade_and_postponed_ones_come_last(
    visit: Visit, passages: Path
) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE)
    press(page, "1", "l")
    expect(page.locator("#progress")).to_contain_text("1 later")
    can_judge(page)
    judged = str(current(page).get_attribute("aria-label"))
    press(page, "0")
    expect(current(page)).not_to_have_attribute("aria-label", judged)
    following = str(current(page).get_attribute("aria-label"))
    press(page, "u")
    expect(current(page)).to_have_attribute("aria-label", judged)
    press(page, "1")
    expect(current(page)).to_have_attribute("aria-label", following)
    saved(page)
    page.reload()
    can_judge(page)
    expect(current(page)).to_have_attribute("aria-label", following)
    press(page, "u")
    expect(current(page)).to_have_attribute("aria-label", judged)
    expect(current(page)).to_contain_text("Relevant")
    press(page, "0")
    expect(current(page)).to_have_attribute("aria-label", following)
    can_judge(page)  # what is said of the judgment comes with the next card
    saved(page)
    document_id = judged.removeprefix("Title ")
    assert short(passages)[3:] == [(document_id, "grade", grade) for grade in (0, 1, 0)]


@pytest.mark.slow
def test_a_word_that_is_added_beside_the_cards_is_marked_on_all_of_them(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE)
    press(page, "1", "0")
    can_judge(page)
    chosen = str(current(page).get_attribute("aria-label"))
    expect(page.locator("#terms .term")).to_have_text(["deep0", "rivers1"])
    page.get_by_label("Mark another word").fill("passage")
    page.keyboard.press("Enter")
    expect(page.locator("#terms .own")).to_have_text("passage1×")
    expect(current(page)).to_have_attribute("aria-label", chosen)
    for card in page.locator(".shown > .card:not([data-judged])").all():
        if "Title d09" not in str(card.get_attribute("aria-label")):
            expect(card.frame_locator("iframe").locator("mark.own")).to_have_text("Passage")
    page.keyboard.press("Escape")
    expect(current(page)).to_be_focused()
    press(page, "1")
    can_judge(page)
    saved(page)
    assert short(passages)[-1] == (chosen.removeprefix("Title "), "grade", 1)


@pytest.mark.slow
def test_cards_are_judged_offline_and_sent_once_the_network_is_back(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE)
    ready(page)
    expect(page.locator("#ready-count")).to_have_text("30")
    page.context.set_offline(True)
    press(page, *"1010")
    expect(page.locator("#save-state")).to_have_text("Offline, 6 kept here")
    page.context.set_offline(False)
    saved(page)
    assert [row.grade for row in log(passages)] == [1, 1, 1, 0, 1, 0]


def test_a_text_that_changed_meanwhile_is_shown_again_and_what_came_after_it_is_stored(
    visit: Visit, passages: Path
) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE)
    press(page, "1")
    expect(current(page)).to_have_attribute("aria-label", "Title d01")
    with open_campaign(passages) as campaign, campaign.write():
        row = documents.document_row(Document("d01", "Title d01, corrected", "Another text."))
        change = "UPDATE document SET title = ?, text = ?, text_hash = ? WHERE document = 'd01'"
        campaign.db.conn.execute(change, [row[1], row[2], row[5]])
    press(page, "1", "0")
    page.get_by_role("button", name="Open document").click()
    expect(current(page)).to_have_attribute("aria-label", "Title d01, corrected")
    press(page, "0")
    expect(page.locator("#said")).to_contain_text("Title d01, corrected")
    saved(page)
    assert short(passages)[3:] == [("d02", "grade", 0), ("d01", "grade", 0)]


def test_without_the_setting_documents_come_one_at_a_time(visit: Visit, passages: Path) -> None:
    with open_campaign(passages) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "off"})
    page = visit("/c/passages/judge?topic=1")
    expect(page.locator("#stage")).to_have_attribute("aria-label", "Winter")
    expect(page.locator(".card")).to_have_count(0)


PARTS_OF_STRIP = """() => [...document.querySelectorAll(".strip > :not(#said, #save-news), #cards")].map((one) => {
    const { left, width, top, height } = one.getBoundingClientRect();
    return [one.className, Math.round(left), Math.round(top), Math.round(height)];
})"""


COVERED_BY_SAID = """() => {
    const said = document.querySelector("#said").getBoundingClientRect();
    const others = ".strip > :not(#said), .topic > summary, .cards-place, .grade, .actions button";
    return [...document.querySelectorAll(others)].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.left < said.right && said.left < box.right && box.top < said.bottom && said.top < box.bottom;
    }).map((one) => one.outerHTML);
}"""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (720, 450), (390, 844)])
def test_nothing_moves_and_nothing_is_covered_when_the_page_says_what_was_judged(
    visit: Visit, passages: Path, width: int, height: int
) -> None:
    page = visit("/c/passages/judge?topic=1", viewport={"width": width, "height": height})
    can_judge(page)
    before = page.evaluate(PARTS_OF_STRIP)
    press(page, "0")
    expect(page.locator("#said")).to_contain_text("Not relevant")
    saved(page)
    assert page.evaluate(PARTS_OF_STRIP) == before
    assert page.evaluate(COVERED_BY_SAID) == []


@pytest.mark.slow
def test_axe_finds_nothing_on_cards_and_their_dialogs(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1&tour=1", bypass_csp=True)
    expect(page.get_by_role("dialog", name="Tour of")).to_be_visible()
    broken = found(page, "tour")
    page.get_by_role("button", name="Leave the tour").click()
    press(page, "1", "x")
    broken += found(page, "reasons")
    page.keyboard.press("x")
    can_judge(page)
    assert broken + found(page, "cards") == []


@pytest.mark.slow
def test_after_a_grade_the_focus_is_on_the_next_card_and_its_name_is_heard(
    visit: Visit, passages: Path
) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE)
    can_judge(page)
    page.evaluate(HEAR)
    for key, grade, following in (("1", "Relevant", "Title d01"), ("0", "Not relevant", "Title d02")):
        page.evaluate("heard.length = 0")
        press(page, key)
        expect(current(page)).to_have_attribute("aria-label", following)
        saved(page)
        assert page.evaluate("heard") == [grade]
        expect(current(page)).to_be_focused()
        assert focused(page) == ("listitem", following)


def focused(page: Page) -> tuple[str, str]:
    """The role and the name of what has the focus, as a screen reader finds them."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    has_focus = [
        (str(node["role"]["value"]), str(node["name"]["value"]))
        for node in tree
        if not node["ignored"]
        and any(each["name"] == "focused" and each["value"]["value"] for each in node.get("properties", ()))
        and node["role"]["value"] != "RootWebArea"
    ]
    (found,) = has_focus
    return found


@pytest.mark.slow
def test_at_least_half_of_the_height_is_cards_also_when_enlarged_to_200_percent(
    visit: Visit, passages: Path
) -> None:
    page = visit("/c/passages/judge?topic=1")
    for width, height in ((1440, 900), (720, 450), (844, 390), (640, 512), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        ready(page)
        assert page.evaluate(SEEN_LINES, "#cards") >= 0.5
        for grade in (0, 1):
            expect(page.locator(f'[data-grade="{grade}"]')).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.slow
def test_at_400_percent_cards_scroll_with_the_page_and_only_downwards(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1", viewport={"width": 320, "height": 256})
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator("#cards").evaluate("(place) => place.scrollWidth - place.clientWidth") == 0
    page.locator("#cards").scroll_into_view_if_needed()
    assert page.evaluate(SEEN_LINES, "#cards") >= 0.5


@pytest.mark.slow
@pytest.mark.parametrize("height", [844, 500])
def test_a_sentence_is_read_as_a_whole_above_the_grades_of_a_phone_or_at_the_foot_of_a_low_window(
    visit: Visit, passages: Path, height: int
) -> None:
    page = visit("/c/passages/judge?topic=1", viewport={"width": 390, "height": height})
    press(page, "y", "1")
    said = page.locator("#said")
    expect(said).to_contain_text("Relevant")
    page.keyboard.press("l")
    expect(said).to_contain_text("not yet judged")
    rest = said.evaluate("(one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]")
    assert rest == [0, 0]
    assert said.evaluate(
        """(one) => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2) === one;
        }"""
    )
    bar, said_there = (
        page.locator(name).evaluate("(one) => one.getBoundingClientRect().toJSON()")
        for name in ("#controls", "#said")
    )
    bottom = bar["top"] + 21 if height > 560 else height
    assert bottom - 56 <= said_there["top"] < said_there["bottom"] <= bottom
    assert 0 <= said_there["left"] < said_there["right"] <= 390


@pytest.mark.slow
def test_the_name_of_a_grade_is_read_as_a_whole_on_a_phone(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1", viewport={"width": 390, "height": 844})
    press(page, "l", "0")
    said = page.locator("#said")
    expect(said.locator("b")).to_have_text("Not relevant")
    expect(page.locator("#progress")).to_contain_text("later")
    rest = "(one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]"
    assert said.evaluate(rest) == [0, 0]
    wide, high = said.locator("b").evaluate(rest)
    assert (wide, high < 8) == (0, True), "no third line"


@pytest.mark.slow
def test_no_card_moves_for_those_who_want_no_motion(visit: Visit, passages: Path) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE, reduced_motion="reduce")
    press(page, "1")
    can_judge(page)
    assert page.evaluate(MOVING) == []


@pytest.mark.slow
def test_a_card_whose_formula_table_or_code_is_wider_than_its_place_is_to_be_opened(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    texts = {
        "Prose": ("Ice.", "text/plain"),
        "Formula": (f"<math display=block>{'<mi>x</mi><mo>+</mo>' * 200}</math>", "text/html"),
        "Within": (f"<p>Ice <math>{'<mi>x</mi><mo>+</mo>' * 200}</math>", "text/html"),
        "Table": (f"<table><tr>{'<td>Station' * 60}</table>", "text/html"),
        "Part": (f"<p>Ice.<pre><code>{'x ' * 400}</code></pre>", "text/html"),
        "Code": ("x " * 400, "text/x-code"),
    }
    made = [Document(title, title, *text) for title, text in texts.items()]
    path = make_campaign("wide", [Topic("1", "rivers")], made, {"alpha": {"1": list(texts)}})
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    page = visit("/c/wide/judge?topic=1", viewport=LARGE)
    ready(page)
    for title in texts:
        card = page.locator(".shown > .card").and_(page.get_by_label(title, exact=True))
        expect(card.locator(".card-why")).to_have_text("" if title == "Prose" else re.compile("Wider than"))


@pytest.mark.slow
def test_forced_colours_leave_the_current_card_what_is_judged_marks_and_state_to_be_told_apart(
    visit: Visit, passages: Path
) -> None:
    page = visit("/c/passages/judge?topic=1", viewport=LARGE, forced_colors="active")
    press(page, "1")
    can_judge(page)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    outlines = page.locator(".shown > .card").evaluate_all(
        """(cards) => cards.map((card) => {
            const { outlineStyle, outlineColor } = getComputedStyle(card);
            return [card.ariaCurrent, outlineStyle, outlineColor];
        })"""
    )
    for is_current, style, colour in outlines:
        assert (style == "solid") is (is_current == "true")
        assert style == "none" or colour not in (paper, "rgba(0, 0, 0, 0)")
    judged = page.locator(".shown > .card[data-judged] .card-state")
    expect(judged).to_have_text(["Relevant"])
    assert judged.evaluate("(state) => getComputedStyle(state).color") != paper
    dot = page.locator("#save-state").evaluate(
        "(state) => getComputedStyle(state, '::before').backgroundColor"
    )
    mark = page.locator(".shown > .card").first.frame_locator("iframe").nth(1).locator("mark.changed").first
    background = mark.evaluate("(mark) => getComputedStyle(mark).backgroundColor")
    assert dot not in (paper, "rgba(0, 0, 0, 0)")
    assert background not in (paper, "rgba(0, 0, 0, 0)")
