"""Views for other tools: `qrel` as migration m006 makes it, the labels by the campaign's rule, and what is in force.

`qrel` says in SQL what `labels.py` says in Python, and the audit compares the two. The model of Dawid and Skene
cannot be said in SQL: there the rows are the majority's, and say so in their column `rule`.
"""

LABEL_VIEWS = """
CREATE INDEX judgment_adjudication ON judgment (topic, document, seq, grade) WHERE kind = 'adjudication';

CREATE INDEX judgment_cannot_tell ON judgment (topic, document, seq) WHERE kind = 'can''t tell';

DROP VIEW qrel;

CREATE VIEW qrel AS
WITH chosen (rule) AS (
    SELECT coalesce((SELECT trim(value, '"') FROM setting WHERE name = 'label_rule'), 'newest')
),
told AS (
    SELECT topic, document, assessor, grade, max(seq) AS seq, 0 AS adjudicated FROM judgment
    WHERE kind IN ({own}) GROUP BY topic, document, assessor
    UNION ALL
    SELECT topic, document, '', grade, max(seq), 1 FROM judgment INDEXED BY judgment_adjudication
    WHERE kind = 'adjudication' GROUP BY topic, document
),
vote AS (SELECT * FROM told WHERE grade IS NOT NULL),
judged AS (
    SELECT vote.*, min(adjudicated) OVER (PARTITION BY topic, document) AS settled_only,
        (SELECT rule IN ('newest', 'owner', 'adjudicated first') FROM chosen) AS with_adjudications
    FROM vote WHERE (SELECT rule <> 'newest' FROM chosen)
),
compared AS (
    SELECT topic, document, assessor, grade, seq, adjudicated, with_adjudications,
        count(*) OVER pair AS number, row_number() OVER (pair ORDER BY grade) AS place,
        count(*) OVER same AS alike, max(seq) OVER same AS newest_alike,
        (SELECT seq * 1000000 + place FROM assignment
            WHERE part = 'whole' AND topic = judged.topic AND assessor = judged.assessor AND NOT adjudicated) AS owner,
        NOT adjudicated AND EXISTS (
            SELECT 1 FROM assignment
            WHERE part = 'second' AND topic = judged.topic AND assessor = judged.assessor
            UNION ALL SELECT 1 FROM former_assignment
            WHERE part = 'second' AND topic = judged.topic AND assessor = judged.assessor
        ) AS second
    FROM judged WHERE with_adjudications OR adjudicated <= settled_only
    WINDOW pair AS (PARTITION BY topic, document), same AS (PARTITION BY topic, document, grade)
),
ranked AS (
    SELECT topic, document, grade, iif(with_adjudications, seq, newest_alike) AS seq, rule,
        row_number() OVER (PARTITION BY topic, document ORDER BY
            CASE rule WHEN 'owner' THEN owner IS NULL WHEN 'adjudicated first' THEN NOT adjudicated
                WHEN 'strictest' THEN grade WHEN 'most lenient' THEN -grade
                WHEN 'median' THEN place <> (number + 1) / 2 ELSE -alike END,
            CASE rule WHEN 'owner' THEN coalesce(owner, second) WHEN 'adjudicated first' THEN 0 ELSE grade END,
            seq DESC) AS choice
    FROM compared CROSS JOIN chosen
)
SELECT topic, document, grade, max(seq) AS seq, 'newest' AS rule FROM vote
WHERE (SELECT rule = 'newest' FROM chosen) GROUP BY topic, document
UNION ALL
SELECT topic, document, grade, seq, iif(rule = 'Dawid-Skene', 'majority', rule) FROM ranked WHERE choice = 1
"""
"""`{own}` is replaced by the kinds of judgments that assessors give independently. The adjudications of a pair are one
line, of which the newest is in force; the first index finds them, where SQLite would else read all others once more;
the second finds pairs that are judged without a grade.
"""

_COLUMNS = """uuid, received_at, client_at, assessor, topic, document, pool, text_hash, topic_version,
    guideline_version, kind, grade, replaces, active_seconds, comment, source, input, same_as, rationales, hash"""

CURRENT_VIEW = f"""
DROP VIEW current_judgment;

CREATE VIEW current_judgment AS
SELECT max(seq) AS seq, {_COLUMNS} FROM judgment
WHERE kind IN ('grade', 'can''t tell', 'cleared', 'import') GROUP BY topic, document, assessor
UNION ALL
SELECT max(seq), {_COLUMNS} FROM judgment INDEXED BY judgment_adjudication
WHERE kind = 'adjudication' GROUP BY topic, document
"""
"""The view `current_judgment` as migration m007 makes it: what each assessor said alone, and the adjudications, of
which a pair has one in force.
"""
