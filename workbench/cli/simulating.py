"""Simulations of pooling strategies on collections that are judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import instance_option, open_named, path_of, progress, show_warnings
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option_of, write_sheet
from workbench.cli.workers import workers_options

if TYPE_CHECKING:
    from workbench.analysis.simulating.whole import Part, Simulation
    from workbench.jobs.cluster import Workers
    from workbench.storage.campaign import Campaign

BETWEEN = "+"
NAMED = re.compile(r"([\w.-]+)=(.+)")


class Asked(NamedTuple):
    """What to replay, and what to show of it."""

    names: tuple[str, ...] = option(
        "A strategy, with parameters as in 'rbp-c(p=0.95)'; may be repeated.  [default: all with a budget]",
        "--strategy",
        metavar="NAME",
    )
    depth: int = option(
        "The pools are the first K documents of each ranking.", default=100, least=1, metavar="K"
    )
    budgets: str = option(
        "The share of each topic's pool that is judged; several separated by commas.",
        "--budget",
        default="5%,10%,20%",
        metavar="SHARES",
    )
    seeds: int = option(
        "Number of replays of random strategies, with the seeds 1 to N.",
        default=5,
        least=1,
        most=1000,
        metavar="N",
    )
    measure: str = option("The leaderboard's measure.", "-m", default="AP", metavar="MEASURE")
    workers: Workers | None = workers_options("replay")
    instance: str | None = instance_option


@command()
def simulate(
    asked: Asked,
    qrels: str = argument("QRELS|CAMPAIGN"),
    runs: tuple[str, ...] = argument("RUN... [+ ...]"),
    kind: str = format_option_of("table", "csv", "json", full_precision=True),
) -> None:
    """Replay pooling strategies on run files and QRELS of an old collection, or on a CAMPAIGN as judged so far.

    For each strategy and budget: the share of the relevant documents that it finds, and how the leaderboard by what
    it judged agrees with that by the whole pool (Kendall's tau, AP correlation, root mean square error of the
    scores). Samples are scored by their estimates. Pairs without a judgment count as not relevant, and every topic
    that has judgments counts; of a campaign only the pairs that are pooled or judged are candidates. Random strategies
    have means over the seeds, and the least and the greatest recall, which are not a confidence interval.

    Below the table stands what it shows in sentences. With json they stand beside the rows, as verdict; with csv they
    go to standard error.

    Several collections stand in one call with + between them, each qrels with its runs, or a campaign; NAME= before
    the first word names one. Rows then have a column for the collection, and a second table has the mean of each
    strategy and budget over the collections: which is no test, and says nothing of other collections.

    Example:
      workbench pooling simulate qrels.txt runs/*.gz
      workbench pooling simulate qrels.txt runs/*.gz --strategy hedge --strategy 'maxmean(rate=0.9)' --budget 10%
      workbench pooling simulate qrels.txt runs/*.gz --depth 50 -m nDCG@10 --format csv > simulation.csv
      workbench pooling simulate robust --strategy pps --strategy 'strata(strata=1-10:100%,11-40:20%)'
      workbench pooling simulate robust --strategy cal --strategy hedge
      workbench pooling simulate robust=robust/qrels.txt robust/runs/* + web=web/qrels.txt web/runs/* --workers 4
    """
    from workbench.analysis.simulating.campaigns import part_from_campaign
    from workbench.analysis.simulating.collection import collection_from_files
    from workbench.analysis.simulating.selection import named_strategies, read_budgets
    from workbench.analysis.simulating.whole import Part, parts_of, simulations_of
    from workbench.methods.measures import parse_measure

    given = _given((qrels, *runs))
    if asked.workers is not None and not all(each.runs for each in given):
        raise click.UsageError("--workers and --scheduler replay on QRELS and runs")
    selected = named_strategies(asked.names, asked.depth, has_texts=not any(each.runs for each in given))
    shares, chosen = read_budgets(asked.budgets), parse_measure(asked.measure)
    with ExitStack() as opened:

        def read(one: Given) -> Part:
            campaign = None if one.runs else opened.enter_context(_campaign(one.source, asked.instance))
            if campaign is not None:
                return part_from_campaign(campaign, one.name, selected, asked.depth, asked.measure)[1]
            collection, warnings = collection_from_files(one.source, one.runs, asked.depth)
            show_warnings(warnings)
            return Part(one.name, collection, chosen)

        parts = parts_of({each.name: partial(read, each) for each in given})
        with progress("Simulating", len(parts) * len(selected)) as advance:
            found = simulations_of(
                parts,
                selected,
                shares,
                seeds=asked.seeds,
                on_strategy=lambda _: advance(1),
                workers=asked.workers,
            )
    _show(kind, dict(zip((each.name for each in given), found, strict=True)))


class Given(NamedTuple):
    """A collection as it was given: qrels and runs, or a campaign; its name is "" where there is but one."""

    name: str
    source: str
    runs: tuple[str, ...]


def _given(words: Sequence[str]) -> list[Given]:
    groups: list[list[str]] = [[]]
    for word in words:
        if word == BETWEEN:
            groups.append([])
        else:
            groups[-1].append(word)
    if not all(groups):
        raise click.UsageError("a + stands between two collections, as in QRELS RUN... + QRELS RUN...")
    if len(groups) == 1:
        return [Given("", words[0], tuple(words[1:]))]
    given = [Given(*_named(first), tuple(runs)) for first, *runs in groups]
    for name, number in Counter(each.name for each in given).items():
        if number > 1:
            message = f"{number} collections are called {name}; name each of them, as in NAME=QRELS RUN..."
            raise click.UsageError(message)
    return given


def _named(word: str) -> tuple[str, str]:
    """The name of a collection and what stands behind it, in NAME=QRELS; else the word is its name too."""
    from workbench.formats.text.addresses import without_secrets

    found = NAMED.fullmatch(word)
    return (found[1], found[2]) if found and not Path(word).exists() else (without_secrets(word), word)


def _show(kind: str, found: Mapping[str, Simulation]) -> None:
    """The rows, and the means over several collections, then what is said of each collection."""
    from workbench.analysis.simulating.sheets import (
        all_content,
        means_sheet,
        rows_of_all,
        rows_sheet,
        said_of_means,
    )
    from workbench.formats.tables.sheets import aligned, printed_rows

    err = kind != "table"
    if len(found) == 1:
        ((_, only),) = found.items()
        write_sheet(kind, rows_sheet(only.rows), only)
    else:
        rows, means = rows_of_all(found), means_sheet(found)
        write_sheet(kind, rows, all_content(found), shown=[rows, means])
    if kind == "json":
        return
    if len(found) > 1:
        if err:
            lines = aligned([[column.head for column in means.columns], *printed_rows(means)])
            click.echo("".join(lines), nl=False, err=err)
        click.echo(said_of_means(len(found)), err=err)
    for name, each in found.items():
        if len(found) > 1:
            click.echo(f"\n{name}", err=err)
        for sentence in each.verdict:
            click.echo(sentence, err=err)


def _campaign(name: str, instance: str | None) -> Campaign:
    from workbench.core.errors import DamagedCampaign, NotACampaign

    try:
        return open_named(path_of(name, instance))
    except NotACampaign as error:
        if isinstance(error, DamagedCampaign):
            raise
        message = f"{error}; if these are qrels, give run files after qrels: workbench pooling simulate {name} RUN..."
        raise NotACampaign(message) from error
