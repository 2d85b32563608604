"""How a document is shown: always as its words, never as its code.

A document's text comes from strangers. Plain text leaves here as blocks of text, which the page puts into text
nodes; HTML leaves as cleaned HTML, which is shown in a frame that cannot run, load or navigate anything.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from workbench.records import Document

FLOWING, HANGING, LINES, PREFORMATTED = "flowing", "hanging", "lines", "preformatted"
TEXT, FRAME, EMPTY = "text", "frame", "empty"

WRAPPED_FROM = 45
"""Lines shorter than this many characters are not the product of a word wrap: their breaks are kept."""

REMEMBERED_PAGES = 16

BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
INDENTED = re.compile(r"[ \t]{2,}|\t")
CODE = re.compile(r"\s*(?:>>>|(?:async )?def \w+\(|\.\.\. |\$ |[|+][-=|+ ])|\S.*\S {3,}\S")

SHOWN_TAGS = frozenset(
    "abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del dfn dir div dl "
    "dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q rp rt "
    "ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var "
    "wbr".split()
)
DROPPED_WITH_CONTENT = frozenset(
    "applet audio button canvas embed frame frameset iframe math noembed noframes noscript object option script "
    "select style svg template textarea title video xmp".split()
)
SHOWN_ATTRIBUTES = {
    "*": {"dir", "lang"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
}


class Block(NamedTuple):
    """A piece of plain text between blank lines.

    `kind` is "flowing" (its line breaks are a word wrap and carry no meaning), "hanging" (the same, with all
    lines but the first indented), "lines" (its line breaks are kept) or "preformatted" (its blanks and line
    breaks are kept, in a fixed-width font).
    """

    kind: str
    text: str


class View(NamedTuple):
    """What the page shows of a document: `state` is "text" (see `blocks`), "frame" (cleaned HTML) or "empty"."""

    state: str
    blocks: tuple[Block, ...] = ()


def view_of(document: Document) -> View:
    """The view of a document by its media type; what is not HTML is shown as text."""
    if document.media_type == "text/html":
        return View(FRAME if has_words(clean_html(document.text)) else EMPTY)
    blocks = (
        markdown_blocks(document.text)
        if document.media_type == "text/markdown"
        else text_blocks(document.text)
    )
    return View(TEXT, blocks) if blocks else View(EMPTY)


def text_blocks(text: str) -> tuple[Block, ...]:
    """The paragraphs of a plain text: each knows whether its line breaks mean something.

    >>> [block.kind for block in text_blocks("A title\\nof two lines\\n\\n    indented = 1")]
    ['lines', 'preformatted']
    """
    return tuple(_block(paragraph) for paragraph in _paragraphs(text))


def markdown_blocks(text: str) -> tuple[Block, ...]:
    """The paragraphs of a Markdown text as it was written, with all line breaks."""
    return tuple(Block(LINES, paragraph) for paragraph in _paragraphs(text))


@lru_cache(maxsize=REMEMBERED_PAGES)
def clean_html(text: str) -> str:
    """The harmless part of an HTML text: words and their structure; no scripts, styles, images, links or forms.

    The words of a link stay, without the link. What a tag such as `script`, `style` or `svg` holds goes with it.
    The last few pages are remembered: each is asked for twice (what it is, and its frame), and one that was
    nested 50,000 deep on purpose takes seconds.
    """
    import nh3

    return nh3.clean(
        text,
        tags=set(SHOWN_TAGS),
        clean_content_tags=set(DROPPED_WITH_CONTENT),
        attributes={tag: set(names) for tag, names in SHOWN_ATTRIBUTES.items()},
        strip_comments=True,
        link_rel=None,
    )


def cleaned(document: Document) -> Markup:
    """`clean_html` of a document's text, marked as safe for a template: the one place that says so."""
    return Markup(clean_html(document.text))  # noqa: S704 - cleaned one line before, shown in a sandbox


def has_words(html: str) -> bool:
    """Whether anything but tags and blanks is in a cleaned HTML text."""
    return bool(re.sub(r"<[^>]*>|&nbsp;|\s", "", html))


def _paragraphs(text: str) -> list[str]:
    lines = [
        line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    ]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line]
    common = min(indents, default=0)
    dedented = "\n".join(line[common:] for line in lines)
    return [paragraph.strip("\n") for paragraph in BLANK_LINES.split(dedented) if paragraph.strip()]


def _block(paragraph: str) -> Block:
    lines = paragraph.split("\n")
    is_wrapped = all(len(line) >= WRAPPED_FROM for line in lines[:-1])
    if any(CODE.match(line) for line in lines):
        return Block(PREFORMATTED, paragraph)
    if is_wrapped and _hangs(lines):
        return Block(HANGING, "\n".join(line.strip() for line in lines))
    # An indented first line over flush ones is how newspapers begin a paragraph; any other indent has a meaning.
    if any(INDENTED.match(line) for line in (lines if len(lines) == 1 else lines[1:])):
        return Block(PREFORMATTED, paragraph)
    return Block(FLOWING if is_wrapped else LINES, paragraph.strip())


def _hangs(lines: list[str]) -> bool:
    """Whether the lines after the first are indented alike, as in a list of definitions."""
    indents = {len(line) - len(line.lstrip(" ")) for line in lines[1:]}
    return len(indents) == 1 and 0 not in indents and not lines[0].startswith(" ")
