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
    cancel: str | None = option("Cancel this round, which is open and has no judgments.", metavar="NAME"),
    dry_run: bool = option("With --cancel: show what would happen, and change nothing."),
    kind: str = format_option,
) -> None:
    """List the rounds, with what came in each, or open the next one.

    A campaign is in its first round, 1, until another is opened. Runs, topics, pools and judgments belong to the round
    in which they came. Pools then draw on the runs of the open round, unless --runs names others. What came in a round
    that is cancelled belongs to the round before.

    \b
    Example:
      workbench task round robust
      workbench task round robust --open 2
      workbench pool robust --depth 10 --residual
      workbench score robust --round 2-residual
      workbench export qrels robust --round 2 -o qrels/
    """
    from workbench.campaign.rounds import cancel_round, cancellation, open_round, round_counts, sheet_of

    if (cancel is not None and opened is not None) or (dry_run and cancel is None):
        raise click.UsageError("either open a round or cancel one; --dry-run goes with --cancel")
    if cancel is not None:
        found = (cancellation if dry_run else cancel_round)(campaign, cancel)
        say(f"Round {cancel} {'would be' if dry_run else 'is'} cancelled. {found.moved}".rstrip())
        return
    if opened is not None:
        round_opened = open_round(campaign, opened)
        say(f"Round {round_opened.name} is open, after log row {round_opened.opened}.")
        return
    counts = round_counts(campaign)
    write_sheet(kind, sheet_of(counts))
