"""What a reader sees of an HTML page, as plain text; and its title.

Read as a stream of tags, not as a tree: pages nested thousands of levels deep lose nothing and cost no stack.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

UNSEEN = frozenset(
    ("script", "style", "head", "noscript", "template", "svg", "math", "iframe", "object", "title")
)
BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption"
    " figure footer form frameset h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre section"
    " select summary table tbody td textarea tfoot th thead tr ul".split()
)
PARAGRAPHS = frozenset("blockquote dl h1 h2 h3 h4 h5 h6 ol p pre section table ul article".split())
VOID = frozenset(("br", "hr"))
TITLE = re.compile(r"<title(?:\s[^<>]*)?>(.*?)(?:</title|\Z)", re.IGNORECASE | re.DOTALL)
TITLE_WITHIN = 256 * 1024
LONGEST_TITLE = 1000
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def visible_text(html: str) -> str:
    """The text of a page without scripts, styles and head: one line for a block, a blank line between paragraphs."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.HTMLParser(target=_Text(), recover=True, no_network=True, huge_tree=True, encoding="utf-8")
    text: str = etree.fromstring(NOT_XML.sub(" ", html or " ").encode() or b" ", parser)
    return text


def html_title(html: str) -> str:
    """The page's title on one line, '' if it has none."""
    found = TITLE.search(html, 0, TITLE_WITHIN)
    return " ".join(unescape(found[1]).split())[:LONGEST_TITLE] if found else ""


class _Text:
    """Receives the tags and texts of a page in order."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._unseen = ""
        self._depth = 0

    def start(self, tag: str, _attributes: Mapping[str, str]) -> None:
        if self._unseen:
            self._depth += tag == self._unseen
        elif tag in UNSEEN:
            self._unseen, self._depth = tag, 1
        else:
            self._break(tag)

    def end(self, tag: str) -> None:
        if tag == self._unseen:
            self._depth -= 1
            self._unseen = tag if self._depth else ""
        elif not self._unseen and tag not in VOID:
            self._break(tag)

    def _break(self, tag: str) -> None:
        if tag in BLOCKS:
            self._pieces.append("\n\n" if tag in PARAGRAPHS else "\n")

    def data(self, text: str) -> None:
        if not self._unseen:
            self._pieces.append(re.sub(r"\s+", " ", text))

    def comment(self, _text: str) -> None:
        """Comments are not seen."""

    def close(self) -> str:
        lines = (re.sub(r" {2,}", " ", line).strip() for line in "".join(self._pieces).split("\n"))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
