"""Whether a campaign file is damaged: asked once something failed that never fails on a whole one."""

from __future__ import annotations

import sqlite3

from workbench.campaign.chain import GENESIS, next_hash
from workbench.campaign.connection import Campaign
from workbench.campaign.log import rows_of_the_chain

SYMPTOMS = (sqlite3.Error, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What reading a value raises that is not what was written."""


def damage_in(campaign: Campaign) -> str | None:
    """The first damage that SQLite finds, or that breaks the chain of the log; None where the file is whole."""
    try:
        (found,) = campaign.db.conn.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            return str(found).splitlines()[-1]
        last = GENESIS
        for table, row, stored in rows_of_the_chain(campaign):
            last = next_hash(last, table, row)
            if last != stored:
                return f"row {row[0]} of the log is not what was written"
    except SYMPTOMS as error:
        return str(error)
    return None
