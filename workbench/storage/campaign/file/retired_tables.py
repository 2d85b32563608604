"""The tables of pools that were retired."""

from __future__ import annotations

RETIRED_POOLS = """
ALTER TABLE pool ADD COLUMN retired INTEGER REFERENCES event (seq);

CREATE TABLE retired_pair (
    pool INTEGER NOT NULL REFERENCES pool (pool),
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    best_rank INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    stratum INTEGER NOT NULL,
    inclusion_probability REAL NOT NULL,
    PRIMARY KEY (topic, document, pool)
) STRICT, WITHOUT ROWID;
"""
"""Pools that were taken out again: `retired` is the `seq` of that event, NULL while the pool is in force. Its pairs
move from `pooled`, which has what is to be judged, so that a later pool can bring them in once more.
"""
