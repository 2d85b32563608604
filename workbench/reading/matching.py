"""Where the terms of a topic occur in a text of any script.

Words between blanks are compared by their stems, with case, width, accents and points out of the way; runs of scripts
without blanks by what they share with the terms (`workbench.reading.runs`). One pass over the text finds its words;
what a form of a word stands for is worked out once per `Matcher`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

from workbench.reading.folding import folded
from workbench.reading.languages import stop_words
from workbench.reading.runs import Runs
from workbench.reading.scripts import BETWEEN, UNSPACED_CHARACTER, WORD, whole_clusters
from workbench.reading.terms import Term
from workbench.reading.vocabulary import Kind, Vocabulary

LONGEST_PHRASE = 12  # words; of a longer own term, the first twelve are looked for
SHORTEST_PART = 4  # letters of a part of a hyphenated word of the topic that is marked alone
LONGEST_ACRONYM = 5

# Signs between the words of a phrase that may be others in a text, as in state-of-the-art; that of 9/11 may not.
LOOSE = regex.compile(r"[\s\-‐‑–'’ʼ‘`´\"״׳·]+")
HYPHEN = regex.compile(r"[-‐‑]")
SIGNS_BEFORE = regex.compile(r"(?<!\S)\.$")
SIGNS_AFTER = regex.compile(r"\+{1,3}|#")


class Hit(NamedTuple):
    """A place to mark: code points [start, end) of the text, and the index of its term."""

    start: int
    end: int
    term: int


class Phrase(NamedTuple):
    """Words in a row: their numbers, what stands between them (None: anything loose), and signs before and after."""

    term: int
    words: tuple[int, ...]
    between: tuple[str | None, ...] = ()
    before: str = ""
    after: str = ""


class Matcher:
    """Finds the terms of a topic in texts. Made once per topic and assessor; safe to share between threads."""

    def __init__(self, terms: Sequence[Term], language: str) -> None:
        self._own = [term.own for term in terms]
        self._vocabulary = Vocabulary(language)
        self._phrases: dict[int, list[Phrase]] = {}
        reader = _TermReader(terms, language, self._vocabulary)
        for index, term in enumerate(terms):
            if not UNSPACED_CHARACTER.search(term.text):
                for phrase in reader.phrases(index, term):
                    self._phrases.setdefault(phrase.words[0], []).append(phrase)
        self._runs = Runs(
            [(index, *term) for index, term in enumerate(terms) if UNSPACED_CHARACTER.search(term.text)]
        )

    def hits(self, text: str) -> list[Hit]:
        """All places of terms in the text: ascending, disjoint, whole grapheme clusters.

        Where two overlap the longer stays, then the assessor's own term, then the earlier. Between the words of a
        phrase anything may stand that is no word, up to 40 characters and within a paragraph.
        """
        found = [Hit(*whole_clusters(text, start, end), term) for start, end, term in self._runs.found(text)]
        found.extend(
            Hit(*whole_clusters(text, start, end), term) for start, end, term in self._in_words(text)
        )
        return _disjoint(found, self._own)

    def _in_words(self, text: str) -> Iterator[Hit]:
        if not self._phrases:
            return
        forms = self._vocabulary.forms()
        for match in WORD.finditer(text):
            if words := forms[match.group()]:
                start, end = match.span()
                for asked, length in words:
                    shown = end if length is None else start + length
                    for phrase in self._phrases.get(asked, ()):
                        yield from self._at(text, start, end, shown, phrase)

    def _at(self, text: str, start: int, end: int, shown: int, phrase: Phrase) -> Iterator[Hit]:
        """The hit of a phrase whose first word stands at [start, end), of which [start, shown) is to be marked."""
        for asked, between in zip(phrase.words[1:], phrase.between, strict=True):
            gap = BETWEEN.match(text, end)
            following = WORD.match(text, gap.end()) if gap else None
            if gap is None or following is None or not _fits(gap.group(), between):
                return
            words = dict(self._vocabulary.forms()[following.group()])
            if asked not in words:
                return
            length = words[asked]
            end = following.end()
            shown = end if length is None else following.start() + length
        before, after = phrase.before, phrase.after
        if text[max(0, start - len(before)) : start] == before and text[shown : shown + len(after)] == after:
            yield Hit(start - len(before), shown + len(after), phrase.term)


class _TermReader:
    """Turns terms as written into the phrases that a text is searched for."""

    def __init__(self, terms: Sequence[Term], language: str, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._small = stop_words(language)
        # A topic all in capitals says nothing about which of its words are acronyms.
        self._capitals_mean_something = any(term.own or any(map(str.islower, term.text)) for term in terms)

    def phrases(self, index: int, term: Term) -> Iterator[Phrase]:
        """A term as it stands, and for a hyphenated word also in one word and, if it is the topic's, in parts."""
        text = term.text
        words = list(WORD.finditer(text))
        if not term.own and len(words) > LONGEST_PHRASE:
            yield from self._parts(index, [word.group() for word in words])
            return
        words = words[:LONGEST_PHRASE]
        if not words:
            return
        yield self._whole(index, term, words)
        if len(words) > 1 and all(HYPHEN.fullmatch(gap) for gap in _gaps(text, words)):
            joined = "".join(word.group() for word in words)
            if len(joined) > SHORTEST_PART:
                yield Phrase(index, (self._vocabulary.ask(joined, "stem" if joined.isalpha() else "exact"),))
            if not term.own:
                yield from self._parts(index, [word.group() for word in words])

    def _whole(self, index: int, term: Term, words: Sequence[regex.Match[str]]) -> Phrase:
        text = term.text
        before = SIGNS_BEFORE.search(text[: words[0].start()])
        after = SIGNS_AFTER.match(text, words[-1].end())
        between = tuple(
            None if LOOSE.fullmatch(gap.lstrip("*")) else folded(gap) for gap in _gaps(text, words)
        )
        asked = tuple(self._vocabulary.ask(word.group(), self._kind(term, word)) for word in words)
        return Phrase(index, asked, between, before.group() if before else "", after.group() if after else "")

    def _kind(self, term: Term, word: regex.Match[str]) -> Kind:
        form = word.group()
        if term.own and term.text[word.end() : word.end() + 1] == "*":
            return "start"
        acronym = form.isupper() and len(form) <= LONGEST_ACRONYM and self._capitals_mean_something
        short = term.own and len(form) <= 2 and form.isascii()
        return "exact" if acronym or short or any(map(str.isdigit, form)) else "stem"

    def _parts(self, index: int, words: Iterable[str]) -> Iterator[Phrase]:
        for word in words:
            if len(word) >= SHORTEST_PART and word.lower() not in self._small:
                yield Phrase(index, (self._vocabulary.ask(word, "stem"),))


