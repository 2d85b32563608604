"""Judges judged: the leaderboards and labels of many judges against one or more truths."""
