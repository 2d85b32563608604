"""Work on a campaign in a process of its own, which opens it as the caller sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from workbench.jobs.processes import OnStep, Work
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.opening.opening import open_campaign


class _View(NamedTuple):
    """A campaign that another process opens: its file, actor, row, and what of it is shown."""

    path: Path
    actor: str
    through: str
    as_of: int | None
    seen: tuple[Any, str]


def work_on(campaign: Campaign, function: Callable[..., Any], *arguments: Any) -> Work:
    """The work of a function that takes a campaign, these arguments and `on_step`."""
    view = _View(campaign.path, campaign.actor, campaign.through, campaign.as_of, campaign.view)
    return Work(_in_campaign, (view, function, arguments), reports=True)


def _in_campaign(
    view: _View, function: Callable[..., Any], arguments: tuple[Any, ...], *, on_step: OnStep
) -> Any:
    with open_campaign(view.path) as campaign:
        seen = campaign.by(view.actor, through=view.through).at(view.as_of).showing(view.seen)
        return function(seen, *arguments, on_step=on_step)
