"""The log: events and judgments in one sequence that is only appended to, each row hashed onto the one before.

It imports the file alone. Read first: log.py.
"""
