"""How far down each run is pooled: depths of their own, and priorities of runs within their teams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import KINDS, Kind, Limits
from workbench.core.ranking import IntArray, Names, Rankings
from workbench.core.wording import none_such


class OfRun(str):
    """A run's tag and a whole number, with a colon between them."""

    __slots__ = ()


OfRuns = list[OfRun]
RunsPerTeam = Annotated[
    int | None, Limits("how many runs of each team contribute, those with the best priority", least=1)
]
_WRITTEN = re.compile(r"(?P<tag>.+?)\s*:\s*(?P<number>\d{1,9})", re.DOTALL)
LAST = 10**9
"""The priority of a run that has none."""


def read_of_run(text: str) -> tuple[str, int]:
    """Tag and number; ValueError where it is none. Colons in a tag are part of it."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        message = (
            f"{text!r} is not a run with a number; write a tag, a colon and a whole number, such as bm25:50"
        )
        raise ValueError(message)
    return found["tag"], int(found["number"])


def write_of_run(tag: str, number: int) -> str:
    """The same as text."""
    return f"{tag}:{number}"


KINDS[OfRun] = Kind(
    "a run, a colon and a whole number", lambda text: write_of_run(*read_of_run(text)), str, by_line=True
)


def depths_of_runs(
    rankings: Rankings,
    depth: int,
    run_depths: Sequence[str],
    priorities: Sequence[str],
    runs_per_team: int | None,
) -> IntArray:
    """How far down each run is pooled, int64 (runs): 0 where nothing is taken of it.

    `run_depths` is TAG:DEPTH for runs with another depth than `depth`. `priorities` is TAG:NUMBER; runs without one
    come last in their teams, of which `runs_per_team` are pooled, None for all. Runs without a team are all pooled.

    UnknownName where a text cannot be read, no run is called so, one is named twice, priorities are given without
    `runs_per_team`, or two runs of a team have the same priority and not both can be taken.
    """
    if not len(rankings):
        return np.zeros(0, np.int64)
    if rankings.names is None:
        raise ValueError("runs are named by their tags; give rankings with their names")
    names, longest = rankings.names, int(rankings.lengths.max(initial=0))
    depths = np.full(len(names.tags), min(depth, longest), np.int64)
    for run, own in _by_run("run_depths", run_depths, names).items():
        depths[run] = min(own, longest)
    rank = _by_run("priorities", priorities, names)
    if runs_per_team is not None:
        depths[_beyond(rankings, names, rank, runs_per_team)] = 0
    elif priorities:
        message = "priorities say which runs of a team come first; say with runs_per_team how many of them are pooled"
        raise UnknownName(message)
    return depths


def _by_run(what: str, texts: Sequence[str], names: Names) -> dict[int, int]:
    """The numbers in texts by the number of the run."""
    try:
        found = list(map(read_of_run, texts))
    except ValueError as reason:
        raise UnknownName(f"{what}: {reason}") from None
    place = {tag: number for number, tag in enumerate(names.tags)}
    if unknown := sorted({tag for tag, _ in found if tag not in place}):
        refusal = none_such("run", unknown, list(names.tags), shown=25)
        raise UnknownName(f"{what}: {refusal} (a withdrawn run is in no pool: take it out)")
    numbers = {place[tag]: number for tag, number in found}
    if len(numbers) < len(found):
        tags = [tag for tag, _ in found]
        twice = next(tag for tag in tags if tags.count(tag) > 1)
        raise UnknownName(f"{what}: {twice} is named twice; name it once")
    return numbers


def _beyond(rankings: Rankings, names: Names, rank: Mapping[int, int], per_team: int) -> list[int]:
    """The runs that are not among the first of their teams."""
    by_team: dict[str, list[int]] = {}
    for run in np.unique(rankings.run).tolist():
        if len(names.teams) and names.teams[run]:
            by_team.setdefault(names.teams[run], []).append(run)
    found: list[int] = []
    for team, runs in by_team.items():
        in_order = sorted(runs, key=lambda run: rank.get(run, LAST))
        tied = in_order[per_team - 1 : per_team + 1]
        if len(tied) == 2 and rank.get(tied[0], LAST) == rank.get(tied[1], LAST):
            tags = " and ".join(names.tags[run] for run in tied)
            how = f"the priority {rank[tied[0]]}" if tied[0] in rank else "no priority"
            raise UnknownName(
                f"{tags} of team {team} both have {how}, so it is open which is among the first {per_team}; "
                "give each run of a team a priority of its own"
            )
        found += in_order[per_team:]
    return found
