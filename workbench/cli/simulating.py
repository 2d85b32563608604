"""Simulations of pooling strategies on collections that are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import progress, show_warnings
from workbench.cli.tables import write_sheet

if TYPE_CHECKING:
    from workbench.analysis.simulating import Simulated
    from workbench.formats.tables.sheets import Sheet


@click.command()
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--strategy",
    "names",
    multiple=True,
    metavar="NAME",
    help="A strategy, with parameters as in 'rbp-c(p=0.95)'; may be repeated.  [default: all that order documents]",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="K",
    help="The pools are the first K documents of each ranking.",
)
@click.option(
    "--budget",
    "budgets",
    default="5%,10%,20%",
    show_default=True,
    metavar="SHARES",
    help="How much of each topic's pool is judged; several with commas.",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1, max=1000),
    default=5,
    show_default=True,
    metavar="N",
    help="How often strategies that go by chance are replayed, with the seeds 1 to N.",
)
@click.option(
    "-m", "--measure", default="AP", show_default=True, metavar="MEASURE", help="The leaderboard's measure."
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="Output format; csv and json have full precision.",
)
def simulate(
    qrels: str,
    runs: tuple[str, ...],
    names: tuple[str, ...],
    depth: int,
    budgets: str,
    seeds: int,
    measure: str,
    kind: str,
) -> None:
    """Replay pooling strategies on run files and QRELS of an old collection.

    For each strategy and budget: the share of the relevant documents that it finds, and how the leaderboard by what
    it judged agrees with that by the whole pool (Kendall's tau, AP correlation, root mean square error of the
    scores). Pairs outside QRELS count as not relevant, every topic of QRELS counts. Strategies that go by chance
    have means over the seeds, and the least and the greatest recall; that is no confidence interval.

    \b
    Example:
      workbench simulate qrels.txt runs/*.gz
      workbench simulate qrels.txt runs/*.gz --strategy hedge --strategy 'maxmean(rate=0.9)' --budget 10%
      workbench simulate qrels.txt runs/*.gz --depth 50 -m nDCG@10 --format csv > simulation.csv
    """
    from workbench.analysis.simulating import (
        collection_from_files,
        named_strategies,
        read_budgets,
    )
    from workbench.analysis.simulating import simulate as simulated
    from workbench.methods.measures import parse_measure

    selected, shares, chosen = named_strategies(names, depth), read_budgets(budgets), parse_measure(measure)
    with progress("Reading", 1 + len(runs)) as advance:
        collection, warnings = collection_from_files(qrels, runs, depth, lambda _: advance(1))
    show_warnings(warnings)
    with progress("Simulating", len(selected)) as advance:
        rows = list(
            simulated(collection, selected, shares, chosen, seeds=seeds, on_strategy=lambda _: advance(1))
        )
    write_sheet(kind, lambda: _sheet(rows), lambda: [row._asdict() for row in rows])


def _sheet(rows: list[Simulated]) -> Sheet:
    """The rows; in a table the best of each budget are bold."""
    from workbench.formats.tables.sheets import Column, with_best

    columns = (
        Column("Strategy", "strategy", "text"),
        Column("Budget %", "budget", "size"),
        Column("Judged", "judged", "count"),
        Column("Recall", "recall", "score", "highest"),
        Column("Least", "recall_low", "score"),
        Column("Greatest", "recall_high", "score"),
        Column("Tau", "tau", "score", "highest"),
        Column("Tau AP", "tau_ap", "score", "highest"),
        Column("RMSE", "rmse", "score", "lowest"),
    )
    return with_best(columns, rows, [str(row.budget) for row in rows])
