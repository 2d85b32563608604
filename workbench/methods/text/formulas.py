"""Formulas on their way through a cleaner: MathML as tags that mean nothing to it, and back as MathML of our own.

A cleaner that lets MathML through has to read it exactly as browsers do, and most holes of cleaners were found there:
what stands in `math` is parsed by other rules, and comes out of the cleaner as another page than went in. So no cleaner
sees it. Each element becomes `<formula kind="mfrac">`, which no parser knows; after the cleaning `mathml_tag` writes a
tag of the list below with attributes whose values have one of a few shapes. None of them loads, links or runs anything,
and none holds HTML but `mi`, `mn`, `mo`, `ms` and `mtext`, in which there is text alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

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
