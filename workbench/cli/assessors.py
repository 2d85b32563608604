"""Assessors at work: pace, grades against others', change over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import campaign_argument, open_named, say
from workbench.cli.comparing import show_sheet
from workbench.cli.listing import format_option

if TYPE_CHECKING:
    from workbench.assessor_profiles import Summary
    from workbench.comparing.sheets import Sheet


@click.command()
@campaign_argument
@click.argument("name", required=False)
@format_option
def assessors(path: Path, name: str | None, kind: str) -> None:
    """How assessors work: pace, their grades against others' on the same pairs, agreement with themselves.

    Seconds is the median for a judgment on the screen. In common are pairs that somebody else judged too; on how many
    of them the grade is higher or lower than the others' mean, and how likely chance makes it so one-sided (p). With
    a NAME: the course of one assessor's judgments over time.

    \b
    Example:
      workbench assessors robust
      workbench assessors robust anna
    """
    from workbench.assessor_profiles import profile_of, sheets, summaries

    with open_named(path) as campaign:
        if name is not None:
            profile = profile_of(campaign, name)
            _show(sheets.course(profile), kind, [profile.summary])
            found = [profile.summary]
        else:
            found = summaries(campaign)
            _show(sheets.everybody(found), kind, found)
    for each in found:
        if each.remarks:
            say(f"{each.assessor}: {'; '.join(each.remarks)}.")


def _show(sheet: Sheet, kind: str, found: list[Summary]) -> None:
    from workbench.assessor_profiles import sheets
    from workbench.comparing.as_json import json_text
    from workbench.comparing.sheets import as_csv

    if kind == "json":
        click.echo(json_text(sheets.content(found)), nl=False)
    elif kind == "csv":
        click.echo("".join(as_csv(sheet)), nl=False)
    else:
        show_sheet(sheet)
