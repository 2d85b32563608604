"""The export of hours worked."""

from __future__ import annotations

from typing import NamedTuple

import click

from workbench.cli.campaigns import Opened, as_of_option, row_as_of
from workbench.cli.exporting import output_option, write
from workbench.cli.options import declared_options, option
from workbench.cli.tables import format_option_of
from workbench.core.errors import CampaignError


class Hours(NamedTuple):
    """What counts as work, and where it is written."""

    output: str = output_option
    moment: str | None = as_of_option
    gap: int = option(
        "Minutes: a longer gap between two judgments is a break and does not count.",
        default=5,
        least=1,
        most=240,
    )
    zone: str = option("Where a day begins and ends.", "--time-zone", default="UTC", metavar="ZONE")


@click.command("hours")
@declared_options
def export_hours(
    campaign: Opened,
    asked: Hours,
    kind: str = format_option_of("csv", "json", says="A table, or an object with the definition of an hour"),
) -> None:
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
        where = ZoneInfo(asked.zone)
    except (KeyError, ValueError, OSError):  # no such zone, no such name, a folder of zones
        message = (
            f"--time-zone: {asked.zone[:60]!r} is not a time zone; write one such as UTC or Europe/Vienna"
        )
        raise CampaignError(message) from None
    with campaign.snapshot():
        as_of = row_as_of(campaign, asked.moment)
        days = working_days(campaign, gap=asked.gap, zone=where, as_of=as_of)
        head = log.head_at(campaign, as_of).seq
    write(
        asked.output,
        hours_csv(days) if kind == "csv" else hours_json(days, gap=asked.gap, zone=where, head=head),
    )
