"""The export of hours worked."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.campaigns import as_of_option, campaign_argument, open_named, row_as_of
from workbench.cli.exporting import output_option, write
from workbench.cli.tables import format_option_of
from workbench.core.errors import CampaignError


@click.command("hours")
@campaign_argument
@output_option
@as_of_option
@click.option(
    "--gap",
    type=click.IntRange(1, 240),
    default=5,
    show_default=True,
    help="Minutes: a longer gap between two judgments is a break and does not count.",
)
@click.option(
    "--time-zone",
    "zone",
    metavar="ZONE",
    default="UTC",
    show_default=True,
    help="Where a day begins and ends.",
)
@format_option_of("csv", "json", says="A table, or an object with the definition of an hour")
def export_hours(path: Path, output: str, moment: str | None, gap: int, zone: str, kind: str) -> None:
    """Export the hours worked per assessor and day, for pay.

    A judgment counts with the time since the assessor's judgment before it if that is at most --gap minutes. After a
    longer gap, and for the first judgment, the active time counts that the page measured for it, at most --gap minutes.
    A judgment was given at the time that the assessor's browser says, but never later than the server received it.
    Judgments that were changed, hidden repeats, norming grades and adjudications are work too; imports are not. The
    practice set, reading the guidelines and work in other campaigns are not included.

    \b
    Example:
      workbench export hours robust -o hours.csv
      workbench export hours robust --gap 10 --time-zone Europe/Vienna --format json
    """
    from zoneinfo import ZoneInfo

    from workbench.campaign.working_time import working_days
    from workbench.release.hours import hours_csv, hours_json
    from workbench.storage.campaign.log import log

    try:
        where = ZoneInfo(zone)
    except (KeyError, ValueError, OSError):  # no such zone, no such name, a folder of zones
        message = f"--time-zone: {zone[:60]!r} is not a time zone; write one such as UTC or Europe/Vienna"
        raise CampaignError(message) from None
    with open_named(path) as campaign, campaign.snapshot():
        as_of = row_as_of(campaign, moment)
        days = working_days(campaign, gap=gap, zone=where, as_of=as_of)
        head = log.head_at(campaign, as_of).seq
    write(output, hours_csv(days) if kind == "csv" else hours_json(days, gap=gap, zone=where, head=head))
