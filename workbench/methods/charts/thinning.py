"""Fewer points for a line that has more of them than a screen has columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_POINTS = 2000
"""A line has hardly more points than this: about 500 columns with four of each."""


def thinned(x: NDArray[np.float64], y: NDArray[np.float64], most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Which points of a line to draw: all if there are at most `most`, else about that many, ascending.

    x never falls. The line is cut into columns of equal width; of each the first, the lowest, the highest and the last
    point stay. So the picture reaches as high and as low in every column as with all points, and no peak is lost.

    Source: Jugel, Jerzak, Hackenbroich and Markl, PVLDB 7(10), 2014 (M4).
    """
    if len(x) <= most:
        return np.arange(len(x))
    columns = max(1, most // 4)
    width = (x[-1] - x[0]) / columns or 1.0
    column = np.minimum((x - x[0]) // width, columns - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    ends = np.append(starts[1:], len(x))
    kept = [
        place
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        for place in (start, start + int(y[start:end].argmin()), start + int(y[start:end].argmax()), end - 1)
    ]
    return np.unique(np.array(kept, np.int64))
