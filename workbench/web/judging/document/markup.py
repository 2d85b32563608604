"""Cleaned HTML, token by token: its words for the search of terms, and the same HTML again with marks in it.

What the cleaner wrote is well-formed, so that one pattern finds its tags; what does not fit the pattern is dropped.
No text is added to the page's own but the words of an image that is not shown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise

from workbench.methods.text.kept_text import KINDS
from workbench.web.judging.document.blocks import cuts
from workbench.web.judging.document.cleaning import NOTHING, Declared
from workbench.web.judging.document.direction import direction_of, main_direction_of
from workbench.web.judging.document.folds import Fold, folds_of
from workbench.web.judging.document.heads import heads_around
from workbench.web.judging.document.marking import Marker, Span, as_html
from workbench.web.judging.document.tokens import ALONE, CLOSE, OPEN, TEXT, Token

TOKEN = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-z][a-z:_-]*="[^"]*")*)>|([^<]+)')
ATTRIBUTE = re.compile(r' ([a-z][a-z:_-]*)="([^"]*)"')

VOID = frozenset({"br", "hr", "wbr", "img", "col"})
INLINE = frozenset(
    "a abbr b bdi bdo cite code del dfn em fraction hole i ins kbd mark q radical rp rt ruby s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)
"""Tags that part no words; every other tag does."""

WITH_DIRECTION = frozenset(
    "address blockquote caption dd dt figcaption h1 h2 h3 h4 h5 h6 li p pre summary td th".split()
)
"""Tags that get the direction of their words, unless they or something around them have one."""

WITH_DIRECTION_OF_TEXT = frozenset("article center div figure footer header main section".split())
"""Tags that get one if they begin with words, and not with another block."""

# Possessive: what does not fit is seen at once, however many blanks it has.
IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/\s]++={0,2}\s*+", re.IGNORECASE)
SMALLEST_IMAGE = 8
"""Images of fewer pixels in width or height are there to hold a space open."""

BLOCK_SPAN = ("span", ' class="block"')
WRITTEN_AS = {
    "mark": ("b", ""),
    "bit": ("span", ' class="bit"'),
    "fallback": BLOCK_SPAN,
    "legend": BLOCK_SPAN,
    "fraction": ("span", ' class="fraction"'),
    "part": ("span", ' class="part"'),
    "radical": ("span", ' class="radical"'),
    **dict.fromkeys(("details", "dialog", "fieldset", "form", "menu", "search"), ("div", "")),
}
"""Tags that are written as others, and with which attributes."""

ROLE = re.compile(r' role="([^"]*)"')
OUR_ATTRIBUTES = re.compile(r' (?:hidden|role|kind)="[^"]*"')
NOT_SHOWN = {
    "image": ("image without words", "images without words"),
    "drawing": ("drawing", "drawings"),
    "frame": ("embedded page", "embedded pages"),
    "object": ("embedded object", "embedded objects"),
    "video": ("video", "videos"),
    "audio": ("recording", "recordings"),
}
"""What there is of a page that is not shown here, as it is counted to an assessor."""

SCRIPTS = "what its scripts write"
FEW_WORDS = 400
"""A page with scripts that has fewer characters of text is taken to be built by them."""

NO_IMAGE = '<span class="picture" role="img" aria-label="image"></span>'


class Markup:
    """Cleaned HTML to be shown.

    `words` is its text, with a line break where a block begins or ends; `pieces` are its paragraphs, cells, list
    items and the like as places in `words`; `direction` is that of the page as a whole, which may have said it
    itself; `close` has the place of each opening tag's closing one; `holes` count what is not shown, by its
    kind; `folds` are shown folded.
    """

    def __init__(self, html: str, says: Declared = NOTHING) -> None:
        self.says = says
        self.words, self.pieces = "", list[Span]()
        self.tokens: list[Token] = []
        self.close: dict[int, int] = {}
        self.holds_image = False
        self.holes: Counter[str] = Counter()
        self._read(html)
        self.folds = folds_of(self.tokens, self.close)
        self.direction = says.direction or main_direction_of(self.words)

    @property
    def has_content(self) -> bool:
        """Whether there is something to be read or looked at."""
        return bool(self.pieces) or self.holds_image

    @property
    def is_empty(self) -> bool:
        """Whether the page itself had nothing to be read or looked at."""
        return not self.has_content and not self.not_shown

    @property
    def not_shown(self) -> tuple[str, ...]:
        """What of the page cannot be shown, as text: "3 videos"."""
        counted = [
            f"{count:,} {NOT_SHOWN[kind][count > 1]}"
            for kind, count in sorted(self.holes.items())
            if kind in NOT_SHOWN
        ]
        is_built = "script" in self.holes and len(self.words) < FEW_WORDS
        return (*counted, SCRIPTS) if is_built else tuple(counted)

    def is_folded(self, place: int) -> bool:
        """Whether a place of the words is in a fold."""
        found = bisect_right(self.folds, place, key=lambda fold: fold.start) - 1
        return found >= 0 and place < self.folds[found].end

    def write(self, marker: Marker, passage: Span | None, opens_at: int = -1) -> str:
        """The HTML with marks; what lies outside the `passage` (first piece, one past the last) has a class for it.

        Blocks whose words run against the direction around them say so, unless the page has said the direction. The
        fold that holds the place `opens_at` is open. The head of a table stays with each of its rows.
        """
        return "".join(_Writer(self, marker, passage, opens_at).written())

    def _read(self, html: str) -> None:
        reader = _Reader(self)
        for closing, name, attributes, text in TOKEN.findall(html):
            if text:
                reader.text(text.replace("\r", "\n"))
            elif closing:
                reader.closing(name)
            elif name == "img":
                reader.image(dict(ATTRIBUTE.findall(attributes)))
            elif name == "hole":
                reader.hole(dict(ATTRIBUTE.findall(attributes)).get("kind", ""))
            else:
                reader.opening(name, attributes)
        reader.end()


class _Reader:
    """Fills a Markup from the tokens of its HTML. A run is text that no block begins or ends in."""

    def __init__(self, markup: Markup) -> None:
        self.markup = markup
        self.words: list[str] = []
        self.length = 0
        self.run = (0, 0)
        """Where the run begins: its place in the text, and among `words`."""
        self.open: list[tuple[int, str]] = []
        self.breaks = 0

    def text(self, html: str) -> None:
        text = unescape(html) if "&" in html else html
        self.markup.tokens.append(Token(TEXT, "", html, text, self.length))
        self._add(text)
        if self.breaks and not text.isspace():
            self.breaks = 0

    def opening(self, name: str, attributes: str) -> None:
        self._part(name)
        if name not in VOID:
            self.open.append((len(self.markup.tokens), name))
        tag, own = WRITTEN_AS.get(name, (name, ""))
        is_hidden = ' hidden="' in attributes
        role = "hidden" if is_hidden else (ROLE.search(attributes) or ("", ""))[1].strip().lower()
        if is_hidden:
            own = own.replace('class="', 'class="unseen ') if own else ' class="unseen"'
        attributes = own + OUR_ATTRIBUTES.sub("", attributes)
        # A browser drops a line break that comes first in `pre`.
        html = "" if name == "a" else f"<{tag}{attributes}>\n" if name == "pre" else f"<{tag}{attributes}>"
        kind = ALONE if name in VOID else OPEN
        self.markup.tokens.append(Token(kind, tag, html, source=name, role=role))

    def closing(self, name: str) -> None:
        if not self.open or self.open[-1][1] != name:
            return
        self._part(name)
        self.markup.close[self.open.pop()[0]] = len(self.markup.tokens)
        tag = WRITTEN_AS.get(name, (name, ""))[0]
        self.markup.tokens.append(Token(CLOSE, tag, "" if name == "a" else f"</{tag}>", source=name))

    def hole(self, kind: str) -> None:
        """A place where something is not shown: a box that says what, in words that are not the page's."""
        if kind not in KINDS:
            return
        self.markup.holes[kind] += 1
        if kind != "script":
            label = NOT_SHOWN[kind][0]
            html = f'<span class="hole" role="img" aria-label="{label}" data-kind="{label}"></span>'
            self.markup.tokens.append(Token(ALONE, "span", html))

    def image(self, attributes: dict[str, str]) -> None:
        """An image that the page itself holds, else its words in a box."""
        source = unescape(attributes.get("src", ""))
        words = unescape(attributes.get("alt") or attributes.get("title") or "").strip()
        if IMAGE.fullmatch(source):
            self.markup.holds_image = True
            html = f'<img src="{as_html(source)}" alt="{as_html(words)}">'
            self.markup.tokens.append(Token(ALONE, "img", html))
        elif words:
            self._end_line()
            self.opening("span", ' class="picture"')
            self.text(as_html(words))
            self.closing("span")
            self._end_line()
        elif "alt" not in attributes and not _holds_a_space(attributes):
            self.markup.holes["image"] += 1
            self.markup.tokens.append(Token(ALONE, "span", NO_IMAGE))

    def end(self) -> None:
        while self.open:
            self.closing(self.open[-1][1])
        self._end_run()
        self.markup.words = "".join(self.words)

    def _part(self, name: str) -> None:
        """A tag parts the words on its two sides; two `br` in a row part paragraphs."""
        if name in INLINE:
            return
        self.breaks = self.breaks + 1 if name == "br" else 0
        if self.breaks != 1:
            self._end_run()
        self._end_line()
        if self.breaks != 1:
            self.run = (self.length, len(self.words))

    def _end_line(self) -> None:
        if self.words and not self.words[-1].endswith("\n"):
            self._add("\n")

    def _end_run(self) -> None:
        start, first = self.run
        if first == len(self.words):
            return
        text = "".join(self.words[first:])
        if stripped := text.strip():
            start += len(text) - len(text.lstrip())
            borders = [0, *cuts(stripped), len(stripped)]
            self.markup.pieces += [(start + begin, start + end) for begin, end in pairwise(borders)]
        self.run = (self.length, len(self.words))

    def _add(self, text: str) -> None:
        self.words.append(text)
        self.length += len(text)


