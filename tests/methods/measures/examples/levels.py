"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4.

Precision at the relevant documents is 1, 2/4 and 3/8: it falls, so interpolated precision is the same.
"""

EXAMPLES = {
    "IPrec": ("IPrec@0.4", 2 / 4),
    # lround(4 x) for the recalls 0, .1, ... 1 is 0 0 1 1 2 2 2 3 3 4 4.
    "IPrec11": ("IPrec11", (4 * 1 + 3 * 2 / 4 + 2 * 3 / 8 + 2 * 0) / 11),
    "IAP": ("IAP", (1 + 2 / 4 + 3 / 8) / 4),
    # Of 96 others, 96 stand below the first, 94 below the second, 91 below the third; the missing one is tied
    # with the 91 that are not retrieved.
    "AUC": ("AUC(collection=100)", (96 + 94 + 91 + 91 / 2) / (4 * 96)),
}
