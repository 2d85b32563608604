from __future__ import annotations

from pathlib import Path

import pytest

from workbench.formats.documents.html_title import html_title


def test_the_title_is_one_line_with_its_references_decoded() -> None:
    assert html_title("<html><TITLE lang=en>\n A &amp;\n B </TITLE>") == "A & B"


@pytest.mark.parametrize("page", ["", "<p>none</p>", "<", "<title", "<!-- only -->", "<title></title>"])
def test_a_page_without_a_title_has_an_empty_one(page: str) -> None:
    assert html_title(page) == ""


def test_a_title_that_does_not_end_is_cut() -> None:
    assert html_title("<title>" + "x" * 5000) == "x" * 1000


@pytest.mark.data
def test_real_pages_have_titles(data_folder: Path) -> None:
    pages = sorted((data_folder / "documents/webpages-with-scripts").glob("*.html"))
    assert pages
    assert all(html_title(page.read_text(encoding="utf-8")) for page in pages)
