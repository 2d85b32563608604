"""Making pools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import (
    NEAR_DUPLICATES,
    actor,
    campaign_argument,
    counted,
    open_named,
    progress_in_two,
    say,
    table_console,
)
from workbench.cli.withdrawing import say_withdrawn

if TYPE_CHECKING:
    from workbench.campaign import Campaign
    from workbench.planning import PoolPlan


@click.command()
@campaign_argument
@click.option("--depth", type=click.IntRange(min=1), required=True, help="Documents of each ranking to take.")
@click.option("--strategy", default="depth", show_default=True, help="How pairs are chosen.")
@click.option(
    "--ties",
    type=click.Choice(["descending", "ascending"]),
    default="descending",
    show_default=True,
    help="Order of documents with equal scores, by document id; descending is the order of scoring.",
)
@click.option(
    "--runs",
    "tags",
    help="Tags of the runs to draw on, with commas; bm25-* takes all that begin so.  [default: all that contribute]",
)
@click.option(
    "--order",
    "viewing",
    type=click.Choice(["shuffle", "document id", "best rank"]),
    help="The order in which an assessor sees a topic's documents.  [default: as before, at first shuffle]",
)
@click.option(
    "--seed", type=int, help="What the shuffled order depends on.  [default: as before, at first 0]"
)
@click.option("--dry-run", is_flag=True, help="Show the size per topic and for other depths; make nothing.")
def pool(
    path: Path,
    depth: int,
    strategy: str,
    ties: str,
    tags: str | None,
    viewing: str | None,
    seed: int | None,
    dry_run: bool,
) -> None:
    """Pool the runs: the documents that assessors will judge.

    A pool made again, deeper or over more runs, grows: new pairs are added, and nothing that was judged is
    lost. Texts of pooled documents that are missing are read from the recorded sources.

    \b
    Example:
      workbench pool robust --depth 20 --dry-run
      workbench pool robust --depth 20
      workbench pool robust --depth 50 --runs "bm25-*,colbert" --ties ascending
    """
    from workbench.planning import plan_pool
    from workbench.pool_making import add_pool, named_runs

    chosen = named_runs(tags or "")
    with open_named(path) as campaign:
        if dry_run:
            plan = plan_pool(campaign, depth=depth, strategy=strategy, ties=ties, tags=chosen)
            _show_plan(campaign, plan)
            return
        with progress_in_two("Pooling", None, NEAR_DUPLICATES) as (_, on_topic):
            made = add_pool(
                campaign,
                depth=depth,
                strategy=strategy,
                ties=ties,
                tags=chosen,
                viewing=viewing,
                seed=seed,
                actor=actor(),
                on_topic=on_topic,
            )
        say(
            f"Pool {made.pool.pool}: {counted(made.pairs, 'pair')} "
            f"over {counted(made.topics, 'topic')} "
            f"from {counted(len(made.pool.record.runs), 'run')}, {made.pool.pairs:,} of them new."
        )
        say_withdrawn(campaign, "no pool draws on such runs")
        _fetch_texts(campaign)


def _fetch_texts(campaign: Campaign) -> None:
    from workbench.ingest import fetch_missing_texts
    from workbench.ingest.naming import listed

    with progress_in_two("Reading texts", None, NEAR_DUPLICATES) as (advance, on_topic):
        fetched = fetch_missing_texts(campaign, on_bytes=advance, on_topic=on_topic)
    if fetched.found:
        say(f"{counted(fetched.found, 'text')} read from the recorded sources.")
    for source in fetched.gone:
        say(f"Warning: {source} is gone or has changed since it was added; its texts cannot be read.")
    missing = fetched.without_text
    if missing:
        say(
            f"{counted(len(missing), 'pooled document')} without a text ({listed(missing)}): "
            "these cannot be judged yet. "
            f"Give the files that hold them: workbench add documents {campaign.path} FILE..."
        )


def _show_plan(campaign: Campaign, plan: PoolPlan) -> None:
    from rich.table import Table
    from rich.text import Text

    from workbench.planning import shown_depths

    console = table_console()
    runs = counted(len(plan.tags), "run")
    sizes = Table("Depth", "Pairs", "New", "To judge", title=f"Pool over {runs}", title_justify="left")
    for row in map(plan.at, shown_depths(plan)):
        cells = (row.depth, row.pairs, row.new, row.to_judge)
        sizes.add_row(*map("{:,}".format, cells), style="bold" if row.depth == plan.depth else None)
    by_topic = Table("Topic", f"Pairs at depth {plan.depth}", "New")
    for topic in plan.by_topic:
        by_topic.add_row(Text(topic.topic_id), f"{topic.pairs:,}", f"{topic.new:,}")
    by_run = Table("Run", f"Pairs at depth {plan.depth}", "By this run alone")
    for run in plan.by_run:
        by_run.add_row(Text(run.tag), f"{run.brings:,}", f"{run.alone:,}")
    for table in (sizes, by_topic, by_run):
        for column in table.columns[1:]:
            column.justify = "right"
        console.print(table)
    console.print(
        f"{counted(plan.total, 'pair')} at depth {plan.depth}, {plan.pooled_already:,} of them pooled already. "
        f"{_time_needed(campaign, plan)}Nothing was made."
    )


def _time_needed(campaign: Campaign, plan: PoolPlan) -> str:
    """How long judging what is open then takes, once the log knows the pace."""
    from workbench.planning import hours_for, measured_pace

    pace = measured_pace(campaign)
    if pace is None:
        return ""
    hours = hours_for(plan.at_depth.to_judge, pace.per_hour)
    return f"{counted(plan.at_depth.to_judge, 'pair')} to judge then: {hours:,.1f} hours at the pace so far. "
