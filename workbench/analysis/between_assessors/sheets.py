"""Agreement, and what disagreement does, as sheets of rows and columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from workbench.analysis.between_assessors.coefficients import CHOSEN, CampaignAgreement, Scope
from workbench.analysis.between_assessors.effect import Effect, RunRange
from workbench.core.natural_order import natural
from workbench.core.results import Column
from workbench.core.wording import NOT_DEFINED
from workbench.formats.tables.sheets import Cell, Sheet, sheet_of
from workbench.methods.statistics.agreement import Coefficient
from workbench.methods.statistics.arrays import FloatArray

Row = tuple[str, Coefficient | None, Coefficient | None]
"""A coefficient's name, and what it is on two sides."""


def sheet_of_coefficients(scope: Scope) -> Sheet:
    """Every coefficient of one scope, as relevant or not and by grade; what one side lacks is left empty."""
    return sheet_of_sides({"binary": "Relevant or not", "graded": "By grade"}, scope.side_by_side())


def sheet_of_sides(heads: Mapping[str, str], rows: Iterable[Row]) -> Sheet:
    """A row for each coefficient, with its value and interval on several sides, whose heads are by their names."""
    columns = [Column("Coefficient", "coefficient", "text")]
    for name, head in heads.items():
        columns += [Column(head, name, "score"), *_interval(name)]
    cells = ((name, *chain.from_iterable(map(cells_of, sides))) for name, *sides in rows)
    return Sheet(tuple(columns), tuple(cells))


def _interval(name: str) -> tuple[Column, Column]:
    return Column("95% low", f"{name}_low", "score"), Column("95% high", f"{name}_high", "score")


def cells_of(found: Coefficient | None) -> tuple[Cell, Cell, Cell]:
    """A coefficient and its interval; empty without one."""
    if found is None:
        return None, None, None
    return NOT_DEFINED if found.value is None else found.value, *(found.interval or (None, None))


def sheet_of_table(found: CampaignAgreement, scope: Scope, table: FloatArray) -> Sheet:
    """The confusion matrix of two assessors: rows are the first one's grades, columns the second's."""
    corner = Column(" \\ ".join(scope.assessors), "grade", "text")
    columns = (corner, *(Column(str(grade), f"grade_{grade}", "count") for grade in found.grades))
    rows = zip(found.grades, table.tolist(), strict=True)
    return Sheet(columns, tuple((str(grade), *row) for grade, row in rows))


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
    chosen = (Column(head, word, "score") for word, (head, *_) in CHOSEN.items())
    columns = (*HEADS[found.by], Column("Pairs", "pairs", "count"), *chosen, *_interval("alpha"))
    rows = []
    for scope in scopes:
        named = (scope.name,) if found.by == "assessor" else (scope.name, len(scope.assessors))
        *others, last = map(cells_of, scope.chosen().values())
        values = (*(value for value, *_ in others), *last)
        rows.append((*(scope.assessors if found.by == "pair" else named), scope.pairs, *values))
    return Sheet(columns, tuple(rows))


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
    rows = (
        (scope.name, grades, each.name, each.value, *(each.interval or (None, None)), each.items, each.note)
        for scope in found.scopes
        for grades, side in (("relevant or not", scope.binary), ("by grade", scope.graded))
        for each in side
    )
    return Sheet(VALUES, tuple(rows))


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


def sheet_of_ranges(effect: Effect) -> Sheet:
    """Each run's score and its range over choices of assessors, then its score under the union and the intersection."""
    rules = [view for view in effect.views if not view.assessor]
    ranges = sheet_of(RunRange, effect.ranges)
    columns = (*ranges.columns, *(Column(view.name.capitalize(), view.name, "score") for view in rules))
    scores = [{place.run: place.other_score for place in view.boards.positions} for view in rules]
    rows = (
        (*row, *(score[found.run] for score in scores))
        for row, found in zip(ranges.rows, effect.ranges, strict=True)
    )
    return Sheet(columns, tuple(rows))
