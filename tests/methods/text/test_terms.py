from __future__ import annotations

from pathlib import Path

import pytest

from tests.methods.text.cases import cases
from workbench.core.records import Topic
from workbench.formats.topics.reading import read_topics
from workbench.methods.text.terms import MOST_TERMS, Term, topic_terms


def terms(title: str, description: str = "", narrative: str = "", language: str = "") -> list[str]:
    fields = {"lang": language} if language else {}
    return [term.text for term in topic_terms(Topic("1", title, description, narrative, fields))]


def test_the_terms_are_the_content_words_of_the_title_as_written() -> None:
    assert terms("What is the history of Orcas Island?") == ["history", "Orcas", "Island"]
    assert topic_terms(Topic("1", "deep lakes")) == (Term("deep"), Term("lakes"))


def test_the_description_helps_only_a_title_of_one_content_word_or_none() -> None:
    assert terms("Airbus Subsidies", "Document will discuss government assistance to Airbus.") == [
        "Airbus",
        "Subsidies",
    ]
    assert terms("euclid", "Find information on the Greek mathematician Euclid.") == [
        "euclid",
        "Greek",
        "mathematician",
    ]
    assert terms("", "Find documents about pearl farming.") == ["pearl", "farming"]
    assert terms("", "", "Relevant documents mention pearl farming.") == ["pearl", "farming"]


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


TERMS = """
# a title of small words is taken as it is
- | The Who | The, Who
# each stem comes once
en | Lakes, a lake and LAKE rivers | Lakes, rivers
# quotes brackets and endings after an apostrophe are no part of a word
- | “Parkinson’s” disease (tremor) | Parkinson, disease, tremor
fr | L'Énergie des 'océans' d’Europe | Énergie, océans, Europe
tr | İstanbul'da trafik | İstanbul, trafik
- | O'Brien rugby | O'Brien, rugby
# hyphenated words and programming languages stay whole
- | state-of-the-art C++ and .NET | state-of-the-art, C++, .NET
# words that a sign joins without blanks are several
- | drugs/alcohol use;abuse | drugs, alcohol, abuse
# chinese titles are cut at particles and question words
- | 气候变化如何影响俄罗斯的经济 | 气候变化, 影响俄罗斯, 经济
# japanese titles are cut at particles and katakana
- | 日本における少子化とスマートフォンの影響について | 日本, 少子化, スマートフォン, 影響
# thai titles are cut at blanks alone
- | ภูมิอากาศ ประเทศไทย | ภูมิอากาศ, ประเทศไทย
# korean titles keep their particles
- | 기후 변화의 영향 | 기후, 변화의, 영향
# years are terms and small numbers are not
- | 2022 FIFA soccer 5 | 2022, FIFA, soccer
# brackets and tags of markup end words
- | vector<int> iterator | vector, int, iterator
- | <b>coral</b> reefs<br>bleaching of H<sub>2</sub>O | coral, reefs, bleaching, H2O
- | a < b or b > a sorting | sorting
# of a japanese title hiragana alone is no term
ja | カメラいろいろ、これは氷 | カメラ, 氷
# small words in capitals are names
en | US sanctions on steel | US, sanctions, steel
en | guidelines of the WHO on vaccines | guidelines, WHO, vaccines
en | IT jobs abroad | IT, jobs, abroad
en | WHO | WHO
en | WHO IS IT | WHO, IS, IT
en | who is it about really | who, is, it, about, really
en | hotels in New York | hotels, New York
en | New York | New York
en | new york | york
en | New Hydroelectric Projects | New Hydroelectric, Projects
en | live albums by The Who | live, albums, The Who
en | elections in May | elections, May
en | The Effects Of Acid Rain | Effects, Acid, Rain
"""


@pytest.mark.parametrize(("language", "title", "expected"), cases(TERMS))
def test_in_every_language_a_title_has_these_terms(language: str, title: str, expected: str) -> None:
    assert ", ".join(terms(title, language=language.strip("-"))) == expected


@pytest.mark.parametrize("nothing", ["", "?! ..."])
def test_a_topic_of_nothing_has_no_terms(nothing: str) -> None:
    assert terms(nothing) == []
