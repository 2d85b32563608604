"""Cleaned HTML, token by token: its words for the search of terms, and the same HTML again with marks in it.

What the cleaner wrote is well-formed, so that one pattern finds its tags; what does not fit the pattern is dropped.
No text is added to the page's own but the words of an image that is not shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from workbench.core.normal_forms import normal_form
from workbench.core.wording import translatable
from workbench.web.judging.document.cleaning import NOTHING, Declared
from workbench.web.judging.document.direction import direction_of, main_direction_of
from workbench.web.judging.document.folds import folds_of
from workbench.web.judging.document.marking import Marker, Span
from workbench.web.judging.document.reader import INLINE, NOT_SHOWN, Reader
from workbench.web.judging.document.tokens import (
    CLOSE,
    OPEN,
    TEXT,
    Token,
    heads_around,
    is_message,
    number_cells,
    speaker_of,
)
from workbench.web.requests.languages import gettext, ngettext

WITH_DIRECTION = frozenset(
    "address blockquote caption dd dt figcaption h1 h2 h3 h4 h5 h6 li p pre summary td th".split()
)
"""Tags that get the direction of their words, unless they or something around them have one."""

WITH_DIRECTION_OF_TEXT = frozenset("article center div figure footer header main section".split())
"""Tags that get one if they begin with words, and not with another block."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
SPEAKERS = 4
"""So many are told apart by colour: the first of them asks, see `ASKING`."""

ASKING = frozenset(
    "user human person customer client question asker seeker student patient caller me you".split()
)
SCRIPTS = translatable("what its scripts write")
FEW_WORDS = 400
"""A page with scripts that has fewer characters of text is taken to be built by them."""


class Markup:
    """Cleaned HTML to be shown.

    `words` is its text, with a line break where a block begins or ends; `pieces` are its paragraphs, cells, list
    items and the like as places in `words`; `direction` is that of the page as a whole, which may have said it
    itself; `close` has the place of each opening tag's closing one; `holes` count what is not shown, by its
    kind; `folds` are shown folded.
    """

    def __init__(self, html: str, says: Declared = NOTHING) -> None:
        self.says = says
        read = Reader().read(html)
        self.words, self.pieces = read.words, read.pieces
        self.tokens, self.close = read.tokens, read.close
        self.holds_image, self.holes = read.holds_image, read.holes
        self.folds = folds_of(self.tokens, self.close)
        self.numbers = number_cells(self.tokens, self.close)
        self.direction = says.direction or main_direction_of(self.words)
        self.heading, self.repeated = -1, (0, 0)
        """The token of a first heading that repeats the title, and the place of its words."""

    def say_once(self, title: str) -> None:
        """Leave out the first heading if it is the title of the document; its words keep their places."""
        for place, token in enumerate(self.tokens if len(self.pieces) > 1 else ()):
            if token.kind == OPEN and token.source in HEADINGS:
                within = [each for each in self.tokens[place : self.close[place]] if each.kind == TEXT]
                if within and _alike("".join(each.text for each in within)) == _alike(title):
                    end = within[-1].start + len(within[-1].text)
                    self.heading, self.repeated = place, (within[0].start, end)
                return

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
            ngettext(*NOT_SHOWN[kind][1], count)
            for kind, count in sorted(self.holes.items())
            if kind in NOT_SHOWN
        ]
        is_built = "script" in self.holes and len(self.words) < FEW_WORDS
        return (*counted, gettext(SCRIPTS)) if is_built else tuple(counted)

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
        self.speakers: dict[str, int] = {}
        if passage:
            self.start, self.end = markup.pieces[passage[0]][0], markup.pieces[passage[1] - 1][1]
            inside = [
                place
                for place, token in enumerate(markup.tokens)
                if token.kind == TEXT
                and token.start < self.end
                and token.start + len(token.text) > self.start
            ]
            self.first, self.last = inside[0], inside[-1]
            self.heads = heads_around(markup.tokens, markup.close, self.first)

    def written(self) -> Iterator[str]:
        for place, token in enumerate(self.markup.tokens):
            if place in self.fold_from:
                fold = self.fold_from[place]
                yield fold.opening(
                    self.markup.words,
                    self.marker.hits_in(fold.start, fold.end),
                    is_open=fold.start <= self.opens_at < fold.end,
                    is_outside=fold.last < self.first or fold.first > self.last,
                )
            if token.kind == TEXT:
                yield from self._text(place, token)
            elif token.kind == CLOSE:
                yield token.html
            else:
                yield self._tag(place, token)
            if place in self.fold_to:
                yield "</details>"

    def _is_kept(self, place: int) -> bool:
        return any(first <= place <= last for first, last in self.heads)

    def _tag(self, place: int, token: Token) -> str:
        html, close = token.html, self.markup.close.get(place, place)
        if not html:
            return ""
        if token.source == "section" and is_message(self.markup.tokens, place):
            html = _with(html, token.name, f'class="speaker speaker-{self._speaker(place)}"')
        if place == self.markup.heading:
            html = _with(html, token.name, 'class="repeated"')
        if place in self.markup.numbers:
            html = _with_class(html, token.name, "numeric")
        if ' dir="' in html:
            self.directed = max(self.directed, close)
        elif place > self.directed and self._takes_direction(place, token.name):
            html = self._directed(html, place, close)
        is_outside = close < self.first or place > self.last
        if place > self.hidden and is_outside and not self._is_kept(place):
            self.hidden = close
            html = _with_class(html, token.name, "outside")
        return html

    def _speaker(self, place: int) -> int:
        """The number of a message's speaker: 0 asks, the others count from 1 as they come."""
        name = speaker_of(self.markup.tokens, place).casefold()
        if name in ASKING:
            return 0
        return self.speakers.setdefault(name, 1 + len(self.speakers) % (SPEAKERS - 1))

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


def _alike(text: str) -> str:
    """A heading as it is compared: without differences of case, width, blanks and what ends it."""
    return " ".join(normal_form("NFKC", text).casefold().split()).rstrip(" .:#¶")


def _directions(tokens: Sequence[Token]) -> list[tuple[int, str | None]]:
    """For every token the next text with letters: which token it is, and its direction."""
    following: list[tuple[int, str | None]] = [(len(tokens), None)] * len(tokens)
    found: tuple[int, str | None] = (len(tokens), None)
    for place in reversed(range(len(tokens))):
        if direction := direction_of(tokens[place].text):
            found = (place, direction)
        following[place] = found
    return following


def _with(html: str, name: str, attribute: str) -> str:
    """A tag with one more attribute, as its first."""
    return f"<{name} {attribute}{html[len(name) + 1 :]}"


def _with_class(html: str, name: str, added: str) -> str:
    """A tag with one more class, before those that it has."""
    if 'class="' in html:
        return html.replace('class="', f'class="{added} ')
    return _with(html, name, f'class="{added}"')
