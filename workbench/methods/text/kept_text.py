"""HTML whose text a cleaner would drop with its tags, in tags that a cleaner keeps: only the text comes along.

Formulas, drawings, frames, fallbacks, buttons and choices have text that an assessor must see, in elements that must
not come to life. Their tags are replaced before the page is parsed, by tags of our own or of plain HTML that mean
nothing to a browser: what comes out is cleaned like any other HTML, so nothing here has to be safe by itself. One pass,
in time proportional to the text.

The tags of our own: `bit` (a button, an option, a label of a drawing), `fallback` (what stands in for something that
is not shown), `hole` (what is not shown, by its `kind`), `formula` (an element of MathML by its `kind`, as `formulas`
has it; what a page marks as LaTeX becomes one as well). Whatever a browser would not display has the attribute
`hidden`: templates, and elements that say so by that attribute or in their style.
"""

from __future__ import annotations

import re
from html import escape

from workbench.methods.text.formulas import DEEPEST, TOKENS, Latex, formula_tag

OUR_TAGS = frozenset("bit fallback formula hole".split())
KINDS = frozenset("audio drawing frame object script video".split())

MOST_HOLES = 500
"""This many places are marked at which something is not shown; a page of nothing else would grow too much."""

LARGE_DRAWING = 64
"""Drawings less wide than this many pixels are icons."""

TAG = re.compile(
    r"""<(?:!--(?:-?>|.*?(?:--!?>|\Z))|!\[CDATA\[(.*?)(?:\]\]>|\Z)|(/?)([a-z][^\s/<>]*+)"""
    r"""((?:[^<>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'<>][^\s>]*+)?+)*+)>?+)""",
    re.IGNORECASE | re.DOTALL,
)
"""A comment, character data, or a tag; without its end a tag goes on to the next one, so that no search is repeated."""

ATTRIBUTE = re.compile(r"""([^\s=/"'<>]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>][^\s>]*+)))?+""")
UNSEEN = re.compile(r"display\s*+:\s*+none|visibility\s*+:\s*+(?:hidden|collapse)", re.IGNORECASE)

LITERAL = frozenset({"textarea", "xmp", "plaintext"})
"""Elements in which tags are text."""

CODE = frozenset({"script", "style", "title"})
REPLACED = {
    "noscript": "fallback",
    "noframes": "fallback",
    "noembed": "fallback",
    "select": "fallback",
    "button": "bit",
    "listing": "pre",
}
NOT_SHOWN = {
    "iframe": "frame",
    "frame": "frame",
    "object": "object",
    "applet": "object",
    "embed": "object",
    "video": "video",
    "audio": "audio",
    "canvas": "drawing",
}
VOID = frozenset({"frame", "embed"})
WITH_VALUE = frozenset(("", "text", "search", "email", "url", "tel", "number", "submit", "button", "reset"))
"""Types of `input` whose value, or what is there until something is typed, can be read on the page."""

BREAKOUT = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
"""Tags that end a drawing or formula that was not closed (the HTML standard, 13.2.6.5)."""

ENDS = {
    "annotation": re.compile(
        rf"(</annotation\s*+>)|</math\s*+>|<(?:{'|'.join(sorted(BREAKOUT))})(?=[\s/>])", re.IGNORECASE
    ),
    "annotation-xml": re.compile(r"(</annotation-xml\s*+>)|</math\s*+>", re.IGNORECASE),
}
"""What ends an annotation (the first group), and what ends the formula before it; `annotation-xml` may hold a page."""

HTML_TAGS = frozenset(
    "a abbr acronym address applet area article aside audio b base bdi bdo big blink blockquote body br button canvas "
    "caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset "
    "figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img "
    "input ins kbd label legend li link listing main map mark marquee math menu menuitem meta meter nav nobr noembed "
    "noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s "
    "samp script search section select slot small source span strike strong style sub summary sup svg table tbody td "
    "template textarea tfoot th thead time title tr track tt u ul var video wbr xmp".split()
)
"""All others go, and what they hold stays: a cleaner drops the text of elements that have names of formulas (`text`,
`set`, `list`), and the tags of our own mean something here.
"""

