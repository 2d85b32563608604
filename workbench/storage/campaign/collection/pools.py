"""Pools of a campaign: what was asked for, and the pairs that each one brought in."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from workbench.core.records import Pooled
from workbench.storage.campaign.collection import broken, pooled_units, units
from workbench.storage.campaign.collection.question_topics import OF_QUESTION, asked, questions, seen
from workbench.storage.campaign.collection.run_records import tags_in
from workbench.storage.campaign.collection.topic_withdrawals import left_out, withdrawn
from workbench.storage.campaign.file.connection import EVERY, Campaign
from workbench.storage.campaign.file.row_checksums import (
    NO_ROWS,
    pair_checksums,
    pair_checksums_in_bulk,
    pairs_checksum,
)
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import State, part

POOL = kinds.POOL
"""The kind of event that makes a pool."""

RETIREMENT = kinds.RETIREMENT
"""The kind of event that takes a pool out: from its `seq` on the pool's pairs are in no pool, unless a later one brings
them in again; before that `seq` they are where they always were. Judgments stay."""


class PoolRecord(NamedTuple):
    """How a pool was made. `parameters` are the strategy's (such as the depth), `runs` the tags it drew on,
    `ties` the order of equal scores, `viewing` and `seed` the order in which assessors see its pairs. `residual` is the
    round before which judged pairs were taken out of the rankings, None where whole rankings were pooled; `question` is
    what is asked about its documents, "" for relevance; `plugin` that of the strategy with its version, "" for none.
    """

    strategy: str
    parameters: dict[str, Any]
    ties: str
    runs: tuple[str, ...]
    viewing: str
    seed: int
    residual: str | None = None
    question: str = ""
    plugin: str = ""

    def as_content(self) -> dict[str, Any]:
        """The record as the pool's event has it: `residual`, `question` and `plugin` only where there is one."""
        return {
            name: value
            for name, value in self._asdict().items()
            if value or name not in ("residual", "question", "plugin")
        }


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


@part(POOL, RETIREMENT, kinds.CHOICE, start=dict)
def _pools(found: dict[int, StoredPool], event: Event) -> None:
    """The pools by their numbers, retired ones too."""
    content = event.content
    number = content["pool"]
    if event.kind == POOL:
        record = PoolRecord(**{name: content[name] for name in PoolRecord._fields if name in content})
        record = record._replace(runs=tuple(record.runs))
        found[number] = StoredPool(number, record, content["pairs"], event.seq)
    elif number not in found:  # the audit finds such an event
        return
    elif event.kind == RETIREMENT:
        found[number] = found[number]._replace(retired=event.seq)
    else:
        found[number] = found[number]._replace(chosen=found[number].chosen + len(content["pairs"]))


def all_pools(campaign: Campaign) -> list[StoredPool]:
    """The pools of the question by which the campaign is seen, oldest first, those retired by then included."""
    shown, called = campaign.question, tags_in(campaign)
    found = [pool for pool in _pools(campaign).values() if shown in (EVERY, pool.record.question)]
    return [pool._replace(record=_renamed(pool.record, called)) for pool in found] if called else found


def _renamed(record: PoolRecord, called: Mapping[str, str]) -> PoolRecord:
    """A record with other names of runs, also in parameters that have some with a number each (`alpha:10`)."""

    def renamed(value: Any) -> Any:
        if isinstance(value, list):
            return [renamed(each) for each in value]
        tag, colon, number = value.rpartition(":") if isinstance(value, str) else ("", "", "")
        return f"{called[tag]}{colon}{number}" if tag in called else value

    parameters = {name: renamed(value) for name, value in record.parameters.items()}
    return record._replace(parameters=parameters, runs=tuple(called.get(tag, tag) for tag in record.runs))


def in_force(campaign: Campaign) -> list[StoredPool]:
    """The pools that are not retired, oldest first."""
    return [pool for pool in all_pools(campaign) if pool.retired is None]


def side_seed(campaign: Campaign, number: int | None) -> int | None:
    """The seed by which the sides of a pool's pairs of things are drawn, None where there is no such pool."""
    found = _pools(campaign).get(number) if number is not None else None
    return found.record.seed if found else None


def retired(campaign: Campaign) -> dict[int, int]:
    """The pools that are retired, each with the `seq` of its retirement."""
    return {pool.pool: pool.retired for pool in all_pools(campaign) if pool.retired is not None}


COLUMNS = "topic, document, best_rank, runs, stratum, inclusion_probability, pool"

TAKES_PART = "topic NOT IN (SELECT value FROM json_each(:out))"
"""The topics that count then (`topic_withdrawals.left_out`); this and THEN need the parameters that `then` gives."""

_THEN = f"""pool IN (SELECT value FROM json_each(:pools)) AND (choice IS NULL OR choice <= :as_of) AND {TAKES_PART}
    AND (topic, document) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(:gone))"""

