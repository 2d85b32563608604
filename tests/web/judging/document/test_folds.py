"""Navigation, asides, footers, lists of links and what a page hides are folded, and never most of the page."""

from __future__ import annotations

import time

import pytest

from tests.sentences import says
from workbench.core.records import Document
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Look, body_of
from workbench.web.judging.document.cleaning import clean_html
from workbench.web.judging.document.folds import Fold
from workbench.web.judging.document.markup import Markup

LOOK = Look((Term("frozen"), Term("rivers")), "en")
TEXT = "<p>" + "These words are what the page is about, and have no link in them. " * 12 + "</p>"
LINKS = "".join(f"<a href=/{number}>Another page {number}</a> " for number in range(8))
WORDS = "Words of another kind that are long enough to be folded by themselves. "


def folded(html: str) -> list[tuple[str, str]]:
    markup = Markup(clean_html(html))
    return [(fold.name, " ".join(markup.words[fold.start : fold.end].split())) for fold in markup.folds]


@pytest.mark.parametrize(
    ("part", "name"),
    [(f"<nav>{WORDS}</nav>", "Navigation"), (f"<div role=navigation>{WORDS}</div>", "Navigation"),
     (f"<aside>{WORDS}</aside>", "Aside"), (f"<footer>{WORDS}</footer>", "Footer"),
     (f"<div role=contentinfo>{WORDS}</div>", "Footer"), (f"<div>See {LINKS}</div>", "Links"),
     (f"<ul>{LINKS.replace('<a', '<li><a')}</ul>", "Links"), (f"<table><tr><td>{LINKS}</table>", "Links"),
     (f"<div hidden>{WORDS}</div>", "Hidden on the page"),
     (f"<div style='display:none'>{WORDS}</div>", "Hidden on the page"),
     (f"<template>{WORDS}</template>", "Hidden on the page"),
     (f"<header>{WORDS}{LINKS}</header>", "Navigation")],
)  # fmt: skip
def test_what_a_page_is_not_about_is_folded(part: str, name: str) -> None:
    assert [found for found, _ in folded(f"{TEXT}<div>{TEXT}</div>{part}{TEXT}")] == [name]


@pytest.mark.parametrize(
    "part",
    [f"<div>{WORDS}<a href=x>one link</a></div>", "<nav>Home</nav>", "<p>See <a href=x>this page</a>",
     f"<header><h1>Frozen rivers</h1><a href=x>By the author</a> {WORDS * 3}</header>",
     f"<article><header>{WORDS}<a href=x>By the author</a></header></article>",
     f"<p>{WORDS}<span hidden>{WORDS}</span>"],
)  # fmt: skip
def test_what_a_page_may_be_about_is_not(part: str) -> None:
    assert folded(TEXT + part + TEXT) == []
    items = LINKS.replace("<a", "<li><a")
    assert folded(f"<h1>Rivers</h1><ul>{items}</ul>") == [], "it would be the whole page"
    assert folded(f"<div hidden>{TEXT}{TEXT}</div><p>x") == []


def test_parts_that_follow_each_other_are_one_fold_and_the_skip_link_at_the_top_is_in_it() -> None:
    html = f"<body><a href=#x>Skip to main content</a> <nav>{LINKS}</nav><div>{LINKS}</div>{TEXT}"
    ((name, words),) = folded(html)
    assert name == "Navigation"
    assert words.startswith("Skip to main content Another page 0")


def test_a_fold_ends_where_its_part_does_and_at_the_top_of_a_page_it_may_be_short() -> None:
    assert folded(f"{TEXT}<nav>{WORDS}</nav>and so on{TEXT}") == [("Navigation", WORDS.strip())]
    assert folded(f"<nav>Home</nav>{TEXT}") == [("Navigation", "Home")]


def test_what_is_folded_is_chosen_as_passage_only_where_nothing_else_has_a_hit() -> None:
    folds = f"<nav>Frozen rivers, all frozen rivers. {WORDS * 3}</nav>"
    body = body_of(Document("d", "", f"{folds}{TEXT * 3}<p>A river.</p>{TEXT * 3}", "text/html"), LOOK)
    assert body.opens_at == 4
    assert says(body.html)
    assert "<b>4 marked words</b>" in body.html
    assert body.counts == (2, 3)
    alone = body_of(Document("d", "", f"{folds}{TEXT * 6}", "text/html"), LOOK)
    assert alone.opens_at == 0
    assert '<details class="fold" open>' in alone.html


def test_a_fold_adds_no_character_to_the_text_of_a_page() -> None:
    html = f"{TEXT}<nav>{WORDS}</nav>{TEXT}"
    assert Markup(clean_html(html)).words == Markup(clean_html(html.replace("nav>", "div>"))).words


ROWS = "".join(f"<tr><td>River {number}<td>{'frozen' if number == 60 else 'open'}" for number in range(99))
HEAD = "<tr><th>River<th>State"


@pytest.mark.parametrize(
    "table", [f"<table><thead>{HEAD}<tbody>{ROWS}</table>", f"<table>{HEAD}{ROWS}</table>"]
)
def test_a_passage_in_a_table_keeps_the_row_of_its_heads_and_its_first_row_whole(table: str) -> None:
    look = Look((Term("frozen"),), "en")
    body = body_of(Document("d", "", TEXT + table + TEXT, "text/html"), look)
    assert body.has_passage
    assert "<tr><th>River</th><th>State</th></tr>" in body.html
    assert '<tr><td>River 60</td><td><mark class="hit" data-term="0">frozen</mark></td></tr>' in body.html
    assert '<tr class="outside"><td>River 59</td><td>open</td></tr>' in body.html


@pytest.mark.parametrize("piece", ["<nav>x</nav>", "<div><a>x</a>", "<table><tr><td>", "<ul><li>", "<aside>"])
def test_a_page_of_nothing_but_parts_to_fold_takes_no_longer_than_its_length(piece: str) -> None:
    def seconds(count: int) -> float:
        cleaned = clean_html(piece * count)
        began = time.process_time()
        Markup(cleaned)
        return time.process_time() - began

    short, long = (min(seconds(count) for _ in range(2)) for count in (500, 2_000))
    assert long < 10 * short + 0.1


@pytest.mark.parametrize(
    "words",
    ["a" * 59 + " b", "a" * 80, "a" * 81, "a" + " " * 318 + "b", "a" + " " * 319 + "b"],
    ids=["two words", "80", "81", "318 blanks", "319 blanks"],
)
def test_a_fold_shows_its_first_eighty_characters_of_a_few_hundred(words: str) -> None:
    opened = Fold(0, 1, 2, 2 + len(words), "Links").opening(
        f"xx{words}yy", 0, is_open=False, is_outside=False
    )
    assert says(opened)


@pytest.mark.parametrize(
    ("hits", "is_open", "is_outside"), [(1, True, False), (2, False, True), (0, True, True)]
)
def test_a_fold_says_how_many_marked_words_are_in_it(hits: int, is_open: bool, is_outside: bool) -> None:
    assert says(Fold(0, 1, 0, 3, "Aside").opening("ice", hits, is_open=is_open, is_outside=is_outside))
