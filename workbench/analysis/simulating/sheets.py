"""Simulations as sheets: of one collection or several, and the mean of each strategy over several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from workbench.analysis.simulating.simulate import Simulated, mean_of
from workbench.analysis.simulating.whole import Simulation
from workbench.core.results import Column, columns_of
from workbench.formats.tables.sheets import Sheet, records, sheet_of, with_best

COLLECTION = Column("Collection", "collection", "text")


class Mean(NamedTuple):
    """What a strategy did with a budget, the mean over collections; None where a collection has no such value."""

    strategy: str
    budget: Annotated[float, Column("Budget %", kind="size")]
    collections: int
    recall: Annotated[float | None, Column(kind="score", best="highest")]
    tau: Annotated[float | None, Column(kind="score", best="highest")]
    tau_ap: Annotated[float | None, Column("Tau AP", kind="score", best="highest")]
    rmse: Annotated[float | None, Column("RMSE", kind="score", best="lowest")]


def means_over(simulations: Sequence[Simulation]) -> list[Mean]:
    """The mean of each row over the collections, which count alike, whatever their number of topics.

    The simulations are those of the same strategies and budgets; the budget of a strategy whose own parameters say how
    much is judged is a mean too.
    """
    return [_mean_of(same) for same in zip(*(each.rows for each in simulations), strict=True)]


def _mean_of(same: Sequence[Simulated]) -> Mean:
    budgets = [row.budget for row in same]
    budget = budgets[0] if len(set(budgets)) == 1 else sum(budgets) / len(budgets)
    values = ([getattr(row, name) for row in same] for name in ("recall", "tau", "tau_ap", "rmse"))
    return Mean(same[0].strategy, budget, len(same), *map(mean_of, values))


def said_of_means(collections: int) -> str:
    """What the means are, in a sentence, and what they are not."""
    return (
        f"The means are over these {collections} collections, which count alike, whatever their number of topics; "
        "differences between strategies were not tested, and other collections may differ."
    )


def rows_of_all(found: Mapping[str, Simulation]) -> Sheet:
    """The rows of all collections; the best of each collection and budget are marked."""
    rows = [(name, row) for name, each in found.items() for row in each.rows]
    cells = [(name, *sheet_of(Simulated, [row]).rows[0]) for name, row in rows]
    return with_best(
        (COLLECTION, *columns_of(Simulated)), cells, [f"{row.budget} {name}" for name, row in rows]
    )


def means_sheet(found: Mapping[str, Simulation]) -> Sheet:
    """The means over the collections; the best of each budget are marked."""
    means = means_over(list(found.values()))
    return with_best(columns_of(Mean), means, [str(mean.budget) for mean in means])


def all_content(found: Mapping[str, Simulation]) -> dict[str, Any]:
    """The same for programs: rows, means and what they are, then the verdict on each collection."""
    return {
        "rows": records(rows_of_all(found)),
        "means": records(means_sheet(found)),
        "verdict": [said_of_means(len(found))],
        "collections": {name: {"verdict": each.verdict} for name, each in found.items()},
    }


def rows_sheet(rows: Sequence[Simulated]) -> Sheet:
    """The rows; the best of each budget are marked."""
    return with_best(*sheet_of(Simulated, rows)[:2], [str(row.budget) for row in rows])
