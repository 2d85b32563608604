"""How an assessor likes the judging page: values by name, as JSON. Which names there are is the page's affair."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.erasable import Ids, id_of


def of(campaign: Campaign, assessor: str) -> dict[str, Any]:
    """What an assessor has set; a value that is no JSON counts as not set."""
    rows = campaign.execute(
        "SELECT name, value FROM preference WHERE assessor = ? AND json_valid(value) ORDER BY name",
        [id_of(campaign, assessor)],
    )
    return {name: json.loads(value) for name, value in rows}


def put(campaign: Campaign, assessor: str, values: Mapping[str, Any]) -> None:
    """Set these values, inside the open write transaction; others stay as they are."""
    own = Ids(campaign)[assessor]
    campaign.db.conn.executemany(
        "INSERT INTO preference (assessor, name, value) VALUES (?, ?, ?) "
        "ON CONFLICT (assessor, name) DO UPDATE SET value = excluded.value",
        [(own, name, json.dumps(value, ensure_ascii=False)) for name, value in values.items()],
    )
