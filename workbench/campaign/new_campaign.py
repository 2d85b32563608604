"""Setting up a campaign: a new file with its settings, and the people who work in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from workbench.core.errors import CampaignError
from workbench.core.normal_forms import normal_form
from workbench.core.records import Grade
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.file.replacing import fold, whole_file
from workbench.storage.campaign.grades.sources import GAPS
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.storage.instance import ACCOUNTS_FILE

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.IGNORECASE)
NAME_TAKEN = "choose another name, or change that campaign with workbench campaign set"
MOST_TEAMS = 100
ACCOUNTS_NAME = Path(ACCOUNTS_FILE).stem


def new_campaign(
    path: Path | str,
    *,
    title: str,
    grades: Sequence[Grade] = settings.BINARY,
    relevant_from: int = 1,
    guidelines: str = "",
    organiser: str | None = None,
    imported_labels: str | None = GAPS,
    actor: str,
    through: str = "",
    now: datetime | None = None,
) -> Campaign:
    """A new campaign with its settings, and its first organiser, in the log; whole or not at all, and for who made it.

    `imported_labels` None leaves open how these count, as for a campaign whose own settings follow.
    """
    path = Path(path)
    with whole_file(path, NAME_TAKEN) as draft:
        with create_campaign(draft) as made, made.write():
            campaign = made.by(actor, now, through=through)
            settings.change(
                campaign,
                {
                    "title": title,
                    "grades": [list(grade) for grade in grades],
                    "relevant_from": relevant_from,
                    "guidelines": guidelines,
                    **({} if imported_labels is None else {"imported_labels": imported_labels}),
                },
            )
            if organiser is not None:
                members.put(campaign, organiser, "organiser")
        fold(draft)
    return open_campaign(path).by(actor, through=through)


def name_from(typed: str, title: str) -> str:
    """The name of a new campaign: the one typed, else one made of its title ('Robust 2003' is robust-2003).

    It becomes the name of a file and a part of addresses, so it is of letters a to z, digits, hyphens and underscores.
    Raises CampaignError for another one, and where a title leaves none.
    """
    name = typed.strip() or _slug(title)
    if NAME.fullmatch(name) is None or name.lower() == ACCOUNTS_NAME:
        given = f"{name!r} cannot be the name" if typed.strip() else "the title does not make a name"
        raise CampaignError(
            f"{given} of a campaign: use up to 64 of the letters a to z, digits, - and _, such as robust-2003"
        )
    return name


def _slug(title: str) -> str:
    plain = normal_form("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64].strip("-")


def choose_least_teams(campaign: Campaign, least: int) -> None:
    """From how many teams on participants see the median, the best and the place of all runs; recorded in the log.

    Raises CampaignError for what is no number of teams from 1 to MOST_TEAMS.
    """
    if not 1 <= least <= MOST_TEAMS:
        raise CampaignError(f"the median and the best are shown from 1 to {MOST_TEAMS} teams on, not {least}")
    with campaign.write():
        if settings.read(campaign).least_teams != least:
            settings.change(campaign, {"least_teams": least})


def open_scores(campaign: Campaign, is_open: bool) -> None:
    """Let participants see the scores of their runs, or not any more; recorded in the log when it changes."""
    with campaign.write():
        if settings.read(campaign).scores_open != is_open:
            settings.change(campaign, {"scores_open": is_open})
