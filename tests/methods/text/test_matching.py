"""Terms in sentences of many scripts: what is marked stands between brackets."""

from __future__ import annotations

from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

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


def test_english_words_are_found_by_stem_in_any_case() -> None:
    assert of_topic("endangered species", "ENDANGERING a Specie; the species, especially.") == (
        "[ENDANGERING] a [Specie]; the [species], especially."
    )


def test_a_hit_names_its_term_and_its_place_in_code_points() -> None:
    assert Matcher([Term("lake"), Term("deep")], "en").hits("𝒜 deep lake") == [Hit(2, 6, 1), Hit(7, 11, 0)]


def test_no_terms_and_no_text_have_no_hits() -> None:
    assert Matcher([], "en").hits("some text") == []
    assert Matcher([Term("text")], "en").hits("") == []
    assert Matcher([Term("..."), Term(""), Term("*", own=True)], "en").hits("... * text") == []


def test_german_umlauts_may_be_written_with_e() -> None:
    assert of_topic(
        "Die Wälder im Klimawandel", "Wald, Wäldern, WAELDER: des Klimawandels. Wandern", "de"
    ) == ("[Wald], [Wäldern], [WAELDER]: des [Klimawandels]. Wandern")


def test_german_compounds_are_found_by_their_parts_and_their_parts_by_them() -> None:
    text = "Klimapolitik, Wandel des Klimas, Wahlkampf, Krankenversicherungen, Versicherungsbeitrag, Autor"
    assert of_topic("Klimawandel und Versicherung", text, "de") == (
        "Klimapolitik, [Wandel] des [Klimas], Wahlkampf, [Krankenversicherungen], [Versicherungsbeitrag], Autor"
    )
    assert of_topic("Das Klima im Auto", text, "de") == (
        "[Klimapolitik], Wandel des [Klimas], Wahlkampf, Krankenversicherungen, Versicherungsbeitrag, Autor"
    )


def test_irregular_plurals_lead_to_each_other() -> None:
    text = "A mouse, mice; the analyses of bacteria: one criterion, many criteria. Iron; IRA."
    assert of_topic("analysis of bacterium in mice by criteria", text, "en") == (
        "A [mouse], [mice]; the [analyses] of [bacteria]: one [criterion], many [criteria]. Iron; IRA."
    )
    assert of_topic("iron mining", "The IRA mined iron.", "en") == "The IRA [mined] [iron]."


def test_british_and_american_spellings_lead_to_each_other() -> None:
    text = "The colors of organized labour; anaemia and colouring."
    expected = "The [colors] of [organized] [labour]; [anaemia] and [colouring]."
    assert of_topic("colour organisation labor anemia", text, "en") == expected


def test_a_small_word_in_capitals_is_found_in_capitals_only() -> None:
    text = "It told us what the US and the WHO did, and who did it. Uk and UK."
    assert of_topic("US and WHO aid to the UK", text, "en") == (
        "It told us what the [US] and the [WHO] did, and who did it. [Uk] and [UK]."
    )
    assert of_topic("elections in May", "They may vote in May.", "en") == "They may vote in [May]."


def test_a_name_is_found_whole_and_by_its_telling_part() -> None:
    assert of_topic("hotels in New York", "A new hotel in New York. York is old.", "en") == (
        "A new [hotel] in [New York]. [York] is old."
    )


def test_sharp_s_and_ss_are_one_word() -> None:
    assert of_topic("Straßen", "STRASSE und Straße, Strasse", "de") == "[STRASSE] und [Straße], [Strasse]"


def test_french_articles_are_no_part_of_a_word_and_accents_do_not_matter() -> None:
    assert of_topic("L'énergie des océans", "L’ENERGIE, d'energies, un oce\u0301an", "fr") == (
        "L’[ENERGIE], d'[energies], un [oce\u0301an]"
    )


def test_swedish_letters_are_letters_of_their_own() -> None:
    assert of_topic("hår", "Hon har långt hår.", "sv") == "Hon har långt [hår]."


def test_turkish_dotted_and_dotless_i_are_found_however_they_are_written() -> None:
    assert of_topic("İstanbul'da iklim", "ISTANBUL, İSTANBUL'UN ve istanbul; İklimi, IKLIM", "tr") == (
        "[ISTANBUL], [İSTANBUL]'UN ve [istanbul]; [İklimi], [IKLIM]"
    )


def test_russian_words_are_found_in_their_cases() -> None:
    assert of_topic("изменение климата", "Об изменениях климатом: КЛИМАТ") == (
        "Об [изменениях] [климатом]: [КЛИМАТ]"
    )


