"""Conflicts between assessors, as a list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import campaign_argument, counted, open_named, say
from workbench.cli.listing import format_option

if TYPE_CHECKING:
    from workbench.adjudicating import Conflicts


@click.command()
@campaign_argument
@click.option(
    "-m",
    "--measure",
    default="AP",
    show_default=True,
    metavar="MEASURE",
    help="By which the order of the runs is looked at.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="K",
    help="How many of the best runs' order counts.",
)
@format_option
def conflicts(path: Path, measure: str, top: int, kind: str) -> None:
    """Pairs to which assessors give different grades and that nobody has adjudicated, the most urgent first.

    First come those that could change the order of the top runs: with one of the grades that were given, and all other
    pairs as they are, a top run would stand on the other side of another run, or level with it. Then the widest gaps.
    They are settled in the browser, on the page Adjudication.

    \b
    Example:
      workbench conflicts robust
      workbench conflicts robust -m nDCG@10 --top 5
      workbench conflicts robust --format csv > conflicts.csv
    """
    from workbench.adjudicating import conflicts as conflicts_of
    from workbench.adjudicating.sheets import content_of, sheet_of_conflicts
    from workbench.cli.comparing import show_sheet
    from workbench.comparing.as_json import json_text
    from workbench.comparing.sheets import as_csv

    with open_named(path) as campaign:
        found = conflicts_of(campaign, measure, top=top)
    if kind == "json":
        click.echo(json_text(content_of(found)), nl=False)
    elif kind == "csv":
        click.echo("".join(as_csv(sheet_of_conflicts(found))), nl=False)
    elif found.open:
        show_sheet(sheet_of_conflicts(found))
    for remark in _remarks(found):
        say(remark)


def _remarks(found: Conflicts) -> list[str]:
    remarks = [f"{counted(len(found.open), 'conflict')} open, {len(found.settled):,} settled."]
    if not (found.open or found.settled or found.hidden):
        remarks.append(
            "They come from pairs that several judged: workbench assign double CAMPAIGN --share 0.1 --seed 1"
        )
    if found.open and found.runs > 1:
        which = "the runs" if found.runs == found.top else f"the top {found.top} runs"
        remarks.append(
            f"{found.changing:,} of them alone could change the order of {which} by {found.measure}."
        )
    if found.hidden:
        remarks.append(
            f"{counted(found.hidden, 'more conflict')} cannot be shown: the pair is in no pool, or the campaign has no "
            "text of the document."
        )
    if found.unscored:
        remarks.append(
            f"The {found.unscored:,} narrowest conflicts were not scored, since there are too many."
        )
    return remarks
