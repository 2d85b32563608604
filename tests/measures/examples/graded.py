"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

from math import log2

IDEAL = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)

EXAMPLES = {
    "nDCG": ("nDCG@3", 2 / log2(2) / IDEAL),
}
