"""The log: events and judgments in one sequence, only ever appended, each row hashed onto the last.

The chain of hashes is that of core/hash_chain.py, over `EVENT_COLUMNS` or `STORED`, the columns of a judgment: columns
that came later are covered where they hold something. Anyone can recompute it; a row changed, taken out or slipped in
breaks it. It has ids in the place of people's names, and hashes in the place of their words (see persons, remarks).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple, get_args

from workbench.core.hash_chain import GENESIS, next_hash
from workbench.core.records import Judgment, Rationale
from workbench.core.values import LARGEST_INTEGER, declared
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import NEWEST_SEQ
from workbench.storage.campaign.file.shown_names import shown
from workbench.storage.campaign.log.kinds import kind_named, names_people, translated
from workbench.storage.campaign.log.persons import Ids, ShownNames
from workbench.storage.campaign.log.remarks import COMMENT, RATIONALES, Remark, as_json, remark_of
from workbench.storage.campaign.log.remarks import put as put_remarks
from workbench.storage.campaign.log.text_bounds import check_judgment, check_name

EVENT_COLUMNS = ("seq", "at", "actor", "kind", "content")
STORED = tuple(field.column for field in declared(Judgment))

AT_A_TIME = 250
"""Rows of the log that are compared with their hashes together."""


class Event(NamedTuple):
    """A row of the log that is not a judgment; `content` is what the kind of event needs to be replayed."""

    seq: int
    at: str
    actor: str
    kind: str
    content: dict[str, Any]


class Head(NamedTuple):
    """The newest row of the log: its place in the sequence, and the hash that covers everything up to it."""

    seq: int
    hash: bytes


class BrokenRow(NamedTuple):
    """A row of the log at which the chain breaks: its table and `seq`, the `seq` that it follows where that is not the
    one before it (else None), and whether its hash does not cover it and the row before it.
    """

    table: str
    seq: int
    follows: int | None
    changed: bool


def up_to(as_of: int | None) -> int:
    """The last `seq` that counts as of a place in the log; the largest there can be when no place is named."""
    return LARGEST_INTEGER if as_of is None else as_of


def timestamp(now: datetime | None = None) -> str:
    """UTC in ISO 8601 with milliseconds, as every time in a campaign is written."""
    return (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="milliseconds")


def newest_seq(campaign: Campaign) -> int:
    """The newest place in the sequence; 0 when the log is empty."""
    (seq,) = campaign.db.conn.execute(f"SELECT {NEWEST_SEQ}").fetchone()
    return int(seq)


def head(campaign: Campaign) -> Head:
    """The newest row's `seq` and hash, read once in a transaction; (0, 32 zero bytes) when there is none."""
    return campaign.once("head", lambda: _head(campaign), only_in_transactions=True)


def know_head(campaign: Campaign, newest: Head) -> None:
    """Keep the newest row of a transaction, which was read with something else."""
    campaign.now.once("head", lambda: newest, only_in_transactions=True)


def _head(campaign: Campaign) -> Head:
    rows = campaign.db.conn.execute(
        """SELECT seq, hash FROM (SELECT seq, hash FROM event WHERE seq <= :at ORDER BY seq DESC LIMIT 1)
        UNION ALL SELECT seq, hash FROM
            (SELECT seq, hash FROM judgment WHERE seq <= :at ORDER BY seq DESC LIMIT 1)
        ORDER BY seq DESC LIMIT 1""",
        {"at": campaign.up_to},
    ).fetchall()
    return Head(*rows[0]) if rows else Head(0, GENESIS)


def mark(campaign: Campaign) -> str:
    """What tells a campaign's log from that of any other, whatever their files' names: the first row's hash, in hex."""
    if campaign.connected.mark is None and (first := head(campaign.at(1))).seq:
        campaign.connected.mark = first.hash.hex()
    return campaign.connected.mark or GENESIS.hex()


def newest_event(campaign: Campaign, kinds: Collection[str]) -> Head:
    """The newest event of one of these kinds; (0, 32 zero bytes) when there is none."""
    row = campaign.db.conn.execute(
        f"SELECT seq, hash FROM event WHERE kind IN ({', '.join('?' * len(kinds))}) ORDER BY seq DESC LIMIT 1",
        tuple(kinds),
    ).fetchone()
    return Head(*row) if row else Head(0, GENESIS)


