"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

from math import log, log2, pi

BINARY = {
    "P": ("P@5", 2 / 5), "R": ("R@5", 2 / 4), "RelP": ("RelP@5", 2 / 4), "Success": ("Success(rel=1)@3", 1.0),
    "AP": ("AP", (1 / 1 + 2 / 4 + 3 / 8) / 4), "RR": ("RR(rel=1)@3", 1.0), "Rprec": ("Rprec", 2 / 4),
    "RprecMult": ("RprecMult(multiple=0.6)", 1 / 3), "BEP": ("BEP", 2 / 4),
    "yaap": ("yaap", log((1 + 1.875) / (1 + 4 - 1.875))),
    "binG": ("binG", (1 / log2(2) + 1 / log2(4) + 1 / log2(7)) / 4),
    "PRES": ("PRES@10", 1 - ((1 + 4 + 8 + 14) / 4 - 5 / 2) / 10),
}  # fmt: skip

# The chance to stop at rank 1, 4 or 8: a document of grade 2 satisfies 3 of 16 users, one of grade 1 1 of 16.
STOPS = (3 / 16, 13 / 16 * 1 / 16, 13 / 16 * 15 / 16 * 1 / 16)
BEST = 3 / 16 + 13 / 16 * 1 / 16 / 2 + 13 / 16 * 15 / 16 * 1 / 16 / 3

CASCADE = {
    "ERR": ("ERR", STOPS[0] / 1 + STOPS[1] / 4 + STOPS[2] / 8),
    "nERR": ("nERR@3", STOPS[0] / 1 / BEST),
    "Cascade": ("Cascade(discount=log2)@4", STOPS[0] / log2(2) + STOPS[1] / log2(5)),
}

COUNTS = {
    "NumQ": ("NumQ", 1), "NumRet": ("NumRet", 8), "NumRel": ("NumRel", 4),
    "NumRelRet": ("NumRelRet(rel=2)", 1), "NumNonrelJudgedRet": ("NumNonrelJudgedRet", 2),
}  # fmt: skip

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

GRADED = {
    "CG": ("CG@4", 2 + 1), "DCG": ("DCG", DCG), "IDCG": ("IDCG@3", IDEAL),
    "nDCG": ("nDCG@3", 2 / log2(2) / IDEAL), "nDCGrel": ("nDCGrel", sum(AT_RELEVANT) / 4),
    "Rndcg": ("Rndcg", sum(AT_LEVELS) / 3), "G": ("G", G), "Q": ("Q", sum(BLENDED) / 4),
    "O": ("O(beta=2)", (1 + 2 * 2) / (1 + 2 * 2)), "GAP": ("GAP", GAP),
}  # fmt: skip

E = 0.00001
ON_RANK_4 = 1 / 4 + 3 / 4 * (2 / 3) * (1 + E) / (2 + 2 * E)
ON_RANK_8 = 1 / 8 + 7 / 8 * (6 / 7) * (2 + E) / (4 + 2 * E)

INCOMPLETE = {
    "Bpref": ("Bpref", (1 + (1 - 1 / 4) + (1 - 2 / 4)) / 4),
    "infAP": ("infAP", (1 + ON_RANK_4 + ON_RANK_8) / 4),
    "Judged": ("Judged@5", 4 / 5),
    "Unjudged": ("Unjudged@5", 1 / 5),
}

LEVELS = {
    "IPrec": ("IPrec@0.4", 2 / 4),
    # lround(4 x) for the recalls 0, .1, ... 1 is 0 0 1 1 2 2 2 3 3 4 4.
    "IPrec11": ("IPrec11", (4 * 1 + 3 * 2 / 4 + 2 * 3 / 8 + 2 * 0) / 11),
    "IAP": ("IAP", (1 + 2 / 4 + 3 / 8) / 4),
    # Of 96 others, 96 stand below the first, 94 below the second, 91 below the third; the missing one is tied
    # with the 91 that are not retrieved.
    "AUC": ("AUC(collection=100)", (96 + 94 + 91 + 91 / 2) / (4 * 96)),
}

