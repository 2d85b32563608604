"""Counts: how far judging is, and who judged when: per topic, per assessor, and for a release.

It imports the parts before it. Read first: progress.py, then activity.py.
"""
