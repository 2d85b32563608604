"""Codes of runs and teams for a blind release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import command, option
from workbench.cli.tables import format_option, write_list
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.storage.campaign import Campaign

codes_option = option(
    "Codes in the place of the names of runs and teams, see workbench task codes.", "--codes"
)


def by_codes(campaign: Campaign, codes: bool) -> Campaign:
    """The campaign under codes, where they are asked for."""
    from workbench.campaign.run_codes import under_codes

    return under_codes(campaign) if codes else campaign


@command("codes")
def list_codes(
    campaign: Opened,
    draw: bool = option("Draw codes for the runs that have none; those that are drawn stay."),
    kind: str = format_option,
) -> None:
    """List the codes of runs and teams for a blind release, which are for organisers alone.

    A team has three letters, and each of its runs two digits, such as kxv-07. They are drawn by chance and kept in the
    campaign file; no export has names and codes together. With --codes exports, bundles and team sheets have codes in
    the place of names, and leave out what names a sender: files and their checksums, comments above runs, descriptions,
    and of answers all fields but those of their form. The texts of answers and what assessors write stay.

    Example:
      workbench task codes robust --draw
      workbench release bundle robust --codes --runs -o blind.zip
      workbench task codes robust --format csv > only-for-us.csv
    """
    from workbench.campaign.run_codes import NamedCode, draw_codes, named_codes
    from workbench.formats.tables.sheets import sheet_of

    if draw:
        say(f"{counted(draw_codes(campaign), 'code')} drawn.")
    found = named_codes(campaign)
    write_list(kind, sheet_of(NamedCode, found), "No run has been added yet.", found)