SETS = {
    "SetP": ("SetP", 3 / 8), "SetRelP": ("SetRelP", 3 / 4), "SetR": ("SetR", 3 / 4),
    "SetMeanPR": ("SetMeanPR", (3 / 8 + 3 / 4) / 2),
    "SetF": ("SetF(beta=2)", 5 * (3 / 8) * (3 / 4) / (4 * 3 / 8 + 3 / 4)),
    "SetE": ("SetE(alpha=0.2)", 1 - 1 / (0.2 / (3 / 8) + 0.8 / (3 / 4))), "SetAP": ("SetAP", 3 / 8 * 3 / 4),
    "SetAccuracy": ("SetAccuracy(collection=100)", (3 + 91) / 100),
    "SetTPR": ("SetTPR(collection=100)", 3 / 4), "SetFPR": ("SetFPR(collection=100)", 5 / 96),
    "Utility": ("Utility(a=2,b=-1,c=-3,d=0.5,collection=100)", 2 * 3 - 5 - 3 * 1 + 0.5 * 91),
}  # fmt: skip

# The sum of 1 / n^2 from n = 2 on.
FROM_2 = pi**2 / 6 - 1

# T = 1: looked at are rank 1 by 1, ranks 2 to 4 by (1 / n)^2, n = 1 + 2 - 1 - 1 = 1 on rank 1 and 2, 3, 4 there;
# after the second relevant document n = 4 + 2 - 2 - 1 = 3 on rank 4, and 7 on rank 8; after the third 6 there.
ON_4 = (1 / 4) ** 2
ON_8 = ON_4 * (3 / 7) ** 2
LOOKED_AT = (
    1
    + (1 / 2) ** 2
    + (1 / 3) ** 2
    + ON_4 * 3**2 * (1 / 3**2 + 1 / 4**2 + 1 / 5**2 + 1 / 6**2)
    + ON_8 * 6**2 * (pi**2 / 6 - 1 - 1 / 2**2 - 1 / 3**2 - 1 / 4**2 - 1 / 5**2)
)

# What overlaps from rank k on: the sum of 0.5^(i-1) / i for i from k on; over all i it is 2 ln 2.
SEEN = {k: 2 * log(2) - sum(0.5 ** (i - 1) / i for i in range(1, k)) for k in (1, 2, 3, 4, 8)}

USER_MODELS = {
    "RBP": ("RBP(p=0.5)", 0.5 * (1 + 0.5**3 + 0.5**7)),
    # Ranks 3 and 6 have no grade; that on rank 7 is a judgment.
    "RBPResidual": ("RBPResidual(p=0.5)", 0.5**8 + 0.5 * (0.5**2 + 0.5**5)),
    # The ideal ranking has the documents of grade 1 on ranks 2, 3 and 4, the one that was not retrieved last.
    "Compat": ("Compat(p=0.5)", (SEEN[1] + SEEN[4] + SEEN[8]) / (SEEN[1] + SEEN[2] + SEEN[3] + SEEN[4])),
    "INSQ": ("INSQ", (1 / 2**2 + 1 / 5**2 + 1 / 9**2) / FROM_2),
    "INST": ("INST", (1 + ON_4 + ON_8) / LOOKED_AT),
    # The highest grade of the topic is 2.
    "TrecRBP": ("TrecRBP(p=0.5)", 0.5 * (2 / 2 + 0.5**3 / 2 + 0.5**7 / 2)),
    # Ranks 3, 6 and 7 have no grade from 0 on.
    "TrecRBPResidual": ("TrecRBPResidual(p=0.5)", 0.5**8 + 0.5 * (0.5**2 + 0.5**5 + 0.5**6)),
}

EXAMPLES: dict[str, tuple[str, float]] = {
    **BINARY,
    **CASCADE,
    **COUNTS,
    **GRADED,
    **INCOMPLETE,
    **LEVELS,
    **SETS,
    **USER_MODELS,
}