DRAWN_TEXT = frozenset({"text", "title", "desc"})
FORMULA_CLASS = re.compile(r"""\bclass\s*+=\s*+["']?[^"'>]*\bmath(?:-container)?(?![\w-])""", re.IGNORECASE)
"""Elements of text between the signs of LaTeX, as Stack Exchange and pandoc write them."""

LATEX_SCRIPT = re.compile(r"""\btype\s*+=\s*+["']?math/tex(;\s*+mode=display)?""", re.IGNORECASE)

VERBATIM = frozenset("code kbd listing pre samp tt".split())
"""Elements in which a dollar is one."""


def with_kept_text(html: str, *, latex: bool = False) -> str:
    """The same page, such that its text is kept by a cleaner that drops formulas, drawings, frames, forms and the like.

    With `latex` also what stands between the signs of LaTeX becomes a formula where the page does not call it one.

    >>> with_kept_text("<math><mi>r</mi></math><svg><text>Rhine</text></svg>")
    '<formula kind="math"><formula kind="mi">r</formula></formula><bit>Rhine</bit>'
    """
    return _Rewriter(html, Latex(signs=latex)).rewritten()


class _Rewriter:
    """One pass over a page. `drawing` and `formula` hold the elements that are open in a drawing or formula."""

    def __init__(self, html: str, latex: Latex) -> None:
        self.html, self.latex = html, latex
        self.written: list[str] = []
        self.place = 0
        self.holes = 0
        self.has_script = False
        self.in_choice = False
        self.drawing: list[str] = []
        self.formula: list[_Open] = []
        self.verbatim = 0
        """How many elements are open in which a dollar is one."""
        self.unclosed: dict[str, int] = {}
        """Up to where no annotation of a name ends, so that no search is repeated."""

    def rewritten(self) -> str:
        while found := TAG.search(self.html, self.place):
            self._text(self.html[self.place : found.start()])
            self.place = found.end()
            self._write(found)
        self._text(self.html[self.place :])
        if self.has_script:
            self.written.append('<hole kind="script"></hole>')
        return "".join(self.written)

    def _text(self, text: str) -> None:
        is_prose = not (self.formula or self.drawing or self.verbatim)
        self.written.append(self.latex.in_html(text) if is_prose else text)

    def _write(self, found: re.Match[str]) -> None:
        data, closing, name, attributes = found.groups()
        if name is None:
            is_text = data is not None and (self.drawing or self.formula)
            self.written.append(escape(data, quote=False) if is_text else found[0])
            return
        name = name.lower()
        if name in BREAKOUT and not closing:
            if self.formula and self.formula[-1].name not in TOKENS:
                self.formula.clear()
            if self.drawing and self.drawing[-1] == "svg":
                self.drawing.clear()
        # In the words of a formula there may be plain HTML.
        is_html = self.formula and self.formula[-1].name in TOKENS and name in BREAKOUT
        if self.formula and not is_html:
            self._in_formula(name, bool(closing), attributes)
        elif self.drawing and self.drawing[-1] == "svg":
            self._in_drawing(name, bool(closing), found)
        elif closing:
            self.written.append(self._closing(name, found[0]))
        else:
            self._opening(name, attributes, found[0])

    # ---- the page itself

    def _opening(self, name: str, attributes: str, tag: str) -> None:
        if name in LITERAL:
            self._literal(name)
        elif name in CODE:
            self._code(name, attributes, tag)
        elif name in NOT_SHOWN:
            self._hole(NOT_SHOWN[name])
            self.written.append("" if name in VOID else "<fallback>")
        elif name == "svg":
            self.drawing.append("svg")
            width = _attributes(attributes).get("width", "").removesuffix("px")
            if width.isdecimal() and int(width[:6]) >= LARGE_DRAWING:
                self._hole("drawing")
        elif name == "math":
            self._in_formula(name, False, attributes)
        else:
            self.verbatim += name in VERBATIM
            self.written.append(self._replaced(name, attributes, tag))
            if name in ("span", "div") and FORMULA_CLASS.search(attributes):
                self._marked_latex(name)

    def _replaced(self, name: str, attributes: str, tag: str) -> str:
        if name not in HTML_TAGS:
            return ""
        if name in ("option", "optgroup"):
            end, self.in_choice = "</bit>" if self.in_choice else "", name == "option"
            label = _attributes(attributes).get("label", "") if name == "optgroup" else ""
            return end + ("<bit>" if self.in_choice else f"<bit>{_safe(label)}</bit>" if label else "")
        if name == "input":
            return _field(_attributes(attributes), attributes)
        if name == "area":
            return f"<img {attributes}>" if _attributes(attributes).get("alt") else ""
        if name == "template":
            is_shown = "shadowrootmode" in attributes.lower()
            return "<div>" if is_shown else "<div hidden>"
        hidden = " hidden" if _is_hidden(attributes) else ""
        if name in REPLACED:
            return f"<{REPLACED[name]}{hidden}>"
        return f"<{name}{hidden}{attributes}>" if hidden else tag

    def _marked_latex(self, name: str) -> None:
        """The text of an element that is called a formula, if there is nothing else in it."""
        end = self.html.find("<", self.place)
        if self.html[end : end + len(name) + 2].lower() == f"</{name}":
            formula = self.latex.marked(self.html[self.place : end])
            if formula is not None:
                self.written.append(formula)
                self.place = end

    def _closing(self, name: str, tag: str) -> str:
        if name not in HTML_TAGS and name != "foreignobject":
            return ""
        self.verbatim = max(self.verbatim - (name in VERBATIM), 0)
        if name in ("option", "optgroup", "select"):
            end, self.in_choice = "</bit>" if self.in_choice else "", False
            return end + ("</fallback>" if name == "select" else "")
        if name in NOT_SHOWN:
            return "" if name in VOID else "</fallback>"
        if name == "foreignobject" and self.drawing:
            self.drawing.pop()
            return "</bit>"
        if name == "template":
            return "</div>"
        return f"</{REPLACED[name]}>" if name in REPLACED else tag

    def _hole(self, kind: str) -> None:
        self.holes += 1
        if self.holes <= MOST_HOLES:
            self.written.append(f'<hole kind="{kind}"></hole>')

    def _literal(self, name: str) -> None:
        """Text in which tags are text, up to its end; in a `textarea` entities are entities."""
        text = self._up_to_end(name) if name != "plaintext" else self._rest()
        text = text if name == "textarea" else text.replace("&", "&amp;")
        self.written.append(f"<pre>{text.replace('<', '&lt;')}</pre>")

    def _code(self, name: str, attributes: str, tag: str) -> None:
        """Scripts, styles and the title pass as they are: the cleaner drops them whole. A script of LaTeX is none."""
        if name == "script" and (latex := LATEX_SCRIPT.search(attributes)):
            source = self._up_to_end(name)
            formula = self.latex.formula(source, is_block=latex[1] is not None)
            self.written.append(formula or escape(source, quote=False))
            return
        self.has_script |= name == "script" and "json" not in attributes.lower()
        self.written.append(f"{tag}{self._up_to_end(name)}</{name}>")

    def _up_to_end(self, name: str) -> str:
        """The text up to the element's end tag, which is left behind; the whole rest where there is none."""
        end = re.compile(rf"</{name}(?=[\s/>])[^<>]*+>?+", re.IGNORECASE).search(self.html, self.place)
        if end is None:
            return self._rest()
        text, self.place = self.html[self.place : end.start()], end.end()
        return text

    def _rest(self) -> str:
        text, self.place = self.html[self.place :], len(self.html)
        return text

    # ---- drawings

    def _in_drawing(self, name: str, is_closing: bool, found: re.Match[str]) -> None:
        attributes = found[4]
        is_alone = attributes.endswith("/")
        if name == "svg" and not is_alone:
            if is_closing:
                self.drawing.pop()
            else:
                self.drawing.append("svg")
        elif name in ("script", "style"):
            if not (is_closing or is_alone):
                self.written.append(f"{found[0]}{self._up_to_end(name)}</{name}>")
        elif name in DRAWN_TEXT and not is_alone:
            self.written.append("</bit>" if is_closing else "<bit>")
        elif name == "foreignobject" and not (is_closing or is_alone):
            self.drawing.append(name)
            self.written.append("<bit>")

    # ---- formulas

    def _in_formula(self, name: str, is_closing: bool, attributes: str) -> None:
        if is_closing:
            self._close_formula(name)
            return
        if name in ("annotation", "annotation-xml"):
            self._skip(name)
            return
        said = _attributes(attributes.removesuffix("/"))
        tag = formula_tag(name, said) if len(self.formula) < DEEPEST else None
        one = _Open(name, "</formula>" if tag else "", said if name == "mfenced" else None)
        self.written += [
            self.formula[-1].separator() if self.formula else "",
            tag or "",
            one.fence("open", "("),
        ]
        self.formula.append(one)
        if attributes.endswith("/"):
            self._close_formula(name)

    def _close_formula(self, name: str) -> None:
        if name == "math":
            self.written += [one.end for one in reversed(self.formula)]
            self.formula.clear()
        elif self.formula and self.formula[-1].name == name:
            one = self.formula.pop()
            self.written += [one.fence("close", ")"), one.end]

    def _skip(self, name: str) -> None:
        """The same formula once more, in another notation, which no browser displays; kept where it has no end."""
        if self.place < self.unclosed.get(name, 0):
            return
        end = ENDS[name].search(self.html, self.place)
        if end and end[1]:
            self.place = end.end()
        else:
            self.unclosed[name] = end.start() if end else len(self.html)


