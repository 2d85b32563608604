"""Formulas on their way through a cleaner: MathML as tags that mean nothing to it, and back as MathML of our own.

A cleaner that lets MathML through has to read it exactly as browsers do, and most holes of cleaners were found there:
what stands in `math` is parsed by other rules, and comes out of the cleaner as another page than went in. So no cleaner
sees it. Each element becomes `<formula kind="mfrac">`, which no parser knows; after the cleaning `mathml_tag` writes a
tag of the list below with attributes whose values have one of a few shapes. None of them loads, links or runs anything,
and none holds HTML but `mi`, `mn`, `mo`, `ms` and `mtext`, in which there is text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element  # nosec B405 - a type alone: nothing is parsed

TOKENS = frozenset({"mi", "mn", "mo", "ms", "mtext"})
"""Elements that hold text; in all others text means nothing."""

KINDS = {
    **{name: name for name in TOKENS},
    **{
        name: name
        for name in (
            "math mfrac mmultiscripts mover mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup "
            "mtable mtd mtr munder munderover"
        ).split()
    },
    "mlabeledtr": "mtr",
    **dict.fromkeys(("maction", "menclose", "merror", "mfenced", "mpadded", "none", "semantics"), "mrow"),
}
"""What each element is written as. `mfenced` is no element of browsers any more: its signs are written out."""

PARTED = frozenset({"mfrac", "mtable", "mtr"})
"""Elements whose children are words of their own."""

TRUE_OR_FALSE = re.compile("true|false")
LENGTH = re.compile(r"0|[0-4]?\.\d{1,4}em|[0-4](?:\.\d{1,4})?em")
NUMBER = re.compile(r"[1-9]\d?")
ATTRIBUTES = {
    "display": re.compile("block|inline"),
    "mathvariant": re.compile(
        "normal|bold|italic|bold-italic|script|fraktur|double-struck|sans-serif|monospace"
    ),
    "form": re.compile("prefix|infix|postfix"),
    "columnalign": re.compile("left|center|right"),
    "notation": re.compile(r"[a-z ]{1,60}"),
    **dict.fromkeys(("columnspan", "rowspan"), NUMBER),
    **dict.fromkeys(("linethickness", "lspace", "maxsize", "minsize", "rspace", "width"), LENGTH),
    **dict.fromkeys(
        (
            "accent",
            "accentunder",
            "displaystyle",
            "fence",
            "largeop",
            "movablelimits",
            "stretchy",
            "symmetric",
        ),
        TRUE_OR_FALSE,
    ),
}
"""Attributes that are kept, each with what its whole value has to look like; lengths reach to below 5 em."""

DEEPEST = 64
"""This many elements of a formula may be in each other."""

LONGEST = 2_000
"""A formula of more characters is shown as it was written."""

MOST = 30_000
"""This many characters of formulas are converted in one text; those that follow are shown as they were written."""

REMEMBERED = 4_096

BETWEEN = re.compile(
    rf"""(?<!\\)(?:
      \$\$(?P<display>[^$]{{1,{LONGEST}}}?)\$\$
    | \\\[(?P<block>(?:[^\\]|\\[^\[\]()]){{1,{LONGEST}}}?)\\\]
    | \\\((?P<inline>(?:[^\\]|\\[^\[\]()]){{1,{LONGEST}}}?)\\\)
    | (?<!\$)\$(?=[^\s$])(?P<dollars>
        (?:[^$\\\n]|\\[^\n]|\n(?![^\S\n]*\n)){{0,{LONGEST}}}?(?:[^\s$\\]|\\[^\s])
      )\$(?![\d$])
    )""",
    re.VERBOSE,
)
"""A single dollar begins a formula before a sign, and ends one after a sign and not before a digit: so "$5 and $10" is
none.
"""

WITHOUT_SIGN = re.compile(r"\\(?:label\{[^{}]*+\}|nonumber|notag|nolimits)(?![A-Za-z])")
"""Commands that show nothing, and that the library would show."""

ARGUMENT = re.compile(r"\\arg(?![A-Za-z])")
KNOWS_NOT = re.compile(r"\\[A-Za-z]")

ROWS = frozenset("math menclose merror mpadded mphantom mrow msqrt mstyle mtd".split())
"""Elements whose children stand beside each other."""

SCRIPTED = {"mover": 2, "msub": 2, "msubsup": 3, "msup": 2, "munder": 2, "munderover": 3}
"""Elements whose first child stands on the line, with how many children they have."""

SPACED = frozenset({"mo", "mspace"})
"""Elements that bring a space with them, or none on purpose, unless they are bars."""

CLOSING = frozenset(")]}!⟩⌉⌋")
"""Signs that browsers put no space after."""

BARS = frozenset("|‖")
"""Signs that TeX sets like letters, without a space, and browsers between others like relations."""

RELATIONS = frozenset("=<>")
"""Signs that are written together with a colon, as in `:=`."""

BEFORE_COLON = frozenset("([{⟨⌈⌊,;:") | RELATIONS
AFTER_COLON = frozenset(")]}⟩⌉⌋,;:") | RELATIONS
"""Signs to which TeX puts no space from a colon."""

COLONS = {
    ":": {"lspace": "0.2778em", "rspace": "0.2778em"},
    "&#x0003A;": {"lspace": "0.1111em", "rspace": "0.3333em"},
}
"""The space around colons. `:` is a relation; the second is what the library makes of `\\colon`, set as by amsmath."""


def formula_tag(name: str, attributes: Mapping[str, str]) -> str | None:
    """An element's opening tag as a cleaner may see it; None for elements whose content alone is kept.

    >>> formula_tag("mo", {"fence": "true", "href": "javascript:x"})
    '<formula kind="mo" fence="true">'
    """
    if name not in KINDS:
        return None
    return f'<formula kind="{name}"{_kept(attributes)}>'


def mathml_tag(kind: str, attributes: Mapping[str, str]) -> tuple[str, str]:
    """The name and the attributes to write for a tag that has come through the cleaner, the name "" for none.

    >>> mathml_tag("menclose", {"notation": "box", "onclick": "x()"})
    ('mrow', ' class="boxed"')
    """
    notation = attributes.get("notation", "")
    drawn = "struck" if "strike" in notation else "boxed" if "box" in notation else ""
    others = {name: value for name, value in attributes.items() if name != "notation"}
    return KINDS.get(kind, ""), (f' class="{drawn}"' if drawn else "") + _kept(others)


def _kept(attributes: Mapping[str, str]) -> str:
    return "".join(
        f' {name}="{value}"'
        for name, shape in ATTRIBUTES.items()
        if (value := attributes.get(name, "").strip().lower()) and shape.fullmatch(value)
    )


GAP = f"{formula_tag('mspace', {'width': '0.1667em'})}</formula>"
"""What TeX puts beside the name of a function, and browsers do not. It is no text: the words stay where they are."""


class Latex:
    """Converts the formulas of one text. With `signs` also those between dollars, `\\(...\\)` and `\\[...\\]`.

    The conversion is that of latex2mathml, on the server, with limits: what is too long, too deep, or holds a command
    that it does not know stays as it was written.
    """

    def __init__(self, *, signs: bool) -> None:
        self.signs = signs
        self.left = MOST

    def formula(self, source: str, *, is_block: bool = False) -> str | None:
        """The tags of one formula; None where it is to be shown as it was written."""
        if len(source) > min(LONGEST, self.left) or source.count("{") > DEEPEST * 4:
            return None
        self.left -= len(source)
        return _converted(source.strip(), is_block)

    def in_html(self, escaped: str) -> str:
        """A stretch of HTML without tags, with its formulas as tags."""
        if not self.signs or not ("$" in escaped or "\\" in escaped):
            return escaped
        return "".join(self._parts(unescape(escaped)))

    def marked(self, escaped: str) -> str | None:
        """The content of an element that a page itself calls a formula, with or without signs around it."""
        source = unescape(escaped).strip()
        found = BETWEEN.fullmatch(source)
        return self._found(found) if found else self.formula(source)

    def _parts(self, text: str) -> Iterator[str]:
        done = 0
        for found in BETWEEN.finditer(text):
            yield escape(text[done : found.start()], quote=False)
            yield self._found(found) or escape(found[0], quote=False)
            done = found.end()
        yield escape(text[done:], quote=False)

    def _found(self, found: re.Match[str]) -> str | None:
        source = next(part for part in found.groups() if part is not None)
        return self.formula(source, is_block=found.lastgroup in ("display", "block"))


@lru_cache(maxsize=REMEMBERED)
def _converted(source: str, is_block: bool) -> str | None:
    from latex2mathml.converter import convert_to_element

    source = ARGUMENT.sub(r"\\operatorname{arg}", WITHOUT_SIGN.sub("", source))
    try:
        root = convert_to_element(source, display="block" if is_block else "inline")
        _join_bases(root)
        _set_bars(root)
        _set_colons(root)
        html = "".join(_written(root, 0))
    except Exception:  # noqa: BLE001 - a formula may be broken in any way, and is then shown as it was written
        return None
    return None if KNOWS_NOT.search(html) else html


def _join_bases(root: Element) -> None:
    """Makes one base of what the library leaves apart before a script: a matrix and the fences around it."""
    for scripted in [*root.iter()]:
        surplus = len(scripted) - SCRIPTED.get(scripted.tag, len(scripted))
        if surplus > 0:
            base, scripts = scripted[: surplus + 1], scripted[surplus + 1 :]
            row = scripted.makeelement("mrow", {})
            row.extend(base)
            scripted[:] = [row, *scripts]


def _set_bars(root: Element) -> None:
    """Gives the bars of a formula the form that they have in TeX, where the library leaves it to their place."""
    for row in root.iter():
        for before, sign, after in _neighbours(row):
            if _text(sign) in BARS and sign.tag == "mo" and sign.attrib.keys().isdisjoint({"form", "lspace"}):
                sign.attrib.update(_form_of_bar(sign, before, after))


def _neighbours(row: Element) -> Iterator[tuple[Element | None, Element, Element | None]]:
    """What stands on the line in a row, with what is before and after it."""
    signs = [child[0] if child.tag in SCRIPTED and len(child) else child for child in row]
    return zip([None, *signs], signs, [*signs[1:], None], strict=False)


def _form_of_bar(bar: Element, before: Element | None, after: Element | None) -> dict[str, str]:
    """Around a table it is a fence as high as that; else it has its own height, or that which was asked for."""
    if after is not None and after.tag == "mtable":
        return {"form": "prefix"}
    if before is not None and before.tag == "mtable":
        return {"form": "postfix"}
    is_large = str("minsize" in bar.attrib).lower()
    return {"lspace": "0", "rspace": "0", "stretchy": is_large, "symmetric": is_large}


def _set_colons(root: Element) -> None:
    """Makes signs of the colons of which the library makes letters, without a space in scripts."""
    scripts = (script for element in root.iter() if element.tag in SCRIPTED for script in element[1:])
    small = {part for script in scripts for part in script.iter()}
    for row in root.iter():
        for before, sign, after in _neighbours(row) if row.tag in ROWS else ():
            text = "".join(sign.itertext())
            if text in COLONS and sign.tag in ("mi", "mo") and "lspace" not in sign.attrib:
                sign.tag, sign.text, sign[:] = "mo", text, []
                space = COLONS[text]
                sign.attrib.update(dict.fromkeys(space, "0") if sign in small else space)
                _close_up(sign, "lspace", before, "rspace", BEFORE_COLON)
                _close_up(sign, "rspace", after, "lspace", AFTER_COLON)


def _close_up(colon: Element, side: str, beside: Element | None, its: str, touching: frozenset[str]) -> None:
    """Takes away the space on one side of a colon if nothing stands there, or a sign to which TeX puts none."""
    if beside is None or _text(beside) in touching:
        colon.set(side, "0")
    if beside is not None and beside.tag == "mo" and _text(beside) in RELATIONS:
        beside.set(its, "0")


def _written(element: Element, depth: int) -> Iterator[str]:
    """An element and what is in it, as the tags of `formulas`."""
    if depth > DEEPEST:
        raise RecursionError
    tag = formula_tag(element.tag, element.attrib)
    yield tag or ""
    yield escape(_text(element), quote=False)
    before = None
    for child in element:
        if element.tag in ROWS and before is not None and _are_apart(before, child):
            yield GAP
        yield from _written(child, depth + 1)
        before = child
    yield "</formula>" if tag else ""


def _are_apart(left: Element, right: Element) -> bool:
    """Whether the name of a function is on one side, and nothing on the other that has its own space or needs none."""
    left, right = _edge(left, -1), _edge(right, 0)
    if _is_name(left):
        return _is_name(right) or not _is_spaced(right)
    return _is_name(right) and (not _is_spaced(left) or _text(left) in CLOSING)


def _edge(element: Element, at: int) -> Element:
    """What of an element stands on the line at its beginning (0) or end (-1)."""
    while len(element) and (element.tag in ROWS or element.tag in SCRIPTED):
        element = element[at if element.tag in ROWS else 0]
    return element


def _is_spaced(element: Element) -> bool:
    """Whether an element brings a space with it, or none on purpose."""
    return element.tag in SPACED and not (_text(element) in BARS and element.get("form") is None)


def _is_name(element: Element) -> bool:
    """Whether an element is the name of a function, such as log; operators, such as max, have their own space."""
    text = _text(element)
    return element.tag == "mi" and len(text) > 1 and text.isalpha()


def _text(element: Element) -> str:
    """The library writes signs as references such as &#x0002B;."""
    return unescape(element.text or "")
