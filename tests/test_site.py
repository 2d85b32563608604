"""The documentation as a site: it is built without a warning, works from a folder, and its first part stays short."""

from __future__ import annotations

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.conftest import ROOT

USE = ROOT / "docs" / "use"
MOST_WORDS = 25_000
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


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_works_from_a_folder(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    pages = {page: Links(page) for page in (tmp_path / "build" / "site").rglob("*.html")}
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
