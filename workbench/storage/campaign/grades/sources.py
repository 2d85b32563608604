"""Where a label comes from, and whose labels count before whose: what was judged here, imported, or said by a model.

Every row of the log has a kind, and with it a source class. Which classes count, and in which order, are two settings
and so events of the log: each moment has its own.
"""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.persons import id_of
from workbench.storage.campaign.organising import settings

IMPORT, MODEL, ADJUDICATION = "import", "model", "adjudication"
"""The kinds of judgments that do not come from an assessor of the campaign; all others do."""

HERE = "here"
"""What assessors and adjudicators of the campaign gave: beside IMPORT and MODEL what can be chosen of its labels."""

GAPS, EQUAL, NEVER = "gaps", "equal", "never"

IMPORTED_LABELS = MappingProxyType(
    {
        GAPS: "imported labels count only for pairs without a grade that was given here",
        EQUAL: "imported labels count like grades that were given here",
    }
)
MODEL_LABELS = MappingProxyType(
    {
        NEVER: "labels of models never count",
        GAPS: "labels of models count only for pairs without a label of a person",
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
        raise CampaignError(f"this workbench does not know how labels count that are {found}; update it")
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
    row = campaign.execute(
        f"SELECT 1 FROM judgment INDEXED BY judgment_import WHERE kind = '{IMPORT}' AND seq <= ? LIMIT 1",
        [campaign.up_to],
    ).fetchone()
    return row is not None


def kinds_of(campaign: Campaign, assessor: str) -> frozenset[str]:
    """The kinds of all judgments under a name."""
    return frozenset(
        campaign.column("SELECT DISTINCT kind FROM judgment WHERE assessor = ?", [id_of(campaign, assessor)])
    )
