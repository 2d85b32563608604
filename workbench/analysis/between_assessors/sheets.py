"""Agreement, and what disagreement does, as sheets of rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.analysis.between_assessors.coefficients import CampaignAgreement, Scope
from workbench.analysis.between_assessors.effect import Effect
from workbench.core.natural_order import natural
from workbench.core.results import Column
from workbench.core.wording import NOT_DEFINED
from workbench.formats.tables.sheets import Cell, Sheet
from workbench.methods.statistics.agreement import Coefficient
from workbench.methods.statistics.arrays import FloatArray

COEFFICIENTS = (
    Column("Coefficient", "coefficient", "text"),
    Column("Relevant or not", "binary", "score"),
    Column("95% low", "binary_low", "score"),
    Column("95% high", "binary_high", "score"),
    Column("By grade", "graded", "score"),
    Column("95% low", "graded_low", "score"),
    Column("95% high", "graded_high", "score"),
)


def sheet_of_coefficients(scope: Scope) -> Sheet:
    """Every coefficient of one scope, as relevant or not and by grade; what one side lacks is left empty."""
    sides = [{found.name: found for found in side} for side in (scope.binary, scope.graded)]
    names = sorted({**sides[0], **sides[1]}, key=lambda name: _place(name, list(sides[1])))
    return Sheet(
        COEFFICIENTS, tuple((name, *cells_of(sides[0], name), *cells_of(sides[1], name)) for name in names)
    )


def _place(name: str, order: list[str]) -> float:
    """In the order of the coefficients of grades; the overlap, which they lack, after raw agreement."""
    return order.index(name) if name in order else 0.5


def cells_of(side: Mapping[str, Coefficient], name: str) -> tuple[Cell, Cell, Cell]:
    """A coefficient of some by its name, and its interval: empty where it is not among them."""
    if name not in side:
        return None, None, None
    found = side[name]
    low, high = found.interval or (None, None)
    return NOT_DEFINED if found.value is None else found.value, low, high


TABLE_CORNER = "{} \\ {}"


def sheet_of_table(found: CampaignAgreement, scope: Scope, table: FloatArray) -> Sheet:
    """The confusion matrix of two assessors: rows are the first one's grades, columns the second's."""
    corner = Column(TABLE_CORNER.format(*scope.assessors), "grade", "text")
    columns = (corner, *(Column(str(grade), f"grade_{grade}", "count") for grade in found.grades))
    rows = zip(found.grades, table.tolist(), strict=True)
    return Sheet(columns, tuple((str(grade), *row) for grade, row in rows))


SCOPES = (
    Column("Pairs", "pairs", "count"),
    Column("Agreement", "agreement", "score"),
    Column("Overlap", "overlap", "score"),
    Column("Kappa", "kappa", "score"),
    Column("AC1", "ac1", "score"),
    Column("Same grade", "same_grade", "score"),
    Column("Quadratic kappa", "kappa_quadratic", "score"),
    Column("Ordinal alpha", "alpha_ordinal", "score"),
    Column("95% low", "alpha_low", "score"),
    Column("95% high", "alpha_high", "score"),
)

HEADS = {
    "topic": (Column("Topic", "topic", "text"), Column("Assessors", "assessors", "count")),
    "pair": (Column("Assessor", "assessor", "text"), Column("Other", "other", "text")),
    "assessor": (Column("Assessor", "assessor", "text"),),
}


def sheet_of_scopes(found: CampaignAgreement) -> Sheet:
    """A row for each topic, pair of assessors or assessor, with some coefficients: of relevance, then of grades."""
    scopes = (
        sorted(found.scopes, key=lambda scope: natural(scope.name)) if found.by == "topic" else found.scopes
    )
    rows = [(*_head(found, scope), scope.pairs, *_chosen(scope)) for scope in scopes]
    return Sheet((*HEADS[found.by], *SCOPES), tuple(rows))


def _head(found: CampaignAgreement, scope: Scope) -> tuple[Cell, ...]:
    if found.by == "pair":
        return scope.assessors
    return (scope.name,) if found.by == "assessor" else (scope.name, len(scope.assessors))


def _chosen(scope: Scope) -> Iterator[Cell]:
    binary = {each.name: each for each in scope.binary}
    graded = {each.name: each for each in scope.graded}
    for name in ("raw agreement", "overlap", "Cohen's kappa", "Gwet's AC1"):
        yield cells_of(binary, name)[0]
    for name in ("raw agreement", "Cohen's kappa, quadratic"):
        yield cells_of(graded, name)[0]
    yield from cells_of(graded, "Krippendorff's alpha, ordinal")


VALUES = (
    Column("Scope", "scope", "text"),
    Column("Grades", "grades", "text"),
    Column("Coefficient", "coefficient", "text"),
    Column("Value", "value", "score"),
    Column("95% low", "low", "score"),
    Column("95% high", "high", "score"),
    Column("Pairs", "pairs", "count"),
    Column("Note", "note", "text"),
)


def sheet_of_values(found: CampaignAgreement) -> Sheet:
    """One row for each coefficient of each scope; one that is not defined has no value, and a note."""
    rows = [
        (scope.name, grades, *_row(coefficient))
        for scope in found.scopes
        for grades, side in (("relevant or not", scope.binary), ("by grade", scope.graded))
        for coefficient in side
    ]
    return Sheet(VALUES, tuple(rows))


def _row(found: Coefficient) -> tuple[Cell, ...]:
    low, high = found.interval or (None, None)
    return found.name, found.value, low, high, found.items, found.note


VIEWS = (
    Column("Grades of", "grades_of", "text"),
    Column("Topics", "topics", "count"),
    Column("Pairs changed", "changed", "count"),
    Column("tau", "tau_b", "score"),
    Column("tau_AP,b", "tau_ap_b", "score"),
    Column("Largest fall", "largest_fall", "count"),
    Column("Run", "falling_run", "text"),
)


def sheet_of_views(effect: Effect) -> Sheet:
    """The leaderboard under other grades against the campaign's own, and by how many ranks which run falls most."""
    rows = []
    for view in effect.views:
        falling = min(view.boards.positions, key=lambda position: position.moved, default=None)
        falls = falling is not None and falling.moved < 0
        fall, run = (-falling.moved, falling.run) if falling is not None and falls else (0, "")
        taus = (NOT_DEFINED if tau is None else tau for tau in (view.boards.tau_b, view.boards.tau_ap_b))
        rows.append((view.name, view.topics, view.changed, *taus, fall, run))
    return Sheet(VIEWS, tuple(rows))


RANGES = (
    Column("Run", "run", "text"),
    Column("Score", "score", "score"),
    Column("Lowest", "lowest", "score"),
    Column("2.5%", "low", "score"),
    Column("97.5%", "high", "score"),
    Column("Highest", "highest", "score"),
    Column("Rank", "rank", "count"),
    Column("Best rank", "best_rank", "count"),
    Column("Worst rank", "worst_rank", "count"),
)


def sheet_of_ranges(effect: Effect) -> Sheet:
    """Each run's score and its range over choices of assessors, then its score under the union and the intersection."""
    rules = [view for view in effect.views if not view.assessor]
    columns = (*RANGES, *(Column(view.name.capitalize(), view.name, "score") for view in rules))
    scores = [{place.run: place.other_score for place in view.boards.positions} for view in rules]
    rows: list[tuple[Cell, ...]] = [
        (*found, *(score[found.run] for score in scores)) for found in effect.ranges
    ]
    return Sheet(columns, tuple(rows))
