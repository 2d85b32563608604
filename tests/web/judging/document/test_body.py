"""The body of a document's page: its marks, its best passage, and what is told of both."""

from __future__ import annotations

import re
from base64 import b64encode
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.images import png
from workbench.core.records import Document
from workbench.methods.text.compared_words import words_of
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Look, body_of, places_of, title_of
from workbench.web.judging.document.comparison import NO_COMPARISON

LOOK = Look((Term("frozen"), Term("rivers"), Term("ice", own=True, colour=2)), "en")
FILLER = "Nothing is said of it in these words, which are there to be long enough. " * 12
LONG = "\n\n".join(["The first.", FILLER, FILLER, "All rivers were frozen that year.", FILLER, FILLER])


def plain(text: str, title: str = "") -> Document:
    return Document("d", title, text)


def marked_in(html: str) -> list[str]:
    return re.findall("<mark[^>]*>(.*?)</mark>", html)


def test_terms_are_marked_by_their_stems_and_counted() -> None:
    body = body_of(plain("The river froze, the ice on the Rivers broke. More ice."), LOOK)
    assert marked_in(body.html) == ["river", "ice", "Rivers", "ice"]
    assert body.counts == (0, 2, 2)
    assert '<mark class="hit own" data-term="2">ice</mark>' in body.html
    assert body_of(plain("river " + "x" * 13 + " rivers"), LOOK).places == (0.0, 0.76923)
    html = str(body_of(Document("d", "", "# Frozen\n\n* the **Rivers**", "text/markdown"), LOOK).html)
    assert (marked_in(html), "<strong><mark" in html) == (["Frozen", "Rivers"], True)
    assert text_shown(body_of(plain("<script>alert(1)</script>"), LOOK).html) == "<script>alert(1)</script>"
    for media_type in ("text/plain", "text/html", "text/markdown"):
        assert body_of(Document("d", "", " \n ", media_type), LOOK).is_empty


def test_a_map_gets_at_most_400_places_the_first_of_those_that_are_near() -> None:
    places = places_of(range(0, 100_000, 10), 100_000)
    assert len(places) == 400
    assert places[:3] == (0.0, 0.0025, 0.005)


def test_a_long_text_opens_at_its_best_passage() -> None:
    body = body_of(plain(LONG), LOOK)
    assert (body.before, body.after, body.has_passage) == (3, 1, True)
    assert [body._replace(before=before, after=1 - before).has_passage for before in (0, 1)] == [True, True]
    inside = re.sub(r'<div class="outside">.*?</div>', "", body.html)
    assert "All rivers" not in re.sub("<[^>]*>", "", body.html.replace(inside, ""))
    assert "rivers</mark> were" in inside
    assert not body_of(plain("All rivers were frozen.\n\nEnd."), LOOK).has_passage, "it is short"
    assert not body_of(plain(LONG), Look((Term("glacier"),), "en")).has_passage, "nothing is marked"


def test_a_passage_opens_at_its_best_stretch() -> None:
    filler = "x" * 120 + " "
    block = f"River. {filler * 14}The ice of frozen rivers. {filler}More ice. {filler}"
    body = body_of(plain(f"River.\n\n{FILLER * 2}\n\n{block}"), LOOK)
    assert (body.before, body.after) == (2, 0)
    # Of the hits river, river, ice, frozen, rivers, ice the third: the block is longer than a passage.
    assert body.opens_at == 2
    assert body_of(plain("Nothing of it."), LOOK).opens_at is None
    assert body_of(plain(LONG), LOOK).opens_at == 0


def test_the_same_is_true_of_a_page() -> None:
    html = "".join(f"<p>{paragraph}</p>" for paragraph in LONG.split("\n\n"))
    body = body_of(Document("d", "", f"<div>{html}</div>", "text/html"), LOOK)
    assert (body.before, body.after) == (3, 1)
    assert body.html.count('<p class="outside">') == 4
    assert "<p>All <mark" in body.html


def test_words_that_a_near_duplicate_has_not_are_marked() -> None:
    body = body_of(plain("The Thames froze in 1739."), LOOK, plain("The Thames froze in 1684."))
    assert 'in <del class="missing">1684</del><mark class="changed begins replaces">1739</mark>.' in body.html
    assert (body.counts, body.differences) == ((0, 0, 0), (0.8,))
    twin = Document("e", "", "<div>The <b>Thames</b> froze.</div>", "text/html")
    page = body_of(Document("d", "", "<p>The Thames melted.</p>", "text/html"), LOOK, twin)
    assert (marked_in(page.html), "<del" in page.html) == (["melted"], True)
    wrapped = body_of(plain("The Thames\nfroze."), LOOK, plain("the Thames froze"))
    assert (wrapped.differences, wrapped.comparison) == ((), NO_COMPARISON)


