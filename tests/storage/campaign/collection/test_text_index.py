"""Texts are found by their words in any script, best first, and nothing in a query is syntax."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import CampaignUnavailable
from workbench.methods.text.compared_words import words_of
from workbench.storage.campaign.collection import text_index
from workbench.storage.campaign.collection.text_index import TextIndex

TEXTS = {
    "a": "The frozen rivers of Zürich",
    "b": "北京大学は東京にある",
    "c": "القاهرة مدينة كبيرة",
    "d": "rivers, rivers and more rivers",
    "e": "हिन्दी ภาษาไทย",
    "f": "Don't panic: e-mail costs $100 (NEAR me)",
}


@pytest.fixture(scope="module")
def index() -> Iterator[TextIndex]:
    with TextIndex(TEXTS.items()) as made:
        yield made


def found(index: TextIndex, query: str, *, any_phrase: bool = False, limit: int = 9) -> str:
    return "".join(index.best(query.split(), any_phrase=any_phrase, limit=limit))


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("rivers", "da"),
        ("RIVERS frozen", "a"),
        ("frozen panic", ""),
        ("zurich", "a"),
        ("北京", "b"),
        ("大京", ""),
        ("القاهرة", "c"),
        ("हिन्दी", "e"),
        ("हिन्द", ""),
        ("ภาษา", "e"),
        ("don’t", "f"),
        ("don't", "f"),
        ("mail-e", ""),
        ("$100", "f"),
        ("riv", ""),
        ("words:rivers", ""),
        ("rivers*", "da"),
        ("^rivers -frozen", "a"),
        ('"rivers', "da"),
        ("near(", "f"),
        ("rivers OR panic", ""),
        ("rivers\0frozen", ""),
        ("\ud800 rivers", "da"),
        ('" ( { + ^ *', ""),
    ],
)
def test_a_query_is_words_and_nothing_in_it_is_syntax(index: TextIndex, query: str, ids: str) -> None:
    assert found(index, query) == ids


def test_any_of_the_words_is_enough_and_of_equal_texts_the_earlier_one_comes_first(index: TextIndex) -> None:
    assert found(index, "frozen panic", any_phrase=True) == "af"
    assert found(index, "rivers", limit=1) == "d"
    with TextIndex((str(number), "the same words") for number in range(30)) as many:
        assert many.best(["same"], limit=20) == [str(number) for number in range(20)]
        assert len(many) == 30


@pytest.mark.parametrize("query", ["京" * 1000, "a " * 500, " ".join(map(chr, range(0x4E00, 0x51E8)))])
def test_a_long_query_finds_what_it_should(query: str) -> None:
    with TextIndex([("it", query), ("other", "b")]) as index:
        assert index.best(query.split(), limit=9) == ["it"]
        assert set(index.best([*query.split(), "b"], any_phrase=True, limit=9)) == {"it", "other"}


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_ascii_is_indexed_by_the_same_words_as_any_other_text(text: str) -> None:
    with TextIndex([("ascii", text), ("other", f"{text} é")]) as index:
        words = list(words_of(text))
        assume(words)
        for query in {*words, " ".join(words)}:
            assert set(index.best([query], limit=9)) == {"ascii", "other"}


def test_a_full_folder_of_temporary_files_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            if sql.startswith("INSERT"):
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return super().execute(sql, *values)  # type: ignore[arg-type]

    connect = sqlite3.connect
    monkeypatch.setattr(text_index.sqlite3, "connect", lambda name: connect(name, factory=Full))
    with refused(CampaignUnavailable):
        TextIndex([("a", "b")])
