"""What is in a campaign, as lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import campaign_argument, check_as_of, open_named, say, table_console

if TYPE_CHECKING:
    from workbench.run_profiles import RunTable
    from workbench.topic_profiles import TopicTable

format_option = click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How the list is written.",
)
as_of_option = click.option("--as-of", type=click.IntRange(min=0), help="As of this place in the log.")


@click.command()
@campaign_argument
@format_option
@as_of_option
@click.option(
    "--judged-at",
    "cutoff",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="The rank down to which the share of judged documents is told.",
)
def runs(path: Path, kind: str, as_of: int | None, cutoff: int) -> None:
    """The runs: who sent them, what they brought to the pools, how much of them is judged, which are withdrawn.

    Pooled are the pairs that a run had within the depth of a pool that drew on it, unique those of them that no other
    such run had.

    \b
    Example:
      workbench runs robust
      workbench runs robust --format csv > runs.csv
    """
    from workbench.run_profiles import run_table
    from workbench.run_profiles.rendering import RENDERINGS

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        found = run_table(campaign, cutoff=cutoff, as_of=as_of)
    if kind != "table":
        for line in RENDERINGS[kind](found):
            click.echo(line, nl=False)
    elif found.rows:
        _show_runs(found)
    else:
        say(f"There are no runs yet. Add some: workbench add runs {path} FILE...")


def _show_runs(table: RunTable) -> None:
    from rich.table import Table
    from rich.text import Text

    has_teams = any(row.run.record.team for row in table.rows)
    shown = Table("Run", *(["Team"] if has_teams else []), box=None)
    for name in ("Topics", "Lines", "Warnings", "Pooled", "Unique", "Relevant", f"Judged@{table.cutoff}"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("State")
    for row in table.rows:
        record, brought = row.run.record, row.contribution
        counts = (record.topics, record.lines, len(row.warnings), *brought)
        judged = "" if row.judged is None else f"{row.judged:.4f}"
        names = [record.tag, *([record.team] if has_teams else [])]
        shown.add_row(*map(Text, [*names, *(f"{count:,}" for count in counts), judged, row.state]))
    table_console().print(shown)


@click.command()
@campaign_argument
@format_option
@as_of_option
@click.option("-m", "--measure", default="AP", show_default=True, help="What makes a topic hard or easy.")
@click.option("--hardest", "hardest_first", is_flag=True, help="The hardest topic first.")
def topics(path: Path, kind: str, as_of: int | None, measure: str, hardest_first: bool) -> None:
    """The topics: what is pooled, judged and relevant, and how hard each is for the runs.

    Place 1 is the hardest topic: the one with the lowest median over all runs.

    \b
    Example:
      workbench topics robust
      workbench topics robust --hardest -m nDCG@10
      workbench topics robust --format csv > topics.csv
    """
    from workbench.topic_profiles import topic_table
    from workbench.topic_profiles.rendering import RENDERINGS

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        found = topic_table(campaign, measure, as_of=as_of)
    if hardest_first:
        found = found._replace(rows=tuple(found.all_hardest_first()))
    if kind != "table":
        for line in RENDERINGS[kind](found):
            click.echo(line, nl=False)
    elif found.rows:
        _show_topics(found)
    else:
        say(f"There are no topics yet. Add some: workbench add topics {path} FILE")


def _show_topics(table: TopicTable) -> None:
    from rich.table import Table
    from rich.text import Text

    shown = Table("Topic", "Title", box=None)
    for name in (
        "Runs",
        "Pooled",
        "Judged",
        "To judge",
        "Relevant",
        f"Median {table.measure}",
        "Mean",
        "Place",
    ):
        shown.add_column(name, justify="right", no_wrap=True)
    for row in table.rows:
        hard = row.difficulty
        counts = [f"{count:,}" for count in (row.runs, row.pooled, row.judged, row.waiting, row.relevant)]
        scores = [f"{hard.median:.4f}", f"{hard.mean:.4f}", f"{row.place}"] if hard else ["", "", ""]
        shown.add_row(*map(Text, [row.topic_id, row.title, *counts, *scores]))
    table_console().print(shown)