class _Writer:
    """Writes a Markup again: `first` and `last` are the tokens that the passage begins and ends in."""

    def __init__(self, markup: Markup, marker: Marker, passage: Span | None, opens_at: int) -> None:
        self.markup, self.marker, self.opens_at = markup, marker, opens_at
        self.fold_from = {fold.first: fold for fold in markup.folds}
        self.fold_to = {fold.last for fold in markup.folds}
        self.heads: list[Span] = []
        """Tokens outside the passage that are shown with it."""
        self.first, self.last = 0, len(markup.tokens)
        self.start, self.end = 0, len(markup.words)
        self.directed = len(markup.tokens) if markup.says.direction else -1
        """The page itself has said the direction of all up to this token."""
        self.around = [(len(markup.tokens), markup.direction)]
        """The directions that apply, each up to the token it has."""
        self.following = _directions(markup.tokens)
        self.hidden = -1
        if passage:
            self.start, self.end = markup.pieces[passage[0]][0], markup.pieces[passage[1] - 1][1]
            self._find_passage()
            self.heads = heads_around(markup.tokens, markup.close, self.first)

    def written(self) -> Iterator[str]:
        for place, token in enumerate(self.markup.tokens):
            if place in self.fold_from:
                yield self._fold(self.fold_from[place])
            if token.kind == TEXT:
                yield from self._text(place, token)
            elif token.kind == CLOSE:
                yield token.html
            else:
                yield self._tag(place, token)
            if place in self.fold_to:
                yield "</details>"

    def _fold(self, fold: Fold) -> str:
        """The beginning of a fold: what it is, how it begins, and how many marked words are in it."""
        return fold.opening(
            self.markup.words,
            self.marker.hits_in(fold.start, fold.end),
            is_open=fold.start <= self.opens_at < fold.end,
            is_outside=fold.last < self.first or fold.first > self.last,
        )

    def _is_kept(self, place: int) -> bool:
        """Whether a token outside the passage is shown with it."""
        return any(first <= place <= last for first, last in self.heads)

    def _find_passage(self) -> None:
        inside = [
            place
            for place, token in enumerate(self.markup.tokens)
            if token.kind == TEXT and token.start < self.end and token.start + len(token.text) > self.start
        ]
        self.first, self.last = inside[0], inside[-1]

    def _tag(self, place: int, token: Token) -> str:
        html, close = token.html, self.markup.close.get(place, place)
        if not html:
            return ""
        if ' dir="' in html:
            self.directed = max(self.directed, close)
        elif place > self.directed and self._takes_direction(place, token.name):
            html = self._directed(html, place, close)
        is_outside = close < self.first or place > self.last
        if place > self.hidden and is_outside and not self._is_kept(place):
            self.hidden = close
            html = (
                html.replace('class="', 'class="outside ', 1)
                if 'class="' in html
                else _with(html, token.name, 'class="outside"')
            )
        return html

    def _directed(self, html: str, place: int, close: int) -> str:
        """The tag, with a direction if its words run the other way."""
        while self.around[-1][0] < place:
            self.around.pop()
        at, direction = self.following[place]
        if at > close or direction is None or direction == self.around[-1][1]:
            return html
        self.around.append((close, direction))
        return _with(html, self.markup.tokens[place].name, f'dir="{direction}"')

    def _takes_direction(self, place: int, name: str) -> bool:
        if name in WITH_DIRECTION_OF_TEXT:
            following = self.markup.tokens[place + 1]
            return following.name in INLINE if following.kind == OPEN else bool(following.text.strip())
        return name in WITH_DIRECTION

    def _text(self, place: int, token: Token) -> Iterator[str]:
        start, end = token.start, token.start + len(token.text)
        is_whole = place <= self.hidden or (self.start <= start and end <= self.end) or token.text.isspace()
        if is_whole or self._is_kept(place):
            yield self.marker.write(token.text, start) if self.marker.touches(start, end) else token.html
            return
        borders = sorted({start, end, min(max(self.start, start), end), min(max(self.end, start), end)})
        for begin, stop in pairwise(borders):
            text = token.text[begin - start : stop - start]
            html = self.marker.write(text, begin)
            is_outside = (stop <= self.start or begin >= self.end) and not text.isspace()
            yield f'<span class="outside">{html}</span>' if is_outside else html


def _directions(tokens: Sequence[Token]) -> list[tuple[int, str | None]]:
    """For every token the next text with letters: which token it is, and its direction."""
    following: list[tuple[int, str | None]] = [(len(tokens), None)] * len(tokens)
    found: tuple[int, str | None] = (len(tokens), None)
    for place in range(len(tokens) - 1, -1, -1):
        if direction := direction_of(tokens[place].text):
            found = (place, direction)
        following[place] = found
    return following


def _with(html: str, name: str, attribute: str) -> str:
    """A tag with one more attribute, as its first."""
    return f"<{name} {attribute}{html[len(name) + 1 :]}"


def _holds_a_space(attributes: dict[str, str]) -> bool:
    sizes = (attributes.get(name, "") for name in ("width", "height"))
    return any(size.isdecimal() and int(size) < SMALLEST_IMAGE for size in map(str.strip, sizes))
