"""Storage: campaign files, the file of accounts, the instance folder, and their backups.

Here belongs every SQL statement and everything that opens, checks, copies or replaces one of these files.
Storage imports `core` and `methods`; it decides nothing about judging or scoring. Read first:
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
