"""The warnings of the dashboard: list, dismiss, restore."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from workbench.cli.accounts import disabled_here
from workbench.cli.campaigns import Opened, quoted, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, write_list


@command()
def warnings(
    campaign: Opened,
    warning: str | None = argument(),
    note: str | None = option(
        "Dismiss the warning as it stands; the note says why.", "--dismiss", metavar="NOTE"
    ),
    restore: bool = option("Show a dismissed warning again."),
    kind: str = format_option,
) -> None:
    """List the warnings of the dashboard, dismissed ones too; dismiss one with a note, or restore it.

    WARNING is a name of the list. A dismissed warning comes back once it is about something else. Warnings about the
    server are on the dashboard only, and cannot be dismissed.

    Example:
      workbench campaign warnings robust
      workbench campaign warnings robust "few relevant" --dismiss "narrow topics; reported in the overview"
      workbench campaign warnings robust "few relevant" --restore
    """
    from workbench.analysis.dashboard.campaign_warnings import (
        CampaignWarning,
        campaign_warnings,
        dismiss_warning,
        show_warning_again,
    )
    from workbench.analysis.dashboard.progress import state_of
    from workbench.core.errors import NotThere
    from workbench.core.wording import none_such
    from workbench.formats.tables.sheets import sheet_of

    if (warning is not None) != (note is not None or restore) or (restore and note is not None):
        raise click.UsageError("to change a warning name it, with either --dismiss NOTE or --restore")
    state = state_of(campaign, now=datetime.now(UTC), disabled=disabled_here(campaign))
    found = campaign_warnings(campaign, state)
    if warning is None:
        write_list(kind, sheet_of(CampaignWarning, found), "No warnings.", found)
        return
    states = {each.warning: each.state for each in found}
    if restore:
        show_warning_again(campaign, warning)
    elif warning in states:
        dismiss_warning(campaign, warning, states[warning], current=found, note=note or "")
    else:
        raise NotThere(none_such("warning", warning, list(states), of=campaign.name))
    say(f"{quoted(warning)} is {'shown again' if restore else 'dismissed until it is about something else'}.")
