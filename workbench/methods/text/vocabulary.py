"""The words that terms consist of, and which of them a form met in a text is."""

from __future__ import annotations

from typing import Literal, NamedTuple

import regex

from workbench.methods.text import relatives
from workbench.methods.text.folding import bare, folded
from workbench.methods.text.scripts import HANGUL
from workbench.methods.text.stems import LONGEST, ONLY_ENDINGS, Stems

Kind = Literal["stem", "exact", "as written", "start"]

INFLECTED = 3  # at most this many letters follow a word in a language without a stemmer
ISOLATING = {"vi", "zh", "ja", "th", "lo", "km", "my", "bo"}  # whose words have no endings
FORMS_KEPT = 200_000

# Longest first: what is left of a Korean word when its particle is taken off.
KOREAN_PARTICLES = tuple(
    sorted(
        "은 는 이 가 을 를 의 에 에서 에게 에게서 에는 에도 에서는 에서의 에의 으로 로 으로의 로의 으로서 로서 으로써 "
        "로써 와 과 와의 과의 도 만 까지 부터 보다 처럼 마다 조차 이나 나 라도 이라도 께서 한테 하고 "
        "이다 인 이란 란 들 들이 들은 들을 들의 이라는 라는 입니다".split(),
        key=lambda particle: -len(particle),
    )
)


class Word(NamedTuple):
    """What a form is: the word asked for, and how many of the form's code points that takes (None: all of it)."""

    number: int
    length: int | None = None


class Vocabulary:
    """Words asked for by stem, by exact form (case and accents aside or not) or by how they start, in one language.

    A stem finds irregular plurals and the other spelling of English words too, and compounds with German ones.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._stems = Stems(language)
        self._numbers: dict[tuple[str, Kind], int] = {}
        self._as_written: dict[str, set[int]] = {}
        self._by_form: dict[str, set[int]] = {}
        self._by_stem: dict[str, set[int]] = {}
        self._by_start: dict[str, list[tuple[int, int]]] = {}
        self._start_lengths: list[int] = []
        self._heads: set[str] = set()
        self._in_compounds: list[tuple[str, int]] = []
        self._forms = _Forms(self)

    def register(self, word: str, kind: Kind) -> int:
        """The number of a word to look for; the same for the same word."""
        if kind != "as written":
            word = folded(word, self._language)
        if (word, kind) not in self._numbers:
            self._numbers[word, kind] = len(self._numbers)
            self._add(word, kind, self._numbers[word, kind])
        return self._numbers[word, kind]

    def forms(self) -> dict[str, tuple[Word, ...]]:
        """Form of a word, as it is in a text, to the words it is; filled as it is asked."""
        if len(self._forms) > FORMS_KEPT:
            self._forms = _Forms(self)
        return self._forms

    def _add(self, word: str, kind: Kind, number: int) -> None:
        if kind == "as written":
            self._as_written.setdefault(word, set()).add(number)
            return
        plain = bare(word, self._language)
        if not plain:
            return
        if kind == "start":
            self._add_start(plain, number, LONGEST)
            return
        self._by_form.setdefault(plain, set()).add(number)
        if kind == "stem" and HANGUL.match(plain):
            stem = without_particle(plain)
            self._add_start(stem if len(stem) >= 2 else plain, number, LONGEST if len(plain) >= 2 else 0)
        elif kind == "stem":
            self._add_stems(word, plain, number)
            self._add_relatives(word, number)

    def _add_relatives(self, word: str, number: int) -> None:
        """Words that no stem leads to."""
        if self._language == "en":
            for spelling in relatives.spellings(word):
                self._add_stems(spelling, spelling, number)
            for form in relatives.plurals(word):
                self._by_form.setdefault(form, set()).add(number)
        elif self._language == relatives.LANGUAGE:
            for part in relatives.parts(word):
                self._add_stems(part, part, number)
            inside = {word, relatives.lemma(word)}
            self._in_compounds += [(each, number) for each in inside if len(each) >= relatives.SHORTEST]

    def _add_stems(self, word: str, plain: str, number: int) -> None:
        for stem in self._stems.of_term(word):
            self._by_stem.setdefault(stem, set()).add(number)
            self._heads |= _heads(stem, self._language)
        if not self._stems.known and self._language not in ISOLATING and len(plain) >= 4:
            self._add_start(plain, number, INFLECTED)

    def _add_start(self, start: str, number: int, more: int) -> None:
        self._by_start.setdefault(start, []).append((number, more))
        self._start_lengths = sorted({*self._start_lengths, len(start)}, reverse=True)

    def words(self, form: str) -> tuple[Word, ...]:
        """The words that a form is, as it is in a text."""
        if len(form) > LONGEST:
            form = form[: 2 * LONGEST]
        word = folded(form, self._language)
        plain = bare(word, self._language)
        if HANGUL.match(plain):
            return tuple(self._korean(form, plain))
        found = self._by_form.get(plain, set()) | self._as_written.get(form, set())
        # To find the stem of a form takes much longer than all the rest.
        if self._language in ONLY_ENDINGS:
            may_have_a_stem = plain[:2] in self._heads
        elif self._language == "ar":
            may_have_a_stem = any(head in plain for head in self._heads)
        else:
            may_have_a_stem = bool(self._by_stem)
        if may_have_a_stem:
            for stem in self._stems.of_text(word):
                found |= self._by_stem.get(stem, set())
        found.update(number for number, _ in self._started(plain))
        # A look at the letters comes before the dictionary.
        found.update(
            number
            for part, number in self._in_compounds
            if bare(part, self._language) in plain and relatives.holds(word, part)
        )
        return tuple(Word(number) for number in sorted(found))

    def _started(self, plain: str) -> list[tuple[int, int]]:
        """(word asked for, length of its start) of all that the form starts with."""
        return [
            (number, length)
            for length in self._start_lengths
            if length <= len(plain)
            for number, more in self._by_start.get(plain[:length], ())
            if len(plain) - length <= more
        ]

    def _korean(self, form: str, plain: str) -> list[Word]:
        """The words that a Korean form starts with, without the particles behind them."""
        lengths = dict(reversed(self._started(plain)))  # the longest start of each
        rest = without_particle(plain)
        lengths |= dict.fromkeys(self._by_form.get(rest, ()), len(rest))
        lengths |= dict.fromkeys(self._by_form.get(plain, ()), len(plain))
        return [Word(number, _place_of(form, plain, length)) for number, length in sorted(lengths.items())]


class _Forms(dict[str, tuple[Word, ...]]):
    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, form: str) -> tuple[Word, ...]:
        words = self._vocabulary.words(form)
        if len(form) <= LONGEST:
            self[form] = words
        return words


def _heads(stem: str, language: str) -> set[str]:
    """How forms with this stem begin; in Arabic, what they have inside."""
    if language == "ar":
        return {stem[:3]}
    if language == "en" and stem[1:2] == "i":
        return {stem[:2], stem[0] + "y"}  # dying, lying and tying are forms of die, lie and tie
    return {stem[:2]}


def without_particle(word: str) -> str:
    """A Korean word without the particle it ends in; the word itself if nothing would be left."""
    for particle in KOREAN_PARTICLES:
        if word.endswith(particle) and len(word) > len(particle):
            return word[: -len(particle)]
    return word


def _place_of(form: str, plain: str, length: int) -> int | None:
    """Where the first `length` syllables end in a form whose syllables may be written as single letters."""
    if length == len(plain):
        return None
    if len(form) == len(plain):
        return length
    clusters = regex.findall(r"\X", form)
    return len("".join(clusters[:length]))
