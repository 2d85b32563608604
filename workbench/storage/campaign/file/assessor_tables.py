"""The tables for many assessors, as migration m006 makes them: who does what, who judges which pairs, and why again.

`claim` is a lease and no part of the log: it ends by itself. All other tables repeat what the log's events say.
"""

ASSESSOR_TABLES = """
ALTER TABLE member ADD COLUMN team TEXT;

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

CREATE TABLE closed_topic (
    topic TEXT PRIMARY KEY REFERENCES topic (topic),
    seq INTEGER NOT NULL REFERENCES event (seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE drawn_pair (
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    stratum TEXT NOT NULL,
    inclusion_probability REAL NOT NULL,
    seq INTEGER NOT NULL REFERENCES event (seq),
    PRIMARY KEY (topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE norming (
    norming INTEGER PRIMARY KEY,
    topic TEXT NOT NULL REFERENCES topic (topic),
    counts INTEGER NOT NULL CHECK (counts IN (0, 1)),
    opened INTEGER NOT NULL REFERENCES event (seq),
    revealed INTEGER REFERENCES event (seq),
    closed INTEGER REFERENCES event (seq)
) STRICT;

CREATE TABLE norming_document (
    norming INTEGER NOT NULL REFERENCES norming (norming),
    document TEXT NOT NULL REFERENCES document (document),
    place INTEGER NOT NULL,
    PRIMARY KEY (norming, document)
) STRICT, WITHOUT ROWID;

"""

MORE_ALLOWED = {
    "role IN ('organiser', 'assessor', 'none')": (
        "role IN ('organiser', 'adjudicator', 'assessor', 'participant', 'observer', 'none')"
    ),
    "CHECK ((grade IS NULL) = (kind IN ('can''t tell', 'cleared')))": (
        "CHECK ((grade IS NOT NULL AND kind NOT IN ('can''t tell', 'cleared')) OR "
        "(grade IS NULL AND kind NOT IN ('grade', 'import')))"
    ),
}
"""Conditions of tables that became wider, with what they were: more roles; and a repeat, a norming judgment or an
adjudication may be "can't tell", which is no grade.
"""
