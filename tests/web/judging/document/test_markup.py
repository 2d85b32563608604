"""Cleaned HTML gets its marks and its passage, and stays the HTML that it was."""

from __future__ import annotations

import re
from base64 import b64encode
from time import process_time

import pytest

from tests.images import png_bomb
from tests.sentences import says
from workbench.methods.text.html_repair import DEEPEST
from workbench.methods.text.matching import Hit
from workbench.web.judging.document.cleaning import Declared, clean_html
from workbench.web.judging.document.marking import Marker, marks_of
from workbench.web.judging.document.markup import Markup

PLAIN = Marker([])
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def as_address(image: bytes) -> str:
    return f"data:image/png;base64,{b64encode(image).decode()}"


def markup_of(html: str) -> Markup:
    return Markup(clean_html(html))


def pieces_of(html: str) -> list[str]:
    markup = markup_of(html)
    return [markup.words[start:end] for start, end in markup.pieces]


def written(html: str, passage: tuple[int, int] | None = None) -> str:
    return markup_of(html).write(PLAIN, passage)


def test_pieces_are_paragraphs_cells_items_and_lines_with_an_empty_one_between_or_cut_after_sentences() -> (
    None
):
    html = "<p>one <b>two</b></p><div>bare<p>x</p>tail<br> <br>end<br>line</div>"
    lists = "<ul><li>a<li>b</ul><table><td>c<td> </table>"
    assert pieces_of(html + lists) == ["one two", "bare", "x", "tail", "end\nline", "a", "b", "c"]
    pieces = pieces_of("The Thames froze again. " * 300)
    assert [piece[:3] for piece in pieces] == ["The"] * 3


@pytest.mark.parametrize(
    ("html", "hit", "marked"),
    [
        ("<p>the <i>fro</i>zen river", (4, 10), "<p>the <i>[fro]</i>[+zen] river</p>"),
        ("<p>&lt;&amp;&gt; river</p>", (4, 9), "<p>&lt;&amp;&gt; [river]</p>"),
    ],
)
def test_a_hit_in_two_tags_is_marked_in_both_and_entities_are_one_character(
    html: str, hit: tuple[int, int], marked: str
) -> None:
    found = markup_of(html).write(Marker(marks_of([Hit(*hit, 0)], [])), None)
    found = found.replace('<mark class="hit" data-term="0">', "[").replace("</mark>", "]")
    assert found.replace('<mark class="hit continued" data-term="0">', "[+") == marked


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p><b>fro</b>zen</p><p>rivers<br>melt</p>", "frozen\nrivers\nmelt\n"),
        ("one<img src=x alt='a river'>two", "one\na river\ntwo"),
        ("<pre>\n\none</pre>", "\none\n"),
    ],
)
def test_words_part_where_blocks_and_images_do_and_not_where_a_letter_is_bold(html: str, words: str) -> None:
    assert markup_of(html).words == words


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<pre>\n\none</pre>", "<pre>\n\none</pre>"),
        ("<p><mark>one</mark>", "<p><b>one</b></p>"),
        ("<p>one <span style='display:none'>two</span></p>", '<p>one <span class="unseen">two</span></p>'),
        ("<p hidden>three", '<p class="unseen">three</p>'),
    ],
    ids=["its first line break", "marks of its own", "hidden by a style", "hidden"],
)
def test_a_page_is_shown_with_what_it_has(html: str, shown: str) -> None:
    assert written(html) == shown


@pytest.mark.parametrize(
    ("html", "passage", "shown"),
    [
        (
            "<h1>Rivers</h1><div><p>one</p><p>two</p><hr></div><ul><li>three</li></ul>",
            (2, 3),
            "<h1 outside>Rivers</h1><div><p outside>one</p><p>two</p><hr outside></div>"
            "<ul outside><li>three</li></ul>",
        ),
        (
            "<div>one<p>two</p>three <i>four</i></div>",
            (1, 2),
            "<div><span outside>one</span><p>two</p><span outside>three </span><i outside>four</i></div>",
        ),
        (
            "<table>\n<tr>\n<td>a</td>\n</tr>\n<tr><td>b</td></tr></table>",
            (1, 2),
            '<div class="table"><table>\n<tbody><tr outside>\n<td>a</td>\n</tr>\n<tr><td>b</td></tr>'
            "</tbody></table></div>",
        ),
    ],
    ids=["blocks", "bare text is wrapped", "blanks between rows are not"],
)
def test_what_has_no_word_of_the_passage_is_outside(html: str, passage: tuple[int, int], shown: str) -> None:
    assert written(html, passage).replace('class="outside"', "outside") == shown


