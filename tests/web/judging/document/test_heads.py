"""Rows of a table, and names of speakers, that stay when only a passage is shown."""

from __future__ import annotations

import pytest

from workbench.web.judging.document.markup import Markup
from workbench.web.judging.document.tokens import LONGEST_LINE, heads_around

HEAD = "<tr><th>River</th><th>Length</th></tr>"
ROWS = "<tr><td>Elbe</td><td>1,094</td></tr><tr><td>Oder</td><td>840</td></tr>"


def kept_with(html: str, word: str) -> list[str]:
    """The texts of the rows that are kept with the passage that begins at a word."""
    markup = Markup(html)
    (place,) = [at for at, token in enumerate(markup.tokens) if token.text == word]
    spans = heads_around(markup.tokens, markup.close, place)
    return [" ".join(t.text for t in markup.tokens[first:last] if t.text.strip()) for first, last in spans]


TOWNS = f"<table><tr><th>Town</th></tr>{ROWS}</table>"
CAPTION = "<table><caption>Oder</caption></table>"


@pytest.mark.parametrize(
    ("html", "kept"),
    [(f"<table>{HEAD}{ROWS}</table>", ["Oder 840", "River Length"]),
     (f"<table><thead>{HEAD}</thead><tbody>{ROWS}</tbody></table>", ["Oder 840", "River Length"]),
     (f"<table>{ROWS}</table>", ["Oder 840"]),
     ("<table><tr></tr></table><table><tr><td>Oder</td></tr></table>", ["Oder"]), (CAPTION, []),
     ("<p>Oder</p>", []),
     (f"<table>{HEAD}<tr><td>{TOWNS}</td></tr></table>", ["Oder 840", "River Length", "Town"]),
     (f"<table>{HEAD}<tr><td>Elbe {CAPTION}</td></tr></table>", ["River Length"])],
)  # fmt: skip
def test_the_row_and_the_heads_of_each_table_around_are_kept(html: str, kept: list[str]) -> None:
    assert kept_with(html, "Oder") == kept


@pytest.mark.parametrize(("length", "is_kept"), [(LONGEST_LINE, True), (LONGEST_LINE + 1, False)])
def test_a_row_too_long_for_a_line_of_a_table_is_not_kept(length: int, is_kept: bool) -> None:
    long = "x" * (length - len("Oder"))
    assert bool(kept_with(f"<table><tr><td>Oder</td><td>{long}</td></tr></table>", "Oder")) == is_kept
    heads = f"<table><tr><th>{'x' * length}</th></tr><tr><td>Oder</td></tr></table>"
    assert len(kept_with(heads, "Oder")) == 1 + is_kept


def test_who_says_it_is_shown_with_a_passage_that_begins_within_a_message() -> None:
    first = "<section><header><b>Anna</b> <time>10:30</time></header><p>ice</p></section>"
    second = "<section><header><b>Ben</b></header><p>one</p><p>two</p></section>"
    assert kept_with(first + second, "two") == ["Ben"]
    assert kept_with(first, "ice") == ["Anna 10:30"]
    assert kept_with(first.replace("10:30", "x" * LONGEST_LINE), "ice") == []
    assert kept_with("<section><header>Rivers</header><p>two</p></section>", "two") == []
