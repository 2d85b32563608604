"""Pools of a campaign: what was asked for, and the pairs that each one brought in."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from workbench.core.records import Pooled
from workbench.storage.campaign.collection.broken import BROKEN_NOW
from workbench.storage.campaign.collection.pool_pairs import COLUMNS, EVER, THEN, retired, then
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.row_checksums import (
    NO_ROWS,
    pair_checksums,
    pair_checksums_in_bulk,
    pairs_checksum,
)
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events, up_to

POOL = kinds.POOL
"""The kind of event that makes a pool."""

RETIREMENT = kinds.RETIREMENT
"""The kind of event that takes a pool out: from its `seq` on the pool's pairs are in no pool, unless a later one brings
them in again; before that `seq` they are where they always were. Judgments stay."""


class PoolRecord(NamedTuple):
    """How a pool was made. `parameters` are the strategy's (such as the depth), `runs` the tags it drew on,
    `ties` the order of equal scores, `viewing` and `seed` the order in which assessors see its pairs. `residual` is the
    round before which judged pairs were taken out of the rankings, None where whole rankings were pooled.
    """

    strategy: str
    parameters: dict[str, Any]
    ties: str
    runs: tuple[str, ...]
    viewing: str
    seed: int
    residual: str | None = None

    def as_content(self) -> dict[str, Any]:
        """The record as the pool's event has it: `residual` only where there is one."""
        content = self._asdict()
        return content if self.residual is not None else {name: content[name] for name in _IN_TABLE}


_IN_TABLE = PoolRecord._fields[:-1]
"""What the table repeats of the event."""


class StoredPool(NamedTuple):
    """A pool with its number, how many pairs it added to those before it when it was made, its event's `seq`, that of
    the event that retired it (None while it is in force), and how many pairs it chose since.
    """

    pool: int
    record: PoolRecord
    pairs: int
    seq: int
    retired: int | None = None
    chosen: int = 0

    @property
    def brought(self) -> int:
        """All pairs that it brought in so far."""
        return self.pairs + self.chosen


class PooledPair(NamedTuple):
    """A pair with its pool, and the `seq` of its choice; None where the pool had it from the start."""

    pooled: Pooled
    pool: int
    choice: int | None = None


def all_pools(campaign: Campaign, as_of: int | None = None) -> list[StoredPool]:
    """The pools, oldest first, those that were retired by then included."""
    rows = campaign.once(
        ("pools", as_of), lambda: campaign.db.conn.execute(_ALL, {"last": up_to(as_of)}).fetchall()
    )
    out = retired(campaign, as_of)
    return [pool._replace(retired=out.get(pool.pool)) for pool in map(_stored_pool, rows)]


