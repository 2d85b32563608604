"""SQL of which pairs were pooled at a place in the log, those of pools that were retired later included."""

from __future__ import annotations

COLUMNS = "topic, document, best_rank, runs, stratum, inclusion_probability, pool"

TAKES_PART = """topic NOT IN (
    SELECT topic FROM withdrawn_topic WHERE withdrawn <= :as_of AND (restored IS NULL OR restored > :as_of))"""
"""The topics that were not withdrawn as of the row `:as_of`."""

_CHOSEN_BY_THEN = "(choice IS NULL OR choice <= :as_of)"

THEN = f"""(
    SELECT {COLUMNS} FROM pooled
    WHERE pool IN (SELECT pool FROM pool WHERE seq <= :as_of) AND {_CHOSEN_BY_THEN} AND {TAKES_PART}
    UNION ALL
    SELECT {COLUMNS} FROM retired_pair
    WHERE pool IN (SELECT pool FROM pool WHERE seq <= :as_of AND (retired IS NULL OR retired > :as_of))
    AND {_CHOSEN_BY_THEN} AND {TAKES_PART})"""
"""The pairs that were pooled as of the row `:as_of`."""

EVER = f"(SELECT {COLUMNS}, choice FROM pooled UNION ALL SELECT {COLUMNS}, choice FROM retired_pair)"
"""Every pair with each pool that brought it in, retired pools and withdrawn topics included."""
