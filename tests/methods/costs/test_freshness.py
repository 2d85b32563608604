"""The freshness of a ranking by hand: ages of its first documents, with what has no date and what is not there."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.methods.costs.freshness import freshness

NAN, END = np.nan, np.inf


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        # Ages, and the shares with a date, of recent ones, 1 / rank of the first recent one, and the median age.
        ([40, 7, NAN, 8], (3 / 4, 1 / 3, 1 / 2, 8)),
        ([0, 1, END, END], (1, 1, 1, 0.5)),
        ([NAN, NAN, 8, END], (1 / 3, 0, 0, 8)),
        ([NAN, END, END, END], (0, NAN, NAN, NAN)),
        ([END, END, END, END], (NAN, NAN, NAN, NAN)),
    ],
)
def test_recent_is_what_is_at_most_so_old(ages: list[float], expected: tuple[float, ...]) -> None:
    found = freshness(np.array([ages, [0, 0, 0, 0]], float), 7)
    np.testing.assert_allclose([column[0] for column in found], expected)
    assert [column[1] for column in found] == [1, 1, 1, 0]