def test_what_is_missing_stands_at_its_place_with_its_terms_marked_and_is_counted_for_nothing() -> None:
    before = plain("They met. The river froze. It was late. Ice!")
    body = body_of(plain("They met. It was late."), LOOK, before)
    assert text_shown(body.html) == "They met. It was late."
    river = '<mark class="hit" data-term="1">river</mark>'
    assert f'They met. <del class="missing">The {river} froze</del>It' in body.html
    assert 'late<del class="missing"><mark class="hit own" data-term="2">Ice</mark></del>.' in body.html
    assert (body.counts, body.comparison[3:]) == ((0, 0, 0), (0, 4, ("marked words",)))


def test_what_is_missing_of_a_page_stands_inside_a_paragraph_or_cell_never_between_rows() -> None:
    def page(*rows: str) -> Document:
        cells = "".join(f"<tr>\n<td>{row}</td>\n</tr>\n" for row in rows)
        return Document("d", "", f"<table>\n{cells}</table>", "text/html")

    html = body_of(page("one", "three"), LOOK, page("one", "two", "three", "four")).html
    assert '<td><del class="missing">two</del>three<del class="missing">four</del></td>' in html


PIECES = "river|ice| |\n|\n\n|<p>|</p>|<td>|<b>|</b>|x|<ul><li>|。|河".split("|")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12)


@given(TEXTS, TEXTS, st.sampled_from(["text/plain", "text/html"]))
def test_what_is_missing_is_shown_whole_and_changes_nothing_else(
    new: list[str], old: list[str], kind: str
) -> None:
    document, before = (Document("d", "", "".join(pieces), kind) for pieces in (new, old))
    body, alone = body_of(document, LOOK, before), body_of(document, LOOK)
    assert text_shown(body.html) == text_shown(alone.html)
    lost = " ".join(re.findall('<del class="missing">(.*?)</del>', body.html, re.DOTALL))
    if not body.is_empty:
        assert len(words_of(unescape(re.sub("<[^>]*>", "", lost)))) == body.comparison.words_missing


def text_shown(html: str) -> str:
    """The text of a body without what is missing from it."""
    return unescape(re.sub("<[^>]*>", "", re.sub('(?s)<del class="missing">.*?</del>', "", html)))


def test_an_image_that_markdown_holds_is_shown_and_no_word_but_a_short_address_in_code() -> None:
    image = f"data:image/png;base64,{b64encode(png() + bytes(300_000)).decode()}"
    text = f"# Ice\n\n![a river]({image} \"x\") [![][1]](http://x)\n\n<img src='{image}'>\n\n[1]: {image}"
    body = body_of(Document("d", "", text, "text/markdown"), LOOK)
    assert body.html.count(f'<img src="{image}" alt="') == 3
    assert f'<img src="{image}" alt="a river">' in body.html
    assert "held" not in body.html
    text = '`![](data:image/png;base64,AAAA)`\n\n    <img src="data:image/png;base64,AAAA">'
    code = body_of(Document("d", "", text, "text/markdown"), LOOK).html
    assert code.count("data:image/png;held,") == 2
    assert ("AAAA" in code, "<img" in code) == (False, False)


def test_one_image_that_markdown_names_a_thousand_times_is_shown_as_often_as_there_is_room() -> None:
    image = f"data:image/png;base64,{b64encode(png() + bytes(600_000)).decode()}"
    held = "![](data:image/png;held,7) ![](data:image/png;held,0)"
    text = "![a lake][1]\n\n" * 1_000 + f"{held}\n\n[1]: {image}"
    body = body_of(Document("d", "", text, "text/markdown"), LOOK)
    assert body.html.count("<img") == 3
    assert body.html.count('<span class="picture">a lake</span>') == 997


def test_the_title_is_escaped_marked_and_compared() -> None:
    html, compared = title_of("<b> Frozen", LOOK)
    assert (html, compared) == ('&lt;b&gt; <mark class="hit" data-term="0">Frozen</mark>', NO_COMPARISON)
    html, compared = title_of("A Winter", LOOK, "A frozen winter")
    assert html == 'A <del class="missing"><mark class="hit" data-term="0">frozen</mark></del>Winter'
    assert compared.reasons == ("marked words",)
    assert title_of("", LOOK, "Gone")[0] == '<del class="missing">Gone</del>'


@pytest.mark.parametrize(
    ("document", "language", "direction"),
    [
        (plain("الأنهار المتجمدة في الشتاء"), "ar", "rtl"),
        (plain("冬天结冰的河流"), "zh", "ltr"),
        (Document("d", "", "<html lang=fa dir=ltr><p>word</p>", "text/html"), "fa", "ltr"),
        (plain("1929"), "", "ltr"),
    ],
)
def test_language_and_direction_are_reported(document: Document, language: str, direction: str) -> None:
    body = body_of(document, LOOK)
    assert (body.language, body.direction) == (language, direction)


def test_what_is_asked_for_twice_is_made_once() -> None:
    first, again = (body_of(plain("The river froze."), LOOK) for _ in range(2))
    assert first is again


def test_words_of_a_heading_that_the_title_says_are_counted_once() -> None:
    page = Document("d", "Frozen rivers", "<h1>Frozen rivers</h1><p>rivers</p>", "text/html")
    assert body_of(page, LOOK).counts == (0, 1, 0)
    assert body_of(page._replace(title="Other"), LOOK).counts == (1, 2, 0)
