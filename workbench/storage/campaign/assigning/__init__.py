"""Assigning: which topics and pairs each assessor judges, and what comes before: training and norming.

It imports the file and the log. Read first: assignments.py, then draws.py.
"""
