"""Codes of runs and teams for a blind release: drawn, listed, and put in the place of names."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from copy import copy
from itertools import product
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple, TypeVar

from workbench.core.errors import CampaignError
from workbench.core.wording import counted
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.sheets import sheet_of
from workbench.formats.text.content import load
from workbench.formats.text.files import refused
from workbench.formats.text.writing import write_atomically
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.run_codes import CODES, RunCode, codes
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import append_event
from workbench.storage.campaign.models.submitted import files

LETTERS = "bcdfghjklmnpqrstvwxz"
"""Without vowels no code is a word."""
RUNS_OF_TEAM = 100
Key = TypeVar("Key", int | str, str)


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


def tags_by_code(campaign: Campaign) -> dict[str, str]:
    """The tags of all runs by their codes, those without one by themselves."""
    known = codes(campaign)
    stored = ((each.run, each.record.tag) for each in runs.all_runs(campaign))
    return {known[run].run if run in known else tag: tag for run, tag in stored}


def _senders(campaign: Campaign) -> list[tuple[int | str, str, str]]:
    """What has a code, the number of a run or the id of a judge, with its name and its team."""
    of_judges = {each.judge: each.team for each in files(campaign)}
    stored = [(each.run, each.record.tag, each.record.team) for each in runs.all_runs(campaign)]
    return [*stored, *((id_of(campaign, name), name, team) for name, team in of_judges.items())]


def draw_codes(campaign: Campaign) -> int:
    """Give codes to the runs and judges of teams that have none, drawn by the system's chance; how many these were.

    A run without a team has a team's code of its own. CampaignError for a team with more than a hundred of them.
    """
    with campaign.write():
        drawn = _new_codes(codes(campaign), [(key, team) for key, _, team in _senders(campaign)])
        if drawn:
            append_event(campaign, CODES, {"codes": drawn})
    return len(drawn)


def codes_in_table(path: str, names: Iterable[str]) -> dict[str, str]:
    """The codes of judges in a table as `workbench task codes` writes it; those that have none are drawn and added.

    What stands before a stroke in a name is its team. InputError for a file that is no such table.
    """
    heads, known = ",".join(NamedCode._fields), dict[str, NamedCode]()
    if Path(path).exists():
        first, *rows = load(path).data.decode("utf-8", "replace").splitlines()
        given = [row for row in csv.reader(rows) if row]
        if first.strip("\ufeff") != heads or any(len(row) != len(NamedCode._fields) for row in given):
            raise refused(path, f"no table of codes, whose first line is {heads}; name another file")
        known = {row[0]: NamedCode(*row) for row in given}
    teams = {name: name.rpartition("/")[0] for name in names}
    drawn = _new_codes(
        {name: RunCode(str(each.team_code), str(each.run_code)) for name, each in known.items()},
        teams.items(),
    )
    known |= {name: NamedCode(name, teams[name], code, team) for name, team, code in drawn}
    if drawn:
        write_atomically(path, as_csv(sheet_of(NamedCode, known.values())))
    return {name: str(known[name].run_code) for name in teams}


def _new_codes(known: Mapping[Key, RunCode], there: Iterable[tuple[Key, str]]) -> list[tuple[Key, str, str]]:
    """Codes for those with their teams that have none, drawn by the system's chance."""
    chance, there, drawn = SystemRandom(), list(there), list[tuple[Key, str, str]]()
    taken = {code for each in known.values() for code in each} | {team for _, team in there}
    of_team = {team: known[key].team for key, team in there if key in known and team}
    for key, name in there:
        if key not in known:
            team = of_team.get(name) or _drawn(chance, map("".join, product(LETTERS, repeat=3)), taken)
            own = _drawn(chance, (f"{team}-{number:02}" for number in range(RUNS_OF_TEAM)), taken)
            drawn.append((key, team, own))
            of_team |= {name: team} if name else {}
    return drawn


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
    return _view(campaign, coded=True)


def under_names(campaign: Campaign) -> Campaign:
    """The campaign with names, where it is seen under codes."""
    return _view(campaign, coded=False)


def _view(campaign: Campaign, *, coded: bool) -> Campaign:
    view = copy(campaign)
    view.coded = coded
    return view
