"""Damage, dangling references and changed tables are found and said in sentences."""

from __future__ import annotations

import sqlite3

import pytest

from tests.sentences import says
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.opening.integrity import (
    changed_tables,
    foreign_key_problems,
    integrity_problems,
    tables_beside,
    unreadable_values,
)


def problems(campaign: Campaign) -> list[str]:
    found = [integrity_problems, foreign_key_problems, changed_tables]
    return [sentence for function in found for sentence in function(campaign)]


def after(campaign: Campaign, *statements: str) -> list[str]:
    """The problems after somebody else's program ran these statements."""
    campaign.close()
    connection = sqlite3.connect(campaign.path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    with open_campaign(campaign.path, compare=False) as opened:
        return problems(opened)


def test_a_good_campaign_has_no_problems(small: Campaign) -> None:
    assert problems(small) == list(tables_beside(small)) == []


@pytest.mark.parametrize(
    ("statements", "name"),
    [
        (["DROP INDEX judgment_pair"], "judgment_pair"),
        (["DROP INDEX pooled_document", "CREATE INDEX pooled_document ON pooled (pool)"], "pooled_document"),
        (["ALTER TABLE member ADD COLUMN note TEXT"], "member"),
        (["DROP TABLE source_documents"], "source_documents"),
    ],
)
def test_a_table_or_index_that_is_not_as_we_made_it_is_found(
    small: Campaign, statements: list[str], name: str
) -> None:
    assert says("\n".join(after(small, *statements)))


def test_a_table_of_another_program_beside_ours_is_reported_and_no_problem(small: Campaign) -> None:
    statements = [
        "CREATE TABLE notes (text TEXT UNIQUE)",
        "CREATE INDEX note ON notes (text)",
        'CREATE TABLE "a\nb" (x)',
        "CREATE VIRTUAL TABLE words USING fts5 (text)",
        "ANALYZE",  # makes tables of SQLite's own
    ]
    assert after(small, *statements) == []
    with open_campaign(small.path) as opened:
        told = list(tables_beside(opened))
    assert told[:2] == [
        "table 'a\\nb', which is not the workbench's",
        "table 'notes', which is not the workbench's",
    ]
    assert "virtual table 'words', which is not the workbench's" in told
    assert any("'words_data'" in sentence for sentence in told)
    assert not any("sqlite" in sentence for sentence in told)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (
            "CREATE UNIQUE INDEX once ON pooled (topic, best_rank, runs, document)",
            "index 'once' on pooled is not",
        ),
        ("CREATE INDEX lowered ON judgment (lower(comment))", "index 'lowered' on judgment is not"),
        (
            "CREATE TABLE keeper (topic TEXT REFERENCES TOPIC (topic))",
            "table 'keeper' is not the workbench's and refers to topic",
        ),
    ],
)
def test_what_is_tied_to_our_tables_by_another_program_is_a_problem(
    small: Campaign, statement: str, problem: str
) -> None:
    (found,) = after(small, statement)
    assert problem in found
    assert says(found)


def test_damaged_pages_are_found(small: Campaign) -> None:
    ((root,),) = small.db.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'judgment_pair'"
    ).fetchall()
    ((size,),) = small.db.execute("PRAGMA page_size").fetchall()
    small.close()
    data = bytearray(small.path.read_bytes())
    data[(root - 1) * size : root * size] = b"\xff" * size
    small.path.write_bytes(data)
    with open_campaign(small.path, compare=False) as campaign:
        assert any(sentence.startswith("integrity: ") for sentence in integrity_problems(campaign))


def test_texts_that_are_not_utf_8_and_settings_that_are_not_json_are_found(small: Campaign) -> None:
    assert list(unreadable_values(small)) == []
    with small.write():
        small.db.conn.execute("INSERT INTO preference VALUES ('Ann', 'size', '17'), ('Ben', 'size', 'large')")
        small.db.conn.execute("INSERT INTO later VALUES (CAST(x'ff' AS TEXT), '1', 'd1')")
    found = list(unreadable_values(small))
    assert found[0].startswith("table later: Could not decode to UTF-8")
    assert says("\n".join(found[1:]))
