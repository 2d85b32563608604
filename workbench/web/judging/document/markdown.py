"""Guidelines in Markdown as a part of a page: headings, lists, tables, emphasis and links, and nothing else."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from workbench.web.judging.document.cleaning import can_be_rendered

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

TAGS = frozenset(
    "a blockquote br code del em h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul".split()
)
BLOCKS = frozenset("blockquote h3 h4 h5 h6 li p td th".split())
"""Each may be in another script, so each has its own direction."""

BELOW = 2
"""The page and the part have headings of the first two levels; those of the guidelines come below them."""

LOWEST = 6


@lru_cache(maxsize=16)
def guidelines_html(text: str) -> Markup | None:
    """The guidelines as HTML; None for what would take too long to render, which is shown as it was written.

    HTML in the Markdown is text. Links lead to other pages by http, https or mail, in a window of their own; pictures
    are left out, since no request leaves the page.
    """
    import nh3

    if not can_be_rendered(text):
        return None
    cleaned = nh3.clean(
        _markdown().render(text),
        tags=set(TAGS),
        attributes={"a": {"href"}, "ol": {"start"}},
        set_tag_attribute_values={"a": {"target": "_blank"}, **{tag: {"dir": "auto"} for tag in BLOCKS}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    return Markup(cleaned)  # noqa: S704  # nosec B704 - it comes from the sanitiser


@cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables and strikethrough, headings a few levels lower.

    A line's end stays one, since guidelines of earlier versions are plain text.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.core.ruler.push("lower_headings", _lower_headings)
    return parser


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(LOWEST, int(token.tag[1]) + BELOW)}"
