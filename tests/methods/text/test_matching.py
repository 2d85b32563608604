"""Terms in sentences of many scripts: what is marked stands between brackets."""

from __future__ import annotations

from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.text.cases import cases
from workbench.core.records import Topic
from workbench.formats.topics.reading import read_topics
from workbench.methods.text.languages import language_of
from workbench.methods.text.matching import Hit, Matcher
from workbench.methods.text.terms import Term, topic_terms


def marked(terms: list[Term], language: str, text: str) -> str:
    shown, last = "", 0
    for hit in Matcher(terms, language).hits(text):
        shown += f"{text[last : hit.start]}[{text[hit.start : hit.end]}]"
        last = hit.end
    return shown + text[last:]


def of_topic(title: str, text: str, language: str = "") -> str:
    topic = Topic("1", title, fields={"lang": language} if language else {})
    return marked(list(topic_terms(topic)), language_of(topic), text)


def own(text: str, *terms: str, language: str = "en") -> str:
    return marked([Term(term, own=True) for term in terms], language, text)


MARKED = """
# english words are found by stem in any case
- | endangered species | [ENDANGERING] a [Specie]; the [species], especially.
# german umlauts may be written with e
de | Die Wälder im Klimawandel | [Wald], [Wäldern], [WAELDER]: des [Klimawandels]. Wandern
# german compounds are found by their parts and their parts by them
de | Klimawandel | Klimapolitik, [Wandel] des [Klimas], Wahlkampf
de | Versicherung | [Krankenversicherungen], [Versicherungsbeitrag], Autor
de | Das Klima im Auto | [Klimapolitik], Wandel des [Klimas], Krankenversicherungen, Autor
# irregular plurals lead to each other
en | analysis of mice by criteria | A [mouse], [mice]; the [analyses]: one [criterion], many [criteria]. Iron; IRA.
en | a bacterium | the analyses of [bacteria]
en | iron mining | The IRA [mined] [iron].
# british and american spellings lead to each other
en | colour organisation labor anemia | The [colors] of [organized] [labour]; [anaemia] and [colouring].
# a small word in capitals is found in capitals only
en | US and WHO aid to the UK | It told us what the [US] and the [WHO] did, and who did it. [Uk] and [UK].
en | elections in May | They may vote in [May].
# a name is found whole and by its telling part
en | hotels in New York | A new [hotel] in [New York]. [York] is old.
# sharp s and ss are one word
de | Straßen | [STRASSE] und [Straße], [Strasse]
# french articles are no part of a word and accents do not matter
fr | L'énergie des océans | L’[ENERGIE], d'[energies], un [oce\u0301an]
# swedish letters are letters of their own
sv | hår | Hon har långt [hår].
# turkish dotted and dotless i are found however they are written
tr | İstanbul'da iklim | [ISTANBUL], [İSTANBUL]'UN ve [istanbul]; [İklimi], [IKLIM]
# russian words are found in their cases
- | изменение климата | Об [изменениях] [климатом]: [КЛИМАТ]
# greek words are found without their accents
- | κλιματική αλλαγή | [ΚΛΙΜΑΤΙΚΗ] [ΑΛΛΑΓΗ], η [αλλαγή]
# arabic words are found with article prefixes points and tatweel
- | المقاومة | [وَالمُقَاوَمَة] [بالمقاومة] [للمقـــاومة] [ومقاومة] القوم
# an arabic name is found from its adjective
- | المجلس الكردستاني | في [كردستان] [وبكردستان]
# persian words keep together over a joiner that is not seen
fa | دانش\u200cآموزان ایران | [دانش\u200cآموز] در [ایران]
# hebrew words are found with one letter prefixes and points
- | האקלים בישראל | [אַקְלִים], [ובאקלים] של [ישראל] [וישראל]
# hindi vowel signs are inside a word
- | जलवायु परिवर्तन | [जलवायु] में [परिवर्तनों] की कमी, जल वायु।
# vietnamese tones make other words
vi | biến đổi khí hậu | [khí] [hậu], [Biến] [đổi], hầu bien
# bengali words are found with short endings though nobody has a stemmer
- | মৃত্যু | তাঁর [মৃত্যুর] খবর
# korean words are found with any particle which stays outside
- | 한국의 기후 | [한국]은 [기후]변화를 말했다. 중국의 기온
# a korean word of one syllable is found alone and with a particle only
ko! | 물 | [물]은 [물], 물리학
# chinese terms are found in part
- | 气候变化如何影响俄罗斯 | [俄罗斯]的[气候]正在[变化],[影响]很大。如何?
# one chinese character of many is noise
- | 气候变化 | 天气好,变了
# a title of one han character is a word
- | 猫 | 三只[猫]
# japanese needs a kanji and takes katakana words whole
- | 地球温暖化のコミュニケーション | [温暖化]のスマートフォン、アプリケーションとこの[コミュニケーション]。化のため
# japanese verbs are found by the kanji that begins them
- | 食べ物を食べる | [食べ]た人の読み物
# half width and decomposed kana are found where they stand
- | ガラス | [ｶﾞﾗｽ]と[ガラス]と[ガラス]
# latin words in japanese are words
- | AIと仕事 | [ＡＩ]が[仕事]を。MAIN [AI]
# thai stretches begin and end with whole syllables
- | ภูมิอากาศของประเทศไทย | [อากาศ]ใน[ประเทศไทย]ดี ความดี ของ
# thai am is one vowel in both spellings
th! | น้ำท่วม | [น้ำท่วม] [นํ้าท่วม]
# the parts of a word together are a word from five letters on and with digits as written
en | ab-cd xy-zab covid-19s | abcd, [xyzabs]; covid19, [covid19s]
# a hyphenated word is found with other hyphens in one word and in its long parts
- | state-of-the-art | [State of the art]; the [state]
- | wing-body e-mail | [wing–body], [wingbody], [wings]; [email], [e mail]
# names with an apostrophe are phrases
- | O'Brien | [O’Brien], [O'Brien]'s, Obrien, brien
# own beginnings of words are found
en! | climat* | [Climatology], acclimatise, [climate]
de! | klima* | [Klimafolgenforschung], [Klima]
# an own term of two scripts is found as it is
ja! | AI技術 | [AI技術]者とMAI技術
# acronyms are not stemmed unless all of the topic is in capitals
- | AIDS in Africa | [aids] to navigation, foreign aid
- | DOGS AND WOLF | a [dog] and [wolves]
"""


