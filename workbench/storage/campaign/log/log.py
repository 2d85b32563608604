"""The log: events and judgments in one sequence, only ever appended, each row hashed onto the last.

Each hash covers its row and the hash before it: `hash(n) = SHA-256(hash(n - 1) + row(n))`, where `row(n)` is the UTF-8
text of a JSON array without blanks: the table's name and the row's columns in their documented order, without the NULLs
at its end. Before the first row the hash is 32 zero bytes. The columns are `EVENT_COLUMNS`, or those of a judgment
(`STORED`): columns that came later are covered where they hold something. Anyone can recompute it; a row changed, taken
out or slipped in breaks it. It has ids in the place of people's names, and hashes in the place of their words (see
erasable).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple, get_args

from workbench.core.records import LONGEST_RATIONALE, MOST_RATIONALES, Judgment, Rationale
from workbench.core.values import LARGEST_INTEGER, LONGEST_NAME, declared
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import NEWEST_SEQ, shown
from workbench.storage.campaign.log import erasable
from workbench.storage.campaign.log.kinds import CHOICE, TextTooLong, kind_named, names_people, translated

GENESIS = bytes(32)


def next_hash(previous: bytes, table: str, row: Sequence[object]) -> bytes:
    """The hash of `row` of `table` (columns in documented order, without the hash) after `previous`."""
    covered = [table, *row]
    while covered[-1] is None:
        covered.pop()
    return sha256(previous + _as_json(covered).encode()).digest()


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


EVENT_COLUMNS = ("seq", "at", "actor", "kind", "content", "through")
STORED = tuple(field.column for field in declared(Judgment))


class Event(NamedTuple):
    """A row of the log that is not a judgment; `content` is what the kind of event needs to be replayed.

    `through` is by what it was written, None for a program that imports the package.
    """

    seq: int
    at: str
    actor: str
    kind: str
    content: dict[str, Any]
    through: str | None = None


class Head(NamedTuple):
    """The newest row of the log: its place in the sequence, and the hash that covers everything up to it."""

    seq: int
    hash: bytes


def up_to(as_of: int | None) -> int:
    """The last `seq` that counts as of a place in the log; the largest there can be when no place is named."""
    return LARGEST_INTEGER if as_of is None else as_of


def timestamp(now: datetime | None = None) -> str:
    """UTC in ISO 8601 with milliseconds, as every time in a campaign is written."""
    return (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="milliseconds")


def newest_seq(campaign: Campaign) -> int:
    """The newest place in the sequence; 0 when the log is empty."""
    return campaign.number(f"SELECT {NEWEST_SEQ}")


def head(campaign: Campaign) -> Head:
    """The newest row's `seq` and hash, read once in a transaction; (0, 32 zero bytes) when there is none."""
    return campaign.once("head", lambda: _head(campaign), only_in_transactions=True, of_log=True)


def know_head(campaign: Campaign, newest: Head) -> None:
    """Keep the newest row of a transaction, which was read with something else."""
    campaign.now.once("head", lambda: newest, only_in_transactions=True, of_log=True)


def _appended(campaign: Campaign, newest: Head) -> None:
    """Have what was read of the log read again, but for its new head."""
    campaign.connected.appended += 1
    know_head(campaign, newest)


