from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.records import Topic
from workbench.formats.topics.reading import read_topics
from workbench.methods.text.languages import language_code, language_of, language_of_text, stop_words


@pytest.mark.parametrize(
    ("fields", "language"),
    [
        ({"lang": "hi"}, "hi"), ({"language": "German"}, "de"), ({"xml:lang": "pt-BR"}, "pt"),
        ({"lang": "zho"}, "zh"), ({"lang": "iw"}, "he"), ({"lang": "whatever"}, "en"), ({"lang": ""}, "en"),
    ],
)  # fmt: skip
def test_the_field_of_a_topic_decides_if_it_names_a_language(fields: dict[str, str], language: str) -> None:
    assert language_of(Topic("1", "airbus", fields=fields)) == language


@pytest.mark.parametrize(
    ("name", "code"), [("EN_us", "en"), ("eng", "en"), ("Türkçe", "tr"), ("xx", ""), ("", "")]
)
def test_languages_have_codes_of_two_letters(name: str, code: str) -> None:
    assert language_code(name) == code


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("مجلس المقاومة الوطني", "ar"), ("تغییر اقلیم در روسیه چگونه است", "fa"),
        ("بھارت میں لڑکیوں کی تعلیم", "ur"), ("שינויי האקלים", "he"), ("气候变化", "zh"), ("地球温暖化の影響", "ja"),
        ("スマートフォン", "ja"), ("什么是SARS病毒?", "zh"), ("기후 변화", "ko"), ("การเปลี่ยนแปลง", "th"),
        ("जलवायु परिवर्तन", "hi"), ("জলবায়ু পরিবর্তন", "bn"), ("காலநிலை மாற்றம்", "ta"),
        ("изменение климата", "ru"), ("зміна клімату в Україні", "uk"),
        ("Дейността на ЕТА във Франция", "bg"), ("κλιματική αλλαγή", "el"),
        ("Klimawandel und seine Folgen für Wälder", "de"), ("les effets du changement climatique", "fr"),
        ("los efectos del cambio climático en España", "es"),
        ("gli effetti del cambiamento climatico nelle città", "it"),
        ("os efeitos das mudanças não são claros", "pt"), ("İklim değişikliğinin etkileri", "tr"),
        ("éghajlatváltozás és az erdők", "hu"), ("změna klimatu a lesy v Řecku", "cs"),
        ("airbus subsidies", "en"), ("what is the weather in jamaica", "en"),
    ],
)  # fmt: skip
def test_script_letters_and_small_words_tell_the_language(text: str, language: str) -> None:
    assert language_of_text(text) == language


@pytest.mark.parametrize("text", ["", "2022", "?!", "🙂"])
def test_a_text_without_letters_has_no_language(text: str) -> None:
    assert language_of_text(text) == ""


def test_description_and_narrative_help() -> None:
    assert language_of(Topic("1", "Airbus", "Was wird über die Subventionen gesagt?")) == "de"
    assert language_of(Topic("1", "Airbus", "", "Où sont les aides de l'État et pourquoi ?")) == "fr"


def test_small_words_are_those_of_a_language_and_not_what_topics_are_about() -> None:
    assert {"the", "of", "what"} <= stop_words("en")
    assert not {"fire", "world", "computer", "state", "bill", "youth"} & stop_words("en")
    assert not {"вода", "женщина", "россия"} & stop_words("ru")
    assert stop_words("") == stop_words("xx") == frozenset()


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("topics.robust04.txt", "en"), ("topics.dl23.txt", "en"), ("topics.microblog2011.txt", "en"),
        ("topics.rag25.test.jsonl", "en"), ("topics.trec02ar-ar.txt", "ar"),
        ("topics.clef06fr.x2fr.hi.txt", "hi"), ("topics.clef06fr.x2fr.zh.txt", "zh"),
        ("topics.fire12bn.176-225.txt", "bn"), ("topics.hc4-v1.0-fa.test.desc.title.tsv", "fa"),
        ("topics.neuclir22-zh.ht-desc_title.txt", "zh"), ("topics.neuclir22.ru.desc.title.tsv", "ru"),
    ],
)  # fmt: skip
def test_every_topic_of_a_real_file_is_in_its_language(name: str, language: str, data_folder: Path) -> None:
    topics = read_topics(data_folder / "formats" / name).topics
    assert {language_of(topic._replace(fields={})) for topic in topics} == {language}
