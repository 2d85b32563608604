"""Tables and columns that migrations m003, m004, m009, m011, m012 and m015 add."""

COMPARED_TABLE = """
CREATE TABLE compared (
    topic TEXT PRIMARY KEY REFERENCES topic,
    texts INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""
"""How many texts a topic's pooled documents had when near duplicates were last looked for. A text never changes, and a
pair stays pooled, so the same number says that nothing has come since.
"""

RUNS_OF_A_CAMPAIGN = """
ALTER TABLE run ADD COLUMN withdrawn INTEGER REFERENCES event;

CREATE TABLE run_warning (
    run INTEGER NOT NULL REFERENCES run,
    place INTEGER NOT NULL,
    line INTEGER,
    message TEXT NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
"""
"""What an organiser sees of runs: `withdrawn` is the `seq` of the event that took a run out, NULL while it takes part;
a warning is what deserved a look when the run was added, and changes no number.
"""

UNMARKED_TERMS = """
CREATE TABLE unmarked_term (
    assessor TEXT NOT NULL,
    topic TEXT NOT NULL REFERENCES topic (topic),
    term TEXT NOT NULL,
    PRIMARY KEY (assessor, topic, term)
) STRICT, WITHOUT ROWID;
"""
"""Words of a topic that an assessor does not want to see marked; no number depends on them."""

RETIRED_POOLS = """
ALTER TABLE pool ADD COLUMN retired INTEGER REFERENCES event (seq);

CREATE TABLE retired_pair (
    pool INTEGER NOT NULL REFERENCES pool (pool),
    topic TEXT NOT NULL REFERENCES topic (topic),
    document TEXT NOT NULL REFERENCES document (document),
    best_rank INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    stratum INTEGER NOT NULL,
    inclusion_probability REAL NOT NULL,
    PRIMARY KEY (topic, document, pool)
) STRICT, WITHOUT ROWID;
"""
"""Pools that were taken out again: `retired` is the `seq` of that event, NULL while the pool is in force. Its pairs
move from `pooled`, which has what is to be judged, so that a later pool can bring them in once more.
"""

CHOSEN_PAIRS = """
ALTER TABLE pooled ADD COLUMN choice INTEGER REFERENCES event (seq);
ALTER TABLE retired_pair ADD COLUMN choice INTEGER REFERENCES event (seq);

CREATE INDEX pooled_choice ON pooled (pool, choice) WHERE choice IS NOT NULL;
CREATE INDEX retired_choice ON retired_pair (pool, choice) WHERE choice IS NOT NULL
"""
"""The `seq` of the event by which a pair came into its pool; NULL where the pool had it from the start.

The indexes hold chosen pairs alone, which many campaigns do not have, so that counting them takes no time.
"""

PAGE_IMAGES = """
CREATE TABLE page_image (
    document TEXT NOT NULL REFERENCES document (document),
    page INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    image BLOB NOT NULL,
    PRIMARY KEY (document, page)
) STRICT
"""
"""Pages of a PDF, counted from 1, as PNG, with their sizes in pixels. The image comes last,
so that the others are read without it.
"""
