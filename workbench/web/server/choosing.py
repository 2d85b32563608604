"""Let adaptive pools choose while their topics are judged, in a process beside the server.

A thread looks at the log of each campaign a few times a second. Where it has grown and a pool is adaptive, a worker
process chooses; what that has read of a campaign it keeps for the next time. Nothing waits for it but a page that has
run out of documents.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from workbench.campaign.adaptive_pools import adaptive_pools
from workbench.campaign.pools.choosing import choose_for
from workbench.core.errors import WorkbenchError
from workbench.jobs.background import in_background
from workbench.jobs.processes import Limits, Work, Workers
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.log import log
from workbench.web.judging import more_documents
from workbench.web.judging.more_documents import ChosenSoFar
from workbench.web.requests.connections import Connections

LOOK_EVERY = 0.25
STOP_PATIENCE = 10.0
"""Seconds from one look to the next, and those that a stop waits."""

LIMITS = Limits(seconds=600.0)
"""After a start a pool with many runs may need minutes for what was judged meanwhile."""


class CouldNotChoose(WorkbenchError):
    """The pools of some campaigns could not choose; the message names these and says why."""


@contextmanager
def choosing(app: Flask, held: Connections) -> Iterator[None]:
    """Let adaptive pools choose in a thread of its own for as long as the block runs."""
    so_far, workers = more_documents.init_app(app), Workers()

    def choose(_: threading.Event) -> None:
        problems = {name: _choose(held, name, so_far, workers) for name in sorted(held.paths())}
        if wrong := [f"{name}: {problem}" for name, problem in problems.items() if problem]:
            raise CouldNotChoose("; ".join(wrong))

    try:
        with in_background("choice of adaptive pools", choose, pause=LOOK_EVERY, patience=STOP_PATIENCE):
            yield
    finally:
        workers.close()


def _choose(held: Connections, name: str, so_far: ChosenSoFar, workers: Workers) -> str:
    """Let the pools of a campaign choose if its log has grown; what went wrong, "" if nothing did."""
    try:
        with held.visiting(name) as campaign:
            while campaign is not None and not so_far.covers(campaign):
                # Before the process looks: what is judged meanwhile is still to be seen.
                head = log.head(campaign)
                if adaptive_pools(campaign.asking(EVERY)) and workers.run(
                    Work(choose_for, (campaign.path,)), LIMITS
                ):
                    continue
                so_far.note(campaign, head)
    except Exception as error:  # noqa: BLE001 - the other campaigns come next
        return str(error) or type(error).__name__
    return ""
