"""Assessors at work: pace, grades against others', change over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import campaign_argument, open_named, say
from workbench.cli.comparing import show_sheet
from workbench.cli.listing import format_option

if TYPE_CHECKING:
    from workbench.assessor_profiles import Profile, Summary
    from workbench.comparing.sheets import Sheet


@click.command()
@campaign_argument
@click.argument("name", required=False)
@format_option
def assessors(path: Path, name: str | None, kind: str) -> None:
    """How assessors work: pace, their grades against others' on the same pairs, agreement with themselves.

    Seconds is the median for a judgment on the screen. In common are pairs that somebody else judged too; on how many
    of them the grade is higher or lower than the others' mean, and how likely chance makes it so one-sided (p). With
    a NAME: the course of one assessor's judgments over time, and whether their grades move against those of others.

    \b
    Example:
      workbench assessors robust
      workbench assessors robust anna
    """
    from workbench.assessor_profiles import profile_of, sheets, summaries

    with open_named(path) as campaign:
        if name is not None:
            _one(profile_of(campaign, name), kind)
            return
        found = summaries(campaign)
    _show(sheets.everybody(found), kind, sheets.content(found))
    _say_remarks(found)


def _one(profile: Profile, kind: str) -> None:
    from workbench.assessor_profiles import drift_in_words, sheets

    _show(sheets.course(profile), kind, sheets.content_of_one(profile))
    _say_remarks([profile.summary])
    for sentence in drift_in_words(profile.drift):
        say(sentence)


def _say_remarks(found: list[Summary]) -> None:
    for each in found:
        if each.remarks:
            say(f"{each.assessor}: {'; '.join(each.remarks)}.")


def _show(sheet: Sheet, kind: str, content: dict[str, Any]) -> None:
    from workbench.comparing.as_json import json_text
    from workbench.comparing.sheets import as_csv

    if kind == "json":
        click.echo(json_text(content), nl=False)
    elif kind == "csv":
        click.echo("".join(as_csv(sheet)), nl=False)
    else:
        show_sheet(sheet)
