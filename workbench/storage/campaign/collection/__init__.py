"""The collection: topics, documents, runs with their rankings, rounds of runs, and the pools made of them.

It imports the file, the log and the settings. Read first: runs.py, then pools.py.
"""
