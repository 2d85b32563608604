"""The columns of pairs that adaptive pools choose while they are judged."""

from __future__ import annotations

CHOSEN_PAIRS = """
ALTER TABLE pooled ADD COLUMN choice INTEGER REFERENCES event (seq);
ALTER TABLE retired_pair ADD COLUMN choice INTEGER REFERENCES event (seq);

CREATE INDEX pooled_choice ON pooled (pool, choice) WHERE choice IS NOT NULL;
CREATE INDEX retired_choice ON retired_pair (pool, choice) WHERE choice IS NOT NULL
"""
"""The `seq` of the event by which a pair came into its pool; NULL where the pool had it from the start.

The indexes hold chosen pairs alone, which many campaigns do not have, so that counting them takes no time.
"""
