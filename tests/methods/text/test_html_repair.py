"""Pages that a parser would blow up are made harmless; all others stay as they are."""

from __future__ import annotations

from workbench.campaign.near_duplicates import html_words
from workbench.methods.text.html_repair import without_deep_nesting, without_repeated_formatting
from workbench.web.judging.document.cleaning import clean_html

BLOWN_UP = "<p>" + "".join(f"<b lang=x{number}>" for number in range(2_000)) + "</p>" + "<p>ice" * 2_000
"""A parser would write 2,000 `b` into each of 2,000 paragraphs."""


def test_ordinary_pages_stay_as_they_are() -> None:
    page = "<p>The <b>R</b>hine <font color=red>freezes</font>.</p>" * 2_000
    assert without_repeated_formatting(page) == page
    assert without_repeated_formatting("") == ""


def test_tags_are_alike_only_if_no_quote_can_hide_their_ends() -> None:
    same = "<font color='red'>" * 2_000 + "<p>" * 2_000
    assert without_repeated_formatting(same) == same
    other = "".join(f'<b title=">{number}">' for number in range(2_000)) + "<p>" * 2_000
    assert "<b" not in without_repeated_formatting(other)
    odd = "".join(f'<b x=a" y="1>{number}">' for number in range(2_000)) + "<p>" * 2_000
    assert "<b" not in without_repeated_formatting(odd)


def test_tags_that_a_parser_would_repeat_become_spans() -> None:
    assert without_repeated_formatting(BLOWN_UP) == "<p>" + "<span>" * 2_000 + "</p>" + "<p>ice" * 2_000


def test_such_a_page_keeps_its_words_and_its_size() -> None:
    cleaned = clean_html(BLOWN_UP)
    assert cleaned.count("ice") == 2_000
    assert len(cleaned) < 3 * len(BLOWN_UP)
    assert html_words(BLOWN_UP).split() == ["ice"] * 2_000


def test_a_page_that_has_grown_all_the_same_is_cleaned_without_these_tags() -> None:
    short = "<p>" + "".join(f"<b lang=x{number}>" for number in range(200)) + "</p>" + "<p>ice" * 2_000
    assert without_repeated_formatting(short) == short
    assert clean_html(short).count("ice") == 2_000
    assert len(clean_html(short)) < 3 * len(short)


def test_no_tag_is_hidden_in_a_tag_a_quote_or_capitals() -> None:
    hidden = "<<B lang=1>b lang=2><I title='<i lang=3>'><em/lang=4></EM\n>" * 1_000
    assert "<b" not in without_repeated_formatting(hidden).lower().replace("<br", "")
    assert "<i" not in without_repeated_formatting(hidden).lower()
    assert without_repeated_formatting("<big><br><body><img>" * 200_000).startswith("<span><br><body><img>")


def test_blocks_nested_deeper_than_any_page_lose_their_tags_and_keep_their_words() -> None:
    page = "<div>" * 300 + "ice" + "</div>" * 300
    level = without_deep_nesting(page)
    assert level == "<div>" * 256 + "ice" + "</div>" * 256
    assert without_deep_nesting("<div>" * 300 + "ice") == "<div>" * 256 + "ice"


def test_what_closes_itself_is_not_nested() -> None:
    page = "<ul>" + "<li><p>ice" * 1000 + "</ul>"
    assert without_deep_nesting(page) == page
    cells = "<table>" + "<tr><td>ice" * 1000 + "</table>"
    assert without_deep_nesting(cells) == cells


def test_blocks_after_deep_ones_stay() -> None:
    assert without_deep_nesting("<div><div><div>a</div></div></div><div>b</div>", deepest=2) == (
        "<div><div>a</div></div><div>b</div>"
    )
    assert without_deep_nesting("</div></div><div>a</div>", deepest=1) == "</div></div><div>a</div>"