@pytest.mark.parametrize(("language", "title", "text"), cases(MARKED))
def test_in_every_language_words_are_found_in_the_forms_that_texts_have(
    language: str, title: str, text: str
) -> None:
    """With `!` an assessor's term, else a title; with `-` the title tells its language."""
    plain = text.replace("[", "").replace("]", "")
    if language.endswith("!"):
        assert own(plain, title, language=language[:-1]) == text
    else:
        assert of_topic(title, plain, language.strip("-")) == text


def test_long_words_and_periodic_terms_take_no_more_than_their_length() -> None:
    assert own("a" * 100_000 + " ab", "a*") == "a" * 100_000 + " [ab]"
    hits = Matcher([Term("国人" * 2000)], "zh").hits("国人" * 20_000)
    assert hits == [Hit(start, start + 4000, 0) for start in range(0, 40_000, 4000)]


def test_a_hit_names_its_term_and_its_place_in_code_points() -> None:
    assert Matcher([Term("lake"), Term("deep")], "en").hits("𝒜 deep lake") == [Hit(2, 6, 1), Hit(7, 11, 0)]
    assert Matcher([], "en").hits("some text") == []
    assert Matcher([Term("text")], "en").hits("") == []
    assert Matcher([Term("..."), Term(""), Term("*", own=True)], "en").hits("... * text") == []


def test_own_phrases_are_found_by_stem_over_anything_but_words_and_paragraphs() -> None:
    text = "Climatic, changes; the climate (change)\nclimate\n\nchange. climate of change"
    assert own(text, "climate change") == (
        "[Climatic, changes]; the [climate (change])\nclimate\n\nchange. climate of change"
    )


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("AI", "[AI] aid ais [ai] A.I."), ("C++", "C [C++] [c++]17 C#"), ("C#", "C [C#] C++"),
        (".NET", "net [.NET] [.net]"), ("9/11", "[9/11] 9-11 9/110 19/11 911"),
        ("p53", "[p53] [P53] p530 p 53"), ("3.5", "[3.5] 3,5 3.51 13.5"),
    ],
)  # fmt: skip
def test_short_own_terms_and_numbers_are_found_as_they_are(term: str, text: str) -> None:
    assert own(text.replace("[", "").replace("]", ""), term) == text


