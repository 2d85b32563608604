"""Whether a campaign can be read and written now, shown by doing both; no other writer waits for it."""

from __future__ import annotations

import sqlite3

from workbench.storage.campaign.file.connection import Campaign, explain_failures
from workbench.storage.campaign.log import log


def was_written(campaign: Campaign) -> bool:
    """Read the newest row of the log, write a row and roll it back; False while another writer has the file.

    It waits for no other writer, and others wait no longer than it takes to write a page in memory: what is rolled back
    is never brought to the disk. So a full disk is not seen, but a file that is gone, damaged or read-only is.

    Raises CampaignUnavailable when the file cannot be read or written, NotACampaign when it is damaged.
    """
    if campaign.db.conn.in_transaction or not campaign.write_queue.acquire(0.0):
        return False
    try:
        with explain_failures(campaign.path):
            log.head(campaign)
            return _written_and_rolled_back(campaign.db.conn)
    finally:
        campaign.write_queue.release()


def _written_and_rolled_back(connection: sqlite3.Connection) -> bool:
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE trial (value)")
        connection.execute("INSERT INTO trial VALUES (1)")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return False
        raise
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA busy_timeout = {patience}")
    return True
