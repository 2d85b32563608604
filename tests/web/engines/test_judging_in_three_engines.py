"""The judging page in Chromium, Firefox and WebKit: keys after everything that leads the focus into a document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, MakeCampaign
from tests.images import png
from tests.pdfs import pdf
from tests.web.engines.engine import Engine
from tests.web.engines.pages import (
    INSIDE,
    VIEW,
    at_rest,
    click_in,
    grades,
    place_of,
    ready,
    saved,
    scrolled,
    until,
)
from tests.web.judging.judging_page import log, short
from workbench.campaign.ingest import add_documents
from workbench.core.records import PageImage, Topic
from workbench.formats.documents import in_pdf
from workbench.formats.documents.page_images import Drawn
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import adjudications

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visit = Callable[..., Engine]
others = pytest.mark.parametrize("running", ["firefox", "webkit"], indirect=True)
"""For stories that the tests of other folders have in Chromium."""


def test_keys_grade_after_everything_that_leads_the_focus_into_the_document(visit: Visit, long: Path) -> None:
    engine = visit("/c/long/judge?topic=1")
    for number, words, times in ((1, "Paragraph 1", 1), (2, "Long 2", 1), (3, "freezes", 2)):
        ready(engine, f"Long {number}")
        click_in(engine, words, times)
        engine.press(str(number % 2))
    for number, key in enumerate([" ", "PageDown", "ArrowDown", "End"], start=4):
        ready(engine, f"Long {number}")
        engine.press("End")
        until(engine, f"{VIEW}.scrollY > 30")
        engine.press("Home")
        until(engine, f"{VIEW}.scrollY === 0")
        at_rest(engine)
        engine.press(key)
        until(engine, f"{VIEW}.scrollY > 30")
        engine.press(str(number % 2))
    ready(engine, "Long 8")
    click_in(engine, "Paragraph 1")
    seen = []
    for _ in range(8):
        engine.press("Tab")
        seen.append(engine.ask("document.activeElement.outerHTML.slice(0, 60)"))
    assert len(set(seen)) == 8, seen
    engine.press("0")
    ready(engine, "Long 9")
    engine.zoom(2)
    until(engine, "innerWidth <= 640 && devicePixelRatio === 2")
    ready(engine, "Long 9")
    click_in(engine, "Paragraph 0")
    engine.press("1")
    ready(engine, "Long 10")
    engine.press(" ")
    until(engine, f"{VIEW}.scrollY > 30")
    engine.press("0")
    ready(engine, "Long 11")
    saved(engine)
    assert grades(long) == "1 0 1 0 1 0 1 0 1 0"


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


@others
def test_pages_of_a_pdf_come_when_their_fold_is_opened_by_key_or_mouse(visit: Visit, papers: Path) -> None:
    page_is_there = f"{INSIDE}.querySelector('.pages img').naturalWidth === 20"
    engine = visit("/c/papers/judge?topic=1")
    ready(engine, "Paper a")
    engine.press(".")
    until(engine, page_is_there)
    engine.press("1")
    ready(engine, "Paper b")
    click_in(engine, "Pages as images")
    until(engine, page_is_there)
    engine.press("0")
    saved(engine)
    assert short(papers) == [("a", "grade", 1), ("b", "grade", 0)]


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


def test_scrollbars_have_the_colours_of_the_scheme_and_the_map_follows_all_that_moves_the_document(
    visit: Visit, long: Path
) -> None:
    engine = visit("/c/long/judge?topic=1")
    ready(engine, "Long 1")
    for scheme in ("light",) if engine.name == "webkit" else ("light", "dark"):
        if not engine.ask("CSS.supports('scrollbar-color', 'auto')"):
            assert engine.name == "webkit"  # which draws them by `color-scheme` alone
            break
        engine.scheme(scheme)
        for root in ("document.documentElement", f"{INSIDE}.documentElement"):
            until(engine, f"getComputedStyle({root}).scrollbarColor === '{SCROLLBARS[scheme]}'")
    assert on_map(engine, "y") == 0
    engine.ask("(window.passed = 0, window.clock = performance.now.bind(performance), 0)")
    engine.ask("(performance.now = () => window.clock() + window.passed, 0)")
    for _ in range(3):
        engine.ask("window.passed += 40_000")
        beyond = scrolled(engine) + 50
        engine.wheel((300, 500), 300)
        until(engine, f"{VIEW}.scrollY > {beyond}")
    until(engine, MAP_IS_RIGHT)
    assert on_map(engine, "y") > 20
    engine.press("1")
    ready(engine, "Long 2")
    assert on_map(engine, "y") == 0
    engine.press("u")
    ready(engine, "Long 1")
    assert (scrolled(engine), on_map(engine, "y")) == (0, 0)
    until(engine, MAP_IS_RIGHT)
    before = on_map(engine, "height")
    engine.press("+", "+", "+", "+")
    until(engine, f"{INSIDE}.documentElement.style.getPropertyValue('--size') >= '20px' && {MAP_IS_RIGHT}")
    larger = on_map(engine, "height")
    assert larger < before
    engine.zoom(2)
    until(engine, f"innerWidth <= 640 && {MAP_IS_RIGHT}")
    assert on_map(engine, "height") != larger
    saved(engine)
    (row,) = log(long)
    assert row.active_seconds is not None
    assert 120 <= row.active_seconds < 180, "while it was scrolled"


def test_what_is_selected_by_mouse_or_keys_is_kept_by_a_key_or_pasted_into_the_note(
    visit: Visit, long: Path
) -> None:
    engine = visit("/c/long/judge?topic=1")
    selected = f"String({INSIDE}.getSelection())"
    ready(engine, "Long 1")
    engine.drag(*place_of(engine, "a long text"))
    until(engine, f"{selected} === 'a long text'")
    engine.press("m")
    until(engine, "document.querySelector('#rationales q')?.textContent === 'a long text'")
    engine.press("1")
    ready(engine, "Long 2")
    engine.press("/", *"a long", "Escape")
    until(engine, f"{selected} === 'a long'")
    engine.press(*["Shift+ArrowRight"] * len(" text"))
    until(engine, f"{selected} === 'a long text'")
    engine.press("m", "1")
    ready(engine, "Long 3")
    engine.drag(*place_of(engine, "a long text"))
    until(engine, f"{selected} === 'a long text'")
    engine.press("Control+c", "c", "Control+v")
    until(engine, "document.querySelector('#note').value === 'a long text'")
    engine.press("1", "Escape", "0")
    ready(engine, "Long 4")
    saved(engine)
    kept = [(row.grade, row.comment, [(one.field, one.text) for one in row.rationales]) for row in log(long)]
    assert kept == [(1, "", [("text", "a long text")])] * 2 + [(0, "a long text1", [])]


@others
def test_a_reload_comes_back_to_the_document_and_two_tabs_store_each_judgment_once(
    visit: Visit, long: Path
) -> None:
    engine = visit("/c/long/judge?topic=1")
    address, first = engine.ask("location.href"), engine.this_tab()
    ready(engine, "Long 1")
    engine.press("1")
    ready(engine, "Long 2")
    click_in(engine, "Paragraph 1")
    saved(engine)
    engine.reload()
    ready(engine, "Long 2")
    click_in(engine, "Paragraph 1")
    engine.press("0")
    ready(engine, "Long 3")
    saved(engine)
    engine.go_to_tab(engine.open_tab())
    engine.open(address)
    ready(engine, "Long 3")
    click_in(engine, "Paragraph 1")
    engine.press("1")
    ready(engine, "Long 4")
    saved(engine)
    engine.go_to_tab(first)
    until(engine, "document.querySelector('#mine').textContent === 'You judged this: Relevant'")
    engine.press("j")
    ready(engine, "Long 4")
    click_in(engine, "Paragraph 1")
    engine.press("0")
    ready(engine, "Long 5")
    saved(engine)
    assert grades(long) == "1 0 1 0"


@others
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
