"""What an English stemmer does not know: irregular plurals, and words that Britons and Americans spell differently.

Forms are made by the pattern of the ending, in both directions. Some of them are no words ("museum" gives "musea"):
these do no harm, since no text has them. Endings that would lead from one common word to another (iron to IRA, safe to
saves) work for listed words only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def plurals(word: str) -> frozenset[str]:
    """The irregular plurals and singulars of a folded word, those that are no words included; seldom any."""
    return frozenset(_plurals(word))


def _plurals(word: str) -> Iterator[str]:
    if word in PAIRS:
        yield PAIRS[word]
    if word in BACK:
        yield BACK[word]
    for one, many, before in ENDINGS:
        for ending, other in ((one, many), (many, one)):
            if word.endswith(ending) and before.fullmatch(word, 0, len(word) - len(ending)):
                yield word[: len(word) - len(ending)] + other


def spellings(word: str) -> frozenset[str]:
    """The British and American spellings of a folded word other than its own."""
    from breame.spelling import get_american_spelling, get_british_spelling

    return frozenset({get_american_spelling(word), get_british_spelling(word)} - {word})
