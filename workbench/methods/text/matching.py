"""Where the terms of a topic occur in a text of any script.

Words between blanks are compared by their stems, with case, width, accents and points out of the way; runs of
scripts without blanks by what they share with the terms (`workbench.methods.text.unspaced`). One pass over the
text finds its words; the stem of a form of a word is computed once per `Matcher`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

from workbench.methods.text.folding import folded
from workbench.methods.text.languages import stop_words
from workbench.methods.text.scripts import BETWEEN, UNSPACED_CHARACTER, WORD, Clusters
from workbench.methods.text.terms import COMMON, Term, is_acronym
from workbench.methods.text.unspaced import Runs
from workbench.methods.text.vocabulary import Kind, Vocabulary, Word

WIDEST_GAP = 40  # characters between two words of a phrase
LONGEST_PHRASE = 12  # words; of a longer own term, the first twelve are looked for
SHORTEST_PART = 4  # letters of a part of a hyphenated word of the topic that is marked alone

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
    """Words in a row: their numbers, what is between them (None: anything loose), and signs before and after."""

    words: tuple[int, ...]
    between: tuple[str | None, ...] = ()
    before: str = ""
    after: str = ""


class Matcher:
    """Finds the terms of a topic in texts. Made once per topic and assessor; safe to share between threads."""

    def __init__(self, terms: Sequence[Term], language: str) -> None:
        self._own = [term.own for term in terms]
        self._vocabulary = Vocabulary(language)
        self._phrases = _Node()
        wanted = [(index, term) for index, term in enumerate(terms) if not term.off]
        reader = _TermReader([term for _, term in wanted], language, self._vocabulary)
        in_runs = [(index, term) for index, term in wanted if UNSPACED_CHARACTER.search(term.text)]
        self._runs = Runs([(index, term.text, term.own) for index, term in in_runs])
        # An assessor's own term goes before the same word of the topic.
        for index, term in sorted(wanted, key=lambda numbered: not numbered[1].own):
            if not UNSPACED_CHARACTER.search(term.text):
                for phrase in reader.phrases(term):
                    self._phrases.add(phrase, index)

    def hits(self, text: str) -> list[Hit]:
        """All places of terms in the text: ascending, disjoint, whole grapheme clusters.

        Where two overlap the longer stays, then the assessor's own term, then the earlier. Between the words of a
        phrase anything may stand that is no word, up to 40 characters and within a paragraph. Takes time in proportion
        to the text.
        """
        found = [*self._runs.found(text)]
        if self._phrases.following:
            forms = self._vocabulary.forms()
            words = ((match, forms[match.group()]) for match in WORD.finditer(text))
            places = [_Place(match.start(), match.end(), known) for match, known in words if known]
            found += _Walk(text, places).from_everywhere(self._phrases)
        clusters = Clusters(text)
        hits = [Hit(*clusters.widened(start, end), term) for start, end, term in found]
        return _disjoint(hits, self._own)


class _Node:
    """Phrases by their words, as a tree: which words may follow, and the phrases that end here with their terms."""

    def __init__(self) -> None:
        self.following: dict[int, _Node] = {}
        self.ends: dict[Phrase, int] = {}

    def add(self, phrase: Phrase, term: int) -> None:
        """Add a phrase; its first term is kept."""
        node = self
        for word in phrase.words:
            node = node.following.setdefault(word, _Node())
        node.ends.setdefault(phrase, term)


class _Place(NamedTuple):
    """A word of the text that is one of those asked for."""

    start: int
    end: int
    words: tuple[Word, ...]


class _Walk:
    """Follows phrases through the words of a text that are asked for."""

    def __init__(self, text: str, places: Sequence[_Place]) -> None:
        self._text = text
        self._places = places
        self._adjacent: dict[int, bool] = {}
        self._found: list[tuple[int, int, int]] = []

    def from_everywhere(self, phrases: _Node) -> list[tuple[int, int, int]]:
        """(start, end, term) of all phrases that begin at any of the words."""
        for number in range(len(self._places)):
            self._step(phrases, number, number)
        return self._found

    def _step(self, node: _Node, first: int, number: int) -> None:
        """Go from a node, reached before this place, to those that the words of this place lead to."""
        place = self._places[number]
        for word, length in place.words:
            if following := node.following.get(word):
                end = place.end if length is None else place.start + length
                for phrase, term in following.ends.items():
                    self._note(phrase, term, first, end)
                if following.following and self._goes_on(number):
                    self._step(following, first, number + 1)

    def _goes_on(self, number: int) -> bool:
        """Whether no other word is between this place and the next, and not too much else."""
        if number + 1 == len(self._places):
            return False
        if number not in self._adjacent:
            end, start = self._places[number].end, self._places[number + 1].start
            is_near = start - end <= WIDEST_GAP
            self._adjacent[number] = is_near and BETWEEN.fullmatch(self._text, end, start) is not None
        return self._adjacent[number]

    def _note(self, phrase: Phrase, term: int, first: int, end: int) -> None:
        """Note a phrase, if what is before, between and after its words is what it demands there."""
        text, start = self._text, self._places[first].start
        if not text.endswith(phrase.before, 0, start) or not text.startswith(phrase.after, end):
            return
        for number, between in enumerate(phrase.between, first):
            if between is not None:
                gap = text[self._places[number].end : self._places[number + 1].start]
                if folded(gap) != between:
                    return
        self._found.append((start - len(phrase.before), end + len(phrase.after), term))


class _TermReader:
    """Turns terms as written into the phrases that a text is searched for."""

    def __init__(self, terms: Sequence[Term], language: str, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._language = language
        self._small = stop_words(language)
        # Of a topic all in capitals it is not known which of its words are acronyms, unless it has but one.
        own = any(term.own for term in terms)
        self._capitals_tell = (
            own or len(terms) == 1 or any(map(str.islower, "".join(term.text for term in terms)))
        )

    def phrases(self, term: Term) -> Iterator[Phrase]:
        """A term as written, a hyphenated word also as one; hyphenated words and names of a topic in parts too."""
        text = term.text
        words = list(WORD.finditer(text))
        if not term.own and len(words) > LONGEST_PHRASE:
            yield from self._parts([word.group() for word in words])
            return
        words = words[:LONGEST_PHRASE]
        if not words:
            return
        yield self._whole(term, words)
        if len(words) > 1 and not term.own and " " in text:
            yield from self._parts([word.group() for word in words], shortest=2)
        if len(words) > 1 and all(HYPHEN.fullmatch(gap) for gap in _gaps(text, words)):
            joined = "".join(word.group() for word in words)
            if len(joined) > SHORTEST_PART:
                yield Phrase((self._vocabulary.register(joined, "stem" if joined.isalpha() else "exact"),))
            if not term.own:
                yield from self._parts([word.group() for word in words])

    def _whole(self, term: Term, words: Sequence[regex.Match[str]]) -> Phrase:
        text = term.text
        before = SIGNS_BEFORE.search(text[: words[0].start()])
        after = SIGNS_AFTER.match(text, words[-1].end())
        between = tuple(
            None if LOOSE.fullmatch(gap.lstrip("*")) else folded(gap) for gap in _gaps(text, words)
        )
        registered = tuple(self._vocabulary.register(word.group(), self._kind(term, word)) for word in words)
        return Phrase(registered, between, before.group() if before else "", after.group() if after else "")

    def _kind(self, term: Term, word: regex.Match[str]) -> Kind:
        form = word.group()
        if term.own and term.text[word.end() : word.end() + 1] == "*":
            return "start"
        # A name by its capitals alone (US, May) means something else in small letters.
        is_name = form[:1].isupper() and form == term.text and not term.own and self._capitals_tell
        if is_name and form.lower() in (COMMON if self._language == "en" else self._small):
            return "as written"
        acronym = is_acronym(form) and self._capitals_tell
        short = term.own and len(form) <= 2 and form.isascii()
        return "exact" if acronym or short or any(map(str.isdigit, form)) else "stem"

    def _parts(self, words: Iterable[str], shortest: int = SHORTEST_PART) -> Iterator[Phrase]:
        for word in words:
            if len(word) >= shortest and word.lower() not in self._small:
                yield Phrase((self._vocabulary.register(word, "stem"),))


def _gaps(text: str, words: Sequence[regex.Match[str]]) -> list[str]:
    return [text[word.end() : following.start()] for word, following in pairwise(words)]


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