def test_a_passage_may_begin_in_the_middle_of_a_text() -> None:
    html = "The Thames froze. " * 200
    markup = markup_of(html)
    (_, cut), (_, end) = markup.pieces[0], markup.pieces[-1]
    assert len(markup.pieces) == 2
    assert markup.write(PLAIN, (1, 2)) == f'<span class="outside">{html[:cut]}</span>{html[cut:end]} '


def test_an_image_that_the_page_holds_is_shown() -> None:
    assert written(f'<p>x<img src="{PIXEL}" alt="a &quot;river&quot;" width=9>') == (
        f'<p>x<img src="{PIXEL}" alt="a &quot;river&quot;" width="9"></p>'
    )
    assert written(f'<img src="{PIXEL}" width="9 onload=1" height=9>') == f'<img src="{PIXEL}" alt="">'
    assert not markup_of(f'<img src="{PIXEL}">').is_empty


@pytest.mark.parametrize(
    "source",
    ["https://example.org/x.png", "x.png", "//example.org/x.png", "data:image/svg+xml;base64,PHN2Zz4=",
     "data:text/html;base64,PGI+", "data:image/png,plain", "data:image/png;base64,AAAA#<script>",
     "data:image/png;charset=x;base64,AAAA", pytest.param("data:image/png;base64,AAAA", id="none at all"),
     pytest.param("data:image/png;base64,AAAAA", id="broken base64"),
     pytest.param(as_address(png_bomb(30_000, 30_000)), id="more pixels than memory holds"),
     pytest.param(f"data:image/png;base64,A{' ' * 200_000}!", id="blanks that would take hours")],
)  # fmt: skip
def test_every_other_image_becomes_its_words_in_a_box(source: str) -> None:
    assert written(f'<p>x<img src="{source}" alt="a <river>">y') == (
        '<p>x<span class="picture">a &lt;river&gt;</span>y</p>'
    )


def test_images_together_have_a_bound_of_pixels() -> None:
    image = f"<img src={as_address(png_bomb(5_000, 4_000))}>"
    page = markup_of(image * 3)
    assert page.write(PLAIN, None).count("<img") == 2
    assert page.not_shown == ("1 image without a description",)


def test_an_image_without_words_leaves_an_empty_box_unless_it_says_nothing() -> None:
    assert says(written("<img src=river.png>"))
    assert written("<img src=river.png width=400 height=300>") == written("<img src=river.png>")
    for silent in ("src=line.png alt=''", "src=dot.gif width=1 height=1", "width=400 height=1", "width=0"):
        assert written(f"<img src=rule.gif {silent}>") == ""


@pytest.mark.parametrize(
    "html", ["", "<p> </p>", "<div><br></div>", "<style>p {}</style>", "<img src=x alt=''>"]
)
def test_html_without_words_is_empty(html: str) -> None:
    assert markup_of(html).is_empty


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>if <math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mn>1</mn></math>, then", "if x2=1, then"),
        (
            "<math><mfrac><mi>a</mi><mi>b</mi></mfrac><semantics><mi>c</mi><annotation>C</annotation></math>",
            "a b c",
        ),
        (
            "<svg><title>Map</title><text>Rhine <tspan>km</tspan></text><style>x{}</style><style/></svg>",
            "Map Rhine km",
        ),
        ("<svg><foreignObject><p>Elbe</p></foreignObject></svg>", "Elbe"),
        ("<svg><path d=x><p>Elbe", "Elbe"),
        ("<frameset><frame src=a><noframes><body><p>Elbe</body></noframes></frameset>", "Elbe"),
        ("<noscript><b>Rh</b>ine</noscript> <noembed>Elbe</noembed>", "Rhine Elbe"),
        ("<iframe src=x>Rhine</iframe><object data=x><p>Elbe</object>", "Rhine Elbe"),
        (
            "<video>Rhine</video><audio>Elbe</audio><canvas>Oder</canvas><applet>Main</applet>",
            "Rhine Elbe Oder Main",
        ),
        ("<button>Go <b>on</b></button><input type=submit value='Se&amp;arch'>", "Go on Se&arch"),
        ("<select><optgroup label=Rivers><option>Rhine<option>Elbe</select>", "Rivers Rhine Elbe"),
        ("<input placeholder=Town><input type=hidden value=x><input type=password value=y>", "Town"),
        ("<textarea>a &lt; <b>b</textarea><xmp>&lt;<i></xmp>", "a < <b>b &lt;<i>"),
        ("one<form>two</form><fieldset><legend>three</legend>four</fieldset>", "one two three four"),
        ("<map><area alt=Rhine href=x></map>", "Rhine"),
        ("<details><summary>Rhine</summary>Elbe</details><dialog>Oder</dialog>", "Rhine Elbe Oder"),
        (
            "<template>Rhine</template><p hidden>Elbe</p><p style='color:red; display: none'>Oder",
            "Rhine Elbe Oder",
        ),
    ],
)
def test_no_text_of_a_page_is_dropped(html: str, text: str) -> None:
    assert markup_of(html).words.split() == text.split()


