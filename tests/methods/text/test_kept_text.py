"""The text of a page is put into tags that a cleaner keeps, in time proportional to the page."""

from __future__ import annotations

import time

import pytest

from workbench.methods.text.kept_text import with_kept_text


@pytest.mark.parametrize(
    "html",
    [
        "<p class=x>The <b>Rhine</b> &amp; 1 < 2 <a href='x>y'>Elbe</a><br/><img src=x>",
        "<!-- <noscript> --><p>x<!doctype html></p>",
        "<p title='<noscript>'>x</p>",
    ],
)
def test_a_page_without_such_text_stays_as_it_is(html: str) -> None:
    assert with_kept_text(html) == html


def test_scripts_and_styles_pass_as_they_are() -> None:
    html = "<style>a<b{}</style><title>a<b</title><script>if (a<b) '<noscript>'</script>"
    assert with_kept_text(html) == f'{html}<hole kind="script"></hole>'


def test_a_formula_is_read_in_its_order_with_what_is_above_and_below() -> None:
    html = (
        "<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>+</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>"
        "<msqrt><mi>y</mi></msqrt></math> end"
    )
    assert with_kept_text(html) == (
        '<formula kind="math"><formula kind="msubsup"><formula kind="mi">x</formula><formula kind="mn">1</formula>'
        '<formula kind="mn">2</formula></formula><formula kind="mo">+</formula><formula kind="mfrac">'
        '<formula kind="mn">1</formula><formula kind="mn">2</formula></formula><formula kind="msqrt">'
        '<formula kind="mi">y</formula></formula></formula> end'
    )


MADE_TO_TAKE_LONG = [
    *("<a ", '<a b="', "<a b='", "=", "style=", "</", "<a hidden style=", "<!--", "<![CDATA["),
    *("<option>", "<frame>", "<svg>", "<style>", "<textarea>", "<annotation>", "<plaintext>", "<select><p>"),
    *("<math><mfrac>", "<svg><style>", "<math><annotation>"),
]


@pytest.mark.parametrize("piece", MADE_TO_TAKE_LONG)
def test_a_page_made_to_take_long_takes_no_longer_than_others_and_does_not_grow_much(piece: str) -> None:
    def seconds(size: int) -> float:
        html = piece * (size // len(piece))
        began = time.process_time()
        assert len(with_kept_text(html)) < 6 * len(html) + 20_000
        return time.process_time() - began

    # Four times the text takes four times as long; a square would take sixteen times.
    short, long = (min(seconds(size) for _ in range(3)) for size in (40_000, 160_000))
    assert long < 10 * short + 0.05


def test_of_a_form_its_fields_and_pictures_are_kept_but_what_is_hidden() -> None:
    html = (
        "<input type=image src=a.png alt=Go><input type=text value=x><input type=submit value=Send>"
        "<input type=text placeholder='a name'><input type=hidden value=h><input type=text value=y hidden>"
    )
    assert (
        with_kept_text(html)
        == "<img  type=image src=a.png alt=Go><bit>x</bit><bit>Send</bit><bit>a name</bit>"
    )


def test_a_part_of_a_formula_without_content_ends_where_it_begins() -> None:
    assert with_kept_text("<math><mspace width='1em'/><mi>x</mi></math>") == (
        '<formula kind="math"><formula kind="mspace" width="1em"></formula><formula kind="mi">x</formula></formula>'
    )
