"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

E = 0.00001
ON_RANK_4 = 1 / 4 + 3 / 4 * (2 / 3) * (1 + E) / (2 + 2 * E)
ON_RANK_8 = 1 / 8 + 7 / 8 * (6 / 7) * (2 + E) / (4 + 2 * E)

EXAMPLES = {
    "Bpref": ("Bpref", (1 + (1 - 1 / 4) + (1 - 2 / 4)) / 4),
    "infAP": ("infAP", (1 + ON_RANK_4 + ON_RANK_8) / 4),
    "Judged": ("Judged@5", 4 / 5),
    "Unjudged": ("Unjudged@5", 1 / 5),
}
