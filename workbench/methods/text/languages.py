"""The language of a topic, as an ISO 639-1 code: what its file says, else its script, letters and small words.

Small words are those of the package stopwordsiso. Its English, Russian and German lists hold words that topics are
about (fire, state, world); `stop_words` leaves those out.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

import regex

from workbench.core.records import Topic
from workbench.methods.text.folding import folded
from workbench.methods.text.scripts import WORD

FIELDS = ("lang", "language", "xml:lang", "{http://www.w3.org/XML/1998/namespace}lang")

NAMES = {
    "ara": "ar", "arabic": "ar", "ben": "bn", "bengali": "bn", "bangla": "bn", "bul": "bg", "bulgarian": "bg",
    "cat": "ca", "catalan": "ca", "ces": "cs", "cze": "cs", "cz": "cs", "czech": "cs", "dan": "da", "danish": "da",
    "deu": "de", "ger": "de", "german": "de", "deutsch": "de", "ell": "el", "gre": "el", "greek": "el",
    "eng": "en", "english": "en", "spa": "es", "spanish": "es", "español": "es", "est": "et", "estonian": "et",
    "eus": "eu", "baq": "eu", "basque": "eu", "fas": "fa", "per": "fa", "persian": "fa", "farsi": "fa",
    "fin": "fi", "finnish": "fi", "fra": "fr", "fre": "fr", "french": "fr", "français": "fr", "gle": "ga",
    "irish": "ga", "guj": "gu", "gujarati": "gu", "hau": "ha", "hausa": "ha", "heb": "he", "hebrew": "he", "iw": "he",
    "hin": "hi", "hindi": "hi", "hrv": "hr", "croatian": "hr", "hun": "hu", "hungarian": "hu", "hye": "hy",
    "arm": "hy", "armenian": "hy", "ind": "id", "indonesian": "id", "in": "id", "ita": "it", "italian": "it",
    "jpn": "ja", "japanese": "ja", "jp": "ja", "khm": "km", "khmer": "km", "kor": "ko", "korean": "ko", "kr": "ko",
    "lao": "lo", "lit": "lt", "lithuanian": "lt", "lav": "lv", "latvian": "lv", "mar": "mr", "marathi": "mr",
    "msa": "ms", "may": "ms", "malay": "ms", "mya": "my", "bur": "my", "burmese": "my", "nep": "ne", "nepali": "ne",
    "nld": "nl", "dut": "nl", "dutch": "nl", "nor": "no", "nob": "no", "nb": "no", "nn": "no", "norwegian": "no",
    "pol": "pl", "polish": "pl", "por": "pt", "portuguese": "pt", "ron": "ro", "rum": "ro", "romanian": "ro",
    "rus": "ru", "russian": "ru", "slk": "sk", "slo": "sk", "slovak": "sk", "slv": "sl", "slovene": "sl",
    "slovenian": "sl", "som": "so", "somali": "so", "srp": "sr", "serbian": "sr", "swa": "sw", "swahili": "sw",
    "swe": "sv", "swedish": "sv", "tam": "ta", "tamil": "ta", "tel": "te", "telugu": "te", "tha": "th",
    "thai": "th", "tur": "tr", "turkish": "tr", "türkçe": "tr", "ukr": "uk", "ukrainian": "uk", "urd": "ur",
    "urdu": "ur", "vie": "vi", "vietnamese": "vi", "yid": "yi", "yiddish": "yi", "yor": "yo", "yoruba": "yo",
    "zho": "zh", "chi": "zh", "chinese": "zh", "cn": "zh", "cmn": "zh", "mandarin": "zh", "zul": "zu",
}  # fmt: skip

# Scripts in the order of their say; a Han character or a syllable of Hangul says as much as two letters.
SCRIPTS = {
    "Hangul": "ko", "Kana": "ja", "Han": "zh", "Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my",
    "Tibetan": "bo", "Hebrew": "he", "Greek": "el", "Armenian": "hy", "Georgian": "ka", "Bengali": "bn",
    "Gujarati": "gu", "Gurmukhi": "pa", "Tamil": "ta", "Telugu": "te", "Kannada": "kn", "Malayalam": "ml",
    "Sinhala": "si", "Oriya": "or", "Ethiopic": "am", "Devanagari": "hi", "Arabic": "ar", "Cyrillic": "ru",
    "Latin": "en",
}  # fmt: skip
SEVERAL = {
    "Devanagari": ("hi", "mr", "ne"),
    "Arabic": ("ar", "fa", "ur"),
    "Cyrillic": ("ru", "bg", "uk", "sr"),
    "Latin": (
        "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "sk", "hu", "ro", "tr", "ca",
        "hr", "sl", "et", "lv", "lt", "id", "vi", "sw", "ha", "yo", "so",
    ),
}  # fmt: skip
# Small words elsewhere that English topics have as words: they say nothing about the language.
ENGLISH_TOO = frozenset(
    "air ali alt ant asia bare ban bank ben bin bravo car care cat cite comment contra da december del "
    "derivatives design die diverse dog dr drug em embargo era est eu exact face fin fine fire folk force "
    "fun gene global ham hard hay ho house indonesia islam iv ix jim kong link local male mayor media "
    "mere mi mine mode multi multiple nam nato nun pan pet plus pod pour pre press pro probable program "
    "pure quasi rare relative sale sans save sea september sex skin son start state store sue suit sun "
    "tag tale tan tel tenant tie tied ties toe total unique unit usa vice visa von wake war word".split()
)

KNOWN_CODES = {*NAMES.values(), *SCRIPTS.values(), *SEVERAL["Latin"]}
WIDE = {"Hangul", "Kana", "Han"}

# Letters that only these languages use, among those of their script.
LETTERS = {
    "ß": "de", "ä": "de sv fi et sk", "ö": "de sv fi hu tr et", "ü": "de hu tr et es", "å": "sv da no", "ø": "da no",
    "æ": "da no", "ő": "hu", "ű": "hu", "ñ": "es", "¿": "es", "¡": "es", "ã": "pt", "õ": "pt et", "ç": "fr pt tr ca",
    "è": "fr it ca", "ê": "fr pt vi", "ë": "fr nl", "î": "fr ro", "œ": "fr", "à": "fr it pt ca vi", "ł": "pl",
    "ą": "pl lt",
    "ę": "pl lt", "ś": "pl", "ź": "pl", "ż": "pl", "ć": "pl hr", "ě": "cs", "ř": "cs", "ů": "cs", "ľ": "sk", "ĺ": "sk",
    "č": "cs sk hr sl lt lv", "š": "cs sk hr sl lt lv et", "ž": "cs sk hr sl lt lv et", "ý": "cs sk", "đ": "hr vi",
    "ă": "ro vi", "ș": "ro", "ț": "ro", "ţ": "ro", "ğ": "tr", "ı": "tr", "ş": "tr ro", "ơ": "vi", "ư": "vi", "ạ": "vi",
    "ế": "vi", "ộ": "vi", "ā": "lv", "ē": "lv", "ī": "lv", "ņ": "lv", "ļ": "lv", "ģ": "lv", "ė": "lt", "į": "lt",
    "ų": "lt",
    "ẹ": "yo vi", "ọ": "yo vi", "ṣ": "yo", "ɗ": "ha", "ƙ": "ha", "ɓ": "ha",
    "پ": "fa ur", "چ": "fa ur", "ژ": "fa ur", "گ": "fa ur", "ک": "fa ur", "ی": "fa ur", "ٹ": "ur", "ڈ": "ur", "ڑ": "ur",
    "ے": "ur", "ں": "ur", "ہ": "ur", "ھ": "ur", "ة": "ar", "ي": "ar", "ك": "ar", "ى": "ar",
    "ы": "ru", "э": "ru", "ё": "ru", "є": "uk", "і": "uk", "ї": "uk", "ґ": "uk", "ъ": "bg", "ђ": "sr", "ј": "sr",
    "љ": "sr",
    "њ": "sr", "ћ": "sr", "џ": "sr", "ळ": "mr",
}  # fmt: skip

# What the package's lists take for empty, and topics are about.
ABOUT = {
    "en": frozenset(
        "abroad beginning bill case cases cause causes change changes computer copy date effect face faces fact facts "
        "fire free group groups hell help home homepage index information inner interests invention issue keys kind "
        "line mean member members microsoft mill mine minus money move netscape novel number numbers order orders page "
        "pages parts place places plus point points problem problems research ring room rooms self serious side sides "
        "site sites state states system test text value volume volumes web webpage website wells work worked workers "
        "working works world young younger youngest youth int man men".split()
    ),
    "ru": frozenset(
        "белый вода война время голова голос город дверь дело деньги дом дорога друг душа жена женщина "
        "жизнь земля книга комната конец лицо любить люди мать машина место минута мир москва народ новый "
        "нога окно отец пол правда путь работа ребенок россия рука русский свет сила слово случай "
        "советский старый стол сторона страна товарищ улица утро человек час".split()
    ),
    "de": frozenset("gott mann mensch menschen ordnung startseite teil".split()),
}


def language_of(topic: Topic) -> str:
    """ISO 639-1 code of the language that the topic is written in; '' if it has no letters.

    A field `lang`, `language` or `xml:lang` decides if it names a language. Else the script of title, description and
    narrative does, and, among languages of one script, their small words and peculiar letters. Latin letters with
    nothing else to go by are English.
    """
    for field in FIELDS:
        if code := language_code(topic.fields.get(field, "")):
            return code
    # Remembered, since a topic is asked for with each of its documents.
    return _remembered(f"{topic.title}\n{topic.description}\n{topic.narrative}"[:20_000])


def language_code(name: str) -> str:
    """The two-letter code of a language given as 'en', 'en-US', 'eng' or 'English'; '' for anything else."""
    name = regex.split(r"[-_\s(]", name.strip().lower(), maxsplit=1)[0]
    if name in NAMES:
        return NAMES[name]
    return name if name in KNOWN_CODES else ""


def language_of_text(text: str) -> str:
    """The language of a text by its script, its letters and its small words; '' without letters."""
    script = _script(text)
    if script not in SEVERAL:
        return SCRIPTS.get(script, "")
    return _among(SEVERAL[script], text)


_remembered = lru_cache(maxsize=1_000)(language_of_text)


@cache
def stop_words(language: str) -> frozenset[str]:
    """The words of a language that say nothing alone, folded; none for a language without a list."""
    import stopwordsiso

    if not stopwordsiso.has_lang(language):
        return frozenset()
    words = {folded(word, language) for word in stopwordsiso.stopwords(language)}
    return frozenset(words) - ABOUT.get(language, frozenset())


def _script(text: str) -> str:
    """The script most letters are in; any kana among Han characters means Japanese."""
    counts = Counter[str]()
    for script in SCRIPTS:
        inside = r"\p{Hiragana}\p{Katakana}" if script == "Kana" else rf"\p{{{script}}}"
        counts[script] = len(regex.findall(f"[{inside}]", text)) * (2 if script in WIDE else 1)
    if counts["Kana"] * 10 > counts["Han"]:
        counts["Kana"] += counts["Han"]
    script, letters = counts.most_common(1)[0]
    return script if letters else ""


def _among(languages: tuple[str, ...], text: str) -> str:
    """The language with the most evidence: a small word or letter weighs the less, the more languages share it."""
    evidence = dict.fromkeys(languages, 0.0)
    for word in {folded(match.group()) for match in WORD.finditer(text)} - ENGLISH_TOO:
        _share(evidence, [language for language in languages if word in stop_words(language)], 1.0)
    for letter in set(text.lower()) & LETTERS.keys():
        _share(evidence, [language for language in languages if language in LETTERS[letter].split()], 2.0)
    return max(languages, key=lambda language: evidence[language])  # the first of them when nothing decides


def _share(evidence: dict[str, float], languages: list[str], weight: float) -> None:
    for language in languages:
        evidence[language] += weight / len(languages)
