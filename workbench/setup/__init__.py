"""Setup: what gets a campaign ready to be judged.

Here belong a new campaign's settings, adding topics, documents, runs and qrels (`ingest/`), uploads, near
duplicates, pools and their planning, and withdrawing runs. It imports the rooms up to `storage`. Read first:
`ingest/runs.py`, then `pools/making.py`.
"""
