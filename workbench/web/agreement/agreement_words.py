"""Sentences about agreement, and its numbers as people read them; for what is undefined, the reason."""

from __future__ import annotations

from typing import NamedTuple

from workbench.analysis.between_assessors.coefficients import CampaignAgreement, Scope
from workbench.analysis.between_assessors.effect import Effect
from workbench.core.wording import NOT_DEFINED, counted
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.intervals import Interval

SHADES = 4
"""Steps of shade that the style sheet has for cells of a matrix."""

SAID_BY = {
    "raw agreement": "the share of pairs with the same answer",
    "overlap": "pairs that all assessors judged relevant, as a share of those that any judged relevant",
    "Cohen's kappa": "corrected for chance, for two assessors",
    "Cohen's kappa, linear": "partial credit for near misses, linear weights",
    "Cohen's kappa, quadratic": "partial credit for near misses, quadratic weights",
    "Fleiss' kappa": "for any number of assessors, equal for each pair",
    "Krippendorff's alpha, nominal": "for any number of assessors, with missing judgments",
    "Krippendorff's alpha, ordinal": "grades as an ordinal scale",
    "Krippendorff's alpha, interval": "grades as an interval scale",
    "Gwet's AC1": "stable where nearly all pairs have one grade",
    "Gwet's AC2, linear": "as AC1, with linear partial credit",
    "Gwet's AC2, quadratic": "as AC1, with quadratic partial credit",
}
"""Half a sentence for each coefficient."""


class Line(NamedTuple):
    """A line from `low` to `high` on which values stand as dots, 160 pixels wide with a margin of 4."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Where a value stands, in pixels."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return round(4 + 152 * min(max(share, 0.0), 1.0), 1)

    @classmethod
    def of_ranges(cls, effect: Effect) -> Line:
        """The line that holds every run's range."""
        ends = [end for each in effect.ranges for end in (each.lowest, each.highest, each.score)]
        return cls(min(ends, default=0.0), max(ends, default=1.0))


AGREEMENT_LINE = Line(-0.2, 1.0)
"""Coefficients of agreement; what is below is at its left end."""


def number(value: float | None, digits: int = 3) -> str:
    """A coefficient, or that it is not defined."""
    return NOT_DEFINED if value is None else f"{value:.{digits}f}".replace("-", "−")


def interval(found: Interval) -> str:
    """An interval with the digits that it deserves."""
    return f"{number(found.low, 2)} to {number(found.high, 2)}"


def percent(share: float) -> str:
    """A share in percent, without digits that it does not deserve."""
    return f"{100 * share:.0f} %"


def matrix_of(scope: Scope) -> list[list[tuple[str, int]]]:
    """The confusion matrix of two assessors, a text and a shade for each cell.

    Of more assessors it is how often two grades met; the cells below the diagonal, which would repeat those above, are
    empty.
    """
    cells = shaded(scope.met if scope.table is None else scope.table)
    if scope.table is not None:
        return cells
    return [[("", 0)] * row + line[row:] for row, line in enumerate(cells)]


def shaded(table: FloatArray) -> list[list[tuple[str, int]]]:
    """A matrix of numbers of pairs, a text and a shade for each cell."""
    whole = float(table.sum()) or 1.0
    return [[(_number_in(value), _shade(value / whole)) for value in line] for line in table.tolist()]


def lead_of(found: CampaignAgreement, scope: Scope | None, good: str = "", *, of_pairs: bool = False) -> str:
    """What the page says first; `good` is the lowest good grade of another question than relevance, or about pairs."""
    again = "a second time by the same assessor" if found.by == "assessor" else "by several assessors"
    if not found.shared:
        return f"No pair has been judged {again} yet, so agreement is unknown."
    if scope is None:
        what = {"topic": "topic", "pair": "pair of assessors", "assessor": "assessor"}[found.by]
        return f"{counted(found.shared, 'pair')} judged {again}, listed by {what}."
    raw = (scope.graded if of_pairs else scope.binary)[0]
    if raw.value is None:
        return f"{counted(scope.pairs, 'pair')} judged {again}: agreement is not defined."
    on = "Estimated from" if found.weighted else "On"
    what = f"whether {f'the grade is at least “{good}”' if good else 'the document is relevant'}"
    return (
        f"{on} {counted(scope.pairs, 'pair')} judged {again}, {percent(raw.value)}{_between(raw.interval)} of the "
        f"judgments agree on {'which is better' if of_pairs else what}."
    )


def lead_of_effect(effect: Effect) -> str:
    """What disagreement does, in one sentence."""
    if not effect.shared_topics:
        return "No topic has judgments by two assessors, so there are no alternative grades to compare."
    if len(effect.ranges) < 2:
        return "There are too few runs to compare orders."
    if effect.tau_mean is None:
        return (
            "By the campaign’s own grades, or by every choice of assessors, all runs have the same score: there is "
            "no order to compare, and tau is not defined."
        )
    moving = sum(each.best_rank != each.worst_rank for each in effect.ranges)
    how = "would stay much the same" if effect.tau_mean >= 0.9 else "would change noticeably"
    return (
        f"With another choice of assessors the order of the runs {how}: tau {effect.tau_mean:.3f} on average over "
        f"{effect.choices:,} choices; {counted(moving, 'run')} of {len(effect.ranges):,} would change rank."
    )


def _between(found: Interval | None) -> str:
    return "" if found is None else f" (95 %: {percent(found.low)} to {percent(found.high)})"


def _number_in(value: float) -> str:
    return f"{value:,.0f}" if abs(value - round(value)) < 0.05 else f"{value:,.1f}"


def _shade(share: float) -> int:
    """0 for nothing, then as many steps as there are shades, the last from a quarter on."""
    return 0 if share <= 0 else min(SHADES, 1 + int(share * 4 * (SHADES - 1)))
