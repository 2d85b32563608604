"""The terms of a topic: what an assessor wants to see marked in its documents.

Highlighting is calm when few words are marked, and those that matter: the content words of the title. Only a topic
whose title has fewer than two of them takes words of its description too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import regex

from workbench.core.records import Topic
from workbench.methods.text.folding import folded
from workbench.methods.text.languages import language_of, stop_words
from workbench.methods.text.scripts import (
    HAN,
    KANA,
    SOUTH_EAST_ASIAN_CHARACTER,
    UNSPACED_CHARACTER,
    WORD_OR_RUN,
)
from workbench.methods.text.stems import Stems

MOST_TERMS = 100
FROM_DESCRIPTION = 12  # at most this many, when the title says too little

COLOURS = 5
"""The words of a topic take turns in so many colours, by their places: `data-term` in tokens.css."""

# Before an apostrophe in Romance languages: the article or preposition that lost its vowel.
ELIDED = frozenset(
    "l d qu c j m n s t jusqu lorsqu puisqu quoiqu presqu dell nell all sull dall coll quell un gl agl degl".split()
)
ELIDING = {"fr", "it", "ca", "oc", "gl"}

# What descriptions say about documents instead of about the topic.
OF_DESCRIPTIONS = {
    "en": frozenset(
        "document documents discuss discusses discussing report reports reported identify identifying provide "
        "relevant information article articles item items mention mentions describing include find looking "
        "describe concern concerns concerned details passage passages page pages query topic".split()
    )
}

APOSTROPHES = "'’ʼ＇‘`´"
_GLUED = regex.compile(r"\S+")
_EDGES = regex.compile(r"^[^\p{L}\p{N}\p{M}]++|(?<![^\p{L}\p{N}\p{M}])[^\p{L}\p{N}\p{M}]++$", regex.V1)
_SEPARATORS = regex.compile(r"[/|,;:](?!\d)|[()\[\]{}<>\"“”„«»—–…!?؟،؛।¿¡=]|\.{2,}|\.(?=\p{L}{2})", regex.V1)
_PROGRAMMING = regex.compile(
    r"(?<![^\s(\[\"'“„«])(?:\.\p{Lu}\p{L}+|\p{L}(?:\+\+|#))(?![\p{L}\p{N}+#])", regex.V1
)
_BREAKS = regex.compile(r"<(?:br|p|div|li)(?:\s[^<>]*)?/?>", regex.IGNORECASE)
_TAGS = regex.compile(
    r"</?(?:a|b|code|em|font|i|p|small|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?/?>", regex.IGNORECASE
)
_APOSTROPHE = regex.compile(f"[{APOSTROPHES}]")
# Between the words of a Japanese or Chinese title: particles, forms of "to do" and "to be", question words.
_PARTICLES = regex.compile(
    r"(?:について|に関する|に関して|における|において|による|によって|により|に対する|に対して|とともに|として|という|"
    r"するため|のため|される|された|している|します|しました|する|した|して|です|ます|である|では|には|とは|から|まで|より|など|"
    r"および|及び|または|[のはがをにへとでもやかな])(?=[\p{Han}\p{Katakana}]|$)"
)
_CHINESE = regex.compile("[的了吗呢吧与及]")

LONGEST_ACRONYM = 5

# Small words of English that begin names wherever they stand; others do only inside a sentence.
BEGINNINGS = frozenset("new old great high long big little first second third last good".split())

# Small words of English that are common in texts: in small letters they are not the name. The others ("uk", "ai") are.
COMMON = frozenset(
    "act all am an and any are as at be but by can did do for get go had has he her him his how if in is it its let "
    "may me my no not now of off on one or our out own per she so the to too two up us was way we who why will".split()
)


class Term(NamedTuple):
    """A word or phrase to mark, as the topic or the assessor wrote it; `own` when the assessor added it, `off` when
    the assessor does not want it marked: it only keeps its place among the others.

    An own term may be a phrase ("climate change") or the beginning of words ("climat*"), and has a `colour` of its own,
    0 to 4.
    """

    text: str
    own: bool = False
    off: bool = False
    colour: int = 0


def topic_terms(topic: Topic) -> tuple[Term, ...]:
    """The content words of the topic's title in its order, each stem once, at most MOST_TERMS.

    With fewer than two of them, up to FROM_DESCRIPTION words of the description follow, or of the narrative when there
    is no description. A title of nothing but small words ("The Who") is taken as it is. In scripts without spaces a
    term is a stretch between particles, not a word: `Matcher` marks the parts of it that a document has.
    """
    language = language_of(topic)
    terms = _distinct(_content(topic.title, language), language)
    if len(terms) < 2:
        rest = topic.description or topic.narrative
        boring = OF_DESCRIPTIONS.get(language, frozenset())
        more = [word for word in _content(rest, language) if folded(word, language) not in boring]
        terms = _distinct([*terms, *more], language)[: len(terms) + FROM_DESCRIPTION]
    if not terms:
        terms = _distinct(_words(topic.title, language), language)
    return tuple(Term(text) for text in terms[:MOST_TERMS])


def _content(text: str, language: str) -> list[str]:
    """The words of a text without small words, single letters and bare small numbers.

    Small words that are names stay: acronyms ("US"), and in English those that capitals tell ("New York", "in May").
    """
    small = stop_words(language)
    words = list(_words(text, language))
    found = pieces(words, small) if language == "en" else [Piece(word, is_name=False) for word in words]
    capitals_tell = len(words) == 1 or any(map(str.islower, text))
    return [
        text
        for text, is_name in found
        if is_name or (capitals_tell and is_acronym(text)) or _says_something(text, small, language)
    ]


def _says_something(word: str, small: frozenset[str], language: str) -> bool:
    plain = folded(word, language)
    if UNSPACED_CHARACTER.search(plain):
        return not KANA.fullmatch(plain) and plain not in small
    if plain in small or plain.replace("’", "'") in small:
        return False
    return len(plain) > (2 if plain.isdigit() else 1)


def _words(text: str, language: str) -> Iterator[str]:
    """The words of a text as written, without tags, quotes, elided articles and endings after an apostrophe."""
    for chunk in _GLUED.finditer(_TAGS.sub("", _BREAKS.sub(" ", text))):
        if special := _PROGRAMMING.search(chunk.group()):
            yield special.group()
        elif UNSPACED_CHARACTER.search(chunk.group()):
            yield from _unspaced(chunk.group(), language)
        else:
            pieces = _SEPARATORS.split(chunk.group())
            yield from filter(None, (_trimmed(piece, language) for piece in pieces))


def _trimmed(chunk: str, language: str) -> str:
    chunk = _EDGES.sub("", chunk)
    apostrophe = _APOSTROPHE.search(chunk)
    if not apostrophe:
        return chunk
    before, after = chunk[: apostrophe.start()], chunk[apostrophe.end() :]
    if language in ELIDING and before.lower() in ELIDED:
        return _trimmed(after, language)
    if after.lower() in {"s", "S", "t", "re", "ll", "ve", "d", "m"} or language in {"tr", "fi"}:
        return before if after.lower() != "t" else chunk
    return chunk


def _unspaced(chunk: str, language: str) -> Iterator[str]:
    for match in WORD_OR_RUN.finditer(chunk):
        if match["word"]:
            yield match["word"]
        elif SOUTH_EAST_ASIAN_CHARACTER.search(match["run"]):
            yield match["run"]
        else:
            yield from _east_asian(match["run"], language)


def _east_asian(run: str, language: str) -> Iterator[str]:
    """Katakana words, and stretches of Han with the hiragana that belongs to them, between particles."""
    for part in regex.findall(
        r"[\p{Katakana}ー\uff70\uff9e\uff9f]+|[^\p{Katakana}ー\uff70\uff9e\uff9f]+", run
    ):
        pieces = _PARTICLES.sub(" ", part) if KANA.search(run) or language == "ja" else _chinese(part)
        yield from (
            piece for piece in pieces.split() if HAN.search(piece) or regex.search(r"\p{Katakana}", piece)
        )


def _chinese(run: str) -> str:
    small = sorted(
        (word for word in stop_words("zh") if len(word) > 1 and HAN.match(word)), key=len, reverse=True
    )
    without = regex.sub(r"\L<small>", " ", run, small=small)
    return str(regex.sub(r"(?<=\S\S)[是在](?=\s|$)", " ", _CHINESE.sub(" ", without)))


def _distinct(words: Iterator[str] | list[str], language: str) -> list[str]:
    """Each word once: what has a stem in common is one word."""
    stems = Stems(language)
    seen: set[str] = set()
    kept = []
    for word in words:
        key = " ".join(stems.stem(match.group()) for match in WORD_OR_RUN.finditer(word)) or word
        if key not in seen:
            seen.add(key)
            kept.append(word)
    return kept


class Piece(NamedTuple):
    """A word of a title, or several that are one name, and whether it is a name that capitals tell."""

    text: str
    is_name: bool


def is_acronym(word: str) -> bool:
    """Whether a word is an acronym, in a text that is not all in capitals."""
    return word.isupper() and word.isalpha() and 2 <= len(word) <= LONGEST_ACRONYM


def pieces(words: Sequence[str], small: Collection[str]) -> list[Piece]:
    """The words of an English title with names joined; `small` are the words that say nothing, in small letters.

    A capitalised small word is taken for a name, with the capitalised words behind it, where it begins names ("New
    York") or stands inside a title that is written like a sentence ("albums by The Who", "elections in May").
    """
    sentence = any(word[:1].islower() and word not in small for word in words)
    found: list[Piece] = []
    place = 0
    while place < len(words):
        end = _end_of_name(words, place, small)
        begins = words[place].lower() in BEGINNINGS and end - place > 1
        if end > place and (begins or (sentence and place > 0)):
            found.append(Piece(" ".join(words[place:end]), is_name=True))
            place = end
        else:
            found.append(Piece(words[place], is_name=False))
            place += 1
    return found


def _end_of_name(words: Sequence[str], place: int, small: Collection[str]) -> int:
    """Where capitalised small words end that start here, with the first other capitalised word behind them."""
    end = place
    while end < len(words) and _is_capitalised(words[end]) and words[end].lower() in small:
        end += 1
    if end > place and end < len(words) and _is_capitalised(words[end]):
        end += 1
    return end


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper() and word[1:].islower()
