"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

from math import log2

DCG = 2 / log2(2) + 1 / log2(5) + 1 / log2(9)
IDEAL = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
WHOLE_IDEAL = IDEAL + 1 / log2(5)

# nDCG on the ranks 1, 4 and 8 of the documents with gain, and at the end for the one that was not retrieved.
AT_RELEVANT = (2 / 2, (2 + 1 / log2(5)) / WHOLE_IDEAL, DCG / WHOLE_IDEAL, DCG / WHOLE_IDEAL)

# nDCG on rank 1, where the ideal gain falls from 2 to 1, on rank 4, where it falls to 0, and at the end.
AT_LEVELS = (2 / 2, (2 + 1 / log2(5)) / WHOLE_IDEAL, DCG / WHOLE_IDEAL)

# The costs rise by 2, 1, 1, 1 (the ideal gains), then by 1 for each rank; found before and with it 2, 3, 4.
G = (2 / log2(2 + 2 - 2) + 1 / log2(2 + 5 - 3) + 1 / log2(2 + 9 - 4)) / 5

# Cumulated gain 2, 3, 4 on ranks 1, 4, 8; the ideal has 2, 3, 4, 5 and then no more.
BLENDED = ((1 + 2) / (1 + 2), (2 + 3) / (4 + 5), (3 + 4) / (8 + 5))

# Half of the users ask for grade 1 (ranks 1, 4 and 8 of four such documents), half for grade 2 (rank 1 of one).
GAP = ((1 / 1 + 2 / 4 + 3 / 8) / 2 + (1 / 1) / 2) / (4 / 2 + 1 / 2)

EXAMPLES = {
    "CG": ("CG@4", 2 + 1), "DCG": ("DCG", DCG), "IDCG": ("IDCG@3", IDEAL),
    "nDCG": ("nDCG@3", 2 / log2(2) / IDEAL), "nDCGrel": ("nDCGrel", sum(AT_RELEVANT) / 4),
    "Rndcg": ("Rndcg", sum(AT_LEVELS) / 3), "G": ("G", G), "Q": ("Q", sum(BLENDED) / 4),
    "O": ("O(beta=2)", (1 + 2 * 2) / (1 + 2 * 2)), "GAP": ("GAP", GAP),
}  # fmt: skip
