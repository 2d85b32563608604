"""What refers to topics and documents: as long as anything does, they cannot be deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from workbench.storage.campaign.collection.topics import named_in_events
from workbench.storage.campaign.file.connection import Campaign

WORDS = {
    "judgment": "judged",
    "model_answer": "judged by a model",
    "pooled": "pooled",
    "near_duplicate": "pooled",
    "retired_pair": "in a retired pool",
    "ranking": "in a run",
    "vocabulary": "in a run",
    "assignment": "assigned",
    "former_assignment": "assigned before",
    "claim": "assigned",
    "compared": "pooled before",
}
"""What it means that a table refers to a topic or document, the most decisive first."""


def referred_to(campaign: Campaign, kind: str) -> dict[str, str]:
    """Why topics or documents (`kind`: 'topic' or 'document') stay: by id the first of WORDS that holds."""
    found: dict[str, str] = {}
    place = {table: place for place, table in enumerate(WORDS)}
    columns = _referring(campaign, kind)
    if kind == "document":  # rankings hold numbers, which vocabularies turn into ids
        columns.append(("vocabulary", "documents"))
    for table, column in sorted(columns, key=lambda each: place.get(each[0], len(place))):
        ids = campaign.column(f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL")
        word = WORDS.get(table, "postponed or marked")
        for one in ids if column != "documents" else (id_ for part in ids for id_ in json.loads(part)):
            found.setdefault(one, word)
    for one in named_in_events(campaign) if kind == "topic" else ():
        found.setdefault(one, "withdrawn, closed or normed before, or has nuggets")
    return found


@contextmanager
def indexed(campaign: Campaign, kind: str) -> Iterator[None]:
    """Inside a write transaction: rows that refer to a topic or document are found at once.

    For each deleted row SQLite looks for such rows, through whole tables where no index begins with the id.
    """
    made = [f"referring_{place}" for place, _ in enumerate(_referring(campaign, kind))]
    for name, (table, column) in zip(made, _referring(campaign, kind), strict=True):
        campaign.execute(f"CREATE INDEX {name} ON {table} ({column})")
    yield
    for name in made:
        campaign.execute(f"DROP INDEX {name}")


def _referring(campaign: Campaign, kind: str) -> list[tuple[str, str]]:
    """Tables and columns that refer to topics or documents, but for images, which go with their document."""
    return campaign.db.conn.execute(
        """SELECT tables.name, referring."from" FROM sqlite_schema AS tables
        JOIN pragma_foreign_key_list(tables.name) AS referring
        WHERE tables.type = 'table' AND tables.name <> 'page_image' AND referring."table" = ?""",
        [kind],
    ).fetchall()
