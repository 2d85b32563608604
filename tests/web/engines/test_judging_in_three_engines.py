"""The judging page in Chromium, Firefox and WebKit: keys after everything that leads the focus into a document."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, MakeCampaign
from tests.images import png
from tests.pdfs import pdf
from tests.stories import Program, own_port, pairs
from tests.web.engines.engine import Engine
from tests.web.engines.pages import (
    INSIDE,
    SAVED,
    VIEW,
    at_rest,
    loaded_ahead,
    place_of,
    ready,
    saved,
    scrolled,
    sign_in,
    text,
    until,
    until_scrolled,
)
from tests.web.judging.judging_page import log, short
from workbench.campaign.ingest import add_documents
from workbench.core.records import Document, PageImage, Topic
from workbench.formats.documents import in_pdf
from workbench.formats.documents.page_images import Drawn
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import adjudications

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visit = Callable[..., Engine]


@pytest.fixture
def long(make_campaign: MakeCampaign) -> Path:
    """The campaign `long`: six documents that are longer than the window, without marked words."""
    documents = [Document(f"d{number}", f"Long {number}", text(number)) for number in range(1, 7)]
    return make_campaign(
        "long", [Topic("1", "lakes")], documents, {"alpha": {"1": [one.document_id for one in documents]}}
    )


def test_keys_grade_after_a_click_and_a_double_click_in_the_document(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    for number, (words, times, grade) in enumerate(
        [("Paragraph 1", 1, "1"), ("Long 2", 1, "0"), ("freezes", 2, "1"), ("Paragraph 0", 1, "0")], start=1
    ):
        ready(engine, f"Long {number}")
        start, _ = place_of(engine, words)
        engine.click((start[0] + 10, start[1]), times)
        engine.press(grade)
    ready(engine, "Long 5")
    saved(engine)
    assert short(long) == [("d1", "grade", 1), ("d2", "grade", 0), ("d3", "grade", 1), ("d4", "grade", 0)]


@pytest.fixture
def papers(make_campaign: MakeCampaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The campaign `papers`: two PDF files, each with an image of its only page."""
    image = PageImage(1, 20, 30, png(20, 30))
    monkeypatch.setattr(in_pdf, "drawn_pages", lambda data, pages: Drawn((image,)))
    path = make_campaign("papers", [Topic("1", "lakes")], [], {"alpha": {"1": ["a", "b"]}})
    for name in ("a", "b"):
        (tmp_path / f"{name}.pdf").write_bytes(pdf("Ice.", title=f"Paper {name}"))
        with open_campaign(path) as campaign:
            add_documents(campaign.by("Anna"), [str(tmp_path / f"{name}.pdf")])
    return path


def test_pages_of_a_pdf_come_when_their_fold_is_opened_by_key_or_mouse(visit: Visit, papers: Path) -> None:
    page_is_there = f"{INSIDE}.querySelector('.pages img').naturalWidth === 20"
    engine = visit("/c/papers/judge?topic=1")
    ready(engine, "Paper a")
    engine.press(".")
    until(engine, page_is_there)
    engine.press("1")
    ready(engine, "Paper b")
    start, _ = place_of(engine, "Pages as images")
    engine.click((start[0] + 10, start[1] + 5))
    until(engine, page_is_there)
    engine.press("0")
    saved(engine)
    assert short(papers) == [("a", "grade", 1), ("b", "grade", 0)]


