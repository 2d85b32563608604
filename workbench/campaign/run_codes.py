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
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import append_event
from workbench.storage.campaign.models.answers import batches

LETTERS = "bcdfghjklmnpqrstvwxz"
"""Without vowels no code is a word."""
RUNS_OF_TEAM = 100


class NamedCode(NamedTuple):
    """A run, or a judge that a team submitted, and its team, with the codes of both; None where it has none yet."""

    run: str
    team: str
    run_code: str | None
    team_code: str | None


def named_codes(campaign: Campaign) -> list[NamedCode]:
    """All runs in the order in which they were added, withdrawn ones too, and all judges of teams."""
    known = codes(campaign)
    found = []
    for key, name, team in _senders(campaign):
        code = known.get(key)
        found.append(NamedCode(name, team, code and code.run, code and code.team))
    return found


def _senders(campaign: Campaign) -> list[tuple[int | str, str, str]]:
    """What has a code, the number of a run or the id of a judge, with its name and its team."""
    of_judges = {each.judge: each.team for each in batches(campaign) if each.team}
    stored = [(each.run, each.record.tag, each.record.team) for each in runs.all_runs(campaign)]
    return [*stored, *((id_of(campaign, name), name, team) for name, team in of_judges.items())]


def draw_codes(campaign: Campaign) -> int:
    """Give codes to the runs and judges of teams that have none, drawn by the system's chance; how many these were.

    A run without a team has a team's code of its own. CampaignError for a team with more than a hundred of them.
    """
    chance, drawn = SystemRandom(), list[tuple[int | str, str, str]]()
    with campaign.write():
        known, there = codes(campaign), _senders(campaign)
        taken = {code for each in known.values() for code in each} | {team for _, _, team in there}
        of_team = {team: known[key].team for key, _, team in there if key in known and team}
        for key, _, name in there:
            if key not in known:
                team = of_team.get(name) or _drawn(chance, map("".join, product(LETTERS, repeat=3)), taken)
                own = _drawn(chance, (f"{team}-{number:02}" for number in range(RUNS_OF_TEAM)), taken)
                drawn.append((key, team, own))
                of_team |= {name: team} if name else {}
        if drawn:
            append_event(campaign, CODES, {"codes": drawn})
    return len(drawn)


def _drawn(chance: SystemRandom, among: Iterable[str], taken: set[str]) -> str:
    """One of the codes that are not taken, which it is from now on."""
    free = [code for code in among if code not in taken]
    if not free:
        raise CampaignError(
            f"more than {RUNS_OF_TEAM} runs and judges of one team, which two digits cannot number"
        )
    taken.add(code := chance.choice(free))
    return code


def under_codes(campaign: Campaign) -> Campaign:
    """The campaign with codes in the place of names; CampaignError where runs have none."""
    without = sum(each.run_code is None for each in named_codes(campaign))
    if without:
        way = f"draw them: workbench task codes {campaign.command_name} --draw"
        raise CampaignError(f"{counted(without, 'run or judge', 'runs or judges')} without a code; {way}")
    view = copy(campaign)
    view.coded = True
    return view
