"""Which pairs were pooled at a place in the log, those of pools that were retired later included, in SQL."""

from __future__ import annotations

import json
from typing import Any

from workbench.storage.campaign.collection.topic_withdrawals import withdrawn
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, up_to
from workbench.storage.campaign.log.state import State, part

COLUMNS = "topic, document, best_rank, runs, stratum, inclusion_probability, pool"

TAKES_PART = "topic NOT IN (SELECT value FROM json_each(:out))"
"""The topics that were not withdrawn then; this and THEN need the parameters that `then` gives."""

_THEN = f"""pool IN (SELECT pool FROM pool WHERE seq <= :as_of) AND pool NOT IN (SELECT value FROM json_each(:retired))
    AND (choice IS NULL OR choice <= :as_of) AND {TAKES_PART}"""

THEN = f"""(
    SELECT {COLUMNS} FROM pooled WHERE {_THEN} UNION ALL SELECT {COLUMNS} FROM retired_pair WHERE {_THEN})"""
"""The pairs that were pooled then."""

EVER = f"(SELECT {COLUMNS}, choice FROM pooled UNION ALL SELECT {COLUMNS}, choice FROM retired_pair)"
"""Every pair with each pool that brought it in, retired pools and withdrawn topics included."""


@part(kinds.RETIREMENT, start=dict)
def retired(found: dict[int, int], event: Event) -> None:
    """The pools that are retired, each with the `seq` of its retirement."""
    found[event.content["pool"]] = event.seq


def then(campaign: Campaign, as_of: int | None, **more: Any) -> dict[str, Any]:
    """The parameters of a statement about pairs now, or as of a row of the log, with `more` of its own."""
    state = State.at(campaign, as_of)
    out, gone = json.dumps(list(state[withdrawn])), json.dumps(list(state[retired]))
    return {"as_of": up_to(as_of), "out": out, "retired": gone, **more}