def test_keys_that_scroll_go_on_scrolling_and_grades_still_count(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    for number, key in enumerate([" ", "PageDown", "ArrowDown", "End"], start=2):
        engine.press(key)
        until_scrolled(engine, 30)
        engine.press("Home")
        until(engine, f"{VIEW}.scrollY === 0")
        at_rest(engine)
        engine.press(key)
        until_scrolled(engine, 30)
        engine.press("1")
        ready(engine, f"Long {number}")
    saved(engine)
    assert short(long) == [(f"d{number}", "grade", 1) for number in (1, 2, 3, 4)]


def test_the_wheel_scrolls_and_the_map_follows_and_the_document_comes_again_at_its_beginning(
    visit: Visit, long: Path
) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    assert on_map(engine, "y") == 0
    engine.wheel((300, 500), 600)
    until_scrolled(engine, 400)
    until(engine, MAP_IS_RIGHT)
    assert on_map(engine, "y") > 20
    engine.press("1")
    ready(engine, "Long 2")
    assert on_map(engine, "y") == 0
    engine.press("u")
    ready(engine, "Long 1")
    assert scrolled(engine) == 0
    assert on_map(engine, "y") == 0
    engine.press("0")
    ready(engine, "Long 2")
    saved(engine)
    assert short(long) == [("d1", "grade", 1), ("d1", "grade", 0)]


def test_the_map_follows_what_makes_a_document_longer_without_scrolling(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    until(engine, MAP_IS_RIGHT)
    before = on_map(engine, "height")
    engine.press("+", "+", "+", "+")
    until(engine, f"{INSIDE}.documentElement.style.getPropertyValue('--size') >= '20px' && {MAP_IS_RIGHT}")
    larger = on_map(engine, "height")
    assert larger < before
    engine.zoom(2)
    until(engine, f"innerWidth <= 640 && {MAP_IS_RIGHT}")
    assert on_map(engine, "height") != larger


def on_map(engine: Engine, name: str) -> int:
    """Where the window on the map begins (y) or how high it is, in thousandths of the document."""
    return int(engine.ask(f"document.querySelector('.map-window').getAttribute('{name}')"))


MAP_IS_RIGHT = f"""(() => {{
    const {{ scrollTop, clientHeight, scrollHeight }} = {INSIDE}.documentElement;
    const part = document.querySelector(".map-window");
    const isRight = (name, pixels) => Math.abs(part.getAttribute(name) - 1000 * pixels / scrollHeight) <= 2;
    return isRight("y", scrollTop) && isRight("height", clientHeight);
}})()"""
"""Whether the map shows the part of the document that is on the screen, to two thousandths of the document."""


SCROLLBARS = {"light": "rgb(180, 181, 184) rgb(253, 253, 252)", "dark": "rgb(99, 102, 109) rgb(23, 24, 27)"}


def test_scrollbars_of_the_page_and_the_document_have_the_colours_of_the_scheme(
    visit: Visit, long: Path
) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    if not engine.ask("CSS.supports('scrollbar-color', 'auto')"):
        assert engine.name == "webkit"  # which draws them by `color-scheme` alone
        return
    for scheme in ("light",) if engine.name == "webkit" else ("light", "dark"):
        engine.scheme(scheme)
        for root in ("document.documentElement", f"{INSIDE}.documentElement"):
            until(engine, f"getComputedStyle({root}).scrollbarColor === '{SCROLLBARS[scheme]}'")


def test_what_is_selected_with_the_mouse_is_kept_by_a_key(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    engine.drag(*place_of(engine, "a long text"))
    until(engine, f"String({INSIDE}.getSelection()) === 'a long text'")
    engine.press("m")
    until(engine, "document.querySelector('#rationales q')?.textContent === 'a long text'")
    engine.press("1")
    ready(engine, "Long 2")
    saved(engine)
    (row,) = log(long)
    assert [(one.field, one.text) for one in row.rationales] == [("text", "a long text")]


def test_what_was_found_is_made_longer_by_shift_and_arrows_and_kept(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    engine.press("/", *"a long", "Escape")
    until(engine, f"String({INSIDE}.getSelection()) === 'a long'")
    engine.press(*["Shift+ArrowRight"] * len(" text"))
    until(engine, f"String({INSIDE}.getSelection()) === 'a long text'")
    engine.press("m", "1")
    ready(engine, "Long 2")
    saved(engine)
    assert [one.text for row in log(long) for one in row.rationales] == ["a long text"]


def test_what_is_selected_in_the_document_can_be_pasted_into_the_note(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    engine.drag(*place_of(engine, "a long text"))
    until(engine, f"String({INSIDE}.getSelection()) === 'a long text'")
    engine.press("Control+c", "c", "Control+v")
    until(engine, "document.querySelector('#note').value === 'a long text'")
    engine.press("1", "Escape", "0")
    ready(engine, "Long 2")
    saved(engine)
    assert [(row.grade, row.comment) for row in log(long)] == [(0, "a long text1")]


def test_tab_goes_on_from_the_document_and_a_grade_counts_wherever_it_has_led(
    visit: Visit, long: Path
) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    start, _ = place_of(engine, "Paragraph 1")
    engine.click(start)
    seen = []
    for _ in range(8):
        engine.press("Tab")
        seen.append(engine.ask("document.activeElement.outerHTML.slice(0, 60)"))
    assert len(set(seen)) == 8, seen
    engine.press("1")
    ready(engine, "Long 2")
    saved(engine)
    assert short(long) == [("d1", "grade", 1)]


def test_reading_that_takes_long_counts_as_long_as_the_document_is_scrolled(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    engine.ask("(window.passed = 0, window.clock = performance.now.bind(performance), 0)")
    engine.ask("(performance.now = () => window.clock() + window.passed, 0)")
    for _ in range(3):
        engine.ask("window.passed += 40_000")
        before = scrolled(engine)
        engine.wheel((300, 500), 300)
        until_scrolled(engine, before + 50)
    engine.press("1")
    ready(engine, "Long 2")
    saved(engine)
    (row,) = log(long)
    assert row.active_seconds is not None
    assert 120 <= row.active_seconds < 180


def test_a_reload_comes_back_to_the_document_and_to_the_keys(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    engine.press("1")
    ready(engine, "Long 2")
    engine.click(place_of(engine, "Paragraph 1")[0])
    saved(engine)
    engine.reload()
    ready(engine, "Long 2")
    engine.click(place_of(engine, "Paragraph 1")[0])
    engine.press("0")
    ready(engine, "Long 3")
    saved(engine)
    assert short(long) == [("d1", "grade", 1), ("d2", "grade", 0)]


def test_two_tabs_store_each_judgment_once(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    address, first = engine.ask("location.href"), engine.this_tab()
    second = engine.open_tab()
    engine.go_to_tab(second)
    engine.open(address)
    ready(engine, "Long 1")
    engine.click(place_of(engine, "Paragraph 1")[0])
    engine.press("1")
    ready(engine, "Long 2")
    saved(engine)
    engine.go_to_tab(first)
    until(engine, "document.querySelector('#mine').textContent === 'You judged this: Relevant'")
    engine.press("j")
    ready(engine, "Long 2")
    engine.click(place_of(engine, "Paragraph 1")[0])
    engine.press("0")
    ready(engine, "Long 3")
    saved(engine)
    assert short(long) == [("d1", "grade", 1), ("d2", "grade", 0)]


def test_zoomed_to_twice_its_size_the_page_is_judged_in_the_same_ways(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    engine.zoom(2)
    until(engine, "innerWidth <= 640 && devicePixelRatio === 2")
    ready(engine, "Long 1")
    engine.click(place_of(engine, "Paragraph 0")[0])
    engine.press("1")
    ready(engine, "Long 2")
    engine.press(" ")
    until_scrolled(engine, 30)
    engine.press("0")
    ready(engine, "Long 3")
    saved(engine)
    assert short(long) == [("d1", "grade", 1), ("d2", "grade", 0)]


def test_a_conflict_is_settled_by_a_key_after_a_click_in_its_document(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        for document_id in ("d1", "d2"):
            for name, grade in (("Ben", 1), ("Carla", 0)):
                judging_as(campaign, name, "1", document_id, grade)
    engine = visit("/c/small/adjudicate", "Anna")
    settled = []
    for grade in (1, 0):
        until(engine, "document.querySelector('#decide')?.dataset.ready === 'yes'")
        settled.append((engine.ask("document.querySelector('input[name=document]').value"), grade))
        engine.click(place_of(engine, "The text")[0])
        engine.press("c", "w", "h", "y", "Escape", str(grade))
        until(engine, f"document.querySelector('input[name=document]')?.value !== '{settled[-1][0]}'")
    with open_campaign(small) as campaign:
        found = [adjudications.of_pair(campaign, "1", document_id) for document_id, _ in settled]
    assert [(one.grade, one.comment) for one in found if one] == [(1, "why"), (0, "why")]


def test_a_server_that_is_killed_and_started_again_gets_every_judgment_once(
    engine: Engine, lakes: Path, tmp_path: Path
) -> None:
    program, grades = Program(shutil.copytree(lakes, tmp_path / "lakes")), [1, 0, 1, 0, 1, 0]
    with own_port() as port:
        words = ("serve", "--host", "127.0.0.1", "--port", str(port), "--no-open")
        with program.serving(*words) as server:
            sign_in(engine, server.address)
            engine.open(f"{server.address}c/lakes/judge?topic=1")
            judge_with_clicks(engine, 1, grades[:2])
            saved(engine)
            loaded_ahead(engine)
            server.kill()
            judge_with_clicks(engine, 3, grades[2:4])
            assert len(program.judgments("lakes")) == 2
        with program.serving(*words):
            judge_with_clicks(engine, 5, grades[4:])
            until(engine, f"document.querySelector('.finished') && {SAVED}")
    rows = program.judgments("lakes")
    assert pairs(rows) == [(f"d{number}", grade) for number, grade in enumerate(grades, start=1)]
    assert len({row["uuid"] for row in rows}) == len(grades)
    assert "FAILED" not in program.run("audit", "lakes")


def judge_with_clicks(engine: Engine, number: int, grades: list[int]) -> None:
    """Judge from the document of this number on, each after a click into it."""
    for place, grade in enumerate(grades, start=number):
        ready(engine, f"Long {place}")
        engine.click(place_of(engine, "Paragraph 0")[0])
        engine.press(str(grade))
