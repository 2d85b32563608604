"""Parts of a page that are not what it is about: navigation, asides, footers, lists of links, and what it hides.

They are shown folded, and count less when the best passage is chosen. A fold wraps elements that follow each other in
one element; none wraps what would be most of the page. One pass over the tokens for what each element holds, and one
that looks for the outermost parts: time in proportion to the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.wording import translatable as _
from workbench.web.judging.document.marking import as_html
from workbench.web.requests.languages import gettext, ngettext

if TYPE_CHECKING:
    from workbench.web.judging.document.tokens import Token

BY_TAG = {"nav": _("Navigation"), "search": _("Navigation"), "aside": _("Aside"), "footer": _("Footer")}
BY_ROLE = {
    **dict.fromkeys(("navigation", "menu", "menubar", "search", "tablist", "toolbar"), _("Navigation")),
    "complementary": _("Aside"),
    "contentinfo": _("Footer"),
    "banner": _("Navigation"),
}
HIDDEN, LINKS = _("Hidden on the page"), _("Links")

LINK_SHARE = 0.5
"""A part of which at least this share is links is a list of links."""

FEWEST_LINKS, SHORTEST = 4, 60
"""Fewer links, or fewer characters, are not folded by themselves, unless a page begins with them."""

PREVIEW = 80
"""Characters of its words that the head of a fold shows."""

LEAST_LEFT = 0.15
"""Where less of a page's text would be left, the largest folds are what it is about, and are none."""

MOST_OF_PAGE = 0.5
"""An element with a larger share of the page's text is looked into, not folded."""

NOT_WITHIN = frozenset("caption dl h1 h2 h3 h4 h5 h6 hgroup ol p pre ruby summary ul".split())
"""Elements whose own children cannot be wrapped: a browser would move the fold out, or end the element before it."""

MAIN = frozenset({"article", "main", "section"})
"""Elements whose headers and footers are theirs, not the page's."""

ROWS = frozenset("colgroup table tbody tfoot thead tr".split())
CELLS = frozenset({"caption", "dd", "li", "td", "th"})
"""Elements that let a fold be in them again, whatever they are in."""


class Fold(NamedTuple):
    """What is folded together: the tokens from `first` to `last`, the words from `start` to `end`, and its name."""

    first: int
    last: int
    start: int
    end: int
    name: str

    def opening(self, words: str, hits: int, *, is_open: bool, is_outside: bool) -> str:
        """The HTML it begins with: what it is, how many of the `hits` are in it, and how it begins."""
        text = " ".join(words[self.start : min(self.end, self.start + 4 * PREVIEW)].split())
        preview = text if len(text) <= PREVIEW else text[: PREVIEW - 1] + "…"
        marked = ngettext("%(num)s marked word", "%(num)s marked words", hits)
        label, name = f" <b>{marked}</b>" if hits else "", gettext(self.name)
        return (
            f'<details class="fold{" outside" if is_outside else ""}"{" open" if is_open else ""}>'
            f'<summary class="ours" dir="auto"><i>{name}</i>{label} <span>{as_html(preview)}</span></summary>'
        )


class _Held(NamedTuple):
    """Of an element: characters without blanks at ends, those of links, the number of links, any page heading."""

    text: int = 0
    linked: int = 0
    links: int = 0
    has_heading: bool = False

    @property
    def is_links(self) -> bool:
        """Whether it is little else than links."""
        return self.text > 0 and self.linked >= LINK_SHARE * self.text

    def plus(self, other: _Held) -> _Held:
        has_heading = self.has_heading or other.has_heading
        return _Held(
            self.text + other.text, self.linked + other.linked, self.links + other.links, has_heading
        )


def folds_of(tokens: Sequence[Token], close: Mapping[int, int]) -> tuple[Fold, ...]:
    """The folds of a page, ascending and disjoint."""
    held, whole = _held(tokens)
    folds = _Search(tokens, close, held, int(MOST_OF_PAGE * whole.text)).found()
    left = whole.text - sum(size for _, size in folds)
    by_size = sorted(folds, key=lambda pair: pair[1])
    while by_size and left < LEAST_LEFT * whole.text:
        left += by_size.pop()[1]
    return tuple(sorted(fold for fold, _ in by_size))