def test_greek_words_are_found_without_their_accents() -> None:
    assert of_topic("κλιματική αλλαγή", "ΚΛΙΜΑΤΙΚΗ ΑΛΛΑΓΗ, η αλλαγή") == "[ΚΛΙΜΑΤΙΚΗ] [ΑΛΛΑΓΗ], η [αλλαγή]"


def test_arabic_words_are_found_with_article_prefixes_points_and_tatweel() -> None:
    text = "وَالمُقَاوَمَة بالمقاومة للمقـــاومة ومقاومة القوم"
    assert of_topic("المقاومة", text) == "[وَالمُقَاوَمَة] [بالمقاومة] [للمقـــاومة] [ومقاومة] القوم"


def test_an_arabic_name_is_found_from_its_adjective() -> None:
    assert of_topic("المجلس الكردستاني", "في كردستان وبكردستان") == "في [كردستان] [وبكردستان]"


def test_persian_words_keep_together_over_a_joiner_that_is_not_seen() -> None:
    assert of_topic("دانش‌آموزان ایران", "دانش‌آموز در ایران", "fa") == "[دانش‌آموز] در [ایران]"


def test_hebrew_words_are_found_with_one_letter_prefixes_and_points() -> None:
    assert of_topic("האקלים בישראל", "אַקְלִים, ובאקלים של ישראל וישראל") == (
        "[אַקְלִים], [ובאקלים] של [ישראל] [וישראל]"
    )


def test_hindi_vowel_signs_are_inside_a_word() -> None:
    assert of_topic("जलवायु परिवर्तन", "जलवायु में परिवर्तनों की कमी, जल वायु।") == (
        "[जलवायु] में [परिवर्तनों] की कमी, जल वायु।"
    )


def test_vietnamese_tones_make_other_words() -> None:
    assert (
        of_topic("biến đổi khí hậu", "khí hậu, Biến đổi, hầu bien", "vi")
        == "[khí] [hậu], [Biến] [đổi], hầu bien"
    )


def test_bengali_words_are_found_with_short_endings_though_nobody_has_a_stemmer() -> None:
    assert of_topic("মৃত্যু", "তাঁর মৃত্যুর খবর") == "তাঁর [মৃত্যুর] খবর"


def test_korean_words_are_found_with_any_particle_which_stays_outside() -> None:
    assert (
        of_topic("한국의 기후", "한국은 기후변화를 말했다. 중국의 기온")
        == "[한국]은 [기후]변화를 말했다. 중국의 기온"
    )


def test_a_korean_word_of_one_syllable_is_found_alone_and_with_a_particle_only() -> None:
    assert own("물은 물, 물리학", "물", language="ko") == "[물]은 [물], 물리학"


def test_chinese_terms_are_found_in_part() -> None:
    assert of_topic("气候变化如何影响俄罗斯", "俄罗斯的气候正在变化,影响很大。如何?") == (
        "[俄罗斯]的[气候]正在[变化],[影响]很大。如何?"
    )


def test_one_chinese_character_of_many_is_noise() -> None:
    assert of_topic("气候变化", "天气好,变了") == "天气好,变了"


def test_a_title_of_one_han_character_is_a_word() -> None:
    assert of_topic("猫", "三只猫") == "三只[猫]"


def test_japanese_needs_a_kanji_and_takes_katakana_words_whole() -> None:
    text = "温暖化のスマートフォン、アプリケーションとこのコミュニケーション。化のため"
    assert of_topic("地球温暖化のコミュニケーション", text) == (
        "[温暖化]のスマートフォン、アプリケーションとこの[コミュニケーション]。化のため"
    )


def test_japanese_verbs_are_found_by_the_kanji_that_begins_them() -> None:
    assert of_topic("食べ物を食べる", "食べた人の読み物") == "[食べ]た人の読み物"


def test_half_width_and_decomposed_kana_are_found_where_they_stand() -> None:
    assert of_topic("ガラス", "ｶﾞﾗｽとカ\u3099ラスとガラス") == "[ｶﾞﾗｽ]と[カ\u3099ラス]と[ガラス]"


def test_latin_words_in_japanese_are_words() -> None:
    assert of_topic("AIと仕事", "ＡＩが仕事を。MAIN AI") == "[ＡＩ]が[仕事]を。MAIN [AI]"


def test_thai_stretches_begin_and_end_with_whole_syllables() -> None:
    assert of_topic("ภูมิอากาศของประเทศไทย", "อากาศในประเทศไทยดี ความดี ของ") == "[อากาศ]ใน[ประเทศไทย]ดี ความดี ของ"


def test_thai_am_is_one_vowel_in_both_spellings() -> None:
    assert own("น\u0e49\u0e33ท่วม น\u0e4d\u0e49\u0e32ท่วม", "น้ำท่วม", language="th") == (
        "[น\u0e49\u0e33ท่วม] [น\u0e4d\u0e49\u0e32ท่วม]"
    )


