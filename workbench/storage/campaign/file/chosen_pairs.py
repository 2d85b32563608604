"""The columns of pairs that adaptive pools choose while they are judged."""

from __future__ import annotations

CHOSEN_PAIRS = """
ALTER TABLE pooled ADD COLUMN choice INTEGER REFERENCES event (seq);
ALTER TABLE retired_pair ADD COLUMN choice INTEGER REFERENCES event (seq)
"""
"""The `seq` of the event by which a pair came into its pool; NULL where the pool had it from the start."""
