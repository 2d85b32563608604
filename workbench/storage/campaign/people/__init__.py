"""People: members of a campaign, which topics they judge, and what they set for themselves.

It imports the file, the log and the collection. Read first: members.py, then assignments.py.
"""