def _head(campaign: Campaign) -> Head:
    rows = campaign.execute(
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
    row = campaign.execute(
        f"SELECT seq, hash FROM event WHERE kind IN ({', '.join('?' * len(kinds))}) ORDER BY seq DESC LIMIT 1",
        tuple(kinds),
    ).fetchone()
    return Head(*row) if row else Head(0, GENESIS)


class LogChanges(NamedTuple):
    """The log's newest row, and since then: kinds of events, pairs judged, pairs chosen by adaptive pools."""

    head: Head
    events: frozenset[str]
    judged: tuple[tuple[str, str], ...]
    chosen: tuple[tuple[str, str], ...] = ()


def changes_since(campaign: Campaign, read: Head) -> LogChanges | None:
    """What came after the row `read`; None when that row is not in this log, which is then another one."""
    if head(campaign.at(read.seq)) != read:
        return None
    logged = campaign.execute(
        "SELECT kind, iif(kind = ?, content, NULL) FROM event WHERE seq > ? ORDER BY seq", [CHOICE, read.seq]
    ).fetchall()
    choices = [json.loads(content) for _, content in logged if content is not None]
    # Without DISTINCT, for which SQLite would walk through a whole index instead of the few newest rows.
    judged = campaign.execute("SELECT topic, document FROM judgment WHERE seq > ?", [read.seq])
    return LogChanges(
        head(campaign),
        frozenset(kind for kind, _ in logged),
        tuple(dict.fromkeys(judged)),
        tuple((choice["topic"], document_id) for choice in choices for document_id, *_ in choice["pairs"]),
    )


def has_hash(campaign: Campaign, beginning: str) -> bool:
    """Whether the hash of some row begins with these hexadecimal digits."""
    return bool(
        campaign.value(
            """SELECT EXISTS (SELECT 1 FROM event WHERE substr(lower(hex(hash)), 1, :digits) = :beginning)
        OR EXISTS (SELECT 1 FROM judgment WHERE substr(lower(hex(hash)), 1, :digits) = :beginning)""",
            {"beginning": beginning.lower(), "digits": len(beginning)},
        )
    )


def append_event(campaign: Campaign, kind: str, content: Mapping[str, Any]) -> int:
    """Append an event inside the open write transaction, and return its `seq`; errors as of `Kind.check`."""
    if not campaign.actor:
        raise TypeError(f"{campaign.path}: no actor is set for this change; campaign.by(name) sets one")
    kind_named(kind).check(content)
    _bound("a name", len(campaign.actor), LONGEST_NAME)
    ids = erasable.Ids(campaign)
    before, who = head(campaign), ids[campaign.actor]
    said = erasable.as_json(translated(kind, content, ids))
    row = (before.seq + 1, timestamp(campaign.moment), who, kind, said, campaign.through or None)
    newest = Head(before.seq + 1, next_hash(before.hash, "event", row))
    campaign.execute(f"INSERT INTO event ({_EVENT}, hash) VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, newest.hash))
    _appended(campaign, newest)
    return newest.seq


def append_judgments(campaign: Campaign, judgments: Iterable[Judgment]) -> list[Judgment]:
    """Append judgments, numbered here, inside the open write transaction; CampaignError for too long a text."""
    seq, last = head(campaign)
    ids = erasable.Ids(campaign)
    stored: list[Judgment] = []
    words: list[erasable.Remark] = []

    def rows() -> Iterator[tuple[object, ...]]:
        nonlocal seq, last
        for judgment in judgments:
            seq += 1
            _check_judgment(judgment)
            placed = _placed(judgment, seq, campaign.through or None)
            row = row_of(placed)
            row = (*row[:_ASSESSOR], ids[placed.assessor], *row[_ASSESSOR + 1 :])
            if placed.comment or placed.rationales:
                remark = erasable.remark_of(seq, placed.comment, row[_RATIONALES])
                words.append(remark)
                row = remark.sealed(row, _COMMENT, _RATIONALES)
            last = next_hash(last, "judgment", row)
            stored.append(placed)
            yield (*row, last)

    campaign.db.conn.executemany(_INSERT_JUDGMENT, rows())
    _appended(campaign, Head(seq, last))
    campaign.db.conn.executemany(
        "INSERT INTO rationale VALUES (?, ?, ?, ?, ?, ?)",
        (
            (judgment.seq, place, *rationale)
            for judgment in stored
            for place, rationale in enumerate(judgment.rationales, start=1)
        ),
    )
    if words:
        erasable.put_remarks(campaign, words)
    return stored


def events(campaign: Campaign, *kinds: str, at: int | None = None, after: int = 0) -> list[Event]:
    """The events of these kinds, of all where none is named, after the row `after`; or only the one at a place."""
    first, last = (after + 1, campaign.up_to) if at is None else (at, at)
    chosen = f"AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    rows = campaign.execute(
        f"""SELECT seq, at, {_ACTOR}, kind, content, through FROM event
        WHERE seq BETWEEN ? AND ? {chosen} ORDER BY seq""",
        (first, last, *kinds),
    ).fetchall()
    found = [_event(row) for row in rows]
    if not any(names_people(event.kind) for event in found):
        return found
    names = erasable.ShownNames(campaign)
    return [
        event._replace(content=translated(event.kind, event.content, names))
        if names_people(event.kind)
        else event
        for event in found
    ]


def logged_at(campaign: Campaign, places: Sequence[int]) -> list[Event]:
    """The events at these places as they are stored: people are ids."""
    rows = campaign.execute(
        f"SELECT {_EVENT} FROM event WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
        [json.dumps(places)],
    )
    return [_event(row) for row in rows]


def _event(row: Sequence[Any]) -> Event:
    event = Event._make(row)
    return event._replace(content=json.loads(row[4]))


def rows_of_events(campaign: Campaign, seqs: Iterable[int]) -> dict[int, tuple[str, str, bytes]]:
    """Of the events with these `seq`: when, by whom, and the hash of the row."""
    rows = campaign.execute(
        f"SELECT seq, at, {_ACTOR}, hash FROM event WHERE seq IN (SELECT value FROM json_each(?))",
        [json.dumps(list(seqs))],
    )
    return {seq: (at, actor, hash_) for seq, at, actor, hash_ in rows}


def judged_topics(campaign: Campaign) -> list[str]:
    """The topics that judgments name, in byte order."""
    # The smallest topic after the last one found: a step in the index for each topic, not for each judgment. In a
    # damaged index it may be one that was found before: then UNION ends.
    return campaign.column(
        """WITH RECURSIVE named (topic) AS (
            SELECT min(topic) FROM judgment
            UNION SELECT (SELECT min(topic) FROM judgment WHERE topic > named.topic) FROM named
            WHERE named.topic IS NOT NULL
        ) SELECT topic FROM named WHERE topic IS NOT NULL"""
    )


def hashed_judgments(campaign: Campaign) -> Iterator[tuple[Judgment, bytes]]:
    """The judgment log in its order, each row with its stored hash."""
    rows = campaign.execute(
        f"SELECT {JUDGMENT_SELECT}, hash FROM judgment WHERE seq <= ? ORDER BY seq", [campaign.up_to]
    )
    return ((judgment_of(row[:-1]), row[-1]) for row in rows)


_EVENT = ", ".join(EVENT_COLUMNS)
_ACTOR = shown("actor")
_ASSESSOR, _COMMENT, _RATIONALES = (STORED.index(name) for name in ("assessor", "comment", "rationales"))
_INSERT_JUDGMENT = (
    f"INSERT INTO judgment ({', '.join(STORED)}, hash) VALUES ({', '.join('?' * (len(STORED) + 1))})"
)


NUMBERS = tuple(field.column for field in declared(Judgment) if float in get_args(field.type))
_TEXTS = tuple(
    (place, field.name, field.longest) for place, field in enumerate(declared(Judgment)) if field.longest
)
_AS_READ = {
    "assessor": shown("judgment.assessor"),
    "comment": erasable.COMMENT,
    "rationales": erasable.RATIONALES,
}
JUDGMENT_SELECT = ", ".join(_AS_READ.get(name, f"judgment.{name}") for name in STORED)


def judgment_of(row: Sequence[Any]) -> Judgment:
    """The judgment in a row whose columns are those of JUDGMENT_SELECT."""
    *values, rationales, chosen = row
    pieces = json.loads(rationales) if rationales else ()
    return Judgment._make([*values, tuple(Rationale(*piece) for piece in pieces), chosen])


def select_judgments(
    campaign: Campaign, rest: str, values: Sequence[Any] | Mapping[str, Any]
) -> Iterator[Judgment]:
    """The judgments of a statement, one after the other; `rest` is what follows its `SELECT ... FROM judgment`."""
    return map(judgment_of, campaign.execute(f"SELECT {JUDGMENT_SELECT} FROM judgment {rest}", values))


def row_of(judgment: Judgment) -> tuple[Any, ...]:
    """A judgment as its row is stored and hashed: rationales are a JSON array of arrays, NULL when there are none."""
    pieces = erasable.as_json(judgment.rationales) if judgment.rationales else None
    return (*judgment[:-2], pieces, judgment.chosen)


def _placed(judgment: Judgment, seq: int, through: str | None) -> Judgment:
    """A judgment at its place in the log, as the file will give it back and the hash covers it: 5 seconds as 5.0."""
    fields: dict[str, Any] = {"seq": seq, "through": through}
    for name in NUMBERS:
        if (value := getattr(judgment, name)) is not None:
            fields[name] = float(value) + 0.0
    return judgment._replace(**fields)


def _check_judgment(judgment: Judgment) -> None:
    """CampaignError for a judgment with a text that is too long."""
    for place, name, longest in _TEXTS:
        text: Any = judgment[place]
        if text is not None and len(text) > longest:
            _bound(f"the {name} of a judgment", len(text), longest)
    if judgment.rationales:
        _bound("rationales", len(judgment.rationales), MOST_RATIONALES, unit="pieces")
        _bound("a rationale", max(len(piece.text) for piece in judgment.rationales), LONGEST_RATIONALE)


def _bound(what: str, length: int, longest: int, *, unit: str = "characters") -> None:
    if length > longest:
        raise TextTooLong.of(what, length, longest, unit)
