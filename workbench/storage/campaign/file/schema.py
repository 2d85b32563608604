"""The schema of a campaign file: one script of tables, indexes, triggers and views.

The log is `event` and `judgment`, which share one sequence `seq`; everything else is either raw material
(documents, rankings) or a projection of the log that `workbench campaign audit` recomputes. Columns that hold
JSON have no CHECK (json_valid(...)): SQLite counts it as unsafe in a schema that is not trusted.

VERSION grows with every change here. A file has the number of the schema that made it in its application id, and is
opened by a workbench with the same number alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import get_args

from sqlite_utils import Database

from workbench.core.records import DOORS, GRADED, WITHOUT_GRADE, Judgment
from workbench.core.values import declared
from workbench.storage.campaign.file.label_views import VIEWS

VERSION = 7

FAMILY = 0x574243
"""The letters WBC, which begin the application id: by them `file` and we know that a database is a campaign."""

APPLICATION_ID = FAMILY << 8 | VERSION


def shown(column: str) -> str:
    """An SQL expression of the name that is shown for the id in a column."""
    return f"coalesce((SELECT shown FROM person WHERE id = {column}), {column})"


def quoted(words: Iterable[str]) -> str:
    """Words as a list of SQL's string literals."""
    return ", ".join("'" + word.replace("'", "''") + "'" for word in words)


SQL_TYPES = {int: "INTEGER", float: "REAL", str: "TEXT"}


def columns_of_judgments() -> str:
    """The columns of the table of judgments, by the declaration of their fields."""
    columns = []
    for field in declared(Judgment):
        kind = next(
            (SQL_TYPES[each] for each in (field.type, *get_args(field.type)) if each in SQL_TYPES), "TEXT"
        )
        words = [field.column, kind, field.given.sql]
        if not (field.may_be_null or kind == "INTEGER" or field.name == "rationales"):
            words.insert(2, "NOT NULL")
        if stored := field.given.stored:
            words.append(f"CHECK ({field.column} IN ({quoted(stored.schema['enum'])}))")
        columns.append(" ".join(filter(None, words)))
    return ",\n    ".join(columns)


