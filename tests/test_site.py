"""The documentation as a site: it is built without a warning, works from a folder, and its first part stays short."""

from __future__ import annotations

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import ROOT

USE = ROOT / "docs" / "use"
MOST_WORDS = 29_900
REFERENCE = {"cli.md", "measures.md", "figures.md", "glossary.md"}  # made from the code


def test_the_part_for_users_can_be_read_in_an_afternoon() -> None:
    pages = [page for page in USE.glob("*.md") if page.name not in REFERENCE]
    counted = {page.name: len(page.read_text(encoding="utf-8").split()) for page in pages}
    assert len(counted) > 15
    assert sum(counted.values()) <= MOST_WORDS, counted


class Links(HTMLParser):
    """The addresses that a page names, and the anchors that it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.named: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.named.append(value)
            elif name == "id" and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("documents")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return folder / "build" / "site"


@pytest.mark.slow
def test_every_link_of_the_site_leads_somewhere_in_its_folder(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert len(pages) > 40
    broken = []
    for page, links in pages.items():
        for address in links.named:
            url = urlsplit(address)
            if not url.scheme and page.name != "404.html":
                target = (page.parent / unquote(url.path)).resolve() if url.path else page
                anchored = target not in pages or not url.fragment or url.fragment in pages[target].anchors
                if not (target.is_file() and anchored):
                    broken.append((page.name, address))
    assert broken == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme", "other"), [(1366, "light", "dark"), (390, "dark", "light")])
def test_no_page_is_wider_than_the_screen_or_asks_another_server(
    site: Path, browser: Browser, width: int, scheme: Literal["light", "dark"], other: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    wide, pictures = [], set()
    for file in sorted(site.rglob("*.html")):
        # What fits a phone fits a laptop: there, pages with pictures alone are looked at.
        if width > 390 and f"-{scheme}." not in file.read_text(encoding="utf-8"):
            continue
        page.goto(file.as_uri())
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide.append(file.name)
        seen = "[...document.images].filter((each) => each.checkVisibility()).map((each) => each.src)"
        pictures |= set(page.evaluate(seen))
    context.close()
    assert wide == []
    assert {address for address in asked if not address.startswith(("file:", "data:"))} == set()
    assert any(f"-{scheme}." in address for address in pictures)
    assert not any(f"-{other}." in address for address in pictures)


@pytest.mark.slow
@pytest.mark.browser
def test_the_site_is_searched_from_its_folder_without_a_network(site: Path, browser: Browser) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.get_by_role("button", name="Search").first.click()
    page.keyboard.type("An assessor quits")
    expect(page.get_by_text("An assessor quits").first).to_be_visible()
    context.close()
