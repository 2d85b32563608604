"""Hidden repeats: which share of the pairs comes again, and how far that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, counted, open_named, say
from workbench.cli.comparing import show_sheet

if TYPE_CHECKING:
    from workbench.campaign import Campaign


@click.command()
@campaign_argument
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="The share of each assessor's pairs that come again, such as 0.03; 0 for none.",
)
@click.option(
    "--gap",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many more judgments come in between, at least.  [default: 30]",
)
@click.option("--seed", type=int, metavar="SEED", help="By which the pairs are drawn.  [default: 0]")
def repeats(path: Path, share: float | None, gap: int | None, seed: int | None) -> None:
    """Have some documents come again, hidden among the others, and see how far that is.

    A pair that comes again looks like any other to its assessor, without the first grade. What they say then is
    kept, and never replaces the first judgment. How well they agree with themselves: workbench agreement CAMPAIGN
    --by assessor.

    \b
    Example:
      workbench repeats robust --share 0.03
      workbench repeats robust
    """
    from workbench.campaign import settings
    from workbench.judging import set_repeats

    with open_named(path) as campaign:
        rules = settings.read(campaign)
        asked = (share, gap, seed)
        if asked != (None, None, None):
            now = (rules.repeat_share, rules.repeat_gap, rules.repeat_seed)
            wanted = [old if new is None else new for new, old in zip(asked, now, strict=True)]
            set_repeats(campaign, float(wanted[0]), int(wanted[1]), int(wanted[2]), actor=actor())
        _show(campaign)


def _show(campaign: Campaign) -> None:
    from workbench.campaign import settings
    from workbench.comparing.sheets import Column, Sheet
    from workbench.judging import state_of_repeats

    rules, rows = settings.read(campaign), state_of_repeats(campaign)
    columns = (
        Column("Assessor", "assessor", "text"),
        Column("Drawn", "drawn", "count"),
        Column("Due", "due", "count"),
        Column("Repeated", "repeated", "count"),
    )
    if rows:
        show_sheet(Sheet(columns, tuple(rows)))
    if rules.repeat_share:
        say(
            f"{rules.repeat_share:.1%} of each assessor's pairs come again after at least "
            f"{counted(rules.repeat_gap, 'more judgment')} (seed {rules.repeat_seed})."
        )
    else:
        say("No pair comes again. Have some: workbench repeats CAMPAIGN --share 0.03")
