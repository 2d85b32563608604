"""Cleaned HTML: the words of a page and their structure; nothing that runs, loads, navigates or has a name."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.methods.text.formulas import ATTRIBUTES as FORMULA_ATTRIBUTES
from workbench.methods.text.html_repair import (
    without_crowded_tags,
    without_deep_nesting,
    without_repeated_formatting,
)
from workbench.methods.text.kept_text import OUR_TAGS, with_kept_text

SHOWN_TAGS = frozenset(
    "abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del dfn dir div dl "
    "dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p pre q rp "
    "rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul "
    "var wbr".split()
)
DROPPED_WITH_CONTENT = frozenset(
    "applet audio button canvas embed frame frameset iframe math noembed noframes noscript object option script "
    "select style svg template textarea title video xmp".split()
)
"""Of all of these but scripts, styles and titles `kept_text` has put the words into other tags before."""

PLACES = frozenset("a details dialog fieldset form legend menu search".split())
"""Tags that `markup` needs to see, and does not write: they part words, hold links, or may be hidden."""

SHOWN_ATTRIBUTES = {
    "*": {"dir", "lang", "hidden", "role"},
    "formula": {"kind", *FORMULA_ATTRIBUTES},
    "hole": {"kind"},
    "img": {"src", "alt", "title", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start", "reversed"},
    "li": {"value"},
}

BEGINNING = 4_000
"""This many characters of a page are searched for what its `html` and `body` say of language and direction."""

MOST_GROWTH, SMALL = 3, 100_000
"""End tags and entities that a page has left out may make it this many times longer, or this many characters."""

OUTER_TAG = re.compile(r"<(?:html|body)\b[^>]*>", re.IGNORECASE)
DIRECTION = re.compile(r"""\bdir\s*=\s*["']?(ltr|rtl)\b""", re.IGNORECASE)
LANGUAGE = re.compile(
    r"""(?<![\w:-])(?:xml:)?lang\s*=\s*["']?([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\b""", re.IGNORECASE
)


LANGUAGE_TAG = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", re.IGNORECASE)


class Declared(NamedTuple):
    """What a page says of itself as a whole; None where it says nothing."""

    language: str | None
    direction: str | None


NOTHING = Declared(None, None)


def clean_html(text: str, *, latex: bool = False) -> str:
    """The harmless part of an HTML text, as well-formed HTML: no scripts, styles, links, forms, names or classes.

    The words of a link stay, without its address; those of formulas, drawings, frames, buttons and fallbacks stay
    in tags that mean nothing to a browser (see `methods.text.kept_text` and `formulas`); what `script`, `style` and
    `title` hold is removed with them. An `img` keeps only what `markup` needs to decide whether it is shown.
    """
    level = without_deep_nesting(with_kept_text(text, latex=latex))
    cleaned = _cleaned(without_repeated_formatting(level))
    if len(cleaned) > MOST_GROWTH * len(text) + SMALL:
        return _cleaned(without_repeated_formatting(level, most=0))
    return cleaned


def _cleaned(text: str) -> str:
    import nh3

    return nh3.clean(
        without_crowded_tags(text),  # the last step before the parser: others may join tags
        tags=set(SHOWN_TAGS | PLACES | OUR_TAGS),
        clean_content_tags=set(DROPPED_WITH_CONTENT),
        attributes={tag: set(names) for tag, names in SHOWN_ATTRIBUTES.items()},
        url_schemes={"data"},
        link_rel=None,
    )


def declared(html: str) -> Declared:
    """Language and direction as the tags `html` and `body` at the beginning of a page name them."""
    tags = OUTER_TAG.findall(html[:BEGINNING])
    languages = [match[1] for match in map(LANGUAGE.search, tags) if match]
    directions = [match[1].lower() for match in map(DIRECTION.search, tags) if match]
    return Declared(next(iter(languages), None), next(iter(directions), None))
