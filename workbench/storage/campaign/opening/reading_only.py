"""A campaign that is open to be read: SQLite refuses to write to it."""

from __future__ import annotations

from workbench.storage.campaign.file.connection import Campaign


def read_only(campaign: Campaign) -> None:
    """From now on SQLite refuses every write through this connection."""
    campaign.db.conn.execute("PRAGMA query_only = ON")
