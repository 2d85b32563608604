"""The hash chain over the log: each row's hash covers the row and the hash of the row before it.

`hash(n) = SHA-256(hash(n - 1) + row(n))`, where `row(n)` is the UTF-8 text of a JSON array without blanks:
the table's name and the row's columns in the order of `EVENT_COLUMNS` or `JUDGMENT_COLUMNS`, without the NULLs at
its end: columns that came later are covered where they hold something. Before the first row the hash is 32 zero
bytes. Anyone can recompute it; a row changed, taken out or slipped in breaks it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from workbench.records import Judgment

GENESIS = bytes(32)

EVENT_COLUMNS = ("seq", "at", "actor", "kind", "content")
JUDGMENT_COLUMNS = Judgment._fields


def next_hash(previous: bytes, table: str, row: Sequence[object]) -> bytes:
    """The hash of `row` of `table` (columns in documented order, without the hash) after `previous`."""
    covered = [table, *row]
    while covered[-1] is None:
        covered.pop()
    return sha256(previous + _as_json(covered).encode()).digest()


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
