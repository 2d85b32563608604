"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

EXAMPLES = {
    "Bpref": ("Bpref", (1 + (1 - 1 / 4) + (1 - 2 / 4)) / 4),
    "Judged": ("Judged@5", 4 / 5),
}
