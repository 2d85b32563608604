"""Checksums of rows that the log does not tell: the pairs of a pool, which its recipe gives, and the warnings of a run.

A checksum is the SHA-256 of the UTF-8 text of one JSON array without blanks, which has an array for each row: for pairs
`[topic, document, best_rank, runs, stratum, inclusion_probability]` in byte order of topic and document, for warnings
`[place, line, message]` in their order.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import _Hash as HASH

    from workbench.core.records import Pooled

AT_A_TIME = 1_000
"""Rows: an encoder of JSON takes longer to begin than for one of them."""

_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class RowsDigest:
    """The checksum of rows that come one after the other."""

    def __init__(self) -> None:
        self._digest = sha256(b"[")
        self._waiting: list[tuple[Any, ...]] = []
        self._comma = b""

    def add(self, row: Iterable[Any]) -> None:
        """Take in the next row."""
        self._waiting.append(tuple(row))
        if len(self._waiting) == AT_A_TIME:
            self._take_in()

    def hexdigest(self) -> str:
        """The checksum, once all rows have come."""
        self._take_in()
        self._digest.update(b"]")
        return self._digest.hexdigest()

    def _take_in(self) -> None:
        if self._waiting:
            self._digest.update(self._comma + _as_json(self._waiting)[1:-1].encode())
            self._waiting, self._comma = [], b","


def rows_checksum(rows: Iterable[Iterable[Any]]) -> str:
    """The checksum of rows in the order given."""
    digest = RowsDigest()
    for row in rows:
        digest.add(row)
    return digest.hexdigest()


NO_ROWS = rows_checksum(())


def pairs_checksum(pairs: Iterable[Pooled]) -> str:
    """The checksum of a pool's pairs, in any order."""
    return rows_checksum((*pair[:-1], float(pair[-1])) for pair in sorted(pairs))


def pair_checksums(connection: sqlite3.Connection, table: str = "pooled") -> dict[int, str]:
    """The checksums of the pairs that a table has, by pool; pools without pairs there are left out."""
    rows = connection.execute(
        f"SELECT pool, topic, document, best_rank, runs, stratum, inclusion_probability FROM {table} "
        "ORDER BY topic, document"
    )
    return _by_first(rows)


def pair_checksums_in_bulk(connection: sqlite3.Connection, table: str = "pooled") -> dict[int, str]:
    """What `pair_checksums` gives, in a third of the time, where SQLite writes texts in JSON as Python does.

    Where it does not the checksum is another: one that differs from the stored one proves nothing yet.
    """
    rows = connection.execute(
        f"SELECT pool, json_array(topic, document, best_rank, runs, stratum), inclusion_probability FROM {table} "
        "ORDER BY topic, document"
    )
    digests: dict[int, HASH] = {}
    endings = _Endings()
    while batch := rows.fetchmany(AT_A_TIME):
        for pool, own in groupby(batch, key=itemgetter(0)):
            text = "".join([f"{row[:-1]}{endings[probability]}" for _, row, probability in own])
            so_far = digests.get(pool)
            if so_far is None:
                digests[pool] = sha256(f"[{text[:-1]}".encode())
            else:
                so_far.update(f",{text[:-1]}".encode())
    for digest in digests.values():
        digest.update(b"]")
    return {pool: digest.hexdigest() for pool, digest in digests.items()}


class _Endings(dict[float, str]):
    """How the text of a pair ends, by its inclusion probability: of these there are few."""

    def __missing__(self, probability: float) -> str:
        ending = f",{_as_json(probability)}],"
        if probability:  # 0.0 and -0.0 are one key
            self[probability] = ending
        return ending


def _by_first(rows: Iterable[tuple[Any, ...]]) -> dict[int, str]:
    digests: dict[int, RowsDigest] = {}
    for number, *row in rows:
        digests.setdefault(number, RowsDigest()).add(row)
    return {number: digest.hexdigest() for number, digest in digests.items()}
