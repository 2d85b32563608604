"""Analysis: what scores mean.

Here belong comparisons of runs and of leaderboards, profiles of runs and topics, and figures. It imports the
rooms up to `scoring`. Read first: `comparing/runs.py`, then `figures/registry.py`.
"""
