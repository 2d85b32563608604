"""What is read of cleaned HTML, also where it is not as it should be."""

from __future__ import annotations

import pytest

from workbench.web.judging.document.reader import Reader

FORMULA = '<span class="formula"><math>{}</math></span>'


def html(reader: Reader) -> str:
    return "".join(token.html for token in reader.tokens)


@pytest.mark.parametrize(
    ("page", "written", "words"),
    [
        ("<p>ice <b>snow", "<p>ice <b>snow</b></p>", "ice snow"),
        ("ice</b> snow</p>", "ice snow", "ice snow"),
        ("<b>ice</p> snow</b>", "<b>ice snow</b>", "ice snow"),
    ],
)
def test_every_element_that_is_open_at_the_end_is_closed_and_no_other(
    page: str, written: str, words: str
) -> None:
    read = Reader().read(page)
    assert (html(read), read.words.strip()) == (written, words)
    assert read.open == []
    closed = {place: token.name for place, token in enumerate(read.tokens) if token.kind == "close"}
    assert {read.tokens[start].name: closed[end] for start, end in read.close.items()} == {
        name: name for name in closed.values()
    }


def test_a_hole_is_a_box_that_says_what_one_of_its_kind_is_and_a_script_has_none() -> None:
    read = Reader().read('<hole kind="frame"></hole><hole kind="script"></hole><hole kind="frame"></hole>')
    label = "embedded page"
    box = f'<span class="hole" role="img" aria-label="{label}" data-kind="{label}"></span>'
    assert (html(read), read.holes) == (2 * box, {"frame": 2, "script": 1})


def test_a_hole_of_an_unknown_kind_or_in_a_formula_is_none() -> None:
    formula = '<formula kind="math"><formula kind="mi">x</formula><hole kind="frame"></hole></formula>'
    read = Reader().read(f'a<hole kind="x"></hole>{formula}')
    assert (html(read), read.holes) == ("a" + FORMULA.format("<mi>x</mi>"), {})


def test_blanks_between_the_parts_of_a_formula_part_words_and_other_text_is_a_text_of_its_own() -> None:
    formula = '<formula kind="math"><formula kind="mrow">{}<formula kind="mi">x</formula></formula></formula>'
    blank, stray = Reader().read("a" + formula.format("\n ")), Reader().read("a" + formula.format("if"))
    assert html(blank) == "a" + FORMULA.format("<mrow><mi>x</mi></mrow>")
    assert blank.words.split() == ["a", "x"]
    assert html(stray) == "a" + FORMULA.format("<mrow><mtext>if</mtext><mi>x</mi></mrow>")
