"""Work on a campaign in a process of its own, which opens it as the caller sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.jobs.processes import OnStep, Work
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.opening.opening import open_campaign


def work_on(campaign: Campaign, function: Callable[..., Any], *arguments: Any) -> Work:
    """The work of a function that takes a campaign, these arguments and `on_step`."""
    seen = campaign.path, campaign.actor, campaign.through, campaign.as_of, campaign.view
    return Work(_in_campaign, (seen, function, arguments), reports=True)


def _in_campaign(
    seen: tuple[Path, str, str, int | None, tuple[Any, str]],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    *,
    on_step: OnStep,
) -> Any:
    path, actor, through, as_of, view = seen
    with open_campaign(path) as campaign:
        then = campaign.by(actor, through=through).at(as_of).showing(view)
        return function(then, *arguments, on_step=on_step)
