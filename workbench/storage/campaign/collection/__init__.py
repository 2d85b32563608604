"""The collection: settings, topics, documents, runs with their rankings, and the pools made of them.

It imports the file and the log. Read first: runs.py, then pools.py.
"""