THEN = f"""(
    SELECT {COLUMNS} FROM pooled WHERE {_THEN} UNION ALL SELECT {COLUMNS} FROM retired_pair WHERE {_THEN})"""
"""The pairs that were pooled then, those of pools that were retired later included."""

EVER = f"(SELECT {COLUMNS}, choice FROM pooled UNION ALL SELECT {COLUMNS}, choice FROM retired_pair)"
"""Every pair with each pool that brought it in, retired pools and withdrawn topics included."""


def then(campaign: Campaign, **more: Any) -> dict[str, Any]:
    """The parameters of a statement about pairs now, or as of a row of the log, with `more` of its own.

    What asks about one `topic` gets the pairs of that topic, by whatever question the campaign is seen.
    """
    state = State.of(campaign)
    out = withdrawn(campaign) if more.get("topic") is not None else left_out(campaign)
    there = [number for number, pool in state[_pools].items() if pool.retired is None]
    topic_id = more.get("topic")
    gone = units.gone(campaign, asked(campaign, questions(campaign)) if not topic_id else [topic_id])
    return {
        "as_of": campaign.up_to,
        "out": json.dumps(sorted(out)),
        "pools": json.dumps(there),
        "gone": json.dumps(gone),
        **more,
    }


def put_pool(campaign: Campaign, record: PoolRecord, pairs: Sequence[Pooled]) -> StoredPool:
    """Store a pool and its new pairs inside the open write transaction, after `documents.put_ids`."""
    pooled_units.put_texts(campaign, pairs)
    number = 1 + len(_pools(campaign))
    counted = {"pairs": len(pairs), "pairs_sha256": pairs_checksum(pairs)}
    seq = append_event(campaign, POOL, {"pool": number, **record.as_content(), **counted})
    campaign.db.conn.executemany(
        "INSERT INTO pooled (pool, topic, document, best_rank, runs, stratum, inclusion_probability) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((number, *pair) for pair in pairs),
    )
    return StoredPool(number, record, len(pairs), seq)


def retire(campaign: Campaign, pool: int, *, reason: str = "") -> int:
    """Retire a pool that is in force inside the open write transaction; returns the event's `seq`."""
    seq = append_event(campaign, RETIREMENT, {"pool": pool, "reason": reason})
    campaign.execute("INSERT INTO retired_pair SELECT * FROM pooled WHERE pool = ?", [pool])
    campaign.execute("DELETE FROM pooled WHERE pool = ?", [pool])
    return seq


def retirements(campaign: Campaign) -> list[Event]:
    """All retirements; an event's `content` has the pool, and the reason ("" if none was given)."""
    return events(campaign, RETIREMENT)


def retired_with_judgments(campaign: Campaign) -> list[int]:
    """The retired pools of which people judged some pair, or qrels did, while they were in force."""
    out = [pool for pool in all_pools(campaign) if pool.retired is not None]
    return campaign.column(
        """SELECT one.value ->> 0 FROM json_each(?) AS one WHERE EXISTS (
            SELECT 1 FROM judgment JOIN retired_pair USING (topic, document)
            WHERE retired_pair.pool = one.value ->> 0 AND judgment.kind <> 'model'
                AND judgment.seq BETWEEN one.value ->> 1 AND one.value ->> 2) ORDER BY 1""",
        [json.dumps([[pool.pool, pool.seq, pool.retired] for pool in out])],
    )


def wrong_pairs(campaign: Campaign) -> Iterator[str]:
    """A sentence for each pool whose pairs are not those that it brought in when it was made."""
    logged = {event.content["pool"]: event.content["pairs_sha256"] for event in events(campaign, POOL)}
    found = pair_checksums_in_bulk(campaign.db.conn, _FROM_THE_START)
    if any(found.get(pool, NO_ROWS) != checksum for pool, checksum in logged.items()):
        found = pair_checksums(campaign.db.conn, _FROM_THE_START)
    for pool in sorted(found.keys() | logged.keys()):
        if found.get(pool, NO_ROWS) != logged.get(pool):
            yield f"pool {pool}: its pairs are not those that it brought in"


def pooled_pairs(campaign: Campaign, topic_id: str | None = None) -> list[PooledPair]:
    """The pooled pairs (of one topic, when named), by topic id and document id in byte order."""
    return list(each_pair(campaign, topic_id))


def each_pair(campaign: Campaign, topic_id: str | None = None) -> Iterator[PooledPair]:
    """The same pairs one after the other, however many there are."""
    chosen = "" if topic_id is None else "WHERE topic = :topic"
    rows = campaign.execute(
        f"SELECT {COLUMNS} FROM {THEN} {chosen} ORDER BY topic, document", then(campaign, topic=topic_id)
    )
    return (PooledPair(Pooled(*row[:6]), row[6]) for row in rows)


