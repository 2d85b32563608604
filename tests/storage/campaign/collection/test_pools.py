"""Pools are kept with what was asked for, and each pair knows the pool that brought it in."""

from __future__ import annotations

import sqlite3

import pytest

from tests.sentences import says
from workbench.core.records import Pooled
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools
from workbench.storage.campaign.file.row_checksums import (
    AT_A_TIME,
    pair_checksums,
    pair_checksums_in_bulk,
    pairs_checksum,
)
from workbench.storage.campaign.log import log

RECORD = pools.PoolRecord("depth", {"depth": 9}, "ascending", ("alpha", "it's"), "best rank", 2**40)


def put(campaign: Campaign, *pairs: Pooled) -> pools.StoredPool:
    with campaign.write():
        documents.put_ids(campaign, [pair.document_id for pair in pairs])
        return pools.put_pool(campaign.by("Olga"), RECORD, pairs)


def test_a_pool_is_read_back_as_it_was_asked_for(small: Campaign) -> None:
    stored = put(small, Pooled("1", "d3", 3, 1, 2, 0.25))
    assert pools.all_pools(small)[-1] == stored == (2, RECORD, 1, log.newest_seq(small), None, 0)
    assert pools.all_pools(small.at(stored.seq - 1)) == [pools.all_pools(small)[0]]
    assert pools.pooled_pairs(small, "1")[-2:] == [
        pools.PooledPair(Pooled("1", "d3", 3, 1, 2, 0.25), 2),
        pools.PooledPair(Pooled("1", "d4", 1, 1), 1),
    ]
    (event,) = log.events(small, pools.POOL, at=stored.seq)
    counted = {"pairs": 1, "pairs_sha256": pairs_checksum([Pooled("1", "d3", 3, 1, 2, 0.25)])}
    assert event.content == {"pool": 2, **RECORD.as_content(), "runs": list(RECORD.runs), **counted}


def test_a_pair_keeps_the_pool_that_brought_it_in(small: Campaign) -> None:
    put(small, Pooled("1", "d3", 3, 1))
    assert pools.pool_of(small, "1", "d1") == 1
    assert pools.pool_of(small, "1", "d3") == 2
    assert pools.pool_of(small, "1", "d5") is None
    assert pools.pool_of(small, "2", "d3") is None
    with pytest.raises(sqlite3.IntegrityError):
        put(small, Pooled("1", "d1", 1, 1))
    assert pools.pool_of(small, "1", "d1") == 1


def test_pairs_as_of_a_place_are_those_pooled_by_then(small: Campaign) -> None:
    first = pools.all_pools(small)[0]
    before = pools.pooled_pairs(small)
    put(small, Pooled("1", "d3", 3, 1))
    assert pools.pooled_pairs(small.at(first.seq)) == before
    assert pools.pooled_pairs(small.at(first.seq - 1)) == []
    assert pools.pooled_pairs(small.at(first.seq), "1") == [pair for pair in before if pair.pooled[0] == "1"]


def test_a_pair_of_an_unknown_topic_or_document_is_refused(small: Campaign) -> None:
    def unknown_document() -> None:
        with small.write():
            pools.put_pool(small.by("Olga"), RECORD, [Pooled("1", "nothing", 1, 1)])

    before = log.head(small)
    with pytest.raises(sqlite3.IntegrityError):
        unknown_document()
    with pytest.raises(sqlite3.IntegrityError):
        put(small, Pooled("11", "d1", 1, 1))
    assert log.head(small) == before


ODD_PAIRS = [
    *(Pooled("1", f'd"\\\x7fé{number}', number, 1, 2, 1 / (1 + number % 7)) for number in range(AT_A_TIME)),
    Pooled("2", "d\u2028", 2**40, 0, 0, 0.0),
    Pooled("2", "d\U0001f600", -1, 3, 1, 5e-324),
]


def test_checksums_in_bulk_are_those_of_row_after_row(small: Campaign) -> None:
    put(small, *ODD_PAIRS[::2])
    put(small, *ODD_PAIRS[1::2])
    found = pair_checksums(small.db.conn)
    assert sorted(found) == [1, 2, 3]
    assert pair_checksums_in_bulk(small.db.conn) == found
    assert list(pools.wrong_pairs(small)) == []


def test_a_pair_that_sqlite_writes_otherwise_than_python_is_not_wrong(
    small: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(small, *ODD_PAIRS)
    monkeypatch.setattr(
        pools, "pair_checksums_in_bulk", lambda connection, table: {1: "another", 2: "another"}
    )
    assert list(pools.wrong_pairs(small)) == []


@pytest.mark.parametrize(
    ("column", "value"), [("inclusion_probability", 5e-323), ("best_rank", 2**40 + 1), ("stratum", 1)]
)
def test_a_pair_that_was_changed_is_found(small: Campaign, column: str, value: float) -> None:
    put(small, *ODD_PAIRS)
    with small.write():
        small.db.execute(f"UPDATE pooled SET {column} = ? WHERE document = ?", [value, "d\u2028"])
    assert says("\n".join(list(pools.wrong_pairs(small))))


def test_the_pairs_of_topics_say_which_documents_have_a_text(small: Campaign) -> None:
    assert pools.pooled_of_topics(small, ["10", "2", "gone"]) == {
        "10": {"d6": False},
        "2": {"d1": True, "d2": True, "d5": True},
        "gone": {},
    }
