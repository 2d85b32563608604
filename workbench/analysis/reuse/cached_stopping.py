"""What stopping now might lose, as a job computes it and pages show it."""

from __future__ import annotations

from pathlib import Path

from workbench.analysis.reuse.stopping import DRAWS, Stopped, if_stopped
from workbench.core.jobs import OnStep, counting
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

_found: Cache[Stopped] = Cache(in_all=32)


def stopped_of_file(path: Path, measure: str, *, on_step: OnStep) -> Stopped:
    """What is found in the campaign at `path` now: what a worker process does for the server."""
    steps = counting(on_step, "Drawing labels", DRAWS, noun="leaderboard")
    with open_campaign(path) as campaign:
        return if_stopped(campaign, measure, progress=steps)


def keep_stopped(path: Path, measure: str, found: Stopped) -> None:
    """Keep what another process found in the campaign at `path`."""
    with open_campaign(path) as campaign:
        _found.at(campaign, log.head_at(campaign, found.seq), measure, lambda: found)


def known_stopped(campaign: Campaign, measure: str, as_of: int) -> Stopped | None:
    """What was found as of a row of the log, where it is still known."""
    return _found.known(campaign, log.head_at(campaign, as_of), measure)
