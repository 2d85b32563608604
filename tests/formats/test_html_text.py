from __future__ import annotations

from pathlib import Path

import pytest

from workbench.formats.html_text import html_title, visible_text


def test_blocks_become_lines_and_scripts_and_styles_are_gone() -> None:
    page = (
        "<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head>"
        "<body><h1>Head</h1><script>alert(1)</script>"
        "<p>One <b>two</b>\n three.<br>Four</p><ul><li>a</li><li>b</li></ul><noscript>no</noscript>"
        "<svg><title>s</title><path></svg><p>caf&eacute; &lt;b&gt;</p></body></html>"
    )
    assert visible_text(page) == "Head\n\nOne two three.\nFour\n\na\n\nb\n\ncafé <b>"


def test_the_title_is_one_line_with_its_references_decoded() -> None:
    assert html_title("<html><TITLE lang=en>\n A &amp;\n B </TITLE>") == "A & B"
    assert html_title("<p>none</p>") == ""


@pytest.mark.parametrize(
    "page", ["", " ", "no tags", "<", "<!-- only -->", "\0\x01", "<?xml version='1.0' encoding='x'?>"]
)
def test_any_string_has_a_text(page: str) -> None:
    assert visible_text(page).strip("<\x00\x01 ") in ("", "no tags")


def test_a_page_nested_fifty_thousand_deep_loses_nothing() -> None:
    page = "<div>" * 50_000 + "deep" + "</div>" * 50_000 + "<p>after</p>"
    assert visible_text(page) == "deep\n\nafter"


def test_a_hidden_element_that_is_never_closed_hides_only_itself() -> None:
    assert visible_text("<p>a</p><svg><g><p>b</p></svg><p>c</p>").endswith("c")


@pytest.mark.data
def test_real_pages_full_of_scripts_show_their_text_and_no_code(data_folder: Path) -> None:
    for path in sorted((data_folder / "documents/webpages-with-scripts").glob("*.html")):
        page = path.read_text(encoding="utf-8")
        text = visible_text(page)
        assert 1000 < len(text) < len(page) / 2, path.name
        assert "function(" not in text
        assert html_title(page)