@pytest.mark.parametrize(
    ("html", "not_shown"),
    [
        ("<frameset><frame src=a><frame src=b></frameset>", ("2 embedded pages",)),
        ("<img src=x><img src=y><video src=z></video>", ("2 images without a description", "1 video")),
        ("<embed src=x><object data=y></object><audio src=z></audio>", ("1 recording", "2 embedded objects")),
        ("<iframe src=x></iframe><canvas></canvas>", ("1 drawing", "1 embedded page")),
        ("<svg width=400><path d=x></svg><svg width=16><path d=x></svg>", ("1 drawing",)),
        ("<p>Loading<script src=x></script>", ("what its scripts write",)),
        (f"<p>{'All the words. ' * 40}<script src=x></script>", ()),
        ("<p>Rhine<script type='application/ld+json'>{}</script>", ()),
    ],
)  # fmt: skip
def test_a_page_says_what_of_it_is_not_shown_and_is_not_called_empty(
    html: str, not_shown: tuple[str, ...]
) -> None:
    markup = markup_of(html)
    assert markup.not_shown == not_shown
    assert not markup.is_empty


def test_blocks_whose_words_run_the_other_way_say_so() -> None:
    html = (
        "<h1>Rivers and lakes under ice</h1><p>(قرأ) ice</p><div>1. قرأ <p>قرأ</p><p>ice</p></div><div><p>קרא</p></div>"
        "<table><tr><td>קרא</td><td>7</td></tr></table><ul><li>ice</ul>"
    )
    assert markup_of(html).write(PLAIN, None) == (
        '<h1>Rivers and lakes under ice</h1><p dir="rtl">(قرأ) ice</p>'
        '<div dir="rtl">1. قرأ <p>قرأ</p><p dir="ltr">ice</p></div>'
        '<div><p dir="rtl">קרא</p></div><div class="table"><table><tbody>'
        '<tr><td dir="rtl">קרא</td><td>7</td></tr></tbody></table></div>'
        "<ul><li>ice</li></ul>"
    )
    assert markup_of("<p>קרא וקרח</p><p>ice</p>").write(PLAIN, None) == '<p>קרא וקרח</p><p dir="ltr">ice</p>'


def test_a_direction_that_the_page_has_given_is_kept_for_all_that_is_in_it() -> None:
    html = '<div dir="rtl"><p>frozen rivers</p><p dir="ltr">קרא</p></div><p>קרא</p>'
    assert markup_of(html).write(PLAIN, None) == (
        '<div dir="rtl"><p>frozen rivers</p><p dir="ltr">קרא</p></div><p dir="rtl">קרא</p>'
    )
    assert Markup(html, Declared(None, "rtl")).write(PLAIN, None) == html


def test_a_page_nested_on_purpose_is_read_without_recursion() -> None:
    # p, span and the like are not taken out, blocks are (see html_repair)
    assert written("<span>" * 2_000 + "x" + "</span>" * 2_000).count("<span>") == 2_000
    assert written("<div>" * 2_000 + "x" + "</div>" * 2_000).count("<div>") == DEEPEST


def test_speakers_are_told_apart_and_the_one_who_asks_is_always_the_same() -> None:
    names = ["Human", "gpt", "tool", "gpt", "user", "Ann", "Ben"]
    html = "".join(f"<section><header><b>{name}</b></header><p>x</p></section>" for name in names)
    assert re.findall(r"speaker-([0-9])", written(html)) == ["0", "1", "2", "1", "0", "3", "1"]
    assert "speaker" not in written("<section><p>no one</p></section>")


@pytest.mark.parametrize(
    ("title", "html", "is_left_out"),
    [("Canal locks", "<h1>Canal  <i>LOCKS</i></h1><p>x</p>", True),
     ("Canal locks.", "<p>x</p><h2>Canal locks\u00b6</h2>", True),
     ("Canal locks", "<h1>Canals</h1><h2>Canal locks</h2>", False),
     ("Canal locks", "<h1>Canal locks</h1>", False), ("", "<h1></h1><p>x</p>", False)],
)  # fmt: skip
def test_a_first_heading_that_is_the_title_is_not_shown_again_and_its_words_stay(
    title: str, html: str, is_left_out: bool
) -> None:
    markup = markup_of(html)
    words = markup.words
    markup.say_once(title)
    assert (' class="repeated"' in markup.write(PLAIN, None), markup.words) == (is_left_out, words)


def test_a_heading_of_combining_characters_costs_no_square() -> None:
    row = "\u0316\u0301" * 30_000
    markup = markup_of(f"<h1>a{row}</h1><p>x</p>")
    began = process_time()
    markup.say_once("Canal locks")
    assert process_time() - began < 2  # the square took 9 s
