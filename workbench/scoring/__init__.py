"""Scoring: rankings joined with judgments, and what measures say of them.

`board/` scores the runs of a campaign, live or as of any row of its log; `evaluation/` scores run files
against a qrels file, as trec_eval does. It imports the rooms up to `people`. Read first: `board/live.py`, or
`evaluation/evaluate.py`.
"""
