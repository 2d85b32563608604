"""The forms under which a word is known: itself without accents, and its stems in a language."""

from __future__ import annotations

from threading import Lock

from workbench.methods.text import relatives
from workbench.methods.text.folding import bare, folded

SNOWBALL = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech", "da": "danish", "nl": "dutch",
    "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german",
    "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "no": "norwegian", "fa": "persian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "es": "spanish", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

# Languages whose stemmers only ever shorten or change the end of a word, so that two words whose beginnings differ
# cannot have one stem (tests hold this against their lists of words).
ONLY_ENDINGS = {
    "en", "fr", "de", "es", "it", "pt", "ca", "ro", "ru", "sv", "da", "no", "fi", "hu", "tr", "el", "hi", "cs", "pl",
    "lt", "eu", "eo", "et", "fa", "hy",
}  # fmt: skip

LONGEST = 60  # characters; what is longer is no word

ARABIC_ARTICLES = ("وال", "فال", "بال", "كال", "ولل", "لل", "ال")
ARABIC_PREFIXES = ("وب", "ول", "وس", "و", "ف", "ب", "ل", "ك")
HEBREW_PREFIXES = frozenset("והבכלמש")
HEBREW_PLURALS = ("ימ", "ות")  # bare words have no final letters


class Stems:
    """The stemmer of one language; without one, words are not changed. Safe to share between threads."""

    def __init__(self, language: str) -> None:
        import snowballstemmer

        self.language = language
        name = SNOWBALL.get(language)
        self._snowball = snowballstemmer.stemmer(name) if name in snowballstemmer.algorithms() else None
        self._lock = Lock()

    @property
    def known(self) -> bool:
        """Whether there is more to a word of this language than its letters."""
        return self._snowball is not None or self.language == "he"

    def stem(self, word: str) -> str:
        """The first stem of a word as written, without accents."""
        return self._stemmed(folded(word, self.language))

    def of_term(self, word: str) -> set[str]:
        """The stems of a folded word of a term: a document's word is meant if it has one of them."""
        return self._stems(word, in_term=True)

    def of_text(self, word: str) -> set[str]:
        """The stems of a folded word of a document, also without the prefixes that Arabic and Hebrew attach."""
        return self._stems(word, in_term=False)

    def _stems(self, word: str, *, in_term: bool) -> set[str]:
        if len(word) > LONGEST:
            return set()
        if self.language == "he":
            return set(_hebrew(bare(word, "he"), prefixes=1 if in_term else 2))
        plain = bare(word, self.language)
        stems = {self._stemmed(word), self._stemmed(plain)}
        if self.language == relatives.LANGUAGE:
            # As a dictionary lists a German word: the stemmer keeps the s of "des Klimas".
            listed = self._stemmed(relatives.lemma(word))
            stems |= {listed} if listed[:2] == plain[:2] else set()
        if self.language == "ar":
            rests = _arabic(plain, attached=not in_term)
            # A stem of a name may still have an ending of its own: Kurdistani is Kurdistan, and that would be Kurdist.
            stems |= {self._stemmed(rest) for rest in rests} | (set() if in_term else {plain, *rests})
        return {stem for stem in stems if len(stem) > 1 or stem == plain}

    def _stemmed(self, word: str) -> str:
        if self._snowball is not None:
            with self._lock:  # a stemmer keeps the word it works on
                word = self._snowball.stemWord(word)
        return bare(word, self.language)


def _arabic(word: str, *, attached: bool) -> list[str]:
    """The word without its article, and without the conjunctions and prepositions attached to words of a text."""
    prefixes = (*ARABIC_ARTICLES, *ARABIC_PREFIXES) if attached else ARABIC_ARTICLES
    found = (prefix for prefix in prefixes if word.startswith(prefix))
    return [word.removeprefix(prefix) for prefix in found if len(word) - len(prefix) >= 3]


def _hebrew(word: str, *, prefixes: int) -> list[str]:
    """The word, without up to this many of the one-letter prefixes, and each without an ending of the plural."""
    shortest = 2 if prefixes > 1 else 3
    lengths = [length for length in range(1, prefixes + 1) if set(word[:length]) <= HEBREW_PREFIXES]
    starts = [word, *(word[length:] for length in lengths if len(word) - length >= max(shortest, length + 1))]
    plurals = [start[:-2] for start in starts if len(start) >= 5 and start.endswith(HEBREW_PLURALS)]
    constructs = [start[:-1] for start in starts if len(start) >= 5 and start.endswith("יי")]
    return starts + plurals + constructs
