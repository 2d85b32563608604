"""Conflicts between assessors' own grades, and the adjudications that settle them.

The adjudications of a pair are one line for all adjudicators: each replaces the one before, and one without a grade
takes that back. An adjudication is not an independent grade: what its author judged before is not changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from workbench.core.records import REMAPPED, Judgment
from workbench.jobs.observing import observed
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.collection.question_topics import asked
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.grades.sources import ADJUDICATION, chosen
from workbench.storage.campaign.log.erasable import COMMENT, id_of
from workbench.storage.campaign.log.log import select_judgments

_SEVERAL = f"""SELECT topic, document FROM judgment WHERE kind IN ({OWN_KINDS}) AND topic = :topic AND seq <= :as_of
    GROUP BY document HAVING min(assessor) < max(assessor)"""
"""A topic's pairs that more than one assessor judged: few of all, and found by one walk through an index."""


class OwnGrade(NamedTuple):
    """A grade that an assessor gave alone, and its place in the log."""

    seq: int
    grade: int


class Dispute(NamedTuple):
    """A pair to which assessors give different grades, with all of these, in the order in which they were given."""

    topic_id: str
    document_id: str
    own_grades: tuple[OwnGrade, ...]

    @property
    def grades(self) -> tuple[int, ...]:
        """The different grades, ascending."""
        return tuple(sorted({own_grades.grade for own_grades in self.own_grades}))

    @property
    def gap(self) -> int:
        """How far the outermost grades are apart."""
        return self.grades[-1] - self.grades[0]


class Adjudication(NamedTuple):
    """The grade that settled a pair: the row of the log that gave it, who and when (UTC, ISO 8601), and why."""

    seq: int
    topic_id: str
    document_id: str
    grade: int
    adjudicator: str
    received_at: str
    comment: str


def disputes(campaign: Campaign, topic_id: str | None = None) -> list[Dispute]:
    """Pairs, of a topic or of all, whose assessors' own grades in force differ, settled or not, in byte order."""
    query = f"""WITH several AS MATERIALIZED ({_SEVERAL}), own AS (
            SELECT max(seq) AS seq, document, grade FROM several CROSS JOIN judgment USING (topic, document)
            WHERE kind IN ({OWN_KINDS}) AND seq <= :as_of GROUP BY document, assessor
        )
        SELECT document, json_group_array(json_array(seq, grade)) FROM own
        WHERE grade IS NOT NULL GROUP BY document HAVING min(grade) < max(grade) ORDER BY document"""
    named = observed(topics.judged(campaign), "Reading grades") if topic_id is None else [topic_id]
    return [
        Dispute(topic, document_id, tuple(sorted(OwnGrade(*one) for one in json.loads(own_grades))))
        for topic in named
        for document_id, own_grades in campaign.execute(query, {"topic": topic, "as_of": campaign.up_to})
    ]


def that_can_be_shown(campaign: Campaign, found: Iterable[Dispute]) -> set[tuple[str, str]]:
    """Those of these pairs that are pooled, and of whose document the campaign has a text."""
    asked = json.dumps([(dispute.topic_id, dispute.document_id) for dispute in found])
    rows = campaign.execute(
        """SELECT pooled.topic, pooled.document FROM json_each(?) AS asked
        CROSS JOIN pooled ON topic = asked.value ->> 0 AND pooled.document = asked.value ->> 1
        CROSS JOIN document ON document.document = pooled.document AND text_hash IS NOT NULL""",
        [asked],
    )
    return set(rows.fetchall())


def in_force(
    campaign: Campaign, topic_id: str | None = None, document_id: str | None = None
) -> dict[tuple[str, str], Adjudication]:
    """The adjudication in force of each pair, by topic and document, in byte order; arguments as `sources.votes`."""
    rows = campaign.execute(
        f"""SELECT max(seq), topic, document, grade, {shown("judgment.assessor")}, received_at, {COMMENT} FROM judgment
        WHERE kind = '{ADJUDICATION}' AND seq <= :last{chosen(topic_id, document_id)}
        GROUP BY topic, document ORDER BY topic, document""",
        {"last": campaign.up_to, "topic": topic_id, "document": document_id},
    )
    found = [Adjudication(*row) for row in rows if row[3] is not None]
    shown_here = set(asked(campaign, {each.topic_id for each in found}))
    return {
        (each.topic_id, each.document_id): each
        for each in found
        if topic_id is not None or each.topic_id in shown_here
    }


def in_force_of_topic(campaign: Campaign, topic_id: str) -> dict[str, Adjudication]:
    """The adjudication in force of each document of a topic that has one."""
    return {document_id: each for (_, document_id), each in in_force(campaign, topic_id).items()}


def of_pair(campaign: Campaign, topic_id: str, document_id: str) -> Adjudication | None:
    """The adjudication in force of one pair."""
    return in_force(campaign, topic_id, document_id).get((topic_id, document_id))


def newest_by(campaign: Campaign, adjudicator: str) -> Adjudication | None:
    """An adjudicator's last adjudication, if it is still current."""
    row = campaign.execute(
        f"""SELECT topic, document FROM judgment
        WHERE assessor = ? AND kind = '{ADJUDICATION}' AND source <> '{REMAPPED}' ORDER BY seq DESC LIMIT 1""",
        [id_of(campaign, adjudicator)],
    ).fetchone()
    found = of_pair(campaign, *row) if row else None
    return found if found is not None and found.adjudicator == adjudicator else None


def row_at(campaign: Campaign, seq: int) -> Judgment | None:
    """The adjudication at a place in the log, as its row says; None where there is none."""
    at = f"WHERE seq = ? AND kind = '{ADJUDICATION}' AND grade IS NOT NULL"
    return next(select_judgments(campaign, at, [seq]), None)


def own_judgments(campaign: Campaign, topic_id: str, document_id: str) -> list[Judgment]:
    """Each assessor's newest judgment of a pair that was given alone, unless it was cleared, in the log's order."""
    newest = f"""JOIN (
        SELECT max(seq) AS seq FROM judgment
        WHERE topic = ? AND document = ? AND kind IN ({OWN_KINDS}) GROUP BY assessor
    ) USING (seq) WHERE kind <> 'cleared' ORDER BY seq"""
    return list(select_judgments(campaign, newest, [topic_id, document_id]))
