"""Judging: who judges which documents, in which order, and how a judgment gets into the log.

Here belong the queue and the storing of judgments (`assessing/`), assignments, members and invitations, the
assessor's own settings, and the rule that makes one label of several judgments. It imports the rooms up to
`setup`. Read first: `assessing/storing.py`.
"""