def _held(tokens: Sequence[Token]) -> tuple[dict[int, _Held], _Held]:
    """What each element holds, by the place of its opening tag; and what the page does."""
    held: dict[int, _Held] = {}
    open_places: list[int] = []
    within = [_Held()]
    links = 0
    for place, token in enumerate(tokens):
        if token.kind == "text":
            size = len(token.text.strip())
            within[-1] = within[-1].plus(_Held(size, size if links else 0))
        elif token.kind == "open":
            links += token.source == "a"
            open_places.append(place)
            within.append(_Held(links=int(token.source == "a"), has_heading=token.source == "h1"))
        elif token.kind == "close" and len(within) > 1:
            links -= token.source == "a"
            held[open_places.pop()] = done = within.pop()
            within[-1] = within[-1].plus(done)
    return held, within[0]


class _Search:
    """Walks through the tokens from the outside in; a run is what follows each other and may be folded."""

    def __init__(
        self, tokens: Sequence[Token], close: Mapping[int, int], held: Mapping[int, _Held], longest: int
    ) -> None:
        self.tokens, self.close, self.held, self.longest = tokens, close, held, longest
        self.folds: list[tuple[Fold, int]] = []
        self.run: list[tuple[int, int, str]] = []
        """First and last token, and name, of each element in the run."""
        self.size = _Held()
        self.in_main = 0
        """How many elements are open that are what the page is about, by its own word."""
        self.has_begun = False
        """Whether there has been any text that is not folded."""
        self.allowed = [True]
        """Whether the elements that are open, the page itself first, let a fold be in them."""

    def found(self) -> list[tuple[Fold, int]]:
        """Every fold with the characters in it."""
        place = 0
        while place < len(self.tokens):
            place = self._step(place) + 1
        self._end_run()
        return self.folds

    def _step(self, place: int) -> int:
        """Look at a token, and return the last one that was looked at with it."""
        token = self.tokens[place]
        if token.kind == "text":
            if token.text.strip():
                self._end_run()
                self.has_begun = True
            return place
        if token.kind == "close":
            self._end_run()
            if len(self.allowed) > 1:
                self.allowed.pop()
                self.in_main -= token.source in MAIN
            return place
        if token.kind == "alone":
            if token.name == "img":
                self._end_run()
            return place
        held, end = self.held.get(place, _Held()), self.close.get(place, place)
        if name := self._name_of(token, held):
            self.run.append((place, end, name))
            self.size = self.size.plus(held)
            return end
        if not held.text:
            return end
        self._end_run()
        is_allowed = self.allowed[-1] or token.source in CELLS
        self.allowed.append(is_allowed and token.source not in NOT_WITHIN and token.source not in ROWS)
        self.in_main += token.source in MAIN
        return place

    def _name_of(self, token: Token, held: _Held) -> str:
        """What an element would be folded as; "" for what the page may be about."""
        if not 0 < held.text <= self.longest:
            return ""
        if token.role == "hidden":
            return HIDDEN
        named = BY_ROLE.get(token.role) or BY_TAG.get(token.source)
        if token.source == "header" and not self.in_main and held.links and not held.has_heading:
            return _("Navigation")
        return named or (LINKS if held.is_links else "")

    def _end_run(self) -> None:
        run, size, self.run, self.size = self.run, self.size, [], _Held()
        if not run or not self.allowed[-1]:
            self.has_begun |= bool(run)
            return
        names = [name for _, _, name in run if name != LINKS]
        if self.has_begun and (size.text < SHORTEST or (not names and size.links < FEWEST_LINKS)):
            return
        first, last = run[0][0], run[-1][1]
        inside = [token for token in self.tokens[first : last + 1] if token.kind == "text"]
        start, end = inside[0].start, inside[-1].start + len(inside[-1].text)
        self.folds.append((Fold(first, last, start, end, names[0] if names else LINKS), size.text))