TABLES = f"""
-- The log. Its rows are only ever appended, and share one sequence of `seq`.
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    through TEXT CHECK (through IN ({quoted(DOORS)})),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE judgment (
    {columns_of_judgments()},
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    source_class TEXT GENERATED ALWAYS AS (
        CASE kind WHEN 'adjudication' THEN 'adjudicator' WHEN 'import' THEN 'import' WHEN 'model' THEN 'model'
        ELSE 'assessor' END
    ) VIRTUAL,
    CHECK (
        (grade IS NOT NULL AND kind NOT IN ({quoted(WITHOUT_GRADE)}))
        OR (grade IS NULL AND kind NOT IN ({quoted(GRADED)}))
    )
) STRICT;

-- The people that the log names by ids, and the words of judgments, of which it has salted hashes: no hash covers
-- either, so they can be erased. `name` is the name of the account, `shown` the one that is displayed.
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

-- What the events say, as it stands now.
CREATE TABLE member (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('organiser', 'adjudicator', 'assessor', 'participant', 'observer', 'none')),
    seq INTEGER NOT NULL REFERENCES event (seq),
    team TEXT
) STRICT, WITHOUT ROWID;

-- Topics.
CREATE TABLE topic (
    topic TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    narrative TEXT NOT NULL,
    fields TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES event (seq)
) STRICT, WITHOUT ROWID;

-- Documents, and the ids of all that are in each file that was read. `image` comes last, so that the others are read
-- without it.
CREATE TABLE source_documents (
    source INTEGER NOT NULL,
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
    source INTEGER,
    CHECK ((text IS NULL) = (text_hash IS NULL))
) STRICT;

CREATE TABLE page_image (
    document TEXT NOT NULL REFERENCES document (document),
    page INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    image BLOB NOT NULL,
    PRIMARY KEY (document, page)
) STRICT;

-- Near duplicates among the documents that are pooled for a topic. As a text never changes and a pair stays pooled,
-- as many texts as were `compared` say that no text has come since.
CREATE TABLE near_duplicate (
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    first TEXT NOT NULL REFERENCES document (document),
    PRIMARY KEY (topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE compared (
    topic TEXT PRIMARY KEY REFERENCES topic (topic),
    texts INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Rankings of runs, of which events say the rest: packed arrays of numbers into the vocabulary.
CREATE TABLE vocabulary (
    topic TEXT NOT NULL REFERENCES topic (topic),
    first INTEGER NOT NULL,
    documents TEXT NOT NULL,
    PRIMARY KEY (topic, first)
) STRICT;

CREATE TABLE ranking (
    run INTEGER NOT NULL,
    topic TEXT NOT NULL REFERENCES topic (topic),
    documents BLOB NOT NULL,
    scores BLOB NOT NULL,
    PRIMARY KEY (run, topic),
    CHECK (length(scores) = 2 * length(documents))
) STRICT;

-- Of runs of answers, whose rankings are the documents that they cite, the records as they were sent: UTF-8, zlib.
CREATE TABLE answer (
    run INTEGER NOT NULL,
    place INTEGER NOT NULL,
    topic TEXT NOT NULL REFERENCES topic (topic),
    record BLOB NOT NULL,
    PRIMARY KEY (run, place)
) STRICT;

-- What models answered that judge, `raw` as UTF-8, zlib. `batch` is the event that stored them, with their checksum.
CREATE TABLE model_answer (
    batch INTEGER NOT NULL REFERENCES event (seq),
    place INTEGER NOT NULL,
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    sample INTEGER NOT NULL,
    grade INTEGER,
    failure TEXT NOT NULL CHECK ((failure = '') = (grade IS NOT NULL)),
    raw BLOB NOT NULL,
    model TEXT NOT NULL,
    prompt_sha256 TEXT NOT NULL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    seconds REAL,
    cost REAL,
    at TEXT,
    marked TEXT NOT NULL,
    PRIMARY KEY (batch, place)
) STRICT;

-- Pairs of pools. Those of a pool that is taken out move to `retired_pair`, with the same columns, so that a later one
-- can bring them in once more. `choice` is the event by which an adaptive pool chose a pair.
CREATE TABLE pooled (
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    pool INTEGER NOT NULL,
    best_rank INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    stratum INTEGER NOT NULL,
    inclusion_probability REAL NOT NULL,
    choice INTEGER REFERENCES event (seq),
    PRIMARY KEY (topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE retired_pair (
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    pool INTEGER NOT NULL,
    best_rank INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    stratum INTEGER NOT NULL,
    inclusion_probability REAL NOT NULL,
    choice INTEGER REFERENCES event (seq),
    PRIMARY KEY (topic, document, pool)
) STRICT, WITHOUT ROWID;

-- Pieces of documents that are reasons for a judgment: those of the log, for SQL.
CREATE TABLE rationale (
    judgment INTEGER NOT NULL REFERENCES judgment (seq),
    place INTEGER NOT NULL,
    field TEXT NOT NULL CHECK (field IN ('title', 'text')),
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (judgment, place)
) STRICT, WITHOUT ROWID;

-- Who judges what. `claim` is a lease and no part of the log: it ends by itself.
CREATE TABLE assignment (
    topic TEXT NOT NULL REFERENCES topic (topic),
    assessor TEXT NOT NULL,
    part TEXT NOT NULL CHECK (part IN ('whole', 'second')),
    seq INTEGER NOT NULL REFERENCES event (seq),
    place INTEGER NOT NULL,
    PRIMARY KEY (topic, assessor)
) STRICT, WITHOUT ROWID;

CREATE TABLE former_assignment (
    topic TEXT NOT NULL REFERENCES topic (topic),
    assessor TEXT NOT NULL,
    part TEXT NOT NULL CHECK (part IN ('whole', 'second')),
    seq INTEGER NOT NULL REFERENCES event (seq),
    PRIMARY KEY (topic, assessor)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (
    topic TEXT PRIMARY KEY REFERENCES topic (topic),
    assessor TEXT NOT NULL,
    until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What belongs to one assessor, and changes no number.
CREATE TABLE later (
    assessor TEXT NOT NULL,
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    PRIMARY KEY (assessor, topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE own_term (
    number INTEGER PRIMARY KEY,
    assessor TEXT NOT NULL,
    topic TEXT NOT NULL REFERENCES topic (topic),
    term TEXT NOT NULL,
    UNIQUE (assessor, topic, term)
) STRICT;

CREATE TABLE unmarked_term (
    assessor TEXT NOT NULL,
    topic TEXT NOT NULL REFERENCES topic (topic),
    term TEXT NOT NULL,
    PRIMARY KEY (assessor, topic, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE preference (
    assessor TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (assessor, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX answer_topic ON answer (topic, run);
CREATE INDEX model_answer_pair ON model_answer (topic, document, batch);
CREATE INDEX judgment_pair ON judgment (topic, document, assessor, seq, kind, grade);
CREATE INDEX judgment_assessor ON judgment (assessor, seq);
CREATE INDEX judgment_adjudication ON judgment (topic, document, seq, grade) WHERE kind = 'adjudication';
CREATE INDEX judgment_cannot_tell ON judgment (topic, document, seq) WHERE kind = 'can''t tell';
CREATE INDEX judgment_model ON judgment (topic, document, assessor, seq, grade) WHERE kind = 'model';
CREATE INDEX judgment_import ON judgment (seq) WHERE kind = 'import';
CREATE INDEX pooled_document ON pooled (document);
CREATE INDEX pooled_choice ON pooled (pool, choice) WHERE choice IS NOT NULL;
CREATE INDEX retired_choice ON retired_pair (pool, choice) WHERE choice IS NOT NULL
"""
"""Indexes with a condition hold few rows of many campaigns, so that counting these takes no time."""

