"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

EXAMPLES = {
    "RBP": ("RBP(p=0.5)", 0.5 * (1 + 0.5**3 + 0.5**7)),
    # The highest grade of the topic is 2.
    "TrecRBP": ("TrecRBP(p=0.5)", 0.5 * (2 / 2 + 0.5**3 / 2 + 0.5**7 / 2)),
    # Ranks 3, 6 and 7 have no grade from 0 on.
    "TrecRBPResidual": ("TrecRBPResidual(p=0.5)", 0.5**8 + 0.5 * (0.5**2 + 0.5**5 + 0.5**6)),
}