class _Open:
    """An element that is open in a formula: what its end writes, and what a fence says of its signs."""

    def __init__(self, name: str, end: str, fence: dict[str, str] | None) -> None:
        self.name, self.end, self._fence, self._children = name, end, fence, 0

    def fence(self, side: str, usual: str) -> str:
        """The sign at one side of a fence; "" of all else."""
        return _sign(self._fence.get(side, usual)) if self._fence is not None else ""

    def separator(self) -> str:
        """What stands before the next child: in a fence a sign, the last one again where there are too few."""
        self._children += 1
        if self._fence is None or self._children == 1:
            return ""
        signs = self._fence.get("separators", ",").replace(" ", "")[:DEEPEST]
        return _sign(signs[min(self._children - 2, len(signs) - 1)]) if signs else ""


def _sign(text: str) -> str:
    return f'<formula kind="mo">{_safe(text[:DEEPEST])}</formula>' if text else ""


def _attributes(written: str) -> dict[str, str]:
    """The attributes of a tag, names in small letters; of several with one name the first."""
    found: dict[str, str] = {}
    for name, double, single, bare in ATTRIBUTE.findall(written):
        found.setdefault(name.lower(), double or single or bare)
    return found


def _is_hidden(written: str) -> bool:
    lowered = written.lower()
    if "hidden" not in lowered and "none" not in lowered and "collapse" not in lowered:
        return False
    attributes = _attributes(written)
    return "hidden" in attributes or UNSEEN.search(attributes.get("style", "")) is not None


def _field(attributes: dict[str, str], written: str) -> str:
    """What can be read in a field of a form."""
    kind = attributes.get("type", "").lower()
    if kind == "image":
        return f"<img {written}>"
    text = attributes.get("value") or attributes.get("placeholder", "")
    return f"<bit>{_safe(text)}</bit>" if text and kind in WITH_VALUE and not _is_hidden(written) else ""


def _safe(attribute: str) -> str:
    """The value of an attribute as it was written, as text: its entities stay entities."""
    return attribute.replace("<", "&lt;")
