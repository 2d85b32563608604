"""Of the ranking [2, 0, unjudged, 1, 0, pooled, -2, 1], with 1, 0, 0 not retrieved: R = 4, N = 4."""

from math import pi

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

EXAMPLES = {
    "RBP": ("RBP(p=0.5)", 0.5 * (1 + 0.5**3 + 0.5**7)),
    # Ranks 3 and 6 have no grade; that on rank 7 is a judgment.
    "RBPResidual": ("RBPResidual(p=0.5)", 0.5**8 + 0.5 * (0.5**2 + 0.5**5)),
    "INSQ": ("INSQ", (1 / 2**2 + 1 / 5**2 + 1 / 9**2) / FROM_2),
    "INST": ("INST", (1 + ON_4 + ON_8) / LOOKED_AT),
    # The highest grade of the topic is 2.
    "TrecRBP": ("TrecRBP(p=0.5)", 0.5 * (2 / 2 + 0.5**3 / 2 + 0.5**7 / 2)),
    # Ranks 3, 6 and 7 have no grade from 0 on.
    "TrecRBPResidual": ("TrecRBPResidual(p=0.5)", 0.5**8 + 0.5 * (0.5**2 + 0.5**5 + 0.5**6)),
}
