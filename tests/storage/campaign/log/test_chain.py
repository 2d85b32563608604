"""The chain of hashes can be recomputed by anyone from the rule as it is written down."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.log_rows import chain_holds, tampering
from workbench.core.records import Judgment, Rationale
from workbench.core.values import declared
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import chain, log
from workbench.storage.campaign.log.log import EVENT_COLUMNS, GENESIS, next_hash


def recomputed(path: Path) -> list[tuple[str, int, bool]]:
    """Table, seq, and whether the hash is right, for every row: by the rule, with nothing of the workbench."""
    connection = sqlite3.connect(path)
    rows = [
        ("event", row)
        for row in connection.execute("SELECT seq, at, actor, kind, content, through, hash FROM event")
    ]
    rows += [
        ("judgment", row)
        for row in connection.execute(
            "SELECT seq, uuid, received_at, client_at, assessor, topic, document, pool, text_hash, topic_version, "
            "guideline_version, kind, grade, replaces, active_seconds, comment, source, "
            "input, same_as, left, through, rationales, hash FROM judgment"
        )
    ]
    connection.close()
    last, found = bytes(32), []
    for table, row in sorted(rows, key=lambda item: item[1][0]):
        values = [table, *row[:-1]]
        while values[-1] is None:
            values.pop()
        text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        right = hashlib.sha256(last + text.encode("utf-8")).digest() == row[-1]
        found.append((table, row[0], right))
        last = row[-1]
    return found


def test_the_columns_are_those_of_the_records() -> None:
    assert log.Event._fields == EVENT_COLUMNS
    assert [field.name for field in declared(Judgment)] == list(Judgment._fields)


def test_the_chain_of_a_campaign_is_recomputed_by_hand(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d1", 2, comment="Ωmega “quoted” \\ \0 雪\n", active_seconds=3)
    judging_as(small.by("", through="token"), "Ann", "1", "d1", None, active_seconds=-0.0)
    kept = (Rationale("text", 4, 8, "text"), Rationale("title", 0, 8, "Document"))
    judging_as(small, "Eve", "1", "d1", 1, input="key", same_as="d2", rationales=kept)
    judging_as(small, "Ben", "1", "d1", 0, active_seconds=0.1 + 0.2, client_at="2026-03-01T12:00:00.000Z")
    small.close()
    rows = recomputed(small.path)
    assert [seq for _, seq, _ in rows] == list(range(1, len(rows) + 1))
    assert [table for table, _, _ in rows[-4:]] == ["judgment"] * 4
    assert all(right for _, _, right in rows)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE judgment SET grade = 0 WHERE seq = (SELECT min(seq) FROM judgment)",
        "UPDATE judgment SET comment = 'x' WHERE seq = (SELECT min(seq) FROM judgment)",
        "UPDATE event SET content = replace(content, 'frozen', 'frosty') WHERE content LIKE '%frozen%'",
        "DELETE FROM judgment WHERE seq = (SELECT min(seq) FROM judgment)",
        "UPDATE judgment SET seq = seq + 100 WHERE seq = (SELECT max(seq) FROM judgment)",
    ],
    ids=["grade", "comment", "event", "deleted", "renumbered"],
)
def test_a_past_that_was_changed_behind_the_triggers_is_seen(
    small: Campaign, judging_as: JudgeAs, change: str
) -> None:
    judging_as(small, "Ann", "1", "d1", 2)
    judging_as(small, "Ben", "1", "d1", 1)
    small.close()
    with tampering(small.path) as connection:
        assert connection.execute(change).rowcount == 1
    with open_campaign(small.path, compare=False) as campaign:
        assert not chain_holds(campaign)


def test_rows_that_hold_are_not_read_one_by_one(
    small: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging_as(small, "Ann", "1", "d1", 2, active_seconds=3.25)
    judging_as(small, "Eve", "1", "d1", 1, input="key", same_as="d2")
    one_by_one: list[tuple[str, int]] = []
    monkeypatch.setattr(chain, "_row", lambda _, table, seq: one_by_one.append((table, seq)))
    assert (list(chain.broken_rows(small)), one_by_one) == ([], [])


@pytest.mark.parametrize("at_a_time", [1, 2, 250])
def test_each_changed_row_is_found_however_many_are_compared_together(
    small: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    for number, document in enumerate(["d1", "d2", "d1", "d2"]):
        judging_as(small, "Ann" if number < 2 else "Ben", "1", document, number % 2)
        with small.write():
            log.append_event(small.by("Olga"), "note", {"number": number})
    judging_as(small, "Ann", "2", "d5", 1)
    judging_as(small, "Ann", "2", "d5", None)
    with small.write():
        small.db.conn.execute("DROP TRIGGER judgment_is_never_updated")
    monkeypatch.setattr(chain, "AT_A_TIME", at_a_time)
    assert list(chain.broken_rows(small)) == []
    seqs = [seq for (seq,) in small.db.conn.execute("SELECT seq FROM judgment ORDER BY seq")]
    for seq in seqs:
        for change in ("comment = comment || 'x'", "hash = zeroblob(32)", "comment = char(10)"):
            with small.write(keep=False):
                small.db.conn.execute(f"UPDATE judgment SET {change} WHERE seq = ?", [seq])
                found = list(chain.broken_rows(small))
            assert found[0] == chain.BrokenRow("judgment", seq, None, changed=True)
            if "hash" not in change:
                assert len(found) == 1


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((1, "é", 2.5), '["log",1,"é",2.5]'),
        ((1, None, "x", None, None), '["log",1,null,"x"]'),
        ((None, None), '["log"]'),
        ((), '["log"]'),
    ],
)
def test_a_hash_covers_the_one_before_and_the_row_without_the_nulls_at_its_end(
    row: tuple[object, ...], text: str
) -> None:
    assert GENESIS == b"\0" * 32
    first = next_hash(GENESIS, "log", row)
    assert first == hashlib.sha256(GENESIS + text.encode()).digest()
    assert next_hash(first, "log", row) == hashlib.sha256(first + text.encode()).digest()
