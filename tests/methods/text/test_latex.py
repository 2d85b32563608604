"""Formulas in LaTeX become tags, as long as they are known, short and not deep."""

from __future__ import annotations

import re
from html import escape

import pytest

from workbench.methods.text import formulas
from workbench.methods.text.formulas import Latex

SQUARE = (
    '<formula kind="math" display="{}"><formula kind="mrow"><formula kind="msup"><formula kind="mi">x</formula>'
    '<formula kind="mn">2</formula></formula></formula></formula>'
)
INLINE, BLOCK = SQUARE.format("inline"), SQUARE.format("block")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a $x^2$ b", f"a {INLINE} b"), ("a $$x^2$$ b", f"a {BLOCK} b"), (r"a \(x^2\) b", f"a {INLINE} b"),
        (r"a \[x^2\] b < c", f"a {BLOCK} b &lt; c"), ("$ x^2 $ is none", "$ x^2 $ is none"),
        ("$5 and $10", "$5 and $10"), (r"\$x^2$", r"\$x^2$"), ("$x\n\ny$", "$x\n\ny$"),
        (r"$\nosuch{x}$ & $x^2$", rf"$\nosuch{{x}}$ &amp; {INLINE}"), (r"$x^2\label{a}\nonumber$", INLINE),
    ],
)  # fmt: skip
def test_formulas_are_found_between_their_signs(text: str, written: str) -> None:
    assert Latex(signs=True).in_html(escape(text, quote=False)) == written
    assert Latex(signs=False).in_html("a &lt; $x^2$") == "a &lt; $x^2$"


@pytest.mark.parametrize("source", [r"\|x\|", r"\{1, 2\}", r"5\%"])
def test_a_formula_between_dollars_may_end_with_an_escaped_sign(source: str) -> None:
    formulas = Latex(signs=True)
    assert formulas.in_html(escape(f"a ${source}$ b", quote=False)) == f"a {formulas.formula(source)} b"


def test_a_stretch_of_html_keeps_its_references_where_there_is_no_formula() -> None:
    signs, none = Latex(signs=True), Latex(signs=False)
    assert signs.in_html("a &lt; b &eacute;") == "a &lt; b &eacute;"
    assert signs.in_html("a &lt; $x^2$ &eacute;") == f"a &lt; {INLINE} é"
    assert signs.in_html(r"a &lt; \(x^2\)") == f"a &lt; {INLINE}"
    assert none.in_html("a &lt; $x^2$ &eacute;") == "a &lt; $x^2$ &eacute;"


@pytest.mark.parametrize(
    ("inside", "written"),
    [
        ("x^2", INLINE), (" $x^2$ ", INLINE), ("$$x^2$$", BLOCK), (r"\[x^2\]", BLOCK), (r"\(x^2\)", INLINE),
        (r"\no", None),
    ],
)  # fmt: skip
def test_what_a_page_calls_a_formula_may_have_signs_around_it(inside: str, written: str | None) -> None:
    assert Latex(signs=False).marked(inside) == written


def test_long_and_deep_formulas_stay_as_they_were_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "MOST", 7)
    text = Latex(signs=True)
    assert [text.formula("x^2") for _ in range(3)] == [INLINE, INLINE, None]
    assert text.formula("x") is not None
    monkeypatch.setattr(formulas, "LONGEST", 3)
    assert Latex(signs=True).formula("x^2", is_block=True) == BLOCK
    assert Latex(signs=True).formula("x^2 ") is None
    monkeypatch.undo()
    monkeypatch.setattr(formulas, "DEEPEST", 3)
    assert Latex(signs=True).formula("{x}{y}" * 6) is not None
    assert Latex(signs=True).formula("{x}{y}" * 6 + "{z}") is None
    # An outer element, a row, a square, and its sign in the third depth; a root around them is one more.
    assert Latex(signs=True).formula("y^3") is not None
    assert Latex(signs=True).formula(r"\sqrt{y^3}") is None


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (r"\log n", "log·n"), (r"2\log n", "2·log·n"), (r"O(n\log n)", "O(n·log·n)"),
        (r"\log\log_2 n", "log·log2·n"), (r"x^2\sin^2 x", "x2·sin2·x"), (r"(n+1)\log n", "(n+1)·log·n"),
        (r"n!\ln 2", "n!·ln·2"), (r"e^{\exp x}", "eexp·x"), (r"\frac{\log n}{n}", "log·nn"),
        (r"\sqrt{\log n}", "log·n"), (r"\log\frac{n}{2}", "log·n2"), (r"\log{n}", "log·n"),
        (r"\log\text{odds}", "log·odds"), (r"\log|x|", "log·|x|"), (r"|x|\log y", "|x|·log·y"),
        (r"\log\left|x\right|", "log|x|"), (r"\log : \log x", "log:log·x"), (r"\log(n)", "log(n)"),
        (r"\log\left(n\right)", "log(n)"), (r"-\log p = -\ln p", "−log·p=−ln·p"),
        (r"\sum_i \log x_i", "∑ilog·xi"), (r"\log\,n", "log·n"), (r"\max x", "maxx"), (r"\log", "log"),
        ("x y", "xy"),
    ],
)  # fmt: skip
def test_the_name_of_a_function_stands_apart_from_what_has_no_space_of_its_own(
    source: str, written: str
) -> None:
    html = Latex(signs=True).formula(source) or ""
    assert re.sub("<.*?>", "", html.replace('<formula kind="mspace"', '·<formula kind="mspace"')) == written


