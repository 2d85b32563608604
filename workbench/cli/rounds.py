"""Rounds of a campaign: opening the next, and what was added in each."""

from __future__ import annotations

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import declared_options, option
from workbench.cli.tables import format_option, write_sheet


@click.command("round")
@declared_options
def rounds(
    campaign: Opened,
    opened: str | None = option("Open the next round under this name, such as 2.", "--open", metavar="NAME"),
    cancel: bool = option("Cancel the open round, if nothing was added in it."),
    kind: str = format_option,
) -> None:
    """List the rounds, with what came in each, or open the next one.

    A campaign is in its first round, 1, until another is opened. Runs, topics, pools and judgments belong to the round
    in which they came. Pools then draw on the runs of the open round, unless --runs names others.

    \b
    Example:
      workbench task round robust
      workbench task round robust --open 2
      workbench pool robust --depth 10 --residual
      workbench score robust --round 2-residual
      workbench export qrels robust --round 2 -o qrels/
    """
    from workbench.campaign.rounds import cancel_round, open_round, round_counts, sheet_of

    if cancel and opened is not None:
        raise click.UsageError("either open a round or cancel one")
    if cancel:
        say(f"Round {cancel_round(campaign).name} is cancelled.")
        return
    if opened is not None:
        round_opened = open_round(campaign, opened)
        say(f"Round {round_opened.name} is open, after log row {round_opened.opened}.")
        return
    counts = round_counts(campaign)
    write_sheet(kind, sheet_of(counts))
