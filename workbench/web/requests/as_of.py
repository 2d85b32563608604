"""Rows of the log in addresses and forms: a row, a date, or a date and time becomes a row, and pages say which."""

from __future__ import annotations

from flask import g
from werkzeug.datastructures import MultiDict

from workbench.core.errors import CampaignError, UnknownName
from workbench.storage.campaign.log.as_of import AsOf, find_as_of


def found_as_of(text: str) -> AsOf | None:
    """The row of this request's campaign that a field names, None where it is empty; UnknownName for what is none."""
    try:
        return find_as_of(g.campaign, text)
    except CampaignError as error:
        raise UnknownName(str(error).removeprefix(f"{g.campaign.name}: ")) from error


def in_rows(args: MultiDict[str, str], *names: str) -> tuple[MultiDict[str, str], list[str]]:
    """The fields with the rows in place of dates, and a sentence for each date; errors as in `found_as_of`."""
    rows, sentences = MultiDict(args), []
    for name in names:
        found = found_as_of(args.get(name, ""))
        if found is not None:
            rows[name] = str(found.seq)
            sentences += [str(found)] if str(found) else []
    return rows, sentences
