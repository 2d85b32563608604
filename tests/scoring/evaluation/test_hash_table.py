from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.scoring.evaluation.joining import HashTable

# Few different values, near to each other and at both ends, so that many share their first bits.
HASHES = st.lists(st.sampled_from([0, 1, 2, 3, 2**62, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1]), max_size=20)


def as_hashes(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, np.uint64)


@given(known=HASHES, sought=HASHES)
def test_every_hash_that_is_in_the_list_is_found_where_it_stands_and_no_other(
    known: list[int], sought: list[int]
) -> None:
    found, row = HashTable(as_hashes(known)).find(as_hashes(sought))
    assert found.tolist() == [place for place, number in enumerate(sought) if number in known]
    assert [known[at] for at in row.tolist()] == [sought[place] for place in found.tolist()]


def test_many_hashes_are_found() -> None:
    random = np.random.default_rng(1)
    known = random.integers(0, 2**64, 5000, np.uint64)
    sought = np.concatenate([random.integers(0, 2**64, 1000, np.uint64), known[::-1]])
    found, row = HashTable(known).find(sought)
    assert found.tolist() == list(range(1000, 6000))
    assert row.tolist() == list(range(4999, -1, -1))


def test_the_first_bits_of_nearly_every_hash_lead_to_its_place() -> None:
    known = np.random.default_rng(7).integers(0, 2**64, 1000, np.uint64, endpoint=False)
    table = HashTable(known)
    led_to = table._begin[table._slots(np.sort(known))]
    assert (led_to == np.arange(1000)).mean() > 0.8, "with four slots for each, few share one"
