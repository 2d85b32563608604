"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

from math import log2

# The chance to stop at rank 1, 4 or 8: a document of grade 2 satisfies 3 of 16 users, one of grade 1 1 of 16.
STOPS = (3 / 16, 13 / 16 * 1 / 16, 13 / 16 * 15 / 16 * 1 / 16)
IDEAL = 3 / 16 + 13 / 16 * 1 / 16 / 2 + 13 / 16 * 15 / 16 * 1 / 16 / 3

EXAMPLES = {
    "ERR": ("ERR", STOPS[0] / 1 + STOPS[1] / 4 + STOPS[2] / 8),
    "nERR": ("nERR@3", STOPS[0] / 1 / IDEAL),
    "Cascade": ("Cascade(discount=log2)@4", STOPS[0] / log2(2) + STOPS[1] / log2(5)),
}
