"""What was said of the pairs of which more than one thing was said: assessors' own grades, and the adjudication.

Nearly every pair is judged by one person, and then every rule gives that person's grade. So rules look at the others
alone, which keeps them quick however long the log is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.core.records import COUNTED_KINDS
from workbench.storage.campaign.collection.pools import TAKES_PART, then
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades.independent_grades import INDEPENDENT_KINDS
from workbench.storage.campaign.grades.sources import ADJUDICATION, MODEL, Precedence

Pair = tuple[str, str]
"""Topic and document."""

_COUNTED = quoted(COUNTED_KINDS)
_OWN = quoted(INDEPENDENT_KINDS)


class Vote(NamedTuple):
    """A grade in force: an assessor's newest own judgment of a pair, a model's newest label, or the adjudication that
    settled it. Adjudications are one line for all adjudicators: the newest replaces all before, and one without a grade
    takes them back.
    """

    seq: int
    assessor: str
    kind: str
    grade: int

    @property
    def adjudicated(self) -> bool:
        """Whether it is an adjudication."""
        return self.kind == ADJUDICATION


def votes(
    campaign: Campaign, *, topic_id: str | None = None, document_id: str | None = None, models: bool = False
) -> dict[Pair, list[Vote]]:
    """The votes of each pair that several assessors judged, or that was adjudicated; pairs without any left out.

    Args:
        campaign: an open campaign.
        topic_id: only this topic's.
        document_id: only this document's.
        models: also labels of models; an assessor of the same name is distinct from the model.

    In byte order of topic and document; a pair's by assessor, then models', the adjudication last.
    """
    kinds, of_models, apart = (
        (_COUNTED, "", "") if not models else (f"{_COUNTED}, '{MODEL}'", _OF_MODELS, _APART)
    )
    rows = campaign.execute(
        f"""WITH several AS MATERIALIZED (
            SELECT topic, document FROM judgment
            WHERE kind IN ({kinds}) AND seq <= :as_of{_chosen(topic_id, document_id)} AND {TAKES_PART}
            GROUP BY topic, document HAVING min(assessor) < max(assessor) OR max(kind = 'adjudication')
            {apart}
        )
        SELECT topic, document, max(seq), {shown("assessor")} AS assessor, kind, grade, 0 AS line
        FROM several CROSS JOIN judgment USING (topic, document)
        WHERE kind IN ({_OWN}) AND seq <= :as_of GROUP BY topic, document, assessor
        {of_models}
        UNION ALL SELECT topic, document, max(seq), {shown("assessor")}, kind, grade, 2
        FROM several CROSS JOIN judgment USING (topic, document)
        WHERE kind = 'adjudication' AND seq <= :as_of GROUP BY topic, document
        ORDER BY topic, document, line, assessor""",
        then(campaign, topic=topic_id, document=document_id),
    )
    found: dict[Pair, list[Vote]] = {}
    for topic, document, seq, assessor, kind, grade, _ in rows:
        if grade is not None:
            found.setdefault((topic, document), []).append(Vote(seq, assessor, kind, grade))
    return found


_APART = f"OR min(kind = '{MODEL}') < max(kind = '{MODEL}')"
_OF_MODELS = f"""UNION ALL SELECT topic, document, max(seq), {shown("assessor")}, kind, grade, 1
        FROM several CROSS JOIN judgment USING (topic, document)
        WHERE kind = '{MODEL}' AND seq <= :as_of GROUP BY topic, document, assessor"""


def counting(given: Sequence[Vote], precedence: Precedence) -> Sequence[Vote]:
    """Of a pair's votes those that count, which are of one tier; none where no source class of theirs counts."""
    tiers = [precedence.tier(vote.kind) for vote in given]
    lowest = min((tier for tier in tiers if tier is not None), default=None)
    if all(tier == lowest for tier in tiers):
        return given if lowest is not None else ()
    return [vote for vote, tier in zip(given, tiers, strict=True) if tier == lowest and tier is not None]


def adjudicated(
    campaign: Campaign, topic_id: str | None = None, document_id: str | None = None
) -> dict[Pair, tuple[int, int]]:
    """The place in the log and the grade of each pair's adjudication in force; arguments as in `votes`."""
    rows = campaign.execute(
        f"""SELECT topic, document, max(seq), grade FROM judgment INDEXED BY judgment_adjudication
        WHERE kind = 'adjudication' AND seq <= :as_of{_chosen(topic_id, document_id)} AND {TAKES_PART}
        GROUP BY topic, document""",
        then(campaign, topic=topic_id, document=document_id),
    )
    return {(topic, document): (seq, grade) for topic, document, seq, grade in rows if grade is not None}


def own_grades_among(given: Sequence[Vote]) -> Sequence[Vote]:
    """Of a pair's votes those that assessors gave each on their own; all where there is no such vote."""
    return [vote for vote in given if not vote.adjudicated] or given


def _chosen(topic_id: str | None, document_id: str | None) -> str:
    one_topic = " AND topic = :topic" if topic_id is not None else ""
    return one_topic + (" AND document = :document" if document_id is not None else "")
