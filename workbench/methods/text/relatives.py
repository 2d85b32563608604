"""Words that no stemmer leads to: German compounds, English plurals and British and American spellings.

A compound is two words of the dictionary in one, with or without letters that join them ("Bundestag-s-wahl"). Words are
folded. The dictionary takes 0.8 seconds to load and about 90 MB, once per process and only for German topics. It is of
a package that may be missing (workbench/core/extras.py): then no word is a compound, and each is its own lemma.

English forms are made by the pattern of the ending, in both directions. Some of them are no words ("museum" gives
"musea"): these do no harm, since no text has them. Endings that would lead from one common word to another (iron to
IRA, safe to saves) work for listed words only.
"""

from __future__ import annotations

import re
from functools import lru_cache

from workbench.core.extras import missing

LANGUAGE = "de"
DICTIONARY = "simplemma"
SHORTEST = 4  # letters of a part that is looked for
SHORTEST_REST = 3  # letters of what is beside it
JOINTS = ("s", "es", "n", "en", "er", "e")
INFLECTIONS = frozenset({"e", "en", "er", "ern", "es", "n", "ns", "s"})
SUFFIXES = frozenset(
    {"schaft", "heit", "keit", "los"}
)  # words of the dictionary, but hardly ever in a compound

PAIRS = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "mouse": "mice", "louse": "lice",
    "foot": "feet", "tooth": "teeth", "goose": "geese", "ox": "oxen", "die": "dice", "penny": "pence",
    "brother": "brethren", "genus": "genera", "corpus": "corpora", "opus": "opera", "viscus": "viscera",
    "schema": "schemata", "stigma": "stigmata", "stoma": "stomata", "carcinoma": "carcinomata", "phalanx": "phalanges",
    "larynx": "larynges", "graffito": "graffiti", "tempo": "tempi", "libretto": "libretti",
}  # fmt: skip
BACK = {many: one for one, many in PAIRS.items()}

# Ending of one, ending of many, and which beginnings have them.
ENDINGS = tuple(
    (one, many, re.compile(before))
    for one, many, before in (
        ("man", "men", r"[a-z]{3,}"),
        ("f", "ves", r"(?:[a-z]*(?:shel|hal|cal|thie|shea|hoo|scar|dwar|whar|loa|lea|wol)|el|(?:[a-z]*)sel)"),
        ("fe", "ves", r"[a-z]*(?:kni|li|wi)"),
        ("on", "a", r"(?:criteri|phenomen|automat|gangli|mitochondri|tax|spermatozo|[a-z]+hedr)"),
        ("um", "a", r"[a-z]{3,}"),
        ("us", "i", r"[a-z]{3,}"),
        ("is", "es", r"[a-z]{2,}"),
        ("a", "ae", r"[a-z]{3,}"),
        ("ix", "ices", r"[a-z]{3,}"),
        ("ex", "ices", r"[a-z]{3,}"),
        ("eau", "eaux", r"[a-z]+"),
    )
)


def parts(word: str) -> tuple[str, ...]:
    """The two words that a compound is made of, the first with its inflection; none for another word.

    Of several ways to take it apart the most even one counts.
    """
    places = range(SHORTEST, len(word) - SHORTEST + 1)
    ways = [
        (first, word[place:]) for place in places if (first := _first(word[:place])) and _known(word[place:])
    ]
    return max(ways, key=lambda way: min(map(len, way)), default=())


def holds(compound: str, word: str) -> bool:
    """Whether a form is a compound with the word as one of its parts, inflected or not."""
    if len(word) < SHORTEST:
        return False
    return any(
        _stands(form[: found.start()], form[found.start() + len(word) :])
        for form in {compound, lemma(compound)}
        for found in re.finditer(f"(?={re.escape(word)})", form)
    )


def lemma(word: str) -> str:
    """The word as a dictionary lists it, folded: haus for häuser; the word itself where none has it."""
    if not word or missing(DICTIONARY):
        return word
    from simplemma import lemmatize

    return str(lemmatize(word, lang=LANGUAGE)).casefold()


def _stands(before: str, after: str) -> bool:
    """Whether what is before and after a word inside a form makes the form a compound."""
    if not before:
        return _second(after)
    return bool(_first(before)) and (not after or after in INFLECTIONS or _second(after))


def _first(part: str) -> str:
    """The first part of a compound without what joins it to the second; "" where it is no word."""
    rests = (part[: -len(joint)] for joint in JOINTS if part.endswith(joint))
    return next((each for each in (part, *rests) if _known(each)), "")


def _second(part: str) -> bool:
    """Whether this is the second part of a compound, perhaps after what joins it to the first."""
    return any(_known(part[len(joint) :]) for joint in ("", *JOINTS) if part.startswith(joint))


@lru_cache(maxsize=20_000)
def _known(word: str) -> bool:
    if missing(DICTIONARY):
        return False
    from simplemma import is_known

    return len(word) >= SHORTEST_REST and word not in SUFFIXES and bool(is_known(word, lang=LANGUAGE))


def plurals(word: str) -> frozenset[str]:
    """The irregular plurals and singulars of a folded word, those that are no words included; seldom any."""
    found = {pairs[word] for pairs in (PAIRS, BACK) if word in pairs}
    for one, many, before in ENDINGS:
        for ending, other in ((one, many), (many, one)):
            if word.endswith(ending) and before.fullmatch(word, 0, len(word) - len(ending)):
                found.add(word.removesuffix(ending) + other)
    return frozenset(found)


def spellings(word: str) -> frozenset[str]:
    """The British and American spellings of a folded word other than its own."""
    from breame.spelling import get_american_spelling, get_british_spelling

    return frozenset({get_american_spelling(word), get_british_spelling(word)} - {word})
