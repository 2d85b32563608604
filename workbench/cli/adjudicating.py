"""Conflicts between assessors, as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import declared_options, option
from workbench.cli.tables import format_option, write_results
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.analysis.adjudication.conflicts import Conflicts


@click.command()
@declared_options
def conflicts(
    campaign: Opened,
    measure: str = option("The measure that orders the runs.", "-m", default="AP", metavar="MEASURE"),
    top: int = option("Number of top runs whose order counts.", default=10, least=1, metavar="K"),
    kind: str = format_option,
) -> None:
    """List pairs with different grades that are not yet adjudicated, most urgent first.

    First are those that could change the order of the top runs: with one of the given grades, and all other pairs
    unchanged, a top run would swap places or tie with another run. Then the largest differences between grades.
    Resolve them in the browser, on the page Adjudication.

    \b
    Example:
      workbench conflicts robust
      workbench conflicts robust -m nDCG@10 --top 5
      workbench conflicts robust --format csv > conflicts.csv
    """
    from workbench.analysis.adjudication.conflicts import Conflict
    from workbench.analysis.adjudication.conflicts import conflicts as conflicts_of

    found = conflicts_of(campaign, measure, top=top)
    if kind != "table" or found.open:
        write_results(kind, Conflict, found.open, found)
    for remark in _remarks(found):
        say(remark)


def _remarks(found: Conflicts) -> list[str]:
    remarks = [f"{counted(len(found.open), 'conflict')} open, {len(found.settled):,} settled."]
    if not (found.open or found.settled or found.hidden):
        remarks.append(
            "Conflicts arise on pairs with several judgments: workbench assign double CAMPAIGN --share 0.1 --seed 1"
        )
    if found.open and found.runs > 1:
        which = "the runs" if found.runs == found.top else f"the top {found.top} runs"
        remarks.append(
            f"{found.changing:,} of them alone could change the order of {which} by {found.measure}."
        )
    if found.hidden:
        remarks.append(
            f"{counted(found.hidden, 'more conflict')} cannot be shown: the pair is not pooled, or the campaign has no "
            "text of the document."
        )
    if found.unscored:
        remarks.append(
            f"The {found.unscored:,} narrowest conflicts were not scored, since there are too many."
        )
    return remarks
