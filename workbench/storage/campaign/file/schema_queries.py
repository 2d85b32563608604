"""Queries of a campaign file for other tools, which Datasette offers by their titles."""

from __future__ import annotations

from typing import NamedTuple

from workbench.storage.campaign.file.people_tables import shown


class Query(NamedTuple):
    """A question in SQL; names after a colon are asked for."""

    title: str
    description: str
    sql: str


QUERIES: dict[str, Query] = {
    "one_ranking": Query(
        "One ranking",
        "One run's documents for one topic in rank order, with their scores and the grades in force. "
        "Needs the plugin that decodes packed rankings.",
        """SELECT ranked.rank, ranked.document, document.title, ranked.score, qrel.grade
FROM ranked LEFT JOIN qrel USING (topic, document) LEFT JOIN document USING (document)
WHERE ranked.run = :run AND ranked.topic = :topic
ORDER BY ranked.rank""",
    ),
    "retrieved_by": Query(
        "Who retrieved a document",
        "The rank and score that every run gave a document for a topic. "
        "Needs the plugin that decodes packed rankings.",
        """SELECT run, rank, score FROM ranked
WHERE topic = :topic AND document = :document
ORDER BY rank, run""",
    ),
    "progress": Query(
        "Progress by topic",
        "How many pairs of each topic are pooled, how many of them have a grade, and how many are relevant.",
        """SELECT topic.topic, topic.title, count(*) AS pooled, count(qrel.grade) AS graded,
    coalesce(sum(qrel.grade >= (SELECT value + 0 FROM setting WHERE name = 'relevant_from')), 0) AS relevant
FROM pooled JOIN topic USING (topic) LEFT JOIN qrel USING (topic, document)
GROUP BY topic.topic ORDER BY topic.topic""",
    ),
    "disagreements": Query(
        "Disagreements",
        "Pairs to which assessors give different grades now, each on their own, with the adjudication that settled "
        "them, if there is one, and the grade that counts.",
        f"""SELECT own.topic, own.document, min(own.grade) AS lowest, max(own.grade) AS highest,
    group_concat({shown("own.assessor")} || ': ' || own.grade, ', ') AS grades,
    settled.grade AS adjudicated, {shown("settled.assessor")} AS adjudicator, qrel.grade AS label
FROM (SELECT * FROM current_judgment WHERE kind <> 'adjudication' ORDER BY topic, document, {shown("assessor")}) AS own
LEFT JOIN (SELECT * FROM current_judgment WHERE kind = 'adjudication') AS settled USING (topic, document)
LEFT JOIN qrel USING (topic, document)
WHERE own.grade IS NOT NULL
GROUP BY own.topic, own.document HAVING min(own.grade) < max(own.grade)""",
    ),
    "said_twice": Query(
        "What was said twice",
        "Hidden repeats: what an assessor said of a pair first, which is what counts, and when it came again.",
        f"""SELECT again.topic, again.document, {shown("again.assessor")} AS assessor, (
    SELECT grade FROM judgment AS first
    WHERE first.topic = again.topic AND first.document = again.document AND first.assessor = again.assessor
    AND first.kind IN ('grade', 'can''t tell', 'cleared', 'import') AND first.seq < shown.first_again
    ORDER BY seq DESC LIMIT 1
) AS first, again.grade AS again
FROM (
    SELECT min(seq) AS first_again, max(seq) AS seq FROM judgment
    WHERE kind = 'repeat' GROUP BY topic, document, assessor
) AS shown JOIN judgment AS again USING (seq)
WHERE again.source <> 'screen, taken back'
ORDER BY again.topic, again.document, again.assessor""",
    ),
}
