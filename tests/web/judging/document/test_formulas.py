"""Formulas are MathML of our own making: their signs are words like all others, and dollars in prose are none."""

from __future__ import annotations

import re

import pytest

from workbench.core.records import Document
from workbench.methods.text.formulas import KINDS, LONGEST, MOST, Latex
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Look, body_of

SCROLLER = '<span class="formula">'


def shown(text: str, media_type: str = "text/html", *, latex: bool = False, term: str = "none") -> str:
    """A document as it is shown, without what scrolls around its formulas."""
    html = str(body_of(Document("d", "", text, media_type), Look((Term(term),), "en", latex)).html).strip()
    assert html.count("<math") == html.count(f"{SCROLLER}<math") == html.count("</math></span>")
    return html.replace(f"{SCROLLER}<math", "<math").replace("</math></span>", "</math>")


def test_a_formula_stays_mathml_with_the_attributes_that_mean_something_and_its_terms_marked() -> None:
    html = '<math display="block"><mfrac linethickness="0"><mi mathvariant="bold">n</mi><mn>2</mn></mfrac></math>'
    assert shown(html) == html
    marked = '<math><mtext>frozen <mark class="hit" data-term="0">ice</mark></mtext></math>'
    assert shown("<math><mtext>frozen ice</mtext></math>", term="ice") == marked


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<math><mi href='javascript:x' onclick=x id=y style=z>a</mi></math>", "<math><mi>a</mi></math>"),
        ("<math display='block; x'><mo minsize='99em' width='-1em'>|</mo></math>", "<math><mo>|</mo></math>"),
        ("<math><mi>a<b>b</b><img src=x></mi></math>", "<math><mi>ab</mi></math>"),
        ("<math><mrow>loose</mrow></math>", "<math><mrow><mtext>loose</mtext></mrow></math>"),
        ("<math><mglyph><mi>a</mi></mglyph><x>b</x></math>", "<math><mi>a</mi><mtext>b</mtext></math>"),
        ("<math><mi><math><mi>a</mi></math></mi></math>", "<math><mi>a</mi></math>"),
        ("<mi>a</mi><formula kind=mi>b</formula>", "ab"),
        (
            "<math><mi>a</mi><annotation-xml><img src=x onerror=x></annotation-xml></math>",
            "<math><mi>a</mi></math>",
        ),
        (
            "<math><mfenced open='['><mi>a</mi><mi>b</mi></mfenced></math>",
            "<math><mrow><mo>[</mo><mi>a</mi><mo>,</mo><mi>b</mi><mo>)</mo></mrow></math>",
        ),
        (
            "<math><menclose notation=box><mi>a</mi></menclose></math>",
            '<math><mrow class="boxed"><mi>a</mi></mrow></math>',
        ),
    ],
)
def test_of_a_formula_is_left_what_cannot_load_link_or_run(html: str, written: str) -> None:
    assert shown(html) == written


TAGS = "mi mrow math b p img table td svg style form mfrac mglyph annotation-xml /math /mi /p".split()


@pytest.mark.parametrize("first", TAGS)
def test_nothing_but_text_is_in_a_formula_and_nothing_of_it_outside(first: str) -> None:
    for second in TAGS:
        html = shown(f"<math><{first}><{second}>x<mi>y<i>z</math><p>end")
        for formula in re.findall(r"<math.*?</math>", html):
            assert {name.strip("/") for name in re.findall(r"<(/?\w+)", formula)} <= set(KINDS.values())
        assert not re.search(r"<m[a-z]+", re.sub(r"<math.*?</math>", "", html))


def test_an_element_in_too_many_others_is_left_out_and_its_text_stays() -> None:
    html = shown(f"<math>{'<mrow>' * 2_000}<mi>deep</mi>")
    assert html.count("<mrow>") < 64
    assert "<mtext>deep</mtext>" in html


SQUARE = '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown", "text/html"])
def test_latex_between_its_signs_is_a_formula_where_the_campaign_says_so(media_type: str) -> None:
    for source in ("$x^2$", r"\(x^2\)", r"$x^2\label{eq:1}$", r"$x^2 \nonumber$"):
        assert SQUARE in shown(f"Let {source} be ice.", media_type, latex=True)
        assert "<math" not in shown(f"Let {source} be ice.", media_type)
    for source in ("$$x^2$$", r"\[x^2\]"):
        assert SQUARE.replace("inline", "block") in shown(f"Let {source} be ice.", media_type, latex=True)
    many = shown("$x$ " * 30 + "*ice*", media_type, latex=True)
    assert (many.count("<math"), "<em>ice</em>" in many) == (30, media_type == "text/markdown")


DOLLARS = ["It costs $5 and $10.", "US$5-$7", "a $ b $ c", r"\$x\$", "$x", "$ x$", "$x $", "$$ $$"]


def test_the_blocks_of_plain_text_stay_what_they_are_beside_a_formula() -> None:
    prose = "The ice of a river is as thick as the winter was long and cold,\nand where a < b it is thin."
    text = f"{prose}\n\n  year    1929\n  ice     5 & 6\n\nRhine\nThames\n\n$x^2$"
    assert re.sub(r"<math.*</math>", "x", shown(text, "text/plain", latex=True)) == (
        f"<p>{prose.replace('<', '&lt;')}</p><pre>\n  year    1929\n  ice     5 &amp; 6</pre>"
        "<p>Rhine<br>Thames</p><p>x</p>"
    )


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown", "text/html"])
def test_dollars_in_prose_are_no_formula(media_type: str) -> None:
    assert [text for text in DOLLARS if "<math" in shown(text, media_type, latex=True)] == []


@pytest.mark.parametrize(
    "html",
    [
        "<span class='math-container'>$x^2$</span>",
        r"<span class='math inline'>\(x^2\)</span>",
        "<script type='math/tex'>x^2</script>",
    ],
)
def test_what_a_page_calls_a_formula_is_one_without_the_setting(html: str) -> None:
    assert SQUARE in shown(f"<p>{html} ice")


def test_code_has_no_formulas() -> None:
    assert shown("<p><code>echo $a$</code> <pre>$b$</pre> $x^2$", latex=True).count("<math") == 1
    assert shown("`$a$` and $x^2$", "text/markdown", latex=True).count("<math") == 1


@pytest.mark.parametrize(
    "source",
    [r"\nosuch{x}", "{" * 200 + "}" * 200, r"\left(" * 300, "x" * (LONGEST + 1), r"\begin{matrix}", "^"],
    ids=lambda source: source[:12],
)
def test_a_formula_that_cannot_be_converted_is_shown_as_it_was_written(source: str) -> None:
    assert source in shown(f"ice $${source}$$ ice", "text/plain", latex=True)


def test_only_so_many_characters_of_a_text_are_converted() -> None:
    found = Latex(signs=True).in_html(" ".join(f"$x_{{{number:097}}}$" for number in range(400)))
    assert found.count('kind="math"') == MOST // 101


def test_a_formula_whose_text_is_markup_stays_text() -> None:
    html = shown(r"$\text{&lt;img src=x onerror=x&gt;}$ $\href{javascript:x}{y}$", latex=True)
    assert "&lt;img" in html
    assert "<img" not in html
    assert "href" not in html
