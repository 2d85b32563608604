"""Views for other tools: what is in force, the newest labels of models, and the labels by the campaign's rule.

`qrel` says in SQL what `labels.py` says in Python, and the audit compares the two. The model of Dawid and Skene
cannot be said in SQL: there the rows are the majority's, and say so in their column `rule`.
"""

from __future__ import annotations

from workbench.core.records import Judgment
from workbench.core.values import declared

_COLUMNS = ", ".join([*(field.column for field in declared(Judgment)[1:]), "hash", "source_class"])
"""All but `seq`."""

# Beside max(seq) SQLite takes every other column from the row that has it (sqlite.org/lang_select.html,
# "bare columns in an aggregate query"): one pass, where a join with the maxima takes hours for 100,000 rows.
CURRENT_JUDGMENT = f"""CREATE VIEW current_judgment AS
SELECT max(seq) AS seq, {_COLUMNS} FROM judgment
WHERE kind IN ('grade', 'can''t tell', 'cleared', 'import') GROUP BY topic, document, assessor
UNION ALL
SELECT max(seq), {_COLUMNS} FROM judgment INDEXED BY judgment_adjudication
WHERE kind = 'adjudication' GROUP BY topic, document"""
"""What each assessor said alone, and the adjudications, of which a pair has one in force."""

MODEL_LABEL = """CREATE VIEW model_label AS
SELECT topic, document, assessor AS model, grade, max(seq) AS seq FROM judgment INDEXED BY judgment_model
WHERE kind = 'model' GROUP BY topic, document, assessor"""

QREL = """CREATE VIEW qrel AS
WITH setting AS MATERIALIZED (
    SELECT one.key AS name, one.value AS value, max(event.seq) FROM event CROSS JOIN json_each(content) AS one
    WHERE kind = 'settings' GROUP BY one.key
),
chosen (rule, imports, models) AS (
    SELECT coalesce((SELECT value FROM setting WHERE name = 'label_rule'), 'newest'),
        coalesce((SELECT value = 'gaps' FROM setting WHERE name = 'imported_labels'), 0),
        coalesce((SELECT value = 'gaps' FROM setting WHERE name = 'model_labels'), 0)
),
withdrawn AS (
    SELECT one.value AS topic, kind, max(event.seq) FROM event CROSS JOIN json_each(content, '$.topics') AS one
    WHERE kind IN ('topic withdrawal', 'topic restoration') GROUP BY one.value
),
told AS (
    SELECT topic, document, assessor, grade, max(seq) AS seq, 0 AS adjudicated,
        (kind = 'import') * (SELECT imports FROM chosen) AS tier
    FROM judgment WHERE kind IN ('grade', 'can''t tell', 'cleared', 'import') GROUP BY topic, document, assessor
    UNION ALL
    SELECT topic, document, '', grade, max(seq), 1, 0 FROM judgment INDEXED BY judgment_adjudication
    WHERE kind = 'adjudication' GROUP BY topic, document
    UNION ALL
    SELECT topic, document, assessor, grade, max(seq), 0, 2 FROM judgment INDEXED BY judgment_model
    WHERE kind = 'model' AND (SELECT models FROM chosen) GROUP BY topic, document, assessor
),
vote AS (SELECT * FROM told WHERE grade IS NOT NULL
    AND topic NOT IN (SELECT topic FROM withdrawn WHERE kind = 'topic withdrawal')),
tiered AS (
    SELECT vote.*, min(tier) OVER (PARTITION BY topic, document) AS lowest_tier FROM vote
    WHERE (SELECT rule <> 'newest' FROM chosen)
),
judged AS (
    SELECT tiered.*, min(adjudicated) OVER (PARTITION BY topic, document) AS settled_only,
        (SELECT rule IN ('newest', 'owner', 'adjudicated first') FROM chosen) AS with_adjudications
    FROM tiered WHERE tier = lowest_tier
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
SELECT topic, document, grade, seq, rule FROM (
    SELECT topic, document, grade, seq, 'newest' AS rule, max(seq - tier * 1152921504606846976) FROM vote
    WHERE (SELECT rule = 'newest' FROM chosen) GROUP BY topic, document
)
UNION ALL
SELECT topic, document, grade, seq, iif(rule = 'Dawid-Skene', 'majority', rule) FROM ranked WHERE choice = 1"""
"""Of a pair's grades those of the lowest tier count: given here, then imported, then a model's (as the settings say).
The number in the view is sources.STEP. Topics that are withdrawn have no labels.
"""

VIEWS = (CURRENT_JUDGMENT, MODEL_LABEL, QREL)
