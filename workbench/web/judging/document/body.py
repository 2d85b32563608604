"""The body of a document's page: its words with marks, its best passage, and where the marks lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from sys import getsizeof
from typing import NamedTuple

from markupsafe import Markup as Html

from workbench.core.recently_used import SizedCache
from workbench.core.records import Document
from workbench.methods.text.languages import language_of_text
from workbench.methods.text.matching import Hit, Matcher
from workbench.methods.text.passage import best_passage, best_start
from workbench.methods.text.terms import Term
from workbench.web.judging.document.comparison import NO_COMPARISON, Comparison, compare
from workbench.web.judging.document.kinds import shown
from workbench.web.judging.document.marking import Marker, Span, marks_of
from workbench.web.judging.document.markup import Markup
from workbench.web.judging.document.plain import PlainText

MOST_PLACES = 400
"""The most places of hits that are listed: a map beside a scroll bar has no more pixels."""

BODIES, TEXTS, REMEMBERED_LOOKS = 64 << 20, 64 << 20, 64
"""How many bytes of bodies and of parsed texts are remembered, and how many looks."""

PARSED = 34
"""Bytes that a parsed page takes for each of its characters (measured; plain text takes fewer)."""

PLACE, ENTRY = 32, 2_000
"""Bytes of a number in a tuple, and those that an entry of either takes besides."""

BEGINNING = 4_000
"""This many characters of a text tell its language."""


class Look(NamedTuple):
    """What is marked in a document: the terms, and the language of the topic, by which their stems are found; and
    whether what stands between the signs of LaTeX is shown as a formula. A `span` is marked as the only term.
    """

    terms: tuple[Term, ...] = ()
    language: str = ""
    latex: bool = False
    span: tuple[int, int] | None = None


class Text(NamedTuple):
    """All that a body depends on: text, media type, whether dollars are those of LaTeX, and the title over it."""

    text: str
    media_type: str
    latex: bool
    title: str


class Body(NamedTuple):
    """A document as it is shown, below its head.

    `before` and `after` count the paragraphs outside the best passage, and are both 0 where there is none shorter
    than the whole; `opens_at` is the number of the hit at which the best stretch of the passage (else of the whole)
    begins, None without hits; `places` are those of the hits as fractions of the text's length, ascending; `counts`
    are the hits of each term. `comparison` says how the text differs from that of the document shown before, and
    `differences` where, as `places` does. `not_shown` says what of a page cannot be shown ("3 videos"). A body
    `has_content` if there are words or images; without them it is empty unless something of the page is not shown.
    `language` is an ISO 639 code, or "" where there are no letters.
    """

    html: Html
    is_empty: bool
    has_content: bool
    not_shown: tuple[str, ...]
    before: int
    after: int
    opens_at: int | None
    places: tuple[float, ...]
    counts: tuple[int, ...]
    comparison: Comparison
    differences: tuple[float, ...]
    language: str
    direction: str

    @property
    def has_passage(self) -> bool:
        """Whether there is a passage shorter than the whole."""
        return self.before + self.after > 0


bodies: SizedCache[tuple[bytes, Look, bytes | None], Body] = SizedCache(BODIES)
parsed_texts: SizedCache[bytes, Markup | PlainText] = SizedCache(TEXTS)


def body_of(document: Document, look: Look, before: Document | None = None) -> Body:
    """The body of a document's page; where it differs from `before`, a near duplicate shown before, is marked too.

    The last ones are remembered: a page is asked for ahead of time, by each of its assessors, and again when one of
    them goes back.
    """
    text, other = _text_of(document, look), _text_of(before, look) if before else None
    key = (_key(text), look, _key(other) if other else None)
    return bodies.use(
        key,
        lambda: _body(text, look, other),
        lambda body: getsizeof(body.html) + PLACE * (len(body.places) + len(body.differences)) + ENTRY,
    )


def title_of(title: str, look: Look, before: str | None = None) -> tuple[Html, Comparison]:
    """A document's title as HTML, with the terms marked, and where it differs from the title before."""
    hits = _hits(title, look)
    compared = NO_COMPARISON
    if before is not None:
        compared = compare(title, hits, before, lambda: _hits(before, look), own_colours(look))
    return _safe(_marker(look, hits, compared).write(title, 0)), compared


