"""The hash chain over the log: each row's hash covers the row and the hash of the row before it.

`hash(n) = SHA-256(hash(n - 1) + row(n))`, where `row(n)` is the UTF-8 text of a JSON array without blanks:
the table's name and the row's columns in the order of `EVENT_COLUMNS` or `JUDGMENT_COLUMNS`, without the NULLs at
its end: columns that came later are covered where they hold something. Before the first row the hash is 32 zero
bytes. Anyone can recompute it; a row changed, taken out or slipped in breaks it.
"""

from __future__ import annotations

from workbench.core.hash_chain import GENESIS, next_hash
from workbench.core.records import Judgment

EVENT_COLUMNS = ("seq", "at", "actor", "kind", "content")
JUDGMENT_COLUMNS = Judgment._fields

__all__ = ["EVENT_COLUMNS", "GENESIS", "JUDGMENT_COLUMNS", "next_hash"]
