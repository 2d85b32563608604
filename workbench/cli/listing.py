"""What is in a campaign, as lists."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.campaigns import campaign_argument, check_as_of, open_named, table_console

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
def runs(path: Path, kind: str, as_of: int | None) -> None:
    """The runs: teams, sizes, and which are withdrawn.

    \b
    Example:
      workbench runs robust
    """
    from rich.table import Table
    from rich.text import Text

    from workbench.campaign import runs as stored

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        found = stored.all_runs(campaign, as_of)
    shown = Table("Run", "Team", "Topics", "Lines", "State", box=None)
    for run in found:
        state = "" if run.withdrawn is None else f"withdrawn since log row {run.withdrawn}"
        cells = (run.record.tag, run.record.team, f"{run.record.topics:,}", f"{run.record.lines:,}", state)
        shown.add_row(*map(Text, cells))
    table_console().print(shown)
