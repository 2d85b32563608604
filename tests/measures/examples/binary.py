"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

EXAMPLES = {
    "P": ("P@5", 2 / 5),
    "R": ("R@5", 2 / 4),
    "AP": ("AP", (1 / 1 + 2 / 4 + 3 / 8) / 4),
    "RR": ("RR(rel=1)@3", 1.0),
    "Rprec": ("Rprec", 2 / 4),
}
