"""The leaderboard in a browser: the time slider, one row for each team, and how sure it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.axe import complaints
from tests.web.drawings import drawn
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("rows")]


@pytest.fixture
def rows(small: Path, judging_as: JudgeAs) -> list[int]:
    """The rows of four judgments: first alpha is ahead by RR, in the end beta."""
    judged = [("1", "d1", 1), ("2", "d1", 1), ("1", "d1", 0), ("1", "d6", 1)]
    with open_campaign(small) as campaign:
        return [judging_as(campaign, "Ben", *each).judgment.seq for each in judged]


def scores(board: Page) -> dict[str, str]:
    """What the rows say at one moment, by run: the board may be drawn anew at any time."""
    rows = board.locator("#board-body tr").evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.run, row.querySelector('.score b').innerText])"
    )
    return dict(rows)


def slide_to(board: Page, row: int) -> None:
    board.locator("#moment").evaluate(
        """(slider, row) => {
            slider.value = row;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            slider.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        row,
    )


def first_run(board: Page) -> Locator:
    return board.locator("#board-body th").first


def test_the_slider_shows_the_board_of_any_row_with_the_digits_of_the_engine(
    visit: Visit, small: Path, rows: list[int]
) -> None:
    board = visit("/c/small/board?m=RR", "Anna")
    expect(first_run(board)).to_have_text("beta")
    for row in (*rows, 1, *reversed(rows)):
        slide_to(board, row)
        newest = row == rows[-1]
        expect(board.locator("#as-of")).to_have_value("" if newest else str(row))
        if not newest:
            expect(board.locator("#moment-words")).to_contain_text(f"As of row {row} of {rows[-1]}")
        with open_campaign(small) as campaign:
            expected = {r.tag: f"{r.values[0]:.4f}" for r in score_campaign(campaign.at(row), ["RR"]).rows}
        for tag, text in expected.items():
            expect(board.locator(f'tr[data-run="{tag}"] .score b')).to_have_text(text)
        assert scores(board) == expected


def test_a_moment_can_be_bookmarked_and_left_again(visit: Visit, rows: list[int]) -> None:
    board = visit("/c/small/board?m=RR", "Anna")
    slide_to(board, rows[0])
    expect(first_run(board)).to_have_text("alpha")
    expect(board).to_have_url(re.compile(f"as-of={rows[0]}"))
    board.reload()
    expect(first_run(board)).to_have_text("alpha")
    expect(board.locator("#moment")).to_have_value(str(rows[0]))
    expect(board.locator("#moment-words")).to_contain_text("tau_b −1.000")
    compared = board.locator("#compared").get_attribute("href")
    assert (
        compared and f"{rows[0]}" in compared and board.request.get(board.url.split("/c/")[0] + compared).ok
    )
    board.get_by_role("link", name="Now", exact=True).click()
    expect(first_run(board)).to_have_text("beta")
    expect(board.locator("#moment-words")).to_be_hidden()
    expect(board.locator("#compared")).to_be_hidden()
    expect(board).not_to_have_url(re.compile("as-of"))


def test_the_past_stays_as_it_is_during_judging(
    visit: Visit, small: Path, rows: list[int], judging_as: JudgeAs
) -> None:
    past, live = visit(f"/c/small/board?m=RR&as-of={rows[1]}", "Anna"), visit("/c/small/board?m=RR", "Anna")
    before = scores(past)
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d2", 1)
        newest = log.newest_seq(campaign)
    expect(live.locator("#newest")).to_have_text(str(newest))
    expect(live.locator('tr[data-run="alpha"] .score b')).to_have_text("0.7500")
    assert scores(past) == before


