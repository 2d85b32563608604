"""What migration m014 adds: the names of the people that the log names by ids, and the words beside its judgments."""

PEOPLE_TABLES = """
CREATE TABLE person (
    id TEXT PRIMARY KEY,
    name TEXT UNIQUE,
    shown TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL DEFAULT 'named' CHECK (state IN ('named', 'hidden', 'erased'))
) STRICT, WITHOUT ROWID;

CREATE TABLE remark (
    judgment INTEGER PRIMARY KEY REFERENCES judgment (seq),
    salt BLOB,
    comment TEXT,
    rationales TEXT
) STRICT;
"""
"""A campaign made since then has a `person` for each id in its log: `name` is the name that signs in, NULL once it is
erased, `shown` the name that is displayed. `remark` has the comment and rationales of a judgment whose row of the log
has their salted hashes alone; all of it is NULL once it is erased. Both are empty in older campaigns, whose log has the
names and words themselves.
"""


def shown(column: str) -> str:
    """An SQL expression of the name that is shown for the id in a column."""
    return f"coalesce((SELECT shown FROM person WHERE id = {column}), {column})"
