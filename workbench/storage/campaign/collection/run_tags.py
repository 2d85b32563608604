"""The names of runs in a campaign file that is not opened for it: a shell that completes a word only looks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

_TAGS = """SELECT tag FROM (
    SELECT coalesce(content ->> '$.now.tag', content ->> '$.tag') AS tag, max(seq) FROM event
    WHERE kind = 'run' OR (kind = 'run details' AND content ->> '$.now.tag' IS NOT NULL) GROUP BY content ->> '$.run'
) ORDER BY tag"""


def tags_in(path: Path) -> list[str]:
    """The tags of all runs of a campaign file of any version, by name; none where the file is no campaign."""
    if not path.is_file():
        return []
    # Without a log beside it the file is all there is, and looking makes no log.
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    address = f"{path.resolve().as_uri()}?mode=ro{alone}"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=1)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            return [str(tag) for (tag,) in connection.execute(_TAGS)]
    except sqlite3.Error:
        return []
