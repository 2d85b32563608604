"""Simulations of pooling strategies on collections that are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import instance_option, open_named, path_of, progress, show_warnings
from workbench.cli.tables import format_option_of, write_sheet
from workbench.cli.workers import workers_options

if TYPE_CHECKING:
    from workbench.analysis.simulating import Plan
    from workbench.core.cluster import Workers
    from workbench.storage.campaign import Campaign


@click.command()
@click.argument("qrels", metavar="QRELS|CAMPAIGN")
@click.argument("runs", metavar="RUN...", nargs=-1)
@click.option(
    "--strategy",
    "names",
    multiple=True,
    metavar="NAME",
    help="A strategy, with parameters as in 'rbp-c(p=0.95)'; may be repeated.  [default: all with a budget]",
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
    help="The share of each topic's pool that is judged; several separated by commas.",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1, max=1000),
    default=5,
    show_default=True,
    metavar="N",
    help="Number of replays of random strategies, with the seeds 1 to N.",
)
@click.option(
    "-m", "--measure", default="AP", show_default=True, metavar="MEASURE", help="The leaderboard's measure."
)
@click.option(
    "--certain",
    is_flag=True,
    help="Show how many judgments it takes until pairs of runs are certain, by an additive measure.",
)
@click.option(
    "--precision",
    type=click.FloatRange(min=0, min_open=True),
    metavar="D",
    help="Plan topics, depth, budget and hours such that runs whose means differ by D come out in the right order.",
)
@click.option(
    "--pace",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Judgments per person and hour, for the plan.  [default: as measured in CAMPAIGN, else 60]",
)
@click.option(
    "--rate-per-hour",
    "rate",
    type=click.FloatRange(min=0),
    metavar="MONEY",
    help="The cost of an hour of judging, for the plan.",
)
@workers_options("replay")
@instance_option
@format_option_of("table", "csv", "json", full_precision=True)
def simulate(
    qrels: str,
    runs: tuple[str, ...],
    names: tuple[str, ...],
    depth: int,
    budgets: str,
    seeds: int,
    measure: str,
    certain: bool,
    precision: float | None,
    pace: float | None,
    rate: float | None,
    workers: Workers | None,
    kind: str,
    instance: str | None,
) -> None:
    """Replay pooling strategies on run files and QRELS of an old collection, or on a CAMPAIGN as judged so far.

    For each strategy and budget: the share of the relevant documents that it finds, and how the leaderboard by what
    it judged agrees with that by the whole pool (Kendall's tau, AP correlation, root mean square error of the
    scores). Samples are scored by their estimates. Pairs without a judgment count as not relevant, and every topic
    that has judgments counts; of a campaign only the pairs that are pooled or judged are candidates. Random strategies
    have means over the seeds, and the least and the greatest recall, which are not a confidence interval.

    With --certain the table has, for each order, after how many judgments 25 to 99 % of the pairs of runs are certain,
    whatever the rest of the pool turns out to be; beside strategies there are the two orders that look at all topics
    together, which are best for that.

    Below the table stands what it shows in sentences, and the plan if --precision asks for one. With json they stand
    beside the rows, as verdict and plan; with csv they go to standard error.

    \b
    Example:
      workbench simulate qrels.txt runs/*.gz
      workbench simulate qrels.txt runs/*.gz --strategy hedge --strategy 'maxmean(rate=0.9)' --budget 10%
      workbench simulate qrels.txt runs/*.gz --depth 50 -m nDCG@10 --format csv > simulation.csv
      workbench simulate robust --strategy pps --strategy 'strata(strata=1-10:100%,11-40:20%)'
      workbench simulate robust --strategy cal --strategy hedge
      workbench simulate qrels.txt runs/*.gz --certain -m 'RBP(p=0.8)' --strategy depth --strategy maxmean
      workbench simulate robust --precision 0.05 --pace 90 --rate-per-hour 25
    """
    from workbench.analysis.simulating import (
        as_content,
        collection_from_files,
        named_strategies,
        read_budgets,
        rows_sheet,
        simulate_campaign,
        simulation_of,
        wanted_of,
    )
    from workbench.methods.measures import parse_measure

    if workers is not None and (certain or not runs):
        raise click.UsageError("--workers and --scheduler replay on QRELS and runs, without --certain")
    if certain:
        _show_certified(qrels, runs, names, depth, measure, instance, kind)
        return
    selected = named_strategies(names, depth, has_texts=not runs)
    shares, chosen = read_budgets(budgets), parse_measure(measure)
    if runs:
        collection, warnings = collection_from_files(qrels, runs, depth)
        show_warnings(warnings)
        wanted = None if precision is None else wanted_of(None, precision, per_hour=pace, rate=rate)
        with progress("Simulating", len(selected)) as advance:
            found = simulation_of(
                collection,
                selected,
                shares,
                chosen,
                seeds=seeds,
                wanted=wanted,
                on_strategy=lambda _: advance(1),
                workers=workers,
            )
    else:
        with _campaign(qrels, instance) as campaign, progress("Simulating", len(selected)) as advance:
            _, found = simulate_campaign(
                campaign,
                names,
                lambda _: advance(1),
                depth=depth,
                budget=budgets,
                seeds=seeds,
                measure=measure,
                precision=precision,
                pace=pace,
                rate_per_hour=rate,
            )
    write_sheet(kind, lambda: rows_sheet(found.rows), lambda: as_content(found))
    if kind == "json":
        return
    for sentence in found.verdict:
        click.echo(sentence, err=kind != "table")
    if found.plan is not None:
        _show_plan(found.plan, err=kind != "table")


def _show_certified(
    qrels: str,
    runs: tuple[str, ...],
    names: tuple[str, ...],
    depth: int,
    measure: str,
    instance: str | None,
    kind: str,
) -> None:
    """How many judgments it takes until pairs are certain."""
    from workbench.analysis.simulating import (
        collection_from_campaign,
        collection_from_files,
        named_strategies,
    )
    from workbench.analysis.simulating.certifying import USUAL, certified, certified_content, certified_sheet
    from workbench.core.wording import counted
    from workbench.methods.measures import parse_measure

    selected, chosen = named_strategies(names or USUAL, depth, has_texts=not runs), parse_measure(measure)
    if runs:
        collection, warnings = collection_from_files(qrels, runs, depth)
        show_warnings(warnings)
    else:
        with _campaign(qrels, instance) as campaign:
            collection = collection_from_campaign(campaign, depth).collection
    with progress("Simulating", 2 + len(selected)) as advance:
        found = list(certified(collection, chosen, selected, on_order=lambda _: advance(1)))
    write_sheet(kind, lambda: certified_sheet(found), lambda: certified_content(found))
    click.echo(
        f"Judgments needed by number of certain pairs, of {counted(found[0].pairs, 'pair')} of runs by {chosen}; "
        f"{found[0].documents:,} of {collection.pooled:,} pooled documents have a weight in it.",
        err=True,
    )


def _campaign(name: str, instance: str | None) -> Campaign:
    from workbench.core.errors import DamagedCampaign, NotACampaign

    try:
        return open_named(path_of(name, instance))
    except NotACampaign as error:
        if isinstance(error, DamagedCampaign):
            raise
        message = f"{error}; if these are qrels, give run files after qrels: workbench simulate {name} RUN..."
        raise NotACampaign(message) from error


def _show_plan(plan: Plan, *, err: bool) -> None:
    """The plan's sentences and choices."""
    from workbench.analysis.simulating import choices_sheet
    from workbench.formats.tables.aligned_text import aligned
    from workbench.formats.tables.sheets import printed_rows

    click.echo("\nPlan", err=err)
    for sentence in plan.words:
        click.echo(sentence, err=err)
    if plan.choices:
        sheet = choices_sheet(plan)
        lines = aligned([[column.head for column in sheet.columns], *printed_rows(sheet)])
        click.echo("".join(lines), nl=False, err=err)