def test_without_scripts_a_form_takes_one_there(visit: Visit, rows: list[int]) -> None:
    board = visit("/c/small/board?m=RR", "Anna", java_script_enabled=False)
    assert list(scores(board)) == ["beta", "alpha"]
    board.get_by_label("As of").fill(str(rows[0]))
    board.get_by_label("Intervals and ties with the best").check()
    board.get_by_role("button", name="Show").click()
    expect(board).to_have_url(re.compile(f"as-of={rows[0]}"))
    expect(board.locator("#board-body th")).to_have_text(["alpha", "beta"])
    expect(board.locator(".dot-open").first).to_be_attached()
    board.get_by_role("link", name="Run", exact=True).click()
    expect(board).to_have_url(re.compile(f"as-of={rows[0]}.*sort=Run|sort=Run.*as-of={rows[0]}"))
    expect(board.get_by_label("As of")).to_have_value(str(rows[0]))


def test_how_sure_the_board_is_comes_when_it_stands_still(visit: Visit, rows: list[int]) -> None:
    board = visit(f"/c/small/board?m=RR&as-of={rows[1]}", "Anna")
    alpha = board.locator('tr[data-run="alpha"]')
    expect(alpha.locator(".level")).to_contain_text("significantly different")
    expect(alpha.locator(".dot-interval")).to_have_count(0)
    expect(alpha.locator(".dot-open")).to_be_attached()
    expect(alpha.locator(".intervals-numbers")).to_be_hidden()
    board.get_by_text("More", exact=True).click()
    board.get_by_label("Intervals as numbers").check()
    expect(alpha.locator(".intervals-numbers")).to_contain_text("fewer than 5 topics")


def test_the_board_of_finished_topics_is_chosen_and_says_how_many_there_are(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    board = visit("/c/small/board?m=RR", "Anna")
    expect(board.locator("#finished-topics")).to_have_text("0 of 2 topics fully judged")
    board.locator("select[name=topics]").select_option("fully judged")
    expect(board.locator("#sentence")).to_contain_text("no topic is")
    expect(board).to_have_url(re.compile("topics=finished"))
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "2", "d2", 0)
    # Of topic 2 alpha has the relevant d1 on rank 1, beta on rank 2; topic 1 does not count, and is in the bar alone.
    expect(board.locator("#finished-topics")).to_have_text("1 of 2 topics fully judged")
    expect(board.locator("#sentence")).to_contain_text("over the 1 of 2 topics")
    assert scores(board) == {"alpha": "1.0000", "beta": "0.5000"}
    assert board.locator(".dot-part").count() == 2
    board.get_by_text("More", exact=True).click()
    board.get_by_label("Intervals as numbers").check()
    expect(board.locator('tr[data-run="alpha"] .intervals-numbers')).to_contain_text("(open, all 2 topics)")
    board.locator("select[name=topics]").select_option("with judgments")
    expect(board.locator(".dot-part")).to_have_count(0)
    expect(board).not_to_have_url(re.compile("topics="))


def test_a_measure_is_taken_once_it_is_typed_to_its_end(visit: Visit) -> None:
    board = visit("/c/small/board?m=RR", "Anna")
    field = board.locator("#other-measure")
    board.get_by_text("Measures").click()
    field.press_sequentially("P@1")
    for _ in range(2):  # the board asks every second
        with board.expect_response(re.compile("intervals=known")):
            pass
    field.press_sequentially("0")
    expect(field).to_have_value("P@10")
    board.keyboard.press("Enter")
    expect(board.locator("thead")).to_contain_text("P@10")
    expect(field).to_have_value("")
    expect(board.get_by_role("checkbox", name="P@1", exact=True)).to_have_count(0)