def sentences_of(texts: Sequence[str], between: str, look: Look, before: str | None = None) -> list[Html]:
    """Texts in sequence with `between` them, as HTML: terms marked, and what differs from the text `before`."""
    starts = list(accumulate((len(text) + len(between) for text in texts), initial=0))
    hits = [
        hit._replace(start=start + hit.start, end=start + hit.end)
        for start, text in zip(starts, texts, strict=False)
        for hit in _hits(text, look)
    ]
    compared = NO_COMPARISON
    if before is not None:
        own = own_colours(look)
        compared = compare(between.join(texts), hits, before, lambda: _hits(before, look), own)._replace(
            missing=()
        )
    marker = _marker(look, hits, compared)
    return [_safe(marker.write(text, start)) for start, text in zip(starts, texts, strict=False)]


def places_of(starts: Iterable[int], length: int) -> tuple[float, ...]:
    """Places of a text as fractions of its `length`; of those too near to each other for a map the first."""
    first_of = {start * MOST_PLACES // length: start for start in sorted(starts, reverse=True)}
    return tuple(round(start / length, 5) for _, start in sorted(first_of.items()))


def _body(text: Text, look: Look, before: Text | None) -> Body:
    readable = _readable(text)
    hits = _hits_in(readable, look)
    # What is folded counts only where nothing else has a hit.
    clear = [hit for hit in hits if not readable.is_folded(hit.start)] or hits
    passage = best_passage(readable.pieces, clear)
    opening = _opening(readable.pieces, clear, passage)
    compared = NO_COMPARISON
    if before:
        other = _readable(before)
        compared = compare(
            readable.words, hits, other.words, lambda: _hits_in(other, look), own_colours(look)
        )
    counted = Counter(hit.term for hit in hits)
    return Body(
        html=_safe(readable.write(_marker(look, hits, compared), passage, opening.start if opening else -1)),
        is_empty=readable.is_empty,
        has_content=readable.has_content,
        not_shown=readable.not_shown,
        before=passage[0] if passage else 0,
        after=len(readable.pieces) - passage[1] if passage else 0,
        opens_at=hits.index(opening) if opening else None,
        places=places_of((hit.start for hit in hits), len(readable.words)),
        counts=tuple(counted[number] for number in range(len(look.terms))),
        comparison=compared,
        differences=places_of(compared.places, len(readable.words)),
        language=readable.says.language or language_of_text(readable.words[:BEGINNING]),
        direction=readable.direction,
    )


def _opening(pieces: Sequence[Span], hits: Sequence[Hit], passage: Span | None) -> Hit | None:
    """The hit that the best stretch of the passage begins with, or that of the whole."""
    if passage is not None:
        start, end = pieces[passage[0]][0], pieces[passage[1] - 1][1]
        hits = [hit for hit in hits if start <= hit.start < end]
    begin = best_start(hits)
    return None if begin is None else hits[begin]


def _readable(text: Text) -> Markup | PlainText:
    def parsed() -> Markup | PlainText:
        readable = shown(text.text, text.media_type, latex=text.latex)
        if isinstance(readable, Markup):
            readable.say_once(text.title)
        return readable

    return parsed_texts.use(_key(text), parsed, lambda _: PARSED * len(text.text) + ENTRY)


def _key(text: Text) -> bytes:
    """What stands for a text in a cache, which need not keep it."""
    return sha256(repr(text[1:]).encode() + text.text.encode(errors="surrogatepass")).digest()


def _text_of(document: Document, look: Look) -> Text:
    return Text(document.text, document.media_type, look.latex, document.title)


def _hits(text: str, look: Look) -> list[Hit]:
    return _matcher(look.terms, look.language).hits(text) if look.terms and text and not look.span else []


def _hits_in(readable: Markup | PlainText, look: Look) -> list[Hit]:
    """The hits of a text, also in words that a line break has parted; none in a heading that the title says already."""
    if look.span:
        return [Hit(*look.span, 0)] if look.span[1] <= len(readable.words) else []
    if isinstance(readable, PlainText):
        return readable.joined.original(_hits(readable.joined.text, look))
    start, end = readable.repeated
    return [hit for hit in _hits(readable.words, look) if not start <= hit.start < end]


def _marker(look: Look, hits: Sequence[Hit], compared: Comparison) -> Marker:
    marks = marks_of(hits, compared.changed, compared.missing)
    return Marker(marks, own_colours(look), compared.missing)


def own_colours(look: Look) -> dict[int, int]:
    """The numbers of the terms that the assessor added, each with its colour."""
    return {number: term.colour for number, term in enumerate(look.terms) if term.own}


_matcher = lru_cache(maxsize=REMEMBERED_LOOKS)(Matcher)


def _safe(html: str) -> Html:
    """HTML of this package, marked as safe for a template: the one place that says so."""
    return Html(html)  # nosec B704 # noqa: S704 - tags of our own or cleaned, all else escaped; shown in a sandbox
