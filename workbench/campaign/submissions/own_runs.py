"""What a team may learn of a check of its own run: nothing of the runs of other teams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs


class _Said(Protocol):
    @property
    def message(self) -> str: ...


Said = TypeVar("Said", bound=_Said)


def without_others(campaign: Campaign, team: str, said: Sequence[Said]) -> tuple[Said, ...]:
    """The findings that name no run of another team, as that of two runs with the same rankings does."""
    others = [run.record.tag for run in runs.all_runs(campaign) if run.record.team != team]
    return tuple(each for each in said if not any(tag in each.message for tag in others))
