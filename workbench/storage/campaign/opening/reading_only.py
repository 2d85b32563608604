"""A campaign that is open to be read: SQLite refuses to write to it."""

from __future__ import annotations

from workbench.storage.campaign.file.connection import Campaign


def read_only(campaign: Campaign) -> None:
    """From now on nothing is written through this connection, whoever tries."""
    campaign.db.conn.execute("PRAGMA query_only = ON")
