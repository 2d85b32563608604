"""The chain of hashes over rows that are only ever added: each hash covers its row and the hash before it.

`hash(n) = SHA-256(hash(n - 1) + row(n))`, where `row(n)` is the UTF-8 text of a JSON array without blanks: the table's
name and the row's columns in their documented order, without the NULLs at its end. Before the first row the hash is
32 zero bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

GENESIS = bytes(32)


def next_hash(previous: bytes, table: str, row: Sequence[object]) -> bytes:
    """The hash of `row` of `table` (columns in documented order, without the hash) after `previous`."""
    covered = [table, *row]
    while covered[-1] is None:
        covered.pop()
    return sha256(previous + _as_json(covered).encode()).digest()


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
