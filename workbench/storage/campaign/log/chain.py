"""The chain of hashes over the log, compared: every row is covered by its hash, and follows the row before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from workbench.core.records import Judgment
from workbench.core.values import LARGEST_INTEGER
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.log import EVENT_COLUMNS, GENESIS, NUMBERS, STORED, Head, next_hash

AT_A_TIME = 250
"""Rows of the log that are compared with their hashes together."""


class BrokenRow(NamedTuple):
    """A row of the log at which the chain breaks: its table and `seq`, the `seq` that it follows where that is not the
    one before it (else None), and whether its hash does not cover it and the row before it.
    """

    table: str
    seq: int
    follows: int | None
    changed: bool


def broken_rows(campaign: Campaign) -> Iterator[BrokenRow]:
    """The rows that are not what was written, or do not follow the row before them, in the order of the sequence.

    Judgments without an event between them are compared many at a time, which takes less time; where these do not hold,
    and for events, row by row. Go through them inside `campaign.snapshot()`.
    """
    last = Head(0, GENESIS)
    while True:
        after = {"after": last.seq, "most": AT_A_TIME}
        covered, hashes, number, end = campaign.execute(_TOGETHER, after).fetchone()
        if (
            end is not None
            and end - last.seq == number
            and (newest := _end_of(last, covered, hashes, number))
        ):
            last = Head(end, newest)
            continue
        after["most"] = number or AT_A_TIME
        rows = [_Chained(*row) for row in campaign.execute(_CHAINED, after).fetchall()]
        for row in rows:
            yield from _broken(campaign, row, last)
            last = Head(row.seq, row.hash)
        if len(rows) < after["most"]:
            return


def _end_of(last: Head, covered: bytes | None, hashes: bytes | None, number: int) -> bytes | None:
    """The last hash of judgments, each on a line, if the hashes cover each and the row before it; else None."""
    if covered is None or hashes is None:
        return None
    rows, newest = covered.split(b"\n"), last.hash
    found = [newest := sha256(newest + row).digest() for row in rows]
    return newest if len(rows) == number and b"".join(found) == hashes else None


class _Chained(NamedTuple):
    """A row as the chain covers it, None where SQLite cannot write that exactly."""

    seq: int
    table: str
    covered: bytes | None
    hash: bytes


def _broken(campaign: Campaign, row: _Chained, last: Head) -> Iterator[BrokenRow]:
    """The row itself where it does not follow the row before it, or its hash does not cover both.

    Where SQLite cannot write the row exactly, or the hash is another, it is written as it was when it was stored.
    """
    holds = row.covered is not None and row.hash == sha256(last.hash + row.covered).digest()
    changed = not holds and row.hash != next_hash(last.hash, row.table, _row(campaign, row.table, row.seq))
    if changed or row.seq != last.seq + 1:
        yield BrokenRow(row.table, row.seq, None if row.seq == last.seq + 1 else last.seq, changed)


def _row(campaign: Campaign, table: str, seq: int) -> tuple[Any, ...]:
    columns = ", ".join(EVENT_COLUMNS if table == "event" else STORED)
    statement = f"SELECT {columns} FROM {table} WHERE seq = ?"
    return tuple(campaign.execute(statement, [seq]).fetchone())


def _covered(table: str, columns: Sequence[str], optional: int, exact: str = "TRUE") -> str:
    """SQL for a row's hashed bytes, without NULLs among its last `optional` columns; NULL unless `exact`."""
    always = len(columns) - optional
    cases = [
        f"WHEN {columns[length - 1]} IS NOT NULL THEN {_array(table, columns[:length])}"
        for length in range(len(columns), always, -1)
    ]
    return f"CASE WHEN NOT ({exact}) THEN NULL {' '.join(cases)} ELSE {_array(table, columns[:always])} END"


def _array(table: str, columns: Sequence[str]) -> str:
    return f"CAST(json_array('{table}', {', '.join(columns)}) AS BLOB)"


# SQLite writes 15 digits of a number of seconds: enough for whole milliseconds, and two others could look the same.
_IN_MILLISECONDS = " AND ".join(
    f"ifnull(abs({each}) < 1e9 AND CAST({each} * 1000 + 0.5 AS INTEGER) / 1000.0 = {each}, TRUE)"
    for each in NUMBERS
)
_ALWAYS = max(
    place for place, default in enumerate(Judgment._field_defaults.values(), 1) if default not in (None, ())
)
_COVERED_JUDGMENT = _covered("judgment", STORED, len(STORED) - _ALWAYS, _IN_MILLISECONDS)
_CHAINED = f"""SELECT seq, 'event', {_covered("event", EVENT_COLUMNS, 1)}, hash FROM event WHERE seq > :after
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
