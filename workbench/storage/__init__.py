"""Storage: campaign files and the instance folder, and every SQL statement about a campaign.

Here belongs everything that opens, checks, copies or replaces one of these files.
It imports the rooms up to `methods`; it decides nothing about judging or scoring. Read first:
`campaign/log/log.py`, then `campaign/file/schema.py`.
"""

from __future__ import annotations

import sys


def _import_sqlite_utils() -> None:
    """Import sqlite_utils without pandas.

    It imports pandas where that is installed, for the type of a column that we never make: half of the time in which
    a command starts.
    """
    if "pandas" in sys.modules:
        return
    sys.modules["pandas"] = None  # type: ignore[assignment]
    try:
        import sqlite_utils  # noqa: F401
    finally:
        del sys.modules["pandas"]


_import_sqlite_utils()
