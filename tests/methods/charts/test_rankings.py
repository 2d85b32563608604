"""Lines with fewer points: as high and as low in every stretch as with all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.methods.charts.rankings import MOST_POINTS, thinned


def test_a_line_keeps_its_few_points_or_its_extremes() -> None:
    assert thinned(np.zeros(0), np.zeros(0)).tolist() == []
    assert thinned(np.arange(8.0), np.zeros(8), most=8).tolist() == list(range(8))
    assert thinned(np.zeros(7), np.array([3.0, 4, 9, 4, 1, 4, 3]), most=4).tolist() == [0, 2, 4, 6]
    y = np.zeros(10_000)
    y[7_321] = 1.0
    kept = thinned(np.arange(1.0, 10_001), y)
    assert 7_321 in kept
    assert len(kept) <= MOST_POINTS


@settings(max_examples=40)
@given(st.integers(1, 400), st.integers(4, 60), st.integers(0, 2**16))
def test_every_column_reaches_as_high_and_as_low_as_with_all_points(size: int, most: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    x, y = np.sort(draw.random(size)), draw.random(size)
    kept = thinned(x, y, most)
    assert (np.diff(kept) > 0).all()
    assert {0, size - 1} <= set(kept.tolist())
    assert len(kept) <= most
    if size > most:
        columns = most // 4
        column = np.minimum((x - x[0]) // ((x[-1] - x[0]) / columns), columns - 1)
        for one in np.unique(column):
            whole, drawn = y[column == one], y[kept][column[kept] == one]
            assert (whole.min(), whole.max()) == (drawn.min(), drawn.max())
            assert (whole[0], whole[-1]) == (drawn[0], drawn[-1])
