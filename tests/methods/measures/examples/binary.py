"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

from math import log, log2

EXAMPLES = {
    "P": ("P@5", 2 / 5), "R": ("R@5", 2 / 4), "RelP": ("RelP@5", 2 / 4), "Success": ("Success(rel=1)@3", 1.0),
    "AP": ("AP", (1 / 1 + 2 / 4 + 3 / 8) / 4), "RR": ("RR(rel=1)@3", 1.0), "Rprec": ("Rprec", 2 / 4),
    "RprecMult": ("RprecMult(multiple=0.6)", 1 / 3), "BEP": ("BEP", 2 / 4),
    "yaap": ("yaap", log((1 + 1.875) / (1 + 4 - 1.875))),
    "binG": ("binG", (1 / log2(2) + 1 / log2(4) + 1 / log2(7)) / 4),
    "PRES": ("PRES@10", 1 - ((1 + 4 + 8 + 14) / 4 - 5 / 2) / 10),
}  # fmt: skip
