"""What is in a campaign, as lists."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.campaigns import as_of_option, campaign_argument, open_named, row_as_of, say
from workbench.cli.rounds import say_rounds
from workbench.cli.tables import format_option, write_results, write_sheet


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
    help="The rank to which the share of judged documents is computed.",
)
def runs(path: Path, kind: str, moment: str | None, cutoff: int) -> None:
    """List the runs: team, contribution to the pools, share judged, and whether withdrawn.

    Pooled are the pairs that a run has within the depth of a pool it contributed to; unique are those that no other
    contributing run has.

    \b
    Example:
      workbench runs robust
      workbench runs robust --format csv > runs.csv
    """
    from workbench.analysis.run_profiles import rendering, run_table

    with open_named(path) as campaign, campaign.snapshot():
        as_of = row_as_of(campaign, moment)
        found = run_table(campaign, cutoff=cutoff, as_of=as_of)
    if kind == "table" and not found.rows:
        say(f"There are no runs yet. Add some: workbench add runs {campaign.command_name} FILE...")
        return
    for sentence in found.not_counted:
        say(f"Warning: {sentence}")
    shown = rendering.sheet_for_people if kind == "table" else rendering.sheet_of
    write_sheet(kind, lambda: shown(found), lambda: rendering.content_of(found))


@click.command()
@campaign_argument
@format_option
@as_of_option
@click.option("-m", "--measure", default="AP", show_default=True, help="The measure of topic difficulty.")
@click.option("--hardest", "hardest_first", is_flag=True, help="Sort by difficulty, hardest first.")
def topics(path: Path, kind: str, moment: str | None, measure: str, hardest_first: bool) -> None:
    """List the topics: pairs pooled, judged and relevant, and their difficulty for the runs.

    Place 1 is the hardest topic: the one with the lowest median over all runs.

    \b
    Example:
      workbench topics robust
      workbench topics robust --hardest -m nDCG@10
      workbench topics robust --format csv > topics.csv
    """
    from workbench.analysis.topic_profiles import TopicRow, topic_table

    with open_named(path) as campaign:
        as_of = row_as_of(campaign, moment)
        say_rounds(campaign, as_of)
        found = topic_table(campaign, measure, as_of=as_of)
    if hardest_first:
        found = found._replace(rows=tuple(found.all_hardest_first()))
    if kind == "table" and not found.rows:
        say(f"There are no topics yet. Add some: workbench add topics {campaign.command_name} FILE")
        return
    heads = {"median": f"Median {found.measure}"}
    names = ("topic", "title", "runs", "pooled", "judged", "waiting", "relevant", "median", "mean", "place")
    write_results(kind, TopicRow, found.rows, found, names=names, heads=heads)
