"""The newest grade in force of each pair, among those that count: what most labels are, whatever the rule."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from workbench.jobs.observing import observed
from workbench.storage.campaign.collection import topic_withdrawals, topics
from workbench.storage.campaign.collection.pools import TAKES_PART, then
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted
from workbench.storage.campaign.grades.current_judgments import INDEPENDENT_KINDS, OWN_KINDS
from workbench.storage.campaign.grades.sources import MODEL, STEP, Precedence

Given = tuple[int, int]
"""A grade, and the `seq` of the judgment that gives it."""


class TopicLabels(NamedTuple):
    """The labels of one topic as columns of the same length, in byte order of the documents; `seqs` are the judgments
    that give them. `repeated` counts its pairs that have several judgments, labels or not.
    """

    topic_id: str
    document_ids: Sequence[str] = ()
    grades: Sequence[int] = ()
    seqs: Sequence[int] = ()
    repeated: int = 0

    def replaced(self, given: Mapping[str, Given]) -> TopicLabels:
        """The same with the labels of some documents added, or in the place of others."""
        own = zip(self.document_ids, zip(self.grades, self.seqs, strict=True), strict=True)
        rows = sorted({**dict(own), **given}.items())
        return self._replace(
            document_ids=[document_id for document_id, _ in rows],
            grades=[grade for _, (grade, _) in rows],
            seqs=[seq for _, (_, seq) in rows],
        )


_LINES = """SELECT max(seq) AS seq, topic, document, kind, grade FROM judgment
    WHERE kind IN ({kinds}) AND seq <= :as_of{chosen} AND {takes_part} GROUP BY topic, document, assessor"""
"""Assessors' newest own judgments, or models' newest labels, of topics that are not withdrawn."""


def own(precedence: Precedence, chosen: str = "") -> str:
    """A query of the grades in force that count, with their `place`: the newest of a pair's lowest tier is last."""
    lines = [_LINES.format(kinds=OWN_KINDS, chosen=chosen, takes_part=TAKES_PART)]
    if precedence.models is not None:
        lines.append(_LINES.format(kinds=quoted((MODEL,)), chosen=chosen, takes_part=TAKES_PART))
    tier = precedence.in_sql
    some = f"AND {tier} IS NOT NULL" if None in (precedence.here, precedence.imports) else ""
    return f"""SELECT seq, topic, document, grade, seq - {tier} * {STEP} AS place FROM ({" UNION ALL ".join(lines)})
        WHERE grade IS NOT NULL {some}"""


def each_topic(campaign: Campaign, precedence: Precedence) -> Iterator[TopicLabels]:
    """The newest grade of the lowest tier of each pair that has one, of every topic of the log in byte order, also
    of those without any.

    The newest row of a pair gives it where no other row can count before it, as for nearly all pairs: one pass in the
    order of an index, where the newest row of each assessor has to be sorted. That is looked at for the other pairs.
    """
    query, out = _of_a_topic(precedence), topic_withdrawals.left_out(campaign)
    for topic_id in observed(topics.judged(campaign), "Reading labels"):
        if topic_id in out:
            yield TopicLabels(topic_id)
            continue
        row = campaign.execute(query, {"topic": topic_id, "as_of": campaign.up_to}).fetchone()
        document_ids, grades, seqs, others = map(json.loads, row[:-1])
        found = TopicLabels(topic_id, document_ids, grades, seqs, repeated=row[-1])
        if others:
            found = found.replaced(_of_documents(campaign, precedence, topic_id, others))
        yield found


def _of_a_topic(precedence: Precedence) -> str:
    """A query of documents, grades and `seq` of each pair's newest row if it has a grade that counts, of the documents
    of which other rows may count, and of the number of pairs with several rows.

    It gives one row, since a row for each pair takes as long to hand over as to find.
    """
    kinds = INDEPENDENT_KINDS if precedence.models is None else (*INDEPENDENT_KINDS, MODEL)
    tier = precedence.in_sql
    several = f"count(*) > 1 AND (grade IS NULL OR ({tier}) IS NOT 0)"
    known = ", ".join(
        f"json_group_array({column}) FILTER (WHERE grade IS NOT NULL)"
        for column in ("document", "grade", "seq")
    )
    return f"""SELECT {known}, json_group_array(document) FILTER (WHERE grade IS NULL),
            count(*) FILTER (WHERE repeated)
        FROM (
            SELECT max(seq) AS seq, document, iif({several}, NULL, grade) AS grade, count(*) > 1 AS repeated
            FROM judgment WHERE kind IN ({quoted(kinds)}) AND topic = :topic AND seq <= :as_of GROUP BY document
            HAVING ({several}) OR (grade IS NOT NULL AND ({tier}) IS NOT NULL) ORDER BY document
        )"""


def _of_documents(
    campaign: Campaign, precedence: Precedence, topic_id: str, document_ids: Sequence[str]
) -> dict[str, Given]:
    """What the newest rows of each assessor say of some of a topic's documents, where they give a label."""
    chosen = " AND topic = :topic AND document IN (SELECT value FROM json_each(:documents))"
    rows = campaign.execute(
        f"SELECT document, grade, seq, max(place) FROM ({own(precedence, chosen)}) GROUP BY document",
        then(campaign, topic=topic_id, documents=json.dumps(document_ids)),
    )
    return {document_id: (grade, seq) for document_id, grade, seq, _ in rows}
