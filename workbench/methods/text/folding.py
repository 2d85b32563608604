"""Words without what differs between spellings: case, width, ligatures, accents, vowel points, invisible characters.

`folded` keeps what a stemmer needs, `bare` drops accents and points as well. Both change lengths, so they are asked for
single words; places in a text are always those of the text itself.
"""

from __future__ import annotations

import regex

from workbench.core.normal_forms import normal_form

# Soft hyphen, joiners and non-joiners, marks of direction, the Arabic tatweel.
INVISIBLE = regex.compile(
    "[\u00ad\u034f\u0640\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)

# Accents of Latin, Greek and Cyrillic; points of Hebrew, Arabic and Syriac; the dots that turn one Indic consonant into
# another. Vowel signs of Indic scripts are no accents: without them another word is there.
ACCENTS = regex.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u093c\u09bc\u0a3c\u0abc\u0b3c"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)

# Letters that Unicode does not take apart, and letters that Arabic, Persian, Hebrew and Hindi write in two ways.
ONE_FOR_TWO = str.maketrans(
    {
        "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ŧ": "t",
        "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك", "ة": "ه", "ۀ": "ه", "ہ": "ه", "ھ": "ه", "ٱ": "ا",
        "ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ", "ँ": "ं", "ς": "σ",
    }
)  # fmt: skip

# Letters with a mark that are letters of their own in the alphabet: Swedish har (has) is not hår (hair).
OWN_LETTERS = {
    "sv": "åäö", "fi": "åäö", "da": "åæø", "no": "åæø", "nb": "åæø", "nn": "åæø", "et": "äöüõšž", "tr": "çğöşü",
    "az": "çğöşüə", "is": "áéíóúýöæðþ",
}  # fmt: skip
EVERY_MARK_COUNTS = {"vi"}


def folded(word: str, language: str = "") -> str:
    """The word in small letters and its usual characters, accents kept; Turkish I is ı in Turkish words."""
    if word.isascii() and language not in {"tr", "az"}:
        return word.lower()
    if language in {"tr", "az"}:
        word = word.replace("İ", "i").replace("I", "ı")
    word = normal_form("NFKC", INVISIBLE.sub("", word)).casefold().replace("i̇", "i")
    if language == "fa":
        word = word.replace("ي", "ی").replace("ك", "ک")
    return normal_form("NFC", word)


def bare(word: str, language: str = "") -> str:
    """A folded word without its accents and points, except for what is a letter of its own in the language."""
    if word.isascii() or language in EVERY_MARK_COUNTS:
        return word
    kept = OWN_LETTERS.get(language, "")
    if not kept:
        return _without_accents(word)
    return "".join(
        character if character in kept or character.isascii() else _without_accents(character)
        for character in normal_form("NFC", word)
    )


def _without_accents(word: str) -> str:
    apart = ACCENTS.sub("", normal_form("NFKD", word))
    return normal_form("NFC", apart).translate(ONE_FOR_TWO)
