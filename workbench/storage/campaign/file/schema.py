"""The tables of a campaign file, as numbered migrations. A migration is never changed once released.

The log is `event` and `judgment`, which share one sequence `seq`; everything else is either raw material
(documents, rankings, sources) or a projection of the log that `workbench audit` recomputes. Columns that hold
JSON have no CHECK (json_valid(...)): SQLite counts it as unsafe in a schema that is not trusted.
"""

from __future__ import annotations

import re

from sqlite_utils import Database, Migrations

from workbench.storage.campaign.file.added_tables import (
    CHOSEN_PAIRS,
    COMPARED_TABLE,
    PAGE_IMAGES,
    RETIRED_POOLS,
    RUNS_OF_A_CAMPAIGN,
    UNMARKED_TERMS,
)
from workbench.storage.campaign.file.assessor_tables import ASSESSOR_TABLES, MORE_ALLOWED
from workbench.storage.campaign.file.label_views import CURRENT_VIEW, LABEL_VIEWS
from workbench.storage.campaign.file.people_tables import PEOPLE_TABLES
from workbench.storage.campaign.file.redefining import allow, redefine, rewriting, run, with_key
from workbench.storage.campaign.file.row_checksums import add_checksums
from workbench.storage.campaign.file.source_tables import MORE_KINDS, SOURCES
from workbench.storage.campaign.file.withdrawn_topics import WITHDRAWN_TOPICS

APPLICATION_ID = 0x57424331  # "WBC1": tells `file` and us that this database is a campaign

COUNTED_KINDS = ("grade", "can't tell", "cleared", "adjudication", "import")
"""Kinds of judgments that say what an assessor now thinks; repeats, norming and labels of models never do."""

FIRST_KINDS = (*COUNTED_KINDS, "repeat", "norming")

KINDS = (*FIRST_KINDS, "model")

migrations = Migrations("workbench.campaign")


def quoted(words: tuple[str, ...]) -> str:
    """Words as a list of SQL's string literals."""
    return ", ".join("'" + word.replace("'", "''") + "'" for word in words)


TABLES = f"""
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    seq INTEGER NOT NULL REFERENCES event
) STRICT, WITHOUT ROWID;

CREATE TABLE member (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('organiser', 'assessor', 'none')),
    seq INTEGER NOT NULL REFERENCES event
) STRICT, WITHOUT ROWID;

CREATE TABLE topic (
    topic TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    narrative TEXT NOT NULL,
    fields TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES event
) STRICT, WITHOUT ROWID;

CREATE TABLE source (
    source INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    documents INTEGER NOT NULL,
    seq INTEGER NOT NULL REFERENCES event
) STRICT;

CREATE TABLE source_documents (
    source INTEGER NOT NULL REFERENCES source,
    part INTEGER NOT NULL,
    ids BLOB NOT NULL,
    PRIMARY KEY (source, part)
) STRICT;

CREATE TABLE document (
    document TEXT PRIMARY KEY,
    title TEXT,
    text TEXT,
    media_type TEXT,
    fields TEXT,
    text_hash TEXT,
    source INTEGER REFERENCES source,
    CHECK ((text IS NULL) = (text_hash IS NULL))
) STRICT;

CREATE TABLE run (
    run INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    lines INTEGER NOT NULL,
    topics INTEGER NOT NULL,
    contributes INTEGER NOT NULL CHECK (contributes IN (0, 1)),
    header TEXT NOT NULL,
    rankings_sha256 TEXT NOT NULL,
    seq INTEGER NOT NULL REFERENCES event
) STRICT;

CREATE TABLE vocabulary (
    topic TEXT NOT NULL REFERENCES topic,
    first INTEGER NOT NULL,
    documents TEXT NOT NULL,
    PRIMARY KEY (topic, first)
) STRICT;

CREATE TABLE ranking (
    run INTEGER NOT NULL REFERENCES run,
    topic TEXT NOT NULL REFERENCES topic,
    documents BLOB NOT NULL,
    scores BLOB NOT NULL,
    PRIMARY KEY (run, topic),
    CHECK (length(scores) = 2 * length(documents))
) STRICT;

CREATE TABLE pool (
    pool INTEGER PRIMARY KEY,
    strategy TEXT NOT NULL,
    parameters TEXT NOT NULL,
    ties TEXT NOT NULL CHECK (ties IN ('descending', 'ascending')),
    runs TEXT NOT NULL,
    viewing TEXT NOT NULL,
    seed INTEGER NOT NULL,
    pairs INTEGER NOT NULL,
    seq INTEGER NOT NULL REFERENCES event
) STRICT;

CREATE TABLE pooled (
    topic TEXT NOT NULL REFERENCES topic,
    document TEXT NOT NULL REFERENCES document,
    pool INTEGER NOT NULL REFERENCES pool,
    best_rank INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    stratum INTEGER NOT NULL,
    inclusion_probability REAL NOT NULL,
    PRIMARY KEY (topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE judgment (
    seq INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    received_at TEXT NOT NULL,
    client_at TEXT,
    assessor TEXT NOT NULL,
    topic TEXT NOT NULL REFERENCES topic,
    document TEXT NOT NULL REFERENCES document,
    pool INTEGER REFERENCES pool,
    text_hash TEXT,
    topic_version INTEGER,
    guideline_version INTEGER,
    kind TEXT NOT NULL CHECK (kind IN ({quoted(FIRST_KINDS)})),
    grade INTEGER,
    replaces INTEGER REFERENCES judgment,
    active_seconds REAL,
    comment TEXT NOT NULL,
    source TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    CHECK ((grade IS NULL) = (kind IN ('can''t tell', 'cleared')))
) STRICT;

CREATE INDEX judgment_pair ON judgment (topic, document, assessor, seq, kind, grade);
CREATE INDEX pooled_document ON pooled (document);
"""

