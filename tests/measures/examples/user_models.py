"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

EXAMPLES = {
    "RBP": ("RBP(p=0.5)", 0.5 * (1 + 0.5**3 + 0.5**7)),
}
