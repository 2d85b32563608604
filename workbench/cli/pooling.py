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

if TYPE_CHECKING:
    from workbench.campaign import Campaign
    from workbench.pool_making import PoolPlan


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
    from workbench.pool_making import add_pool, plan_pool

    chosen = [tag.strip() for tag in tags.split(",") if tag.strip()] if tags else None
    with open_named(path) as campaign:
        if dry_run:
            _show_plan(plan_pool(campaign, depth=depth, strategy=strategy, ties=ties, tags=chosen), depth)
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
            f"Pool {made.pool.pool}: {counted(made.plan.total, 'pair')} "
            f"over {counted(len(made.plan.by_topic), 'topic')} "
            f"from {counted(len(made.plan.tags), 'run')}, {made.pool.pairs:,} of them new."
        )
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


def _show_plan(plan: PoolPlan, depth: int) -> None:
    from rich.table import Table
    from rich.text import Text

    console = table_console()
    sizes = Table("Depth", "Pairs", title=f"Pool over {counted(len(plan.tags), 'run')}", title_justify="left")
    for other, size in plan.by_depth.items():
        sizes.add_row(f"{other:,}", f"{size:,}", style="bold" if other == depth else None)
    by_topic = Table("Topic", f"Pairs at depth {depth}")
    for topic_id, size in plan.by_topic.items():
        by_topic.add_row(Text(topic_id), f"{size:,}")
    for table in (sizes, by_topic):
        table.columns[1].justify = "right"
        console.print(table)
    console.print(
        f"{counted(plan.total, 'pair')} at depth {depth}, {plan.pooled_already:,} of them pooled already. "
        "Nothing was made."
    )