NEWEST_SEQ = """max(
    (SELECT coalesce(max(seq), 0) FROM event), (SELECT coalesce(max(seq), 0) FROM judgment))"""


def _protection(table: str, unique: str) -> dict[str, str]:
    """Triggers that let rows of `table` only be appended, as the next of the one sequence.

    INSERT OR REPLACE deletes without firing delete triggers; it can only hit an existing `seq`, which the
    rule on the next one excludes, or an existing unique value, which is checked here by name.
    """
    return {
        f"{table}_is_never_updated": f"""CREATE TRIGGER {table}_is_never_updated BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'the log is append-only: a {table} is never updated'); END""",
        f"{table}_is_never_deleted": f"""CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'the log is append-only: a {table} is never deleted'); END""",
        f"{table}_is_appended": f"""CREATE TRIGGER {table}_is_appended BEFORE INSERT ON {table}
WHEN NEW.seq IS NOT 1 + {NEWEST_SEQ}{unique}
BEGIN SELECT RAISE(ABORT, 'the log is append-only: a {table} takes the next seq'); END""",
    }


TRIGGERS = {
    **_protection("event", ""),
    **_protection("judgment", "\n    OR EXISTS (SELECT 1 FROM judgment WHERE uuid = NEW.uuid)"),
}

# Beside max(seq) SQLite takes every other column from the row that has it (sqlite.org/lang_select.html,
# "bare columns in an aggregate query"): one pass, where a join with the maxima takes hours for 100,000 rows.
VIEWS = {
    "current_judgment": f"""CREATE VIEW current_judgment AS
SELECT max(seq) AS seq, uuid, received_at, client_at, assessor, topic, document, pool, text_hash,
    topic_version, guideline_version, kind, grade, replaces, active_seconds, comment, source, hash
FROM judgment WHERE kind IN ({quoted(COUNTED_KINDS)})
GROUP BY topic, document, assessor""",
    "qrel": """CREATE VIEW qrel AS
SELECT topic, document, grade, max(seq) AS seq FROM current_judgment
WHERE grade IS NOT NULL
GROUP BY topic, document""",
}


