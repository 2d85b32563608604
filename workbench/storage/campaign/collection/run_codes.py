"""Codes of runs for a blind release: three letters for a team, and two digits for each of its runs, such as `kxv-07`.

They are drawn by chance and stored, so that nobody can compute them from names; the organiser has the only list.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event
from workbench.storage.campaign.log.state import State, part

CODES = kinds.RUN_CODES
"""The kind of event that gives codes, each a list of the run's number, the code of its team, and its own; of a judge
that a team submitted with its id in the place of the number."""


class RunCode(NamedTuple):
    """The code of a run, and that of the team which it had when it was drawn."""

    team: str
    run: str


def codes(campaign: Campaign) -> dict[int | str, RunCode]:
    """The codes of runs, by number, and of judges, by id: today's codes, whichever row is looked at."""
    return _codes(campaign.now)


def codes_of_judges(campaign: Campaign) -> dict[str, str]:
    """The codes of the judges that teams submitted and that have some, by their names."""
    names = State.of(campaign.now).names
    return {names[id_]: code.run for id_, code in codes(campaign).items() if isinstance(id_, str)}


@part(CODES, start=dict)
def _codes(found: dict[int | str, RunCode], event: Event) -> None:
    """The codes of the runs and judges that have some."""
    found.update({run: RunCode(team, code) for run, team, code in event.content["codes"]})