def has_hash(campaign: Campaign, beginning: str) -> bool:
    """Whether the hash of some row begins with these hexadecimal digits."""
    found = campaign.db.conn.execute(
        """SELECT EXISTS (SELECT 1 FROM event WHERE substr(lower(hex(hash)), 1, :digits) = :beginning)
        OR EXISTS (SELECT 1 FROM judgment WHERE substr(lower(hex(hash)), 1, :digits) = :beginning)""",
        {"beginning": beginning.lower(), "digits": len(beginning)},
    ).fetchone()
    return bool(found[0])


def append_event(
    campaign: Campaign, kind: str, content: Mapping[str, Any], *, actor: str, now: datetime | None = None
) -> int:
    """Append an event inside the open write transaction, and return its `seq`; errors as of `Kind.check`."""
    kind_named(kind).check(content)
    check_name(actor)
    ids = Ids(campaign)
    before, who = head(campaign), ids[actor]
    row = (before.seq + 1, timestamp(now), who, kind, as_json(translated(kind, content, ids)))
    campaign.db.conn.execute(
        f"INSERT INTO event ({_EVENT}, hash) VALUES (?, ?, ?, ?, ?, ?)",
        (*row, next_hash(before.hash, "event", row)),
    )
    return before.seq + 1


def append_judgments(campaign: Campaign, judgments: Iterable[Judgment]) -> list[Judgment]:
    """Append judgments inside the open write transaction; their `seq` is given here, in their order.

    Raises CampaignError for too long a text.
    """
    seq, last = head(campaign)
    ids = Ids(campaign)
    stored: list[Judgment] = []
    words: list[Remark] = []

    def rows() -> Iterator[tuple[object, ...]]:
        nonlocal seq, last
        for judgment in judgments:
            seq += 1
            check_judgment(judgment)
            placed = _placed(judgment, seq)
            row = row_of(placed)
            row = (*row[:_ASSESSOR], ids[placed.assessor], *row[_ASSESSOR + 1 :])
            if placed.comment or placed.rationales:
                remark = remark_of(seq, placed.comment, row[_RATIONALES])
                words.append(remark)
                row = remark.sealed(row, _COMMENT, _RATIONALES)
            last = next_hash(last, "judgment", row)
            stored.append(placed)
            yield (*row, last)

    campaign.db.conn.executemany(_INSERT_JUDGMENT, rows())
    campaign.db.conn.executemany(
        "INSERT INTO rationale VALUES (?, ?, ?, ?, ?, ?)",
        (
            (judgment.seq, place, *rationale)
            for judgment in stored
            for place, rationale in enumerate(judgment.rationales, start=1)
        ),
    )
    if words:
        put_remarks(campaign, words)
    return stored


def events(campaign: Campaign, *kinds: str, at: int | None = None, after: int = 0) -> list[Event]:
    """The events of these kinds (of all kinds when none is named) after the row `after` up to `as_of`, or only `at`
    that place.
    """
    first, last = (after + 1, campaign.up_to) if at is None else (at, at)
    chosen = f"AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    rows = campaign.db.conn.execute(
        f"""SELECT seq, at, {_ACTOR}, kind, content FROM event
        WHERE seq BETWEEN ? AND ? {chosen} ORDER BY seq""",
        (first, last, *kinds),
    ).fetchall()
    found = [Event(seq, at, actor, kind, json.loads(content)) for seq, at, actor, kind, content in rows]
    if not any(names_people(event.kind) for event in found):
        return found
    names = ShownNames(campaign)
    return [
        event._replace(content=translated(event.kind, event.content, names))
        if names_people(event.kind)
        else event
        for event in found
    ]


def logged_at(campaign: Campaign, places: Sequence[int]) -> list[Event]:
    """The events at these places as they are stored: people are ids."""
    rows = campaign.db.conn.execute(
        "SELECT seq, at, actor, kind, content FROM event WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
        [json.dumps(places)],
    )
    return [Event(seq, at, actor, kind, json.loads(content)) for seq, at, actor, kind, content in rows]


