"""Damage, dangling references and changed tables are found and said in sentences."""

from __future__ import annotations

import sqlite3

import pytest

from workbench.campaign import Campaign, open_campaign
from workbench.campaign.integrity import foreign_key_problems, foreign_tables, integrity_problems


def problems(campaign: Campaign) -> list[str]:
    found = [integrity_problems, foreign_key_problems, foreign_tables]
    return [sentence for function in found for sentence in function(campaign)]


def after(campaign: Campaign, *statements: str) -> list[str]:
    """The problems after somebody else's program ran these statements."""
    campaign.close()
    connection = sqlite3.connect(campaign.path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    with open_campaign(campaign.path) as opened:
        return problems(opened)


def test_a_good_campaign_has_no_problems(small: Campaign) -> None:
    assert problems(small) == []


def test_a_reference_to_nothing_is_found(small: Campaign) -> None:
    found = after(small, "DELETE FROM topic WHERE topic = '10'")
    assert "refers to a row of topic that does not exist" in found[0]
    assert all(sentence.startswith("foreign keys: row ") for sentence in found)


@pytest.mark.parametrize(
    ("statements", "name"),
    [
        (["DROP INDEX judgment_pair"], "judgment_pair"),
        (["DROP INDEX pooled_document", "CREATE INDEX pooled_document ON pooled (pool)"], "pooled_document"),
        (["ALTER TABLE setting ADD COLUMN note TEXT"], "setting"),
        (["DROP TABLE source_documents"], "source_documents"),
    ],
)
def test_a_table_or_index_that_is_not_as_we_made_it_is_found(
    small: Campaign, statements: list[str], name: str
) -> None:
    assert after(small, *statements) == [f"schema: {name} is not defined as the workbench defines it"]


def test_a_table_of_somebody_elses_beside_ours_is_no_problem(small: Campaign) -> None:
    assert after(small, "CREATE TABLE notes (text TEXT)") == []


def test_damaged_pages_are_found(small: Campaign) -> None:
    ((root,),) = small.db.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'judgment_pair'"
    ).fetchall()
    ((size,),) = small.db.execute("PRAGMA page_size").fetchall()
    small.close()
    data = bytearray(small.path.read_bytes())
    data[(root - 1) * size : root * size] = b"\xff" * size
    small.path.write_bytes(data)
    with open_campaign(small.path) as campaign:
        assert any(sentence.startswith("integrity: ") for sentence in integrity_problems(campaign))