READING_TABLES = """
ALTER TABLE judgment ADD COLUMN input TEXT;
ALTER TABLE judgment ADD COLUMN same_as TEXT REFERENCES document;
ALTER TABLE judgment ADD COLUMN rationales TEXT;

CREATE TABLE rationale (
    judgment INTEGER NOT NULL REFERENCES judgment,
    place INTEGER NOT NULL,
    field TEXT NOT NULL CHECK (field IN ('title', 'text')),
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (judgment, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE near_duplicate (
    topic TEXT NOT NULL REFERENCES topic,
    document TEXT NOT NULL REFERENCES document,
    first TEXT NOT NULL REFERENCES document,
    PRIMARY KEY (topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE later (
    assessor TEXT NOT NULL,
    topic TEXT NOT NULL REFERENCES topic,
    document TEXT NOT NULL REFERENCES document,
    PRIMARY KEY (assessor, topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE own_term (
    number INTEGER PRIMARY KEY,
    assessor TEXT NOT NULL,
    topic TEXT NOT NULL REFERENCES topic,
    term TEXT NOT NULL,
    UNIQUE (assessor, topic, term)
) STRICT;

CREATE TABLE preference (
    assessor TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (assessor, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX judgment_assessor ON judgment (assessor, seq);

DROP VIEW current_judgment;

CREATE VIEW current_judgment AS
SELECT max(seq) AS seq, uuid, received_at, client_at, assessor, topic, document, pool, text_hash,
    topic_version, guideline_version, kind, grade, replaces, active_seconds, comment, source,
    input, same_as, rationales, hash
FROM judgment WHERE kind IN ({kinds})
GROUP BY topic, document, assessor
""".replace("{kinds}", quoted(COUNTED_KINDS))
"""What the judging screen adds: rationales (`rationale` repeats what the log's rows hold, for SQL), near duplicates
among a topic's pooled documents, and what belongs to one assessor and changes no number.
"""


@migrations()
def m001_campaign(db: Database) -> None:
    """The first shape of a campaign."""
    run(db, [*TABLES.split(";"), *TRIGGERS.values(), *VIEWS.values()])


@migrations()
def m002_reading(db: Database) -> None:
    """Rationales, ways of input, near duplicates, and each assessor's own bookmarks, terms and preferences."""
    run(db, READING_TABLES.split(";"))


@migrations()
def m003_compared(db: Database) -> None:
    """Which topics' texts near duplicates were looked for in."""
    run(db, COMPARED_TABLE.split(";"))


@migrations()
def m004_runs(db: Database) -> None:
    """Which runs are withdrawn, and the warnings with which they were added."""
    run(db, RUNS_OF_A_CAMPAIGN.split(";"))


@migrations()
def m005_references(db: Database) -> None:
    """References name the column they mean, without which Datasette cannot show a table that has some.

    Nothing but the text of the definitions changes.
    """
    with rewriting(db):
        rows = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%REFERENCES%'"
        )
        for name, sql in rows.fetchall():
            redefine(db, name, re.sub(r"REFERENCES (\w+)(?! *[(\w])", with_key, sql))


@migrations()
def m006_assessors(db: Database) -> None:
    """Roles and teams of members, assignments, pairs to be judged twice, hidden repeats, norming, rules of labels."""
    allow(db, MORE_ALLOWED)
    own = quoted(tuple(kind for kind in COUNTED_KINDS if kind != "adjudication"))
    run(db, [*ASSESSOR_TABLES.split(";"), *LABEL_VIEWS.replace("{own}", own).split(";")])


@migrations()
def m007_adjudications(db: Database) -> None:
    """The view `current_judgment` no longer takes an adjudication for its author's own judgment."""
    run(db, CURRENT_VIEW.split(";"))


@migrations()
def m008_sources(db: Database) -> None:
    """Labels of models, the source class of every judgment, and views that know both; no row counts otherwise."""
    allow(db, MORE_KINDS)
    run(db, SOURCES.split(";"))


@migrations()
def m009_unmarked(db: Database) -> None:
    """Which words of a topic an assessor has switched off."""
    run(db, UNMARKED_TERMS.split(";"))


@migrations()
def m010_checksums(db: Database) -> None:
    """Each pool keeps a checksum of its pairs, each run one of its warnings."""
    add_checksums(db)


@migrations()
def m011_retired_pools(db: Database) -> None:
    """Which pools are retired, and the pairs that they had."""
    run(db, RETIRED_POOLS.split(";"))


@migrations()
def m012_chosen_pairs(db: Database) -> None:
    """Which pairs an adaptive pool chose, and when."""
    run(db, CHOSEN_PAIRS.split(";"))


@migrations()
def m013_withdrawn_topics(db: Database) -> None:
    """Which topics are withdrawn; the view of labels leaves them out."""
    run(db, WITHDRAWN_TOPICS.split(";"))


@migrations()
def m014_people(db: Database) -> None:
    """The names of people whom the log names by ids, and the words of judgments whose rows have hashes of them."""
    run(db, PEOPLE_TABLES.split(";"))


@migrations()
def m015_page_images(db: Database) -> None:
    """Pages of PDF files as images."""
    run(db, [PAGE_IMAGES])
