"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4.

So 3 of 8 retrieved documents are relevant, of 4 relevant ones 3 are retrieved.
"""

EXAMPLES = {
    "SetP": ("SetP", 3 / 8), "SetRelP": ("SetRelP", 3 / 4), "SetR": ("SetR", 3 / 4),
    "SetMeanPR": ("SetMeanPR", (3 / 8 + 3 / 4) / 2),
    "SetF": ("SetF(beta=2)", 5 * (3 / 8) * (3 / 4) / (4 * 3 / 8 + 3 / 4)),
    "SetE": ("SetE(alpha=0.2)", 1 - 1 / (0.2 / (3 / 8) + 0.8 / (3 / 4))), "SetAP": ("SetAP", 3 / 8 * 3 / 4),
    "SetAccuracy": ("SetAccuracy(collection=100)", (3 + 91) / 100),
    "SetTPR": ("SetTPR(collection=100)", 3 / 4), "SetFPR": ("SetFPR(collection=100)", 5 / 96),
    "Utility": ("Utility(a=2,b=-1,c=-3,d=0.5,collection=100)", 2 * 3 - 5 - 3 * 1 + 0.5 * 91),
}  # fmt: skip
