"""The file: its connection and its transactions, its schema, and what puts it in its place.

It imports nothing of the other parts. Read first: connection.py, then schema.py.
"""
