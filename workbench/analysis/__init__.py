"""Analysis: what scores and judgments mean, and how far they can be trusted.

Here belong comparisons of runs and of leaderboards, profiles of runs and topics, agreement of assessors, its effect
and its adjudication, profiles of assessors, the progress of a campaign, and figures. It imports the rooms up to
`scoring`. Read first: `comparing/runs.py`, then `between_assessors/coefficients.py`.
"""
