"""Tables and columns that migrations m003, m004 and m009 add: near duplicates, runs, and terms."""

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
