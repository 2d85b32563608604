"""Reads cleaned HTML into a Markup: which tags part words, and what each tag is written as."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections import Counter
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING

from workbench.core.wording import translatable as _
from workbench.core.wording import translatable_counts
from workbench.formats.images import MOST_PIXELS, image_of
from workbench.methods.text.formulas import PARTED, TOKENS, mathml_tag
from workbench.methods.text.kept_text import KINDS
from workbench.web.judging.document.blocks import cuts
from workbench.web.judging.document.marking import as_html
from workbench.web.judging.document.tokens import ALONE, CLOSE, OPEN, TEXT, Token
from workbench.web.requests.languages import gettext

if TYPE_CHECKING:
    from workbench.web.judging.document.marking import Span

TOKEN = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-z][a-z:_-]*="[^"]*")*)>|([^<]+)')
ATTRIBUTE = re.compile(r' ([a-z][a-z:_-]*)="([^"]*)"')

VOID = frozenset({"br", "hr", "wbr", "img", "col"})
INLINE = frozenset(
    "a abbr b bdi bdo cite code del dfn em formula hole i ins kbd mark math q rp rt ruby s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)
"""Tags that part no words; every other tag does."""

# Possessive: what does not fit is seen at once, however many blanks it has.
IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/\s]++={0,2}\s*+", re.IGNORECASE)
WIDTH = re.compile(r"[1-9][0-9]{0,3}")
SMALLEST_IMAGE = 8
"""Images of fewer pixels in width or height are there to hold a space open."""

BLOCK_SPAN = ("span", ' class="block"')
WRITTEN_AS = {
    "mark": ("b", ""),
    "bit": ("span", ' class="bit"'),
    "fallback": BLOCK_SPAN,
    "legend": BLOCK_SPAN,
    **dict.fromkeys(("details", "dialog", "fieldset", "form", "menu", "search"), ("div", "")),
}
"""Tags that are written as others, and with which attributes."""

BEFORE = {"math": '<span class="formula">', "table": '<div class="table">'}
AFTER = {"math": "</span>", "table": "</div>"}
"""What scrolls by itself where these are wide: a table does in no browser, and in Firefox no element of MathML."""

ROLE = re.compile(r' role="([^"]*)"')
OUR_ATTRIBUTES = re.compile(r' (?:hidden|role|kind)="[^"]*"')
NOT_SHOWN = {
    "image": (
        _("image without a description"),
        translatable_counts("%(num)s image without a description", "%(num)s images without a description"),
    ),
    "drawing": (_("drawing"), translatable_counts("%(num)s drawing", "%(num)s drawings")),
    "frame": (_("embedded page"), translatable_counts("%(num)s embedded page", "%(num)s embedded pages")),
    "object": (
        _("embedded object"),
        translatable_counts("%(num)s embedded object", "%(num)s embedded objects"),
    ),
    "video": (_("video"), translatable_counts("%(num)s video", "%(num)s videos")),
    "audio": (_("recording"), translatable_counts("%(num)s recording", "%(num)s recordings")),
}
"""What there is of a page that is not shown here, as it is counted to an assessor."""

NO_IMAGE = '<span class="picture" role="img" aria-label="image"></span>'


class Reader:
    """What cleaned HTML holds, as `Markup` describes it. A run is text that no block begins or ends in."""

    def __init__(self) -> None:
        self.words = ""
        self.pieces: list[Span] = []
        self.tokens: list[Token] = []
        self.close: dict[int, int] = {}
        self.holds_image = False
        self.pixels_left = MOST_PIXELS
        self.holes: Counter[str] = Counter()
        self.parts: list[str] = []
        """The words so far."""
        self.length = 0
        self.run = (0, 0)
        """Where the run begins: its place in the text, and among `parts`."""
        self.open: list[tuple[int, str]] = []
        self.breaks = 0
        self.formulas: list[str] = []
        """For each element of a formula that is open the innermost one that is written."""

    def read(self, html: str) -> Reader:
        """Reads all of it, and returns itself."""
        for closing, name, attributes, text in TOKEN.findall(html):
            if text:
                self.text(text.replace("\r", "\n"))
            elif closing:
                self.closing(name)
            elif name == "img":
                self.image(dict(ATTRIBUTE.findall(attributes)))
            elif name == "hole":
                self.hole(dict(ATTRIBUTE.findall(attributes)).get("kind", ""))
            elif name == "formula":
                self.formula(dict(ATTRIBUTE.findall(attributes)))
            else:
                self.opening(name, attributes)
        self.end()
        return self

    def text(self, html: str) -> None:
        """A stretch of text."""
        text = unescape(html) if "&" in html else html
        if self.formulas and self.formulas[-1] not in TOKENS:
            self._stray(html, text)
            return
        self._write_text(html, text)

    def _stray(self, html: str, text: str) -> None:
        """Text at a place of a formula where there should be none: blanks part words, all else gets an element."""
        if text.isspace():
            self._add(" ")
        else:
            self.close[len(self.tokens)] = len(self.tokens) + 2
            self.tokens.append(Token(OPEN, "mtext", "<mtext>"))
            self._write_text(html, text)
            self.tokens.append(Token(CLOSE, "mtext", "</mtext>"))

    def _write_text(self, html: str, text: str) -> None:
        self.tokens.append(Token(TEXT, "", html, text, self.length))
        self._add(text)
        if self.breaks and not text.isspace():
            self.breaks = 0

    def formula(self, attributes: dict[str, str]) -> None:
        """An element of a formula: MathML of our own, in which there is nothing else but text."""
        self.open.append((len(self.tokens), "formula"))
        within = self.formulas[-1] if self.formulas else ""
        name, written = mathml_tag(attributes.get("kind", ""), attributes)
        if within in PARTED:
            self._end_line()
        is_out_of_place = within in TOKENS or (name == "math") != (not self.formulas)
        html = "" if is_out_of_place or not name else f"{BEFORE.get(name, '')}<{name}{written}>"
        self.formulas.append(name if html else within or "mtext")
        self.tokens.append(Token(OPEN, name, html, source="formula"))

    def opening(self, name: str, attributes: str) -> None:
        """An opening tag with its attributes; one in a formula is none."""
        if self.formulas:
            return
        self._part(name)
        if name not in VOID:
            self.open.append((len(self.tokens), name))
        tag, own = WRITTEN_AS.get(name, (name, ""))
        is_hidden = ' hidden="' in attributes
        role = "hidden" if is_hidden else (ROLE.search(attributes) or ("", ""))[1].strip().lower()
        if is_hidden:
            own = own.replace('class="', 'class="unseen ') if own else ' class="unseen"'
        attributes = own + OUR_ATTRIBUTES.sub("", attributes)
        # A browser drops a line break that comes first in `pre`.
        html = "" if name == "a" else f"{BEFORE.get(tag, '')}<{tag}{attributes}>" + "\n" * (name == "pre")
        kind = ALONE if name in VOID else OPEN
        self.tokens.append(Token(kind, tag, html, source=name, role=role))

    def closing(self, name: str) -> None:
        """A closing tag, if it is that of the element opened last."""
        if not self.open or self.open[-1][1] != name:
            return
        self._part(name)
        place = self.open.pop()[0]
        self.close[place] = len(self.tokens)
        if name == "formula":
            self.formulas.pop()
            if self.formulas and self.formulas[-1] in PARTED:
                self._end_line()
        opened = self.tokens[place]
        html = opened.html and f"</{opened.name}>{AFTER.get(opened.name, '')}"
        self.tokens.append(Token(CLOSE, opened.name, html, source=name))

    def hole(self, kind: str) -> None:
        """A place where something is not shown: a box that says what it is; its text is not the page's."""
        if kind not in KINDS or self.formulas:
            return
        self.holes[kind] += 1
        if kind != "script":
            label = gettext(NOT_SHOWN[kind][0])
            html = f'<span class="hole" role="img" aria-label="{label}" data-kind="{label}"></span>'
            self.tokens.append(Token(ALONE, "span", html))

    def image(self, attributes: dict[str, str]) -> None:
        """An image that the page itself holds, else its words in a box."""
        if self.formulas:
            return
        source = unescape(attributes.get("src", ""))
        words = unescape(attributes.get("alt") or attributes.get("title") or "").strip()
        if IMAGE.fullmatch(source) and self._has_room(source):
            self.holds_image = True
            width = WIDTH.fullmatch(attributes.get("width", "").strip())
            wide = f' width="{width[0]}"' if width else ""
            html = f'<img src="{as_html(source)}" alt="{as_html(words)}"{wide}>'
            self.tokens.append(Token(ALONE, "img", html))
        elif words:
            self._end_line()
            self.opening("span", ' class="picture"')
            self.text(as_html(words))
            self.closing("span")
            self._end_line()
        elif "alt" not in attributes and not _holds_a_space(attributes):
            self.holes["image"] += 1
            self.tokens.append(Token(ALONE, "span", NO_IMAGE))

    def _has_room(self, source: str) -> bool:
        """Whether an image is what it says, and has no more pixels than are left: a browser takes memory for each."""
        try:
            found = image_of(a2b_base64(source.partition(",")[2]))
        except Base64Error:
            return False
        if found is None or found.pixels > self.pixels_left:
            return False
        self.pixels_left -= found.pixels
        return True

    def end(self) -> None:
        """The end of the page."""
        while self.open:
            self.closing(self.open[-1][1])
        self._end_run()
        self.words = "".join(self.parts)

    def _part(self, name: str) -> None:
        """A tag parts the words on its two sides; two `br` in a row part paragraphs."""
        if name in INLINE:
            return
        self.breaks = self.breaks + 1 if name == "br" else 0
        if self.breaks != 1:
            self._end_run()
        self._end_line()
        if self.breaks != 1:
            self.run = (self.length, len(self.parts))

    def _end_line(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self._add("\n")

    def _end_run(self) -> None:
        start, first = self.run
        if first == len(self.parts):
            return
        text = "".join(self.parts[first:])
        if stripped := text.strip():
            start += len(text) - len(text.lstrip())
            borders = [0, *cuts(stripped), len(stripped)]
            self.pieces += [(start + begin, start + end) for begin, end in pairwise(borders)]
        self.run = (self.length, len(self.parts))

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def _holds_a_space(attributes: dict[str, str]) -> bool:
    sizes = (attributes.get(name, "") for name in ("width", "height"))
    return any(size.isdecimal() and int(size) < SMALLEST_IMAGE for size in map(str.strip, sizes))