def test_ticked_runs_are_kept_and_looked_at_alone_and_compared(visit: Visit) -> None:
    board = visit("/c/small/board?m=RR", "Anna")
    runs = board.locator("#board-body tr:visible")
    board.get_by_label("Find").fill("BET")
    expect(runs).to_have_count(1)
    expect(board.locator("#board-said")).to_have_text("1 of 2 runs")
    board.get_by_role("checkbox", name="beta").focus()
    board.keyboard.press("Space")
    expect(board.get_by_role("checkbox", name="beta")).to_be_focused()
    board.get_by_label("Find").fill("")
    board.get_by_text("Measures").click()
    board.get_by_label("AP", exact=True).check()
    expect(board.locator("#measures-chosen")).to_have_text("RR, AP")
    board.get_by_text("More", exact=True).click()
    expect(board.get_by_label("AP", exact=True)).to_be_hidden()
    board.get_by_label("Only ticked runs").check()
    expect(runs).to_have_count(1)
    expect(board).to_have_url(re.compile("run=beta&only=yes"))
    board.reload()
    expect(runs).to_have_count(1)
    expect(board.get_by_role("checkbox", name="beta")).to_be_checked()
    board.get_by_text("More", exact=True).click()
    board.get_by_label("Only ticked runs").uncheck()
    board.keyboard.press("Escape")
    board.get_by_role("checkbox", name="alpha").check()
    expect(board.locator("#board-said")).to_have_text("2 ticked")
    board.get_by_label("Find").fill("alpha")
    board.get_by_role("button", name="Compare ticked runs").click()
    expect(board).to_have_url(re.compile(r"/compare\?.*run="))
    expect(board.get_by_role("heading", name="Significance")).to_be_visible()
    assert sorted(re.findall("run=(alpha|beta)", board.url)) == ["alpha", "beta"]


def test_what_is_shown_is_copied_as_csv(visit: Visit) -> None:
    board = visit("/c/small/board?m=RR", "Anna")
    board.get_by_label("Find").fill("alpha")
    expect(board.locator("#board-body tr:visible")).to_have_count(1)
    board.evaluate("""() => {
        const clipboard = { writeText: async (text) => { window.copied = text; } };
        Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
    }""")
    board.get_by_role("link", name="Copy as CSV").click()
    expect(board.locator("#board-said")).to_have_text("Copied.")
    assert board.evaluate("copied").startswith("run,RR\nalpha,")
    board.evaluate("""() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
        document.execCommand = () => { document.body.dataset.copied = document.activeElement.value; return true; };
    }""")
    board.get_by_role("link", name="Copy as LaTeX").click()
    expect(board.locator("body")).to_have_attribute("data-copied", re.compile("toprule"))


def ends(board: Page, head: str, numbers: str) -> list[int]:
    """Where the text of a head and of what stands below it ends, from the left, in pixels."""
    return board.evaluate(
        """(places) => [...document.querySelectorAll(places)].map((place) => {
            const text = document.createRange();
            text.selectNodeContents(place);
            return Math.round(text.getBoundingClientRect().right);
        })""",
        f"{head}, {numbers}",
    )


@pytest.mark.parametrize("measures", ["m=RR&m=AP&m=NumRel", "m=RR&m=AP&m=P@1&m=nDCG@10&m=NumRel&m=Rprec"])
def test_a_head_ends_where_its_numbers_do_and_the_controls_take_one_row(visit: Visit, measures: str) -> None:
    board = visit(f"/c/small/board?{measures}", "Anna")
    for width in (1366, 768, 390):
        board.set_viewport_size({"width": width, "height": 768})
        board.reload()
        assert_heads_stand_over_numbers(board, measures, width)


def assert_heads_stand_over_numbers(board: Page, measures: str, width: int) -> None:
    for name in measures.replace("m=", "").split("&"):
        there = ends(board, f'[data-sort="{name}"]', f'[data-score="{name}"]')
        assert there == pytest.approx(there[:1] * 3, abs=1), name
    there = ends(board, "thead .judged:last-child", "td.judged:last-child")
    assert there == pytest.approx(there[:1] * 3, abs=1)
    assert board.locator(".strip-ends").first.inner_text().split() == ["0", "1"]
    tops = board.locator("#measures > :is(details, label)").evaluate_all(
        "(controls) => controls.map((control) => control.offsetTop)"
    )
    assert width < 1366 or len(set(tops)) == 1


def test_axe_finds_nothing_and_a_phone_is_wide_enough(visit: Visit, rows: list[int]) -> None:
    board = visit(f"/c/small/board?m=RR&m=AP&as-of={rows[1]}", "Anna")
    expect(board.locator(".dot-open").first).to_be_attached()
    drawn(board.locator(".settled figure"))
    board.get_by_text("Measures").click()
    board.get_by_text("How to read this").click(force=True)
    assert complaints(board, "board") == []
