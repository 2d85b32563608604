"""Rounds of a campaign: opening the next, what was added in each, and ids that changed between them."""

from __future__ import annotations

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, write_sheet


@command("round")
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


@command("changed-ids")
def ids(
    campaign: Opened,
    file: str = argument("FILE", required=True),
    dry_run: bool = option("Show what would change, and change nothing."),
) -> None:
    """Say which documents have other ids in a new release of the collection.

    FILE is a table with the columns old and new, or JSON lines with these names; - is standard input. From then on
    judgments and pooled pairs under an old id count as those of the new id: in residual rankings and pools, checks of
    runs, scores and qrels. Qrels and scores of rounds that are over stay as they are, and so do runs.

    Several old ids may become one. A grade that was given under the new id then counts, else the highest.

    Example:
      workbench task changed-ids covid changed-may19.csv --dry-run
      workbench task changed-ids covid changed-may19.csv
    """
    from workbench.campaign.changed_ids import change_ids
    from workbench.formats.text.content import load

    found = change_ids(campaign, load(file), dry_run=dry_run)
    for sentence in found.sentences:
        say(sentence)
    say("Nothing was changed." if dry_run else f"In force from log row {found.row} on.")
