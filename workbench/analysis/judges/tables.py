"""What judges are compared by, and the table of each comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.analysis.judges import banks, boards, labels
from workbench.core.seed import SEED
from workbench.formats.tables.sheets import Sheet, sheet_of

LABELS, LEADERBOARDS, BANKS = "labels", "leaderboards", "banks"
KINDS = {
    LABELS: (labels.JudgedLabels, labels.SHOWN),
    LEADERBOARDS: (boards.JudgedBoard, boards.SHOWN),
    BANKS: (banks.JudgedBank, banks.SHOWN),
}
"""The kind of a row of each comparison, and the columns for people, the truth's name first."""


def sheet_of_judges(of: str, rows: Sequence[Any]) -> Sheet:
    """All columns of a comparison."""
    return sheet_of(KINDS[of][0], rows)


def sheet_for_people(of: str, rows: Sequence[Any], first: int = 0) -> Sheet:
    """The columns for people from the `first` on, in which a dash says that there is no value."""
    kind, names = KINDS[of]
    found = sheet_of(kind, rows, names[first:])
    return found._replace(
        rows=tuple(tuple("–" if cell is None else cell for cell in row) for row in found.rows)
    )


def remarks_on(of: str, resamples: int = boards.ALL.resamples, seed: int = SEED) -> list[str]:
    """How the table is to be read."""
    if of == LEADERBOARDS:
        by_topic = "τ_b by topic: 95 % interval of the mean over topics (Student's t)."
        draws = f"low and high in 95 % of {resamples:,} draws of topics (seed {seed}), no confidence interval"
        alone = " With 0 topics the scores are of all topics together, and there are none." * (resamples > 0)
        return [f"τ_b and τ_AP: {draws}. {by_topic}{alone}" if resamples else by_topic]
    shares = ["Of two nuggets: the share of words that both have, 2 |A ∩ B| / (|A| + |B|)."] * (of == BANKS)
    return [*shares, "Low and high: Student's t interval of the mean over topics, at the level .95."]