def _gaps(text: str, words: Sequence[regex.Match[str]]) -> list[str]:
    return [text[word.end() : following.start()] for word, following in pairwise(words)]


def _fits(gap: str, between: str | None) -> bool:
    return gap != "" if between is None else folded(gap) == between


def _disjoint(hits: list[Hit], own: Sequence[bool]) -> list[Hit]:
    """The hits in order without overlaps: of those that overlap the longest, then an own term, then the earliest."""
    hits.sort()
    kept: list[Hit] = []
    group: list[Hit] = []
    end = 0
    for hit in hits:
        if hit.start >= end:
            kept.extend(_longest_first(group, own))
            group = []
        group.append(hit)
        end = max(end, hit.end)
    kept.extend(_longest_first(group, own))
    return kept


def _longest_first(group: list[Hit], own: Sequence[bool]) -> list[Hit]:
    """What stays of hits that form one chain of overlaps."""
    if len(group) < 2:
        return group
    kept: list[Hit] = []
    for hit in sorted(group, key=lambda hit: (hit.start - hit.end, not own[hit.term], hit.start, hit.term)):
        place = bisect_right(kept, hit)
        free_before = place == 0 or kept[place - 1].end <= hit.start
        free_after = place == len(kept) or hit.end <= kept[place].start
        if free_before and free_after:
            kept.insert(place, hit)
    return kept
