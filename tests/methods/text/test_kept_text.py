"""The text of a page is put into tags that a cleaner keeps, in time proportional to the page."""

from __future__ import annotations

import time

import pytest

from tests.methods.text.cases import cases
from tests.sentences import says
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
    assert says(with_kept_text(html))


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
    short, long = (min(seconds(size) for _ in range(3)) for size in (15_000, 60_000))
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


KEPT = """
<svg width=64px><path d=M0/><text>a</text><g><title/></g></svg>b | <hole kind=drawing/><bit>a</bit>b
<svg width=63></svg><svg width=999999></svg><svg width=0000009></svg> | <hole kind=drawing/>
<svg width=0000064></svg>a | a
<svg><foreignObject><p>a</p></foreignObject><text>b</text></svg><text>c</text> | <bit><p>a</p></bit><bit>b</bit>c
<svg><foreignObject/><text>a</text></svg> | <bit>a</bit>
<svg><svg><text>a</text></svg><text>b</text></svg><text>c</text> | <bit>a</bit><bit>b</bit>c
<svg><svg/><text>a</text></svg><text>b</text> | <bit>a</bit>b
<svg><style>a<b</style><script/><text>a</text></svg> | <style>a<b</style><bit>a</bit>
<svg><text>a</text><p>b</p></svg><text>c</text> | <bit>a</bit><p>b</p></svg>c
<svg><![CDATA[a<b]]></svg><![CDATA[c]]> | a&lt;b<![CDATA[c]]>
<select><optgroup label=A><option>B<option>C</select>d | <fallback><bit>A</bit><bit>B</bit><bit>C</bit></fallback>d
<select><optgroup label='a<b'></optgroup><option>B</select> | <fallback><bit>a&lt;b</bit><bit>B</bit></fallback>
<option>A<optgroup>b</optgroup><option>C</option>d | <bit>A</bit>b<bit>C</bit>d
<iframe src=x>a</iframe>b | <hole kind=frame/><fallback>a</fallback>b
<frame>a</frame><embed src=x>b | <hole kind=frame/>a<hole kind=object/>b
<object><p>a</object><applet>b</applet>
| <hole kind=object/><fallback><p>a</fallback><hole kind=object/><fallback>b</fallback>
<video>a</video><audio>b</audio> | <hole kind=video/><fallback>a</fallback><hole kind=audio/><fallback>b</fallback>
<canvas>a</canvas> | <hole kind=drawing/><fallback>a</fallback>
<area alt=A href=x><area href=y> | <img  alt=A href=x>
<template>a</template><template shadowrootmode=open>b</template> | <div hidden>a</div><div>b</div>
<noscript>a</noscript><noframes hidden>b</noframes> | <fallback>a</fallback><fallback hidden>b</fallback>
<button hidden>a</button><listing>b</listing> | <bit hidden>a</bit><pre>b</pre>
<P HIDDEN>a</P><x-y>b</x-y> | <p hidden HIDDEN>a</P>b
<textarea>a<b>&amp;</textarea><xmp>c<d>&amp;</xmp> | <pre>a&lt;b>&amp;</pre><pre>c&lt;d>&amp;amp;</pre>
<plaintext>a<b></plaintext> | <pre>a&lt;b>&lt;/plaintext></pre>
<textarea>a<b | <pre>a&lt;b</pre>
<script>1</script><script>2<b | <script>1</script><script>2<b</script><hole kind=script/>
<script type=application/json>{}</script> | <script type=application/json>{}</script>
<math><mi>x</mi><annotation>a</annotation></math>b | <math><mi>x</></>b
<math><annotation>a<mi>x</mi></math>b | <math>a<mi>x</></>b
<math><annotation>a</math>b<math><mi>x</mi><annotation>c</annotation></math>d | <math>a</>b<math><mi>x</></>d
<math><annotation-xml>a</math>b<annotation-xml>c</annotation-xml> | <math>a</>bc
<math><annotation>a<p>b</p><math><annotation>c</annotation></math>d | <math>a<p>b</p><math></>d
<math><annotation-xml><p>a</p></annotation-xml></math>b | <math></>b
<math><mfenced><mi>a</mi></mfenced></math> | <math><mfenced><mo>(</><mi>a</><mo>)</></></>
<math><mfenced open='' separators='; |'><mi>a</mi><mi>b</mi><mi>c</mi><mi>d</mi></mfenced></math>
| <math><mfenced><mi>a</><mo>;</><mi>b</><mo>|</><mi>c</><mo>|</><mi>d</><mo>)</></></>
<math><mfenced open='' close='' separators=''><mi>a</mi><mi>b</mi></mfenced></math>
| <math><mfenced><mi>a</><mi>b</></></>
<math><mtext>a <p>b</p></mtext><mi>c</mi></math> | <math><mtext>a <p>b</p></><mi>c</></>
<math><mi>a<p>b</math>c | <math><mi>a<p>b</></>c
<math><mrow><mi>a</mi><p>b</math> | <math><mrow><mi>a</><p>b</math>
<math></mi><mi>a</math>b</mi> | <math><mi>a</></>b
<bit>a</bit><hole kind=x><formula>b</formula><fallback>c</fallback> | abc
"""


@pytest.mark.parametrize(("html", "kept"), cases(KEPT))
def test_what_a_cleaner_would_drop_is_put_into_what_it_keeps(html: str, kept: str) -> None:
    written = with_kept_text(html)
    for kind in ("drawing", "frame", "object", "video", "audio", "script"):
        written = written.replace(f'<hole kind="{kind}"></hole>', f"<hole kind={kind}/>")
    for kind in ("math", "mi", "mo", "mrow", "mtext", "mfenced"):
        written = written.replace(f'<formula kind="{kind}">', f"<{kind}>")
    assert written.replace("</formula>", "</>") == kept


SQUARE = (
    '<formula kind="math" display="{}"><formula kind="mrow"><formula kind="msup"><formula kind="mi">x</formula>'
    '<formula kind="mn">2</formula></formula></formula></formula>'
)


FORMULAS = """
<code>$x^2$</code>$x^2$ | <code>$x^2$</code>INLINE
<pre><code>$x^2$</code>$x^2$</pre></pre><p>$x^2$ | <pre><code>$x^2$</code>$x^2$</pre></pre><p>INLINE
<svg><text>$x^2$</text></svg> | <bit>$x^2$</bit>
<span class=math>x^2</span><div class='a math'>x^2</div>
| <span class=math>INLINE</span><div class='a math'>INLINE</div>
<span class=math>x<b>2</b></span><span class=maths>x</span>
| <span class=math>x<b>2</b></span><span class=maths>x</span>
<script type=math/tex>x^2</script> | INLINE
<span class=math>x | <span class=math>x
<script type=math/tex>"x"^{</script> | "x"^{
<script type='math/tex; mode=display'>x^2</script> | BLOCK
"""


@pytest.mark.parametrize(("html", "kept"), cases(FORMULAS))
def test_latex_is_a_formula_but_where_a_dollar_is_one(html: str, kept: str) -> None:
    written = with_kept_text(html, latex=True)
    assert written.replace(SQUARE.format("inline"), "INLINE").replace(SQUARE.format("block"), "BLOCK") == kept


def test_many_places_that_are_not_shown_are_marked_up_to_a_limit() -> None:
    assert [with_kept_text("<embed>" * number).count("hole kind") for number in (500, 501)] == [500, 500]
