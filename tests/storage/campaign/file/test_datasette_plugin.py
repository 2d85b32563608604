"""Datasette's plug-in decodes rankings, on any connection that is a campaign's and on no other."""

from __future__ import annotations

import sqlite3
import struct
import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace

import pytest

from workbench.storage.campaign import Campaign

PLUGIN = "workbench.storage.campaign.file.datasette_plugin"


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The plug-in's functions, in a process without Datasette, whose marker they need and nothing else."""
    monkeypatch.setitem(sys.modules, "datasette", SimpleNamespace(hookimpl=lambda function: function))
    monkeypatch.delitem(sys.modules, PLUGIN, raising=False)
    return import_module(PLUGIN)


def test_rankings_of_a_campaign_have_ranks_documents_and_scores(plugin: ModuleType, small: Campaign) -> None:
    connection = sqlite3.connect(small.path)
    plugin.prepare_connection(connection)
    found = connection.execute("SELECT * FROM ranked WHERE run = 'alpha' AND topic = '1'").fetchall()
    assert found == [("alpha", "1", 1, "d1", 100), ("alpha", "1", 2, "d2", 99), ("alpha", "1", 3, "d3", 98)]
    connection.close()


def test_another_database_is_left_as_it_is(plugin: ModuleType) -> None:
    connection = sqlite3.connect(":memory:")
    plugin.prepare_connection(connection)
    with pytest.raises(sqlite3.OperationalError, match="no such table: ranked"):
        connection.execute("SELECT * FROM ranked")
    with pytest.raises(sqlite3.OperationalError, match="no such function"):
        connection.execute("SELECT ranked_documents(1, 2, 3)")
    connection.close()


def test_scores_without_end_are_numbers_that_sqlite_reads_as_such(plugin: ModuleType) -> None:
    scores = struct.pack("<3d", float("inf"), 0.1, float("-inf"))
    packed = plugin.ranked_documents(struct.pack("<3I", 2, 0, 1), scores, '["a", "b"]\n["c"]')
    assert packed == '[["c",1e999],["a",0.1],["b",-1e999]]'
    connection = sqlite3.connect(":memory:")
    assert connection.execute("SELECT json_extract(?, '$[0][1]')", [packed]).fetchone() == (float("inf"),)
    connection.close()


@pytest.mark.parametrize(
    ("value", "column", "table", "shown"),
    [
        (bytes(range(32)), "hash", "judgment", bytes(range(32)).hex()),
        (bytes(31), "hash", "judgment", None),
        (bytes(32), "documents_hash", "run", None),
        ("text", "hash", "judgment", None),
        (struct.pack("<5I", 5, 4, 3, 2, 1), "documents", "ranking", "5: 5, 4, 3, 2, 1"),
        (struct.pack("<6I", 6, 5, 4, 3, 2, 1), "documents", "ranking", "6: 6, 5, 4, 3, 2, …"),
        (struct.pack("<2d", 1.5, -2), "scores", "ranking", "2: 1.5, -2.0"),
        (struct.pack("<2d", 1.5, -2), "scores", "another", None),
        (struct.pack("<2d", 1.5, -2), "another", "ranking", None),
    ],
)
def test_hashes_are_digits_and_packed_numbers_begin_with_how_many_they_are(
    plugin: ModuleType, value: object, column: str, table: str, shown: str | None
) -> None:
    assert plugin.render_cell(value, column, table) == shown
