"""Files for Datasette: metadata that describes the tables, and a plugin that decodes packed rankings."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from workbench.formats.tables.json_text import json_text
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import settings
from workbench.storage.campaign.file.schema_docs import TABLES, Described
from workbench.storage.campaign.file.schema_queries import QUERIES

METADATA = "metadata.json"
PLUGIN = "plugins/workbench_rankings.py"


def datasette_files(campaign: Campaign) -> dict[str, str]:
    """The files for this campaign, by their paths in a folder."""
    plugin = (
        files("workbench.storage.campaign.file").joinpath("datasette_plugin.py").read_text(encoding="utf-8")
    )
    metadata = json_text(metadata_of(campaign))
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