def each_pair_ever(campaign: Campaign) -> Iterator[PooledPair]:
    """The pairs of all pools made by then, in the same order, also of those that are retired."""
    made = json.dumps([pool.pool for pool in all_pools(campaign)])
    rows = campaign.execute(
        f"SELECT {COLUMNS}, choice FROM {EVER} WHERE pool IN (SELECT value FROM json_each(:made)) "
        "AND (choice IS NULL OR choice <= :as_of) ORDER BY topic, document, pool",
        {"as_of": campaign.up_to, "made": made},
    )
    return (PooledPair(Pooled(*row[:6]), *row[6:]) for row in rows)


def rows_of_topic(campaign: Campaign, topic_id: str) -> Iterator[tuple[tuple[Any, ...], int, int | None]]:
    """A topic's pairs as tuples of Pooled's columns, with pool and `seq` of choice, also of retired pools."""
    rows = campaign.execute(f"SELECT {COLUMNS}, choice FROM {EVER} WHERE topic = ?", [topic_id])
    return ((row[:6], row[6], row[7]) for row in rows)


def pooled_topics(campaign: Campaign) -> list[str]:
    """The topics that have or had pooled pairs, in byte order."""
    return campaign.column("SELECT topic FROM pooled UNION SELECT topic FROM retired_pair ORDER BY topic")


def all_pairs(campaign: Campaign) -> list[tuple[str, str]]:
    """Topic and document of every pooled pair, in byte order."""
    pairs = f"SELECT topic, document FROM pooled WHERE {OF_QUESTION} ORDER BY topic, document"
    return campaign.execute(pairs, seen(campaign)).fetchall()


def pooled_of_topic(campaign: Campaign, topic_id: str) -> list[str]:
    """The documents of a topic's pooled pairs, in byte order."""
    return campaign.column(
        f"SELECT document FROM {THEN} WHERE topic = :topic ORDER BY document", then(campaign, topic=topic_id)
    )


def pooled_of_topics(campaign: Campaign, topic_ids: Collection[str]) -> dict[str, dict[str, bool]]:
    """The documents of the pooled pairs of each of these topics, and whether each has a text that can be judged."""
    rows = campaign.execute(
        f"""SELECT topic, document, text_hash IS NOT NULL AND document NOT IN ({broken.BROKEN_NOW})
        FROM pooled JOIN document USING (document)
        WHERE topic IN (SELECT value FROM json_each(:topics)) ORDER BY topic, document""",
        {"topics": json.dumps(list(topic_ids)), "broken": broken.now(campaign)},
    )
    found: dict[str, dict[str, bool]] = {topic_id: {} for topic_id in topic_ids}
    for topic_id, document_id, has_text in rows:
        found[topic_id][document_id] = bool(has_text)
    return found


def pooled_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many pairs of each topic are pooled, in byte order; topics without any are left out."""
    counted = f"SELECT topic, count(*) FROM {THEN} GROUP BY topic ORDER BY topic"
    return campaign.mapping(counted, then(campaign))


def pairs_from(campaign: Campaign, beginning: str, most: int) -> list[tuple[str, str]]:
    """Topic and document of the first pooled pairs, in byte order, whose document's id begins so; by the index."""
    return campaign.execute(
        "SELECT topic, document FROM pooled WHERE document >= ? AND document < ? ORDER BY document, topic LIMIT ?",
        [beginning, f"{beginning}\U0010ffff", most],
    ).fetchall()


def pool_of(campaign: Campaign, topic_id: str, document_id: str) -> int | None:
    """The number of the pool that brought in a pair, or None when it is in none."""
    return campaign.value("SELECT pool FROM pooled WHERE topic = ? AND document = ?", [topic_id, document_id])


def find_pair(campaign: Campaign, topic_id: str, document_id: str) -> PooledPair | None:
    """One pair as the pool in force has it, or None when it is in none."""
    row = campaign.execute(
        f"SELECT {COLUMNS}, choice FROM pooled WHERE topic = ? AND document = ?", [topic_id, document_id]
    ).fetchone()
    return PooledPair(Pooled(*row[:6]), *row[6:]) if row else None


def is_pooled(campaign: Campaign, topic_id: str, document_id: str) -> bool:
    """Whether a pair is in a pool, now or as of a place in the log."""
    found = campaign.value(
        f"SELECT 1 FROM {THEN} WHERE topic = :topic AND document = :document",
        then(campaign, topic=topic_id, document=document_id),
    )
    return found is not None


def pairs_by_topic_of(campaign: Campaign, pool: int) -> dict[str, int]:
    """How many pairs of each topic one pool brought in, those of withdrawn topics too; no topic without any."""
    return campaign.mapping(f"SELECT topic, count(*) FROM {EVER} WHERE pool = ? GROUP BY topic", [pool])


_FROM_THE_START = f"(SELECT * FROM {EVER} WHERE choice IS NULL)"
"""The pairs that pools had when they were made: their checksums are stored with the pools."""
