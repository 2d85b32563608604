"""The pages of a PDF are looked at on the judging page: asked for when they are opened, and never judged themselves."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import skip_or_fail
from tests.fixture_types import MakeCampaign, Visit
from tests.formats.collections_of_documents import write
from tests.pdfs import pdf
from tests.web.axe import found
from tests.web.judging.judging_page import inside, loaded_ahead, log, press, ready, saved
from tests.web.judging.outboxes import until
from tests.web.test_accessibility_in_the_browser import serve_with_scripts
from workbench.campaign.ingest import add_documents
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WORDS = "Rivers were frozen from bank to bank,\nand ships waited in the ports until spring.\n" * 20
PAGES = [f"{number}. Winter\n{WORDS}" for number in range(1, 23)]
LOADED = """[...document.querySelector("iframe.current").contentDocument.querySelectorAll(".pages img")]
    .map((image) => image.complete ? image.naturalWidth : 0)"""


@pytest.fixture
def papers(make_campaign: MakeCampaign, tmp_path: Path) -> Path:
    """The campaign `papers`: a PDF of 22 pages, a scan without a text, and a plain text, in this order."""
    if find_spec("pypdfium2") is None:
        skip_or_fail("pypdfium2 is not installed: relevance-workbench[pdf]")
    folder = write(
        tmp_path / "files", {"a.pdf": pdf(*PAGES, title="Rivers"), "b.pdf": pdf(b"100 100 300 300 re f")}
    )
    run = {"alpha": {"1": ["a", "b", "c"]}}
    path = make_campaign("papers", [Topic("1", "frozen rivers")], [Document("c", "Plain", "Ice.")], run)
    with open_campaign(path) as campaign:
        add_documents(campaign.by("Anna"), [str(folder)])
    return path


def asked_of(page: Page) -> list[str]:
    """The addresses of images that a page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "page-image" in request.url else None)
    return asked


def test_pages_are_loaded_when_they_are_opened_by_key_or_mouse_and_the_text_is_judged(
    visit: Visit, papers: Path
) -> None:
    page = visit("/c/papers/judge?topic=1")
    asked = asked_of(page)
    ready(page, "Rivers")
    loaded_ahead(page)
    fold = inside(page).locator("details.pages")
    expect(fold.locator("summary")).to_have_text("Pages as images the first 20 of 22")
    expect(fold.locator("img").first).to_be_hidden()
    assert [address for address in asked if "document=a" in address] == []
    page.keyboard.press(".")
    until(page, f"{LOADED}.every((width) => width === 1000)")
    expect(fold.locator("img").first).to_be_in_viewport()
    assert len([address for address in asked if "document=a" in address]) == 20
    press(page, "1")
    ready(page, "b")
    expect(inside(page).locator("main")).to_contain_text("judge it by")
    until(page, f"{LOADED}.join() === '1000'")
    press(page, "0")
    ready(page, "Plain")
    expect(inside(page).locator("details")).to_have_count(0)
    press(page, "k", "k")
    ready(page, "Rivers")
    assert fold.get_attribute("open") is not None  # as it was left
    saved(page)
    with open_campaign(papers) as campaign:
        hashes = documents.all_text_hashes(campaign)
    assert [(row.document_id, row.grade, row.text_hash) for row in log(papers)] == [
        ("a", 1, hashes["a"]), ("b", 0, hashes["b"]),
    ]  # fmt: skip


def test_pages_are_opened_with_the_mouse_and_nothing_of_them_is_found_or_marked_as_text(
    visit: Visit, papers: Path
) -> None:
    page = visit("/c/papers/judge?topic=1")
    ready(page, "Rivers")
    inside(page).locator("details.pages summary").click()
    until(page, f"{LOADED}.length === 20 && {LOADED}.every((width) => width === 1000)")
    page.keyboard.press("/")
    page.locator("#find-text").fill("Pages as images")
    expect(page.locator("#find-count")).to_have_text("Not found")


def test_pages_without_a_connection_leave_their_words_and_the_text_is_judged(
    visit: Visit, papers: Path
) -> None:
    page = visit("/c/papers/judge?topic=1", intercepted=True)
    ready(page, "Rivers")
    page.route("**/page-image*", lambda route: route.abort())
    page.keyboard.press(".")
    expect(inside(page).get_by_alt_text("Page 1 as an image")).to_be_visible()
    press(page, "1")
    saved(page)
    assert [(row.document_id, row.grade) for row in log(papers)] == [("a", 1)]


def test_an_organisers_preview_without_scripts_shows_them_too(visit: Visit, papers: Path) -> None:
    page = visit("/c/papers/preview?topic=1&document=a", "Anna")
    inside(page).locator("details.pages summary").click()
    until(page, f"{LOADED}.length === 20 && {LOADED}.every((width) => width === 1000)")


def test_axe_finds_nothing_in_open_pages(visit: Visit, papers: Path) -> None:
    page = visit("/", intercepted=True)
    address = "/c/papers/document-frame?topic=1&document=a&whole=1"
    page.route(f"**{address}", serve_with_scripts)
    page.goto(urljoin(page.url, address))
    page.locator("details.pages summary").click()
    until(page, "document.querySelector('.pages img').naturalWidth === 1000")
    assert found(page, "open pages of a PDF") == []
    page.emulate_media(color_scheme="dark")
    assert found(page, "open pages of a PDF, dark") == []