LETTER = {"lspace": "0", "rspace": "0", "stretchy": "false"}
LARGE = {"lspace": "0", "rspace": "0", "stretchy": "true", "symmetric": "true", "minsize": "1.2em"}


@pytest.mark.parametrize(
    ("source", "sign", "forms"),
    [
        (r"\sum |x|", "|", [LETTER, LETTER]), (r"\sum\|x\|_2^2", "‖", [LETTER, LETTER]),
        (r"|a|+|b|", "|", [LETTER] * 4), (r"P(A|B)", "|", [LETTER]),
        (r"2\lvert x\rvert", "|", [LETTER, LETTER]), (r"f\big|_0", "|", [LARGE]),
        (r"2\bigl|x\bigr|", "|", [LARGE, LARGE]),
        (r"2\left|x\right|", "|", [{"form": "prefix"}, {"form": "postfix"}]),
        (r"\left(a\middle|b\right)", "|", [{"lspace": "0.05em", "rspace": "0.05em"}]),
        (r"x=\begin{vmatrix}a&b\end{vmatrix}y", "|", [{"form": "prefix"}, {"form": "postfix"}]),
        (r"x=\begin{Vmatrix}a&b\end{Vmatrix}^2", "‖", [{"form": "prefix"}, {"form": "postfix"}]),
        (r"a\mid b", "∣", [{}]), (r"a\parallel b", "∥", [{}]),
    ],
)  # fmt: skip
def test_bars_are_set_as_in_tex_wherever_they_stand(
    source: str, sign: str, forms: list[dict[str, str]]
) -> None:
    html = Latex(signs=True).formula(source) or ""
    found = [
        dict(re.findall(r'(\w+)="(.*?)"', tag)) for tag in re.findall(f"<([^<]*)>{re.escape(sign)}<", html)
    ]
    usual = {"lspace", "rspace", "form", "stretchy", "symmetric", "minsize"}
    assert [{name: one[name] for name in form} for one, form in zip(found, forms, strict=True)] == forms
    assert all(not usual & one.keys() for one, form in zip(found, forms, strict=True) if not form)


THICK, NONE = "0.2778em", "0"


@pytest.mark.parametrize(
    ("source", "spaces"),
    [
        ("a:b", [(THICK, THICK)]), (r"f: A\to B", [(THICK, THICK)]),
        (r"f\colon A\to B", [("0.1111em", "0.3333em")]), (r"\{x : x>0\}", [(THICK, THICK)]),
        (r"a\mathrel{:}b", [(THICK, THICK)]), (r"a{:}b", [(NONE, NONE)]), (":a", [(NONE, THICK)]),
        ("a::b", [(THICK, NONE), (NONE, THICK)]), ("A[:, j] = A[i:]", [(NONE, NONE), (THICK, NONE)]),
        (r"\left(a:b\right)", [(THICK, THICK)]), ("a:_2 b", [(THICK, THICK)]), ("x_{1:n}", [(NONE, NONE)]),
        (r"\sum_{i : x_i > 0} i", [(NONE, NONE)]), (r"\hat{a:b}", [(THICK, THICK)]),
        (r"\begin{cases}a:b\end{cases}", [(THICK, THICK)]),
    ],
)  # fmt: skip
def test_a_colon_has_the_space_of_a_relation_where_tex_gives_it_that(
    source: str, spaces: list[tuple[str, str]]
) -> None:
    html = Latex(signs=True).formula(source) or ""
    assert re.findall('<formula kind="mo" lspace="(.*?)" rspace="(.*?)">:', html) == spaces
    assert re.sub("<.*?>", "", html).count(":") == len(spaces)


@pytest.mark.parametrize("source", ["a:=b", r"a\mathrel{:}=b", "a=:b", "x<:y"])
def test_nothing_parts_a_colon_from_the_sign_of_a_relation(source: str) -> None:
    html = Latex(signs=True).formula(source) or ""
    left, right = re.findall('<formula kind="mo"([^>]*)>[:=]', html.replace("&lt;", "="))
    assert 'rspace="0"' in left
    assert 'lspace="0"' in right


def test_scripts_and_spaces_are_set_as_in_tex() -> None:
    written = Latex(signs=True).formula(r"\begin{pmatrix}a\end{pmatrix}^T") or ""
    assert re.sub(" (?!kind).*?(?=>)", "", written.replace('formula kind="', "").replace('"', "")) == (
        "<math><mrow><msup><mrow><mo>(</formula><mtable><mtr><mtd><mi>a</formula></formula></formula></formula>"
        "<mo>)</formula></formula><mi>T</formula></formula></formula></formula>"
    )
    assert Latex(signs=True).formula(r"\log n") == (
        '<formula kind="math" display="inline"><formula kind="mrow"><formula kind="mi">log</formula>'
        '<formula kind="mspace" width="0.1667em"></formula><formula kind="mi">n</formula></formula></formula>'
    )
    written = Latex(signs=True).formula(r"\arg z")
    assert written is not None
    assert ">arg</formula>" in written
