"""Codes of runs and teams for a blind release: drawn, listed, and put in the place of names."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from itertools import product
from random import SystemRandom
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.wording import counted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.run_codes import CODES, codes
from workbench.storage.campaign.log.log import append_event

LETTERS = "bcdfghjklmnpqrstvwxz"
"""Without vowels no code is a word."""
RUNS_OF_TEAM = 100


class NamedCode(NamedTuple):
    """A run and its team, with the codes of both; None for a run that has none yet."""

    run: str
    team: str
    run_code: str | None
    team_code: str | None


def named_codes(campaign: Campaign) -> list[NamedCode]:
    """All runs in the order in which they were added, withdrawn ones too."""
    known = codes(campaign)
    found = []
    for each in runs.all_runs(campaign):
        code = known.get(each.run)
        found.append(NamedCode(each.record.tag, each.record.team, code and code.run, code and code.team))
    return found


def draw_codes(campaign: Campaign) -> int:
    """Give codes to the runs that have none, drawn by the system's chance; how many these were.

    A run without a team has a team's code of its own. CampaignError for a team with more than a hundred runs.
    """
    chance, drawn = SystemRandom(), list[tuple[int, str, str]]()
    with campaign.write():
        known, there = codes(campaign), runs.all_runs(campaign)
        taken = {code for each in known.values() for code in each} | {run.record.team for run in there}
        of_team = {
            run.record.team: known[run.run].team for run in there if run.run in known and run.record.team
        }
        for run in there:
            if run.run not in known:
                name = run.record.team
                team = of_team.get(name) or _drawn(chance, map("".join, product(LETTERS, repeat=3)), taken)
                own = _drawn(chance, (f"{team}-{number:02}" for number in range(RUNS_OF_TEAM)), taken)
                drawn.append((run.run, team, own))
                of_team |= {name: team} if name else {}
        if drawn:
            append_event(campaign, CODES, {"codes": drawn})
    return len(drawn)


def _drawn(chance: SystemRandom, among: Iterable[str], taken: set[str]) -> str:
    """One of the codes that are not taken, which it is from now on."""
    free = [code for code in among if code not in taken]
    if not free:
        raise CampaignError(f"more than {RUNS_OF_TEAM} runs of one team, which two digits cannot number")
    taken.add(code := chance.choice(free))
    return code


def under_codes(campaign: Campaign) -> Campaign:
    """The campaign with codes in the place of names; CampaignError where runs have none."""
    without = sum(each.run_code is None for each in named_codes(campaign))
    if without:
        way = f"draw them: workbench task codes {campaign.command_name} --draw"
        raise CampaignError(f"{counted(without, 'run')} without a code; {way}")
    view = copy(campaign)
    view.coded = True
    return view