def rows_of_events(campaign: Campaign, seqs: Iterable[int]) -> dict[int, tuple[str, str, bytes]]:
    """Of the events with these `seq`: when, by whom, and the hash of the row."""
    rows = campaign.db.conn.execute(
        f"SELECT seq, at, {_ACTOR}, hash FROM event WHERE seq IN (SELECT value FROM json_each(?))",
        [json.dumps(list(seqs))],
    )
    return {seq: (at, actor, hash_) for seq, at, actor, hash_ in rows}


def judged_topics(campaign: Campaign) -> list[str]:
    """The topics that judgments name, in byte order."""
    # The smallest topic after the last one found: a step in the index for each topic, not for each judgment. In a
    # damaged index it may be one that was found before: then UNION ends.
    rows = campaign.db.conn.execute(
        """WITH RECURSIVE named (topic) AS (
            SELECT min(topic) FROM judgment
            UNION SELECT (SELECT min(topic) FROM judgment WHERE topic > named.topic) FROM named
            WHERE named.topic IS NOT NULL
        ) SELECT topic FROM named WHERE topic IS NOT NULL"""
    )
    return [topic_id for (topic_id,) in rows]


def hashed_judgments(campaign: Campaign) -> Iterator[tuple[Judgment, bytes]]:
    """The judgment log in its order, each row with its stored hash."""
    rows = campaign.db.conn.execute(
        f"SELECT {JUDGMENT_SELECT}, hash FROM judgment WHERE seq <= ? ORDER BY seq", [campaign.up_to]
    )
    return ((judgment_of(row[:-1]), row[-1]) for row in rows)


def broken_rows(campaign: Campaign) -> Iterator[BrokenRow]:
    """The rows that are not what was written, or do not follow the row before them, in the order of the sequence.

    Judgments without an event between them are compared many at a time, which takes less time; where these do not hold,
    and for events, row by row. Go through them inside `campaign.snapshot()`.
    """
    last = Head(0, GENESIS)
    while True:
        together = _judgments_after(campaign, last.seq)
        if end := together.end_of_chain(last):
            last = end
            continue
        rows = _chained_after(campaign, last.seq, together.number or AT_A_TIME)
        if not rows:
            return
        for row in rows:
            yield from _broken(campaign, row, last)
            last = Head(row.seq, row.hash)


class _Together(NamedTuple):
    """Judgments that follow each other: what the chain covers of each, one a line, and their hashes."""

    covered: bytes | None
    hashes: bytes | None
    number: int
    end: int | None

    def end_of_chain(self, last: Head) -> Head | None:
        """The last of them if each follows the row before it and its hash covers both; else None, and for no rows."""
        if (
            self.covered is None
            or self.hashes is None
            or self.end is None
            or self.end - last.seq != self.number
        ):
            return None
        rows, newest = self.covered.split(b"\n"), last.hash
        hashes = [newest := sha256(newest + row).digest() for row in rows]
        holds = len(rows) == self.number and b"".join(hashes) == self.hashes
        return Head(self.end, newest) if holds else None


class _Chained(NamedTuple):
    """A row as the chain covers it, None where SQLite cannot write that exactly."""

    seq: int
    table: str
    covered: bytes | None
    hash: bytes


def _judgments_after(campaign: Campaign, seq: int) -> _Together:
    """The judgments after a row up to the next event, AT_A_TIME at most."""
    return _Together(*campaign.db.conn.execute(_TOGETHER, {"after": seq, "most": AT_A_TIME}).fetchone())


def _chained_after(campaign: Campaign, seq: int, most: int) -> list[_Chained]:
    rows = campaign.db.conn.execute(_CHAINED, {"after": seq, "most": most}).fetchall()
    return [_Chained(*row) for row in rows]


def _broken(campaign: Campaign, row: _Chained, last: Head) -> Iterator[BrokenRow]:
    """The row itself where it does not follow the row before it, or its hash does not cover both.

    Where SQLite cannot write the row exactly, or the hash is another, it is written as it was when it was stored.
    """
    holds = row.covered is not None and row.hash == sha256(last.hash + row.covered).digest()
    changed = not holds and row.hash != next_hash(last.hash, row.table, _row(campaign, row.table, row.seq))
    if changed or row.seq != last.seq + 1:
        yield BrokenRow(row.table, row.seq, None if row.seq == last.seq + 1 else last.seq, changed)


