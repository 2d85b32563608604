"""Where a label comes from, and whose labels count before whose: what was judged here, imported, or said by a model.

Every row of the log has a kind, and with it a source class. Which classes count, and in which order, are two settings
and so events of the log: each moment has its own.

Votes are what was said of the pairs of which more than one thing was said: assessors' own grades, and the adjudication.
Nearly every pair is judged by one person, and then every rule gives that person's grade. So rules look at the others
alone, which keeps them quick however long the log is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.records import COUNTED_KINDS
from workbench.storage.campaign.collection.pools import TAKES_PART, then
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.organising import settings

IMPORT, MODEL, ADJUDICATION = "import", "model", "adjudication"
"""The kinds of judgments that do not come from an assessor of the campaign; all others do."""

HERE = "here"
"""What assessors and adjudicators of the campaign gave: beside IMPORT and MODEL what can be chosen of its labels."""

GAPS, EQUAL, NEVER, FORBIDDEN = "gaps", "equal", "never", "forbidden"

IMPORTED_LABELS = MappingProxyType(
    {
        GAPS: "imported labels count only for pairs without a grade given here",
        EQUAL: "imported labels count like grades given here",
    }
)
MODEL_LABELS = MappingProxyType(
    {
        NEVER: "labels of models never count",
        GAPS: "labels of models count only for pairs without a human label",
        FORBIDDEN: "labels of models never count, and no more are taken",
    }
)
"""What `imported_labels` and `model_labels` may be, each as half a sentence: words, with no function of their own."""

STEP = 1 << 60
"""More rows than a log can have: with it one number orders judgments by tier, then by their place in the log."""


class Precedence(NamedTuple):
    """The tier of each source class: of a pair's grades only those of the lowest tier count; None never count."""

    here: int | None = 0
    imports: int | None = 0
    models: int | None = None

    def tier(self, kind: str) -> int | None:
        """The tier of judgments of a kind."""
        return self.models if kind == MODEL else self.imports if kind == IMPORT else self.here

    @property
    def in_sql(self) -> str:
        """The tier as an SQL expression of the column `kind`; a short one for what nearly every campaign has."""
        if self == ALIKE:
            return "0"
        if self == Precedence(0, 1, None):
            return f"(kind = '{IMPORT}')"
        imports, models, here = (
            "NULL" if tier is None else str(tier) for tier in (self[1], self[2], self[0])
        )
        return f"CASE kind WHEN '{IMPORT}' THEN {imports} WHEN '{MODEL}' THEN {models} ELSE {here} END"

    def of(self, classes: Collection[str]) -> Precedence:
        """The same among these of HERE, IMPORT and MODEL; models asked for count where no person's label is left."""
        models = 2 if self.models is None else self.models
        return Precedence(
            self.here if HERE in classes else None,
            self.imports if IMPORT in classes else None,
            models if MODEL in classes else None,
        )


ALIKE = Precedence()
"""Imports count like judgments, models never: what holds where the log says nothing of it."""


def precedence(imported_labels: str, model_labels: str) -> Precedence:
    """What two settings mean; CampaignError for a value that this workbench does not know."""
    if imported_labels not in tuple(IMPORTED_LABELS) or model_labels not in tuple(MODEL_LABELS):
        found = f"{imported_labels!r}, {model_labels!r}"
        raise CampaignError(f"this workbench does not know these choices for labels: {found}; update it")
    return Precedence(0, int(imported_labels == GAPS), 2 if model_labels == GAPS else None)


def precedence_at(campaign: Campaign) -> Precedence:
    """Whose labels count before whose, now or as of a row of the log."""
    then = settings.read(campaign)
    return precedence(then.imported_labels, then.model_labels)


def are_apart(campaign: Campaign) -> bool:
    """Whether any label counts before another, or not at all, because of where it comes from; or a model's counts."""
    found = precedence_at(campaign)
    if found.models is not None:
        return True
    return found != ALIKE and _has_imports(campaign)


def _has_imports(campaign: Campaign) -> bool:
    return (
        campaign.value(
            f"SELECT 1 FROM judgment INDEXED BY judgment_import WHERE kind = '{IMPORT}' AND seq <= ? LIMIT 1",
            [campaign.up_to],
        )
        is not None
    )


def kinds_of(campaign: Campaign, assessor: str) -> frozenset[str]:
    """The kinds of all judgments under a name."""
    return frozenset(
        campaign.column("SELECT DISTINCT kind FROM judgment WHERE assessor = ?", [id_of(campaign, assessor)])
    )


Pair = tuple[str, str]
"""Topic and document."""

_COUNTED = quoted(COUNTED_KINDS)


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
            WHERE kind IN ({kinds}) AND seq <= :as_of{chosen(topic_id, document_id)} AND {TAKES_PART}
            GROUP BY topic, document HAVING min(assessor) < max(assessor) OR max(kind = 'adjudication')
            {apart}
        )
        SELECT topic, document, max(seq), {shown("assessor")} AS assessor, kind, grade, 0 AS line
        FROM several CROSS JOIN judgment USING (topic, document)
        WHERE kind IN ({OWN_KINDS}) AND seq <= :as_of GROUP BY topic, document, assessor
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
        WHERE kind = 'adjudication' AND seq <= :as_of{chosen(topic_id, document_id)} AND {TAKES_PART}
        GROUP BY topic, document""",
        then(campaign, topic=topic_id, document=document_id),
    )
    return {(topic, document): (seq, grade) for topic, document, seq, grade in rows if grade is not None}


def has_models(campaign: Campaign) -> bool:
    """Whether a model has given a label, now or as of a row of the log."""
    query = (
        "SELECT EXISTS (SELECT 1 FROM judgment INDEXED BY judgment_model WHERE kind = 'model' AND seq <= ?)"
    )
    return bool(campaign.number(query, [campaign.up_to]))


def own_grades_among(given: Sequence[Vote]) -> Sequence[Vote]:
    """Of a pair's votes those that assessors gave each on their own; all where there is no such vote."""
    return [vote for vote in given if not vote.adjudicated] or given


def chosen(topic_id: str | None, document_id: str | None) -> str:
    """The condition of a statement about one topic, or one pair, where they are named."""
    one_topic = " AND topic = :topic" if topic_id is not None else ""
    return one_topic + (" AND document = :document" if document_id is not None else "")