def in_force(campaign: Campaign, as_of: int | None = None) -> list[StoredPool]:
    """The pools that are not retired, oldest first."""
    return [pool for pool in all_pools(campaign, as_of) if pool.retired is None]


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
    content = {"pool": number, **record.as_content(), "pairs": len(pairs)}
    checksum = pairs_checksum(pairs)
    seq = append_event(campaign, POOL, content, actor=actor, now=now)
    stored = {name: getattr(record, name) for name in _IN_TABLE} | {
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


def retire(
    campaign: Campaign, pool: int, *, reason: str = "", actor: str, now: datetime | None = None
) -> int:
    """Retire a pool that is in force inside the open write transaction; returns the event's `seq`."""
    seq = append_event(campaign, RETIREMENT, {"pool": pool, "reason": reason}, actor=actor, now=now)
    campaign.db.conn.execute("INSERT INTO retired_pair SELECT * FROM pooled WHERE pool = ?", [pool])
    campaign.db.conn.execute("DELETE FROM pooled WHERE pool = ?", [pool])
    return seq


class Retirement(NamedTuple):
    """A pool that was retired: the event's `seq`, when, by whom, which, and the reason ("" if none was given)."""

    seq: int
    at: str
    actor: str
    pool: int
    reason: str


def retirements(campaign: Campaign, as_of: int | None = None) -> list[Retirement]:
    """All retirements, in the order of the log."""
    return [
        Retirement(event.seq, event.at, event.actor, event.content["pool"], event.content["reason"])
        for event in events(campaign, RETIREMENT, as_of=as_of)
    ]


def retired_with_judgments(campaign: Campaign, as_of: int | None = None) -> list[int]:
    """The retired pools of which some pair was judged while they were in force."""
    rows = campaign.db.conn.execute(
        "SELECT pool FROM pool JOIN json_each(?) AS out ON pool = out.key WHERE EXISTS (SELECT 1 FROM judgment "
        "JOIN retired_pair USING (topic, document) WHERE retired_pair.pool = pool.pool "
        "AND judgment.seq BETWEEN pool.seq AND out.value) ORDER BY pool",
        [json.dumps(retired(campaign, as_of))],
    )
    return [number for (number,) in rows]


def wrong_pairs(campaign: Campaign) -> Iterator[str]:
    """A sentence for each pool whose pairs are not those that it brought in when it was made."""
    stored = campaign.db.conn.execute("SELECT pool, pairs_sha256 FROM pool ORDER BY pool").fetchall()
    found = pair_checksums_in_bulk(campaign.db.conn, _FROM_THE_START)
    if any(found.get(pool, NO_ROWS) != checksum for pool, checksum in stored):
        found = pair_checksums(campaign.db.conn, _FROM_THE_START)
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
    chosen = "" if topic_id is None else "WHERE topic = :topic"
    rows = campaign.db.conn.execute(
        f"SELECT {COLUMNS} FROM {THEN} {chosen} ORDER BY topic, document",
        then(campaign, as_of, topic=topic_id),
    )
    return (PooledPair(Pooled(*row[:6]), row[6]) for row in rows)


def each_pair_ever(campaign: Campaign, as_of: int | None = None) -> Iterator[PooledPair]:
    """The pairs of all pools made by then, in the same order, also of those that are retired."""
    rows = campaign.db.conn.execute(
        f"SELECT {COLUMNS}, choice FROM {EVER} WHERE pool IN (SELECT pool FROM pool WHERE seq <= :as_of) "
        "AND (choice IS NULL OR choice <= :as_of) ORDER BY topic, document, pool",
        {"as_of": up_to(as_of)},
    )
    return (PooledPair(Pooled(*row[:6]), *row[6:]) for row in rows)


def rows_of_topic(campaign: Campaign, topic_id: str) -> Iterator[tuple[tuple[Any, ...], int, int | None]]:
    """The pairs of a topic as plain tuples with the columns of Pooled, each with its pool and the `seq` of its choice,
    in no order. Those of retired pools are among them.
    """
    rows = campaign.db.conn.execute(f"SELECT {COLUMNS}, choice FROM {EVER} WHERE topic = ?", [topic_id])
    return ((row[:6], row[6], row[7]) for row in rows)


def pooled_topics(campaign: Campaign) -> list[str]:
    """The topics that have or had pooled pairs, in byte order."""
    rows = campaign.db.conn.execute(
        "SELECT topic FROM pooled UNION SELECT topic FROM retired_pair ORDER BY topic"
    )
    return [topic_id for (topic_id,) in rows]


def all_pairs(campaign: Campaign) -> list[tuple[str, str]]:
    """Topic and document of every pooled pair, in byte order."""
    return campaign.db.conn.execute("SELECT topic, document FROM pooled ORDER BY topic, document").fetchall()


def pooled_of_topic(campaign: Campaign, topic_id: str, as_of: int | None = None) -> list[str]:
    """The documents of a topic's pooled pairs, in byte order."""
    rows = campaign.db.conn.execute(
        f"SELECT document FROM {THEN} WHERE topic = :topic ORDER BY document",
        then(campaign, as_of, topic=topic_id),
    )
    return [document_id for (document_id,) in rows]


def pooled_of_topics(campaign: Campaign, topic_ids: Collection[str]) -> dict[str, dict[str, bool]]:
    """The documents of the pooled pairs of each of these topics, and whether each has a text that can be judged."""
    rows = campaign.db.conn.execute(
        f"""SELECT topic, document, text_hash IS NOT NULL AND document NOT IN ({BROKEN_NOW})
        FROM pooled JOIN document USING (document)
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
            f"SELECT topic, count(*) FROM {THEN} GROUP BY topic", then(campaign, as_of)
        ).fetchall()
    )


def pool_of(campaign: Campaign, topic_id: str, document_id: str) -> int | None:
    """The number of the pool that brought in a pair, or None when it is in none."""
    row = campaign.db.conn.execute(
        "SELECT pool FROM pooled WHERE topic = ? AND document = ?", [topic_id, document_id]
    ).fetchone()
    return int(row[0]) if row else None


def find_pair(campaign: Campaign, topic_id: str, document_id: str) -> PooledPair | None:
    """One pair as the pool in force has it, or None when it is in none."""
    row = campaign.db.conn.execute(
        f"SELECT {COLUMNS}, choice FROM pooled WHERE topic = ? AND document = ?", [topic_id, document_id]
    ).fetchone()
    return PooledPair(Pooled(*row[:6]), *row[6:]) if row else None


def is_pooled(campaign: Campaign, topic_id: str, document_id: str, as_of: int | None = None) -> bool:
    """Whether a pair is in a pool, now or as of a place in the log."""
    row = campaign.db.conn.execute(
        f"SELECT 1 FROM {THEN} WHERE topic = :topic AND document = :document",
        then(campaign, as_of, topic=topic_id, document=document_id),
    ).fetchone()
    return row is not None


def pairs_by_pool(campaign: Campaign, *, chosen: bool = True) -> dict[int, int]:
    """How many pairs each pool brought in, pools without new pairs and retired ones included; those that adaptive
    pools chose later count if `chosen` says so.
    """
    some = "" if chosen else " AND pair.choice IS NULL"
    return dict(
        campaign.db.conn.execute(
            f"SELECT pool.pool, count(pair.document) FROM pool LEFT JOIN {EVER} AS pair "
            f"ON pair.pool = pool.pool{some} GROUP BY pool.pool"
        ).fetchall()
    )


def pairs_by_topic_of(campaign: Campaign, pool: int) -> dict[str, int]:
    """How many pairs of each topic one pool brought in, those of withdrawn topics too; no topic without any."""
    rows = campaign.db.conn.execute(
        f"SELECT topic, count(*) FROM {EVER} WHERE pool = ? GROUP BY topic", [pool]
    )
    return dict(rows.fetchall())


def replay(logged: Iterable[Event]) -> dict[int, dict[str, Any]]:
    """Each pool's record from the events of POOL alone, by its number."""
    return {event.content["pool"]: event.content for event in logged}


_FROM_THE_START = f"(SELECT * FROM {EVER} WHERE choice IS NULL)"
"""The pairs that pools had when they were made: their checksums are stored with the pools."""

_POOL = ", ".join(("pool", *_IN_TABLE, "pairs", "seq"))
_ALL = f"""SELECT {_POOL},
    (SELECT json_extract(content, '$.residual') FROM event WHERE event.seq = pool.seq),
    (SELECT count(*) FROM pooled WHERE pooled.pool = pool.pool AND choice IS NOT NULL AND choice <= :last)
    + (SELECT count(*) FROM retired_pair WHERE retired_pair.pool = pool.pool AND choice IS NOT NULL AND choice <= :last)
    FROM pool WHERE seq <= :last ORDER BY pool"""


def _stored_pool(row: tuple[Any, ...]) -> StoredPool:
    number, strategy, parameters, ties, runs, viewing, seed, pairs, seq, residual, chosen = row
    record = PoolRecord(
        strategy, json.loads(parameters), ties, tuple(json.loads(runs)), viewing, seed, residual
    )
    return StoredPool(number, record, pairs, seq, chosen=chosen)