def test_the_parts_of_a_word_together_are_a_word_from_five_letters_on_and_with_digits_as_written() -> None:
    assert of_topic("ab-cd xy-zab covid-19s", "abcd, xyzabs; covid19, covid19s", "en") == (
        "abcd, [xyzabs]; covid19, [covid19s]"
    )


def test_a_hyphenated_word_is_found_with_other_hyphens_in_one_word_and_in_its_long_parts() -> None:
    assert of_topic("state-of-the-art", "State of the art; the state") == "[State of the art]; the [state]"
    assert of_topic("wing-body e-mail", "wing–body, wingbody, wings; email, e mail") == (
        "[wing–body], [wingbody], [wings]; [email], [e mail]"
    )


def test_names_with_an_apostrophe_are_phrases() -> None:
    assert of_topic("O'Brien", "O’Brien, O'Brien's, Obrien, brien") == "[O’Brien], [O'Brien]'s, Obrien, brien"


def test_own_phrases_are_found_by_stem_over_anything_but_words_and_paragraphs() -> None:
    text = "Climatic, changes; the climate (change)\nclimate\n\nchange. climate of change"
    assert own(text, "climate change") == (
        "[Climatic, changes]; the [climate (change])\nclimate\n\nchange. climate of change"
    )


def test_own_beginnings_of_words_are_found() -> None:
    assert own("Climatology, acclimatise, climate", "climat*") == "[Climatology], acclimatise, [climate]"
    assert own("Klimafolgenforschung, Klima", "klima*", language="de") == "[Klimafolgenforschung], [Klima]"


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("AI", "[AI] aid ais [ai] A.I."),
        ("C++", "C [C++] [c++]17 C#"),
        ("C#", "C [C#] C++"),
        (".NET", "net [.NET] [.net]"),
        ("9/11", "[9/11] 9-11 9/110 19/11 911"),
        ("p53", "[p53] [P53] p530 p 53"),
        ("3.5", "[3.5] 3,5 3.51 13.5"),
    ],
)
def test_short_own_terms_and_numbers_are_found_as_they_are(term: str, text: str) -> None:
    assert own(text.replace("[", "").replace("]", ""), term) == text


def test_an_own_term_of_two_scripts_is_found_as_it_is() -> None:
    assert own("AI技術者とMAI技術", "AI技術", language="ja") == "[AI技術]者とMAI技術"


def test_acronyms_are_not_stemmed_unless_all_of_the_topic_is_in_capitals() -> None:
    assert (
        of_topic("AIDS in Africa", "aids to navigation, foreign aid") == "[aids] to navigation, foreign aid"
    )
    assert of_topic("DOGS AND WOLF", "a dog and wolves") == "a [dog] and [wolves]"


def test_of_overlapping_terms_the_longest_stays() -> None:
    terms = [Term("climate"), Term("change"), Term("climate change", True), Term("change policy act", True)]
    assert [hit.term for hit in Matcher(terms, "en").hits("climate change; climate change policy act")] == [
        2,
        0,
        3,
    ]


def test_a_term_that_is_off_is_not_found_and_keeps_its_number() -> None:
    terms = [Term("lake", off=True), Term("気候", off=True), Term("ice")]
    assert Matcher(terms, "en").hits("Lake 気候 ice") == [Hit(8, 11, 2)]


def test_a_word_of_the_topic_that_an_assessor_adds_is_the_assessors() -> None:
    assert Matcher([Term("lake"), Term("lakes", own=True)], "en").hits("Lake") == [Hit(0, 4, 1)]


def test_a_word_of_100_000_letters_is_no_word() -> None:
    assert own("a" * 100_000 + " ab", "a*") == "a" * 100_000 + " [ab]"


def test_periodic_text_and_terms_take_no_more_than_their_length() -> None:
    hits = Matcher([Term("国人" * 2000)], "zh").hits("国人" * 20_000)
    assert hits == [Hit(start, start + 4000, 0) for start in range(0, 40_000, 4000)]


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


@given(text=TEXTS, language=LANGUAGES)
def test_a_matcher_answers_alike_every_time(text: str, language: str) -> None:
    matcher = Matcher([Term("気候"), Term("ab*", own=True), Term("기후")], language)
    assert matcher.hits(text) == matcher.hits(text)


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        "topics.robust04.txt",
        "topics.clef06fr.mono.fr.txt",
        "topics.clef06fr.x2fr.bg.txt",
        "topics.fire12hi.176-225.txt",
        "topics.fire12bn.176-225.txt",
        "topics.trec02ar-ar.txt",
        "topics.ntcir8zh.eval.txt",
        "topics.neuclir22.ru.desc.title.tsv",
    ],
)
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
