from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.natural_order import natural


@pytest.mark.parametrize(
    "ids",
    [
        ["1", "2", "10", "100"],
        ["C2", "C10", "D1"],
        ["", "1", "1a", "1b", "2", "a", "a1", "b"],
        ["7", "07", "8"],
        ["2-9", "2-10", "10-1"],
        ["AR9", "AR10", "هـ1"],
        ["9" * 5000, "1" + "0" * 5000],
        ["x²", "x³"],
    ],
)
def test_digits_count_as_numbers(ids: list[str]) -> None:
    mixed = random.Random(1).sample(ids, len(ids))
    assert sorted(mixed, key=natural) == ids


@given(st.text(), st.text())
def test_different_ids_have_different_keys(one: str, other: str) -> None:
    assert (natural(one) == natural(other)) == (one == other)