def test_of_overlapping_terms_the_longest_stays_and_of_equal_ones_the_assessors() -> None:
    terms = [Term("climate"), Term("change"), Term("climate change", True), Term("change policy act", True)]
    assert [hit.term for hit in Matcher(terms, "en").hits("climate change; climate change policy act")] == [
        2,
        0,
        3,
    ]
    terms = [Term("lake", off=True), Term("気候", off=True), Term("ice")]
    assert Matcher(terms, "en").hits("Lake 気候 ice") == [Hit(8, 11, 2)]
    assert Matcher([Term("lake"), Term("lakes", own=True)], "en").hits("Lake") == [Hit(0, 4, 1)]


ALPHABETS = ["abcABC 1.+*-'\n", "ßéİıﬁẞ", "بالكُـ", "אבםְ", "कि्षी", "กำเ้า", "気候変の中カガー", "기후가", "ក្ក"]
CLUSTERS = ["e\u0301", "ｶﾞ", "カ\u3099", "葛\U000e0100", "\u1100\u1161"]
PARTS = ["\u200d", "\u200c", "\u00ad", "\u0600", "\u1100", "🏻", "👩", "🇦", "\u0d4e"]
LETTERS = st.sampled_from([*"".join(ALPHABETS), *CLUSTERS, *PARTS])
TEXTS = st.lists(LETTERS, max_size=60).map("".join)
LANGUAGES = st.sampled_from(["", "en", "de", "tr", "ar", "he", "hi", "ko", "zh", "ja", "th", "vi", "fa"])


@given(
    text=TEXTS,
    terms=st.lists(st.builds(Term, TEXTS.map(lambda text: text[:12]), st.booleans())),
    language=LANGUAGES,
)
def test_hits_are_ascending_disjoint_and_never_split_a_cluster(
    text: str, terms: list[Term], language: str
) -> None:
    clusters = {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}
    last = 0
    for hit in Matcher(terms, language).hits(text):
        assert last <= hit.start < hit.end <= len(text)
        assert {hit.start, hit.end} <= clusters
        assert 0 <= hit.term < len(terms)
        last = hit.end


WORDS = st.lists(
    st.sampled_from("Fluss flüsse Éléphant CLIMATE changes o'Brien климат ΚΛΊΜΑ état AI c++ 9/11".split())
)


@given(words=WORDS, terms=WORDS, language=st.sampled_from(["en", "de", "fr", "ru", "el", "sv"]))
def test_hits_are_at_the_same_places_in_small_and_in_capital_letters(
    words: list[str], terms: list[str], language: str
) -> None:
    text = " ".join(words)
    matcher = Matcher([Term(term, own=True) for term in terms], language)
    assert matcher.hits(text.upper()) == matcher.hits(text.lower()) == matcher.hits(text)


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        "topics.robust04.txt", "topics.clef06fr.mono.fr.txt", "topics.clef06fr.x2fr.bg.txt",
        "topics.fire12hi.176-225.txt", "topics.fire12bn.176-225.txt", "topics.trec02ar-ar.txt",
        "topics.ntcir8zh.eval.txt", "topics.neuclir22.ru.desc.title.tsv",
    ],
)  # fmt: skip
def test_every_term_of_a_real_topic_is_found_in_its_own_title(name: str, data_folder: Path) -> None:
    topics = read_topics(data_folder / "formats" / name).topics
    assert topics
    for topic in topics:
        terms = topic_terms(topic)
        assert terms or not topic.title
        title = f"{topic.title} {topic.description}"
        found = {hit.term for hit in Matcher(terms, language_of(topic)).hits(title)}
        assert found == set(range(len(terms))), (topic.title, [term.text for term in terms])


def test_of_a_title_of_more_words_than_a_phrase_has_the_long_ones_are_found() -> None:
    words = [f"word{letter}" for letter in "abcdefghijklm"]
    title = "-".join(words)
    assert (
        marked([Term(title)], "en", f"wordb {title} of")
        == "[wordb] " + "-".join(f"[{word}]" for word in words) + " of"
    )
    shorter = "-".join(words[:12])
    assert marked([Term(shorter)], "en", shorter) == f"[{shorter}]"