def _row(campaign: Campaign, table: str, seq: int) -> tuple[Any, ...]:
    columns = _EVENT if table == "event" else ", ".join(STORED)
    statement = f"SELECT {columns} FROM {table} WHERE seq = ?"
    return tuple(campaign.db.conn.execute(statement, [seq]).fetchone())


_EVENT = ", ".join(EVENT_COLUMNS)
_ACTOR = shown("actor")
_ASSESSOR, _COMMENT, _RATIONALES = (STORED.index(name) for name in ("assessor", "comment", "rationales"))
_INSERT_JUDGMENT = (
    f"INSERT INTO judgment ({', '.join(STORED)}, hash) VALUES ({', '.join('?' * (len(STORED) + 1))})"
)


def _covered(table: str, columns: Sequence[str], optional: int, exact: str = "TRUE") -> str:
    """An SQL expression of the bytes of a row that the chain covers, without the NULLs among the last `optional`
    columns; NULL where `exact` does not hold.
    """
    always = len(columns) - optional
    cases = [
        f"WHEN {columns[length - 1]} IS NOT NULL THEN {_array(table, columns[:length])}"
        for length in range(len(columns), always, -1)
    ]
    return f"CASE WHEN NOT ({exact}) THEN NULL {' '.join(cases)} ELSE {_array(table, columns[:always])} END"


def _array(table: str, columns: Sequence[str]) -> str:
    return f"CAST(json_array('{table}', {', '.join(columns)}) AS BLOB)"


# SQLite writes 15 digits of a number of seconds: enough for whole milliseconds, and two others could look the same.
_NUMBERS = tuple(field.column for field in declared(Judgment) if float in get_args(field.type))
_IN_MILLISECONDS = " AND ".join(
    f"ifnull(abs({each}) < 1e9 AND CAST({each} * 1000 + 0.5 AS INTEGER) / 1000.0 = {each}, TRUE)"
    for each in _NUMBERS
)
_ALWAYS = max(
    place for place, default in enumerate(Judgment._field_defaults.values(), 1) if default not in (None, ())
)
_COVERED_JUDGMENT = _covered("judgment", STORED, len(STORED) - _ALWAYS, _IN_MILLISECONDS)
_CHAINED = f"""SELECT seq, 'event', {_covered("event", EVENT_COLUMNS, 0)}, hash FROM event WHERE seq > :after
    UNION ALL SELECT seq, 'judgment', {_COVERED_JUDGMENT}, hash FROM judgment WHERE seq > :after
    ORDER BY 1 LIMIT :most"""
# JSON has no line ends of its own. Where a row is left out, or comes in another order, the hashes do not fit.
_TOGETHER = f"""SELECT CAST(group_concat(covered, char(10)) AS BLOB), CAST(group_concat(hash, '') AS BLOB),
        count(*), max(seq)
    FROM (
        SELECT seq, {_COVERED_JUDGMENT} AS covered, hash FROM judgment NOT INDEXED
        WHERE seq > :after AND seq < ifnull((SELECT min(seq) FROM event WHERE seq > :after), {LARGEST_INTEGER})
        ORDER BY seq LIMIT :most
    )"""
_AS_READ = {"assessor": shown("judgment.assessor"), "comment": COMMENT, "rationales": RATIONALES}
JUDGMENT_SELECT = ", ".join(_AS_READ.get(name, f"judgment.{name}") for name in STORED)


def judgment_of(row: Sequence[Any]) -> Judgment:
    """The judgment in a row whose columns are those of JUDGMENT_SELECT."""
    *values, rationales = row
    pieces = json.loads(rationales) if rationales else ()
    return Judgment._make([*values, tuple(Rationale(*piece) for piece in pieces)])


def row_of(judgment: Judgment) -> tuple[Any, ...]:
    """A judgment as its row is stored and hashed: rationales are a JSON array of arrays, NULL when there are none."""
    pieces = as_json(judgment.rationales) if judgment.rationales else None
    return (*judgment[:-1], pieces)


def _placed(judgment: Judgment, seq: int) -> Judgment:
    """A judgment at its place in the log, as the file will give it back and the hash covers it: 5 seconds as 5.0."""
    fields: dict[str, Any] = {"seq": seq}
    for name in _NUMBERS:
        if (value := getattr(judgment, name)) is not None:
            fields[name] = float(value) + 0.0
    return judgment._replace(**fields)
