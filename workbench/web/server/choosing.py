"""Let adaptive pools choose while their topics are judged, in a process beside the server.

A thread looks at the log of each campaign a few times a second. Where it has grown and a pool is adaptive, a worker
process chooses; what that has read of a campaign it keeps for the next time. Nothing waits for it but a page that has
run out of documents.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from flask import Flask

from workbench.campaign.adaptive_pools import adaptive_pools
from workbench.campaign.pools.choosing import choose_for
from workbench.jobs.background import in_background
from workbench.jobs.processes import Limits, Work, Workers
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.log import log
from workbench.web.judging import more_documents
from workbench.web.judging.more_documents import ChosenSoFar
from workbench.web.requests.connections import Connections, on_each

LOOK_EVERY = 0.25
STOP_PATIENCE = 10.0
"""Seconds from one look to the next, and those that a stop waits."""

LIMITS = Limits(seconds=600.0)
"""After a start a pool with many runs may need minutes for what was judged meanwhile."""


@contextmanager
def choosing(app: Flask, held: Connections) -> Iterator[None]:
    """Let adaptive pools choose in a thread of its own for as long as the block runs."""
    so_far, workers = more_documents.init_app(app), Workers()

    def choose(_: threading.Event) -> None:
        on_each(held, lambda name: _choose(held, name, so_far, workers))

    with (
        closing(workers),
        in_background("choice of adaptive pools", choose, pause=LOOK_EVERY, patience=STOP_PATIENCE),
    ):
        yield


def _choose(held: Connections, name: str, so_far: ChosenSoFar, workers: Workers) -> None:
    """Let the pools of a campaign choose if its log has grown."""
    with held.visiting(name) as campaign:
        while campaign is not None and not so_far.covers(campaign):
            # Before the process looks: what is judged meanwhile is still to be seen.
            head = log.head(campaign)
            work = Work(choose_for, (campaign.path,))
            if not adaptive_pools(campaign.asking(EVERY)) or not workers.run(work, LIMITS):
                so_far.note(campaign, head)
