"""Pools of a campaign: what was asked for, and the pairs that each one brought in."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from workbench.core.records import Pooled
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.row_checksums import (
    NO_ROWS,
    pair_checksums,
    pair_checksums_in_bulk,
    pairs_checksum,
)
from workbench.storage.campaign.log.log import append_event, events, up_to


class PoolRecord(NamedTuple):
    """How a pool was made. `parameters` are the strategy's (such as the depth), `runs` the tags it drew on,
    `ties` the order of equal scores, `viewing` and `seed` the order in which assessors see its pairs.
    """

    strategy: str
    parameters: dict[str, Any]
    ties: str
    runs: tuple[str, ...]
    viewing: str
    seed: int


class StoredPool(NamedTuple):
    """A pool with its number, how many pairs it added to those before it, and its event's `seq`."""

    pool: int
    record: PoolRecord
    pairs: int
    seq: int


class PooledPair(NamedTuple):
    """A pair with the pool that brought it in."""

    pooled: Pooled
    pool: int


def all_pools(campaign: Campaign, as_of: int | None = None) -> list[StoredPool]:
    """The pools, oldest first."""
    rows = campaign.db.conn.execute(f"SELECT {_POOL} FROM pool ORDER BY pool")
    found = [_stored_pool(row) for row in rows]
    return [pool for pool in found if as_of is None or pool.seq <= as_of]


def put_pool(
    campaign: Campaign,
    record: PoolRecord,
    pairs: Sequence[Pooled],
    *,
    actor: str,
    now: datetime | None = None,
) -> StoredPool:
    """Store a pool and the pairs it adds inside the open write transaction.

    The documents must have rows already (`documents.put_ids`), and no pair may be pooled already.
    """
    (number,) = campaign.db.conn.execute("SELECT 1 + coalesce(max(pool), 0) FROM pool").fetchone()
    content = {"pool": number, **record._asdict(), "pairs": len(pairs)}
    checksum = pairs_checksum(pairs)
    seq = append_event(campaign, "pool", content, actor=actor, now=now)
    stored = record._asdict() | {
        "parameters": json.dumps(record.parameters),
        "runs": json.dumps(list(record.runs), ensure_ascii=False),
    }
    campaign.db.conn.execute(
        f"INSERT INTO pool ({_POOL}, pairs_sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, *stored.values(), len(pairs), seq, checksum),
    )
    campaign.db.conn.executemany(
        "INSERT INTO pooled (pool, topic, document, best_rank, runs, stratum, inclusion_probability) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((number, *pair) for pair in pairs),
    )
    return StoredPool(number, record, len(pairs), seq)


def wrong_pairs(campaign: Campaign) -> Iterator[str]:
    """A sentence for each pool whose pairs are not those that it brought in."""
    stored = campaign.db.conn.execute("SELECT pool, pairs_sha256 FROM pool ORDER BY pool").fetchall()
    found = pair_checksums_in_bulk(campaign.db.conn)
    if any(found.get(pool, NO_ROWS) != checksum for pool, checksum in stored):
        found = pair_checksums(campaign.db.conn)
    for pool, checksum in stored:
        if found.get(pool, NO_ROWS) != checksum:
            yield f"pool {pool}: its pairs are not those that it brought in"


def pooled_pairs(
    campaign: Campaign, topic_id: str | None = None, as_of: int | None = None
) -> list[PooledPair]:
    """The pooled pairs (of one topic, when named), by topic id and document id in byte order."""
    return list(each_pair(campaign, topic_id, as_of))


def each_pair(
    campaign: Campaign, topic_id: str | None = None, as_of: int | None = None
) -> Iterator[PooledPair]:
    """The same pairs one after the other, however many there are."""
    chosen, values = ("", ()) if topic_id is None else ("AND pooled.topic = ?", (topic_id,))
    rows = campaign.db.conn.execute(
        "SELECT topic, document, best_rank, pooled.runs, stratum, inclusion_probability, pooled.pool "
        f"FROM pooled JOIN pool USING (pool) WHERE pool.seq <= ? {chosen} ORDER BY topic, document",
        (up_to(as_of), *values),
    )
    return (PooledPair(Pooled(*row[:6]), row[6]) for row in rows)


