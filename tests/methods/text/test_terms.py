from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.records import Topic
from workbench.formats.topics.reading import read_topics
from workbench.methods.text.terms import MOST_TERMS, Term, topic_terms


def terms(title: str, description: str = "", narrative: str = "", language: str = "") -> list[str]:
    fields = {"lang": language} if language else {}
    return [term.text for term in topic_terms(Topic("1", title, description, narrative, fields))]


def test_the_terms_are_the_content_words_of_the_title_as_written() -> None:
    assert terms("What is the history of Orcas Island?") == ["history", "Orcas", "Island"]
    assert topic_terms(Topic("1", "deep lakes")) == (Term("deep"), Term("lakes"))


def test_the_description_is_left_alone_when_the_title_says_enough() -> None:
    assert terms("Airbus Subsidies", "Document will discuss government assistance to Airbus.") == [
        "Airbus",
        "Subsidies",
    ]


def test_the_description_helps_a_title_of_one_content_word() -> None:
    assert terms("euclid", "Find information on the Greek mathematician Euclid.") == [
        "euclid",
        "Greek",
        "mathematician",
    ]


def test_the_description_stands_in_for_a_title_and_the_narrative_for_a_description() -> None:
    assert terms("", "Find documents about pearl farming.") == ["pearl", "farming"]
    assert terms("", "", "Relevant documents mention pearl farming.") == ["pearl", "farming"]


def test_a_topic_of_nothing_has_no_terms() -> None:
    assert terms("") == []
    assert terms("?! ...") == []


def test_a_title_of_small_words_is_taken_as_it_is() -> None:
    assert terms("The Who") == ["The", "Who"]


def test_each_stem_comes_once() -> None:
    assert terms("Lakes, a lake and LAKE rivers", language="en") == ["Lakes", "rivers"]


def test_quotes_brackets_and_endings_after_an_apostrophe_are_no_part_of_a_word() -> None:
    assert terms("“Parkinson’s” disease (tremor)") == ["Parkinson", "disease", "tremor"]
    assert terms("L'Énergie des 'océans' d’Europe", language="fr") == ["Énergie", "océans", "Europe"]
    assert terms("İstanbul'da trafik", language="tr") == ["İstanbul", "trafik"]
    assert terms("O'Brien rugby") == ["O'Brien", "rugby"]


def test_hyphenated_words_and_programming_languages_stay_whole() -> None:
    assert terms("state-of-the-art C++ and .NET") == ["state-of-the-art", "C++", ".NET"]


def test_words_that_a_sign_joins_without_blanks_are_several() -> None:
    assert terms("drugs/alcohol use;abuse") == ["drugs", "alcohol", "abuse"]


def test_chinese_titles_are_cut_at_particles_and_question_words() -> None:
    assert terms("气候变化如何影响俄罗斯的经济") == ["气候变化", "影响俄罗斯", "经济"]


def test_japanese_titles_are_cut_at_particles_and_katakana() -> None:
    assert terms("日本における少子化とスマートフォンの影響について") == [
        "日本",
        "少子化",
        "スマートフォン",
        "影響",
    ]


def test_thai_titles_are_cut_at_blanks_alone() -> None:
    assert terms("ภูมิอากาศ ประเทศไทย") == ["ภูมิอากาศ", "ประเทศไทย"]


def test_korean_titles_keep_their_particles() -> None:
    assert terms("기후 변화의 영향") == ["기후", "변화의", "영향"]


def test_years_are_terms_and_small_numbers_are_not() -> None:
    assert terms("2022 FIFA soccer 5") == ["2022", "FIFA", "soccer"]


def test_there_are_never_more_than_so_many_terms() -> None:
    assert len(terms(" ".join(f"wort{number}" for number in range(5000)))) == MOST_TERMS


@pytest.mark.slow
@pytest.mark.data
def test_every_real_topic_with_a_title_has_terms(data_folder: Path) -> None:
    files = [path for path in (data_folder / "formats").iterdir() if path.name.startswith("topics")]
    without = [
        (path.name, topic.title)
        for path in files
        for topic in read_topics(path).topics
        if topic.title and not topic_terms(topic)
    ]
    assert without == []


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("US sanctions on steel", ["US", "sanctions", "steel"]),
        ("guidelines of the WHO on vaccines", ["guidelines", "WHO", "vaccines"]),
        ("IT jobs abroad", ["IT", "jobs", "abroad"]),
        ("WHO", ["WHO"]),
        ("WHO IS IT", ["WHO", "IS", "IT"]),
        ("who is it about really", ["who", "is", "it", "about", "really"]),
        ("hotels in New York", ["hotels", "New York"]),
        ("New York", ["New York"]),
        ("new york", ["york"]),
        ("New Hydroelectric Projects", ["New Hydroelectric", "Projects"]),
        ("live albums by The Who", ["live", "albums", "The Who"]),
        ("elections in May", ["elections", "May"]),
        ("The Effects Of Acid Rain", ["Effects", "Acid", "Rain"]),
    ],
)
def test_small_words_in_capitals_are_names(title: str, expected: list[str]) -> None:
    assert terms(title, language="en") == expected


def test_brackets_and_tags_of_markup_end_words() -> None:
    assert terms("vector<int> iterator") == ["vector", "int", "iterator"]
    assert terms("<b>coral</b> reefs<br>bleaching of H<sub>2</sub>O") == [
        "coral",
        "reefs",
        "bleaching",
        "H2O",
    ]
    assert terms("a < b or b > a sorting") == ["sorting"]


def test_of_a_japanese_title_hiragana_alone_is_no_term() -> None:
    assert terms("カメラいろいろ、これは氷", language="ja") == ["カメラ", "氷"]