NEWEST_SEQ = """max(
    (SELECT coalesce(max(seq), 0) FROM event), (SELECT coalesce(max(seq), 0) FROM judgment))"""


def _protection(table: str, unique: str) -> tuple[str, ...]:
    """Triggers that let rows of `table` only be appended, as the next of the one sequence.

    INSERT OR REPLACE deletes without firing delete triggers; it can only hit an existing `seq`, which the
    rule on the next one excludes, or an existing unique value, which is checked here by name.
    """
    return (
        f"""CREATE TRIGGER {table}_is_never_updated BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'the log is append-only: a {table} is never updated'); END""",
        f"""CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'the log is append-only: a {table} is never deleted'); END""",
        f"""CREATE TRIGGER {table}_is_appended BEFORE INSERT ON {table}
WHEN NEW.seq IS NOT 1 + {NEWEST_SEQ}{unique}
BEGIN SELECT RAISE(ABORT, 'the log is append-only: a {table} takes the next seq'); END""",
    )


TRIGGERS = (
    *_protection("event", ""),
    *_protection("judgment", "\n    OR EXISTS (SELECT 1 FROM judgment WHERE uuid = NEW.uuid)"),
)


def create(db: Database) -> None:
    """Make the schema in an empty database, inside the open write transaction."""
    for statement in (*TABLES.split(";"), *TRIGGERS, *VIEWS):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


Definitions = dict[str, dict[str, str]]


def ours() -> Definitions:
    """What a campaign file of our schema consists of: type -> name -> SQL, as SQLite keeps them."""
    return definitions_made_by(create)


@cache
def definitions_made_by(create: Callable[[Database], object]) -> Definitions:
    """What a database consists of in which a function made a schema."""
    empty = Database(memory=True, execute_plugins=False)
    try:
        create(empty)
        return definitions_in(empty)
    finally:
        empty.close()


def definitions_in(db: Database) -> Definitions:
    """What a database consists of: type (table, index, trigger, view) -> name -> SQL; not what SQLite adds itself.

    In a damaged file a name may be no text: it stands here as Python writes it.
    """
    found: dict[str, dict[str, str]] = {"table": {}, "index": {}, "trigger": {}, "view": {}}
    rows = db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    for kind, name, sql in rows:
        key = name if isinstance(name, str) else repr(name)
        found.setdefault(kind, {})[key] = sql  # of other types there is none, unless the file is damaged
    return found
