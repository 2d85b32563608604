"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

EXAMPLES = {
    "NumQ": ("NumQ", 1), "NumRet": ("NumRet", 8), "NumRel": ("NumRel", 4),
    "NumRelRet": ("NumRelRet(rel=2)", 1), "NumNonrelJudgedRet": ("NumNonrelJudgedRet", 2),
}  # fmt: skip