def rows_of_topic(campaign: Campaign, topic_id: str) -> Iterator[tuple[tuple[Any, ...], int]]:
    """A topic's pooled pairs as plain tuples with the columns of Pooled, each with its pool, in no order."""
    rows = campaign.db.conn.execute(
        "SELECT topic, document, best_rank, runs, stratum, inclusion_probability, pool FROM pooled WHERE topic = ?",
        [topic_id],
    )
    return ((row[:6], row[6]) for row in rows)


def pooled_topics(campaign: Campaign) -> list[str]:
    """The topics that have pooled pairs, in byte order."""
    rows = campaign.db.conn.execute("SELECT DISTINCT topic FROM pooled ORDER BY topic")
    return [topic_id for (topic_id,) in rows]


def all_pairs(campaign: Campaign) -> list[tuple[str, str]]:
    """Topic and document of every pooled pair, in byte order."""
    return campaign.db.conn.execute("SELECT topic, document FROM pooled ORDER BY topic, document").fetchall()


def pooled_of_topic(campaign: Campaign, topic_id: str, as_of: int | None = None) -> list[str]:
    """The documents of a topic's pooled pairs, in byte order."""
    rows = campaign.db.conn.execute(
        "SELECT document FROM pooled WHERE topic = ? AND pool IN (SELECT pool FROM pool WHERE seq <= ?) "
        "ORDER BY document",
        [topic_id, up_to(as_of)],
    )
    return [document_id for (document_id,) in rows]


def pooled_of_topics(campaign: Campaign, topic_ids: Collection[str]) -> dict[str, dict[str, bool]]:
    """The documents of the pooled pairs of each of these topics, and whether there is a text of each."""
    rows = campaign.db.conn.execute(
        """SELECT topic, document, text_hash IS NOT NULL FROM pooled JOIN document USING (document)
        WHERE topic IN (SELECT value FROM json_each(?)) ORDER BY topic, document""",
        [json.dumps(list(topic_ids))],
    )
    found: dict[str, dict[str, bool]] = {topic_id: {} for topic_id in topic_ids}
    for topic_id, document_id, has_text in rows:
        found[topic_id][document_id] = bool(has_text)
    return found


def pooled_by_topic(campaign: Campaign, as_of: int | None = None) -> dict[str, int]:
    """How many pairs of each topic are pooled; topics without any are left out."""
    return dict(
        campaign.db.conn.execute(
            "SELECT topic, count(*) FROM pooled WHERE pool IN (SELECT pool FROM pool WHERE seq <= ?) GROUP BY topic",
            [up_to(as_of)],
        ).fetchall()
    )


def pool_of(campaign: Campaign, topic_id: str, document_id: str) -> int | None:
    """The number of the pool that brought in a pair, or None when it is in none."""
    row = campaign.db.conn.execute(
        "SELECT pool FROM pooled WHERE topic = ? AND document = ?", [topic_id, document_id]
    ).fetchone()
    return int(row[0]) if row else None


def is_pooled(campaign: Campaign, topic_id: str, document_id: str, as_of: int | None = None) -> bool:
    """Whether a pair is in a pool, now or as of a place in the log."""
    row = campaign.db.conn.execute(
        "SELECT 1 FROM pooled JOIN pool USING (pool) WHERE topic = ? AND document = ? AND seq <= ?",
        [topic_id, document_id, up_to(as_of)],
    ).fetchone()
    return row is not None


def pairs_by_pool(campaign: Campaign) -> dict[int, int]:
    """How many pairs each pool brought in, pools without new pairs included."""
    return dict(
        campaign.db.conn.execute(
            "SELECT pool.pool, count(pooled.document) FROM pool LEFT JOIN pooled USING (pool) GROUP BY pool.pool"
        ).fetchall()
    )


def replay(campaign: Campaign) -> dict[int, dict[str, Any]]:
    """Each pool's record from the log alone, by its number."""
    return {event.content["pool"]: event.content for event in events(campaign, "pool")}


_POOL = ", ".join(("pool", *PoolRecord._fields, "pairs", "seq"))


def _stored_pool(row: tuple[Any, ...]) -> StoredPool:
    number, strategy, parameters, ties, runs, viewing, seed, pairs, seq = row
    record = PoolRecord(strategy, json.loads(parameters), ties, tuple(json.loads(runs)), viewing, seed)
    return StoredPool(number, record, pairs, seq)
