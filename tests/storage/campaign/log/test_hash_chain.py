"""The chain of hashes, as others calculate it again from its description."""

from __future__ import annotations

from hashlib import sha256

import pytest

from workbench.storage.campaign.log.log import GENESIS, next_hash


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((1, "é", 2.5), '["log",1,"é",2.5]'),
        ((1, None, "x", None, None), '["log",1,null,"x"]'),
        ((None, None), '["log"]'),
        ((), '["log"]'),
    ],
)
def test_a_hash_covers_the_one_before_and_the_row_without_the_nulls_at_its_end(
    row: tuple[object, ...], text: str
) -> None:
    assert GENESIS == b"\0" * 32
    first = next_hash(GENESIS, "log", row)
    assert first == sha256(GENESIS + text.encode()).digest()
    assert next_hash(first, "log", row) == sha256(first + text.encode()).digest()
