"""What Datasette needs to show a campaign in words: a file of metadata, and a plugin that decodes packed rankings."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from workbench.campaign import Campaign, settings
from workbench.campaign.described import QUERIES, TABLES, Described

METADATA = "metadata.json"
PLUGIN = "plugins/workbench_rankings.py"


def datasette_files(campaign: Campaign) -> dict[str, str]:
    """The files for this campaign, by their paths in a folder."""
    plugin = files("workbench.campaign").joinpath("datasette_plugin.py").read_text(encoding="utf-8")
    metadata = json.dumps(metadata_of(campaign), ensure_ascii=False, indent=2) + "\n"
    return {METADATA: metadata, PLUGIN: plugin}


def metadata_of(campaign: Campaign) -> dict[str, Any]:
    """Datasette's metadata: what the tables and columns of the database, known by its file's name, mean."""
    title = settings.read(campaign).title
    return {
        "title": title,
        "databases": {
            campaign.name: {
                "description": (
                    f"The campaign “{title}” of the workbench: topics, runs, pools, and a log of judgments that is "
                    "only ever appended to."
                ),
                "tables": {name: _table(table) for name, table in TABLES.items()}
                | {"_sqlite_migrations": {"hidden": True}},
                "queries": {name: query._asdict() for name, query in QUERIES.items()},
            }
        },
    }


def _table(table: Described) -> dict[str, Any]:
    described: dict[str, Any] = {"description": table.row, "columns": table.columns}
    if table.label:
        described["label_column"] = table.label
    if table.hidden:
        described["hidden"] = True
    return described
