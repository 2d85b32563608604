"""Campaign: what is judged, who judges it in which order, and how a judgment gets into the log.

Here belong a campaign's settings, adding topics, documents, runs and qrels (`ingest/`), pools and their planning,
assignments, the queue and the storing of judgments (`assessing/`), training, and the rule that makes one label of
several judgments. It imports the rooms up to `storage`. Read first: `ingest/runs.py`, `pools/making.py`, then
`assessing/storing.py`.
"""
