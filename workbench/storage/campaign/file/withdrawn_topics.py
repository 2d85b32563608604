"""What migration m013 adds: which topics are withdrawn, and a view of labels that leaves them out."""

from workbench.storage.campaign.file.source_tables import SOURCES

_LABELS = SOURCES[SOURCES.index("DROP VIEW qrel;") :]
_GRADED = "vote AS (SELECT * FROM told WHERE grade IS NOT NULL)"
_IN_FORCE = f"""{_GRADED[:-1]}
    AND topic NOT IN (SELECT topic FROM withdrawn_topic WHERE restored IS NULL))"""

WITHDRAWN_TOPICS = f"""
CREATE TABLE withdrawn_topic (
    topic TEXT NOT NULL REFERENCES topic (topic),
    withdrawn INTEGER NOT NULL REFERENCES event (seq),
    restored INTEGER REFERENCES event (seq),
    PRIMARY KEY (topic, withdrawn)
) STRICT, WITHOUT ROWID;

{_LABELS.replace(_GRADED, _IN_FORCE)}
"""
"""A row for each time that a topic is out: from the event `withdrawn` on until the event `restored`, NULL while it is
out. The view `qrel` is that of m008 without the topics that are out.
"""
