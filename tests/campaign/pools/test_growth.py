"""How much larger pools become before a person is asked."""

from __future__ import annotations

import pytest

from workbench.campaign.pools.refusals import Growth


@pytest.mark.parametrize(
    ("before", "new", "is_asked"),
    [(1_000, 2_000, True), (1_000, 1_999, False), (100, 500, True), (100, 499, False), (0, 10_000, False)],
)
def test_it_is_asked_where_pools_become_three_times_as_large_by_500_pairs_or_more(
    before: int, new: int, is_asked: bool
) -> None:
    assert Growth(before, new).is_much_larger == is_asked
