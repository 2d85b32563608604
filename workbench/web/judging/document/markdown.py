"""Markdown as HTML: that of documents, and guidelines as a part of a page, with little else than text and links."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING

from markupsafe import Markup

from workbench.formats.images import ADDRESS, LARGEST_IMAGES
from workbench.methods.text.formulas import BETWEEN

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline

LONGEST_MARKDOWN, LONGEST_PARAGRAPH, MOST_SIGNS = 200_000, 20_000, 2_000
"""Markdown that is longer, or has a paragraph that is longer or has more signs that may begin or end something, is
shown as it was written: the time that rendering takes grows with the square of these.
"""

SIGNS = re.compile(r"[*_~!\[\]<`&\\]")
BLANK_LINES = re.compile(r"\n[^\S\n]*\n")

HELD = re.compile(r'(<img(?: (?!src=)[a-z]++="[^"]*+")*+ src=")data:image/png;held,(\d{1,7}+)(?=")')
"""In cleaned HTML the place of an image that was taken out."""

LONGEST_IMAGES = LARGEST_IMAGES * 3 // 2
"""Characters that are put back at most: a reference may be named ten thousand times."""

TAGS = frozenset(
    "a blockquote br code del em h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul".split()
)
BLOCKS = frozenset("blockquote h3 h4 h5 h6 li p td th".split())
"""Each may be in another script, so each has its own direction."""

BELOW = 2
"""The page and the part have headings of the first two levels; those of the guidelines come below them."""

LOWEST = 6


def can_be_rendered(markdown: str) -> bool:
    """Whether Markdown is short and plain enough to be rendered while a page is waited for."""
    if len(markdown) > LONGEST_MARKDOWN:
        return False
    return all(
        len(paragraph) <= LONGEST_PARAGRAPH and len(SIGNS.findall(paragraph)) <= MOST_SIGNS
        for paragraph in BLANK_LINES.split(markdown)
    )


def document_html(text: str, *, latex: bool) -> str:
    """A document's HTML, which is as dangerous as any; with `latex` formulas are marked as such."""
    return str(_documents(latex=latex).render(text))


def without_images(markdown: str) -> tuple[str, list[str]]:
    """Markdown with a short address in place of each image that it holds, and the images.

    >>> without_images("![ice](data:image/png;base64,AAAA)")
    ('![ice](data:image/png;held,0)', ['data:image/png;base64,AAAA'])
    """
    images: list[str] = []

    def hold(address: re.Match[str]) -> str:
        images.append(address[0])
        return f"data:image/png;held,{len(images) - 1}"

    return ADDRESS.sub(hold, markdown), images


def put_images(cleaned: str, images: list[str]) -> str:
    """Cleaned HTML with the images again that were taken out of its Markdown, as far as there is room for them."""
    left = LONGEST_IMAGES

    def put(place: re.Match[str]) -> str:
        nonlocal left
        image = images[int(place[2])] if int(place[2]) < len(images) else ""
        if not image or len(image) > left:
            return place[0]
        left -= len(image)
        return place[1] + image

    return HELD.sub(put, cleaned)


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
        _guidelines().render(text),
        tags=set(TAGS),
        attributes={"a": {"href"}, "ol": {"start"}},
        set_tag_attribute_values={"a": {"target": "_blank"}, **{tag: {"dir": "auto"} for tag in BLOCKS}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    return Markup(cleaned)  # noqa: S704  # nosec B704 - it comes from the sanitiser


@cache
def _guidelines() -> MarkdownIt:
    """CommonMark with tables and strikethrough, headings some levels lower, and lines that end as in plain text."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])

    def lower_headings(state: StateCore) -> None:
        for token in state.tokens:
            if token.type in {"heading_open", "heading_close"}:
                token.tag = f"h{min(LOWEST, int(token.tag[1]) + BELOW)}"

    parser.core.ruler.push("lower_headings", lower_headings)
    return parser


@cache
def _documents(*, latex: bool) -> MarkdownIt:
    """Tables and strikethrough beside plain CommonMark; HTML in it is cleaned like that of any page.

    With `latex` what stands between the signs of LaTeX is marked as such, and not taken for Markdown.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    if latex:
        parser.inline.ruler.before("escape", "latex", _mark_latex)
    return parser


def _mark_latex(state: StateInline, silent: bool) -> bool:
    found = BETWEEN.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        marked = f'<span class="math-container">{escape(found[0], quote=False)}</span>'
        state.push("html_inline", "", 0).content = marked
    state.pos = found.end()
    return True
