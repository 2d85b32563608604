"""How sure a leaderboard is, without a request that computes for seconds: what takes long is done in another process.

Meanwhile the page has what was known last, as of the row of the log that it names. One computation for each board runs
at a time, however many people look at it; the next one begins when a page asks after that.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable
from functools import partial
from pathlib import Path
from threading import RLock

from flask import g

from workbench.analysis.trust.intervals import (
    BoardIntervals,
    IntervalsRequest,
    intervals_in,
    keep_intervals,
    known_intervals,
    last_intervals,
    shown_in_detail,
    steps_of_intervals,
)
from workbench.jobs.processes import Job, Limits, TooManyJobs, Work
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.web.requests.long_work import long_work

logger = logging.getLogger(__name__)

IN_REQUEST = 3e8
"""Up to this many steps of arithmetic are done while a page waits: some tenths of a second."""
SOON = 0.3
"""Seconds that a request waits for another process."""
LIMITS = Limits(seconds=120)

BEING_COMPUTED = "Intervals, ties with the best and certain pairs are being computed."

_guard = RLock()
_running: dict[Hashable, Job] = {}


def intervals_soon(asked: IntervalsRequest, as_of: int | None) -> BoardIntervals | None:
    """How sure the board of this request's campaign is, or was as of an older row; None where that is not known yet.

    Raises:
        UnknownName: a measure that does not exist.
        JobFailed: it could not be computed.
    """
    is_now = log.head_at(g.campaign, as_of) == log.head(g.campaign)
    key = (g.campaign.file, asked, None if is_now else as_of)
    # Asked for first: what is running no more has left its result where it is looked for next.
    job = _running.get(key)
    found = known_intervals(g.campaign, asked, as_of)
    if found is not None:
        return found
    if job is None:
        shown = shown_in_detail(g.campaign, asked, as_of)
        if steps_of_intervals(shown) <= IN_REQUEST:
            return keep_intervals(g.campaign, asked, intervals_in(shown))
        job = _begin(key, Work(intervals_in, (shown,)), asked)
    if job is not None and job.wait(SOON):
        done: BoardIntervals = job.outcome()
        return done
    return last_intervals(g.campaign, asked) if is_now else None


def _begin(key: Hashable, work: Work, asked: IntervalsRequest) -> Job | None:
    """Begin to compute, unless another request has begun it in the meantime; None where too much else waits."""
    with _guard:
        if key in _running:
            return _running[key]
        owner, ended = (str(g.campaign.path), "board"), partial(_ended, key, g.campaign.path, asked)
        try:
            job = long_work().queues.files.begin(
                lambda run: run(work), owner=owner, limits=LIMITS, afterwards=ended
            )
        except TooManyJobs:
            return None
        if not job.done.is_set():
            _running[key] = job
        return job


def _ended(key: Hashable, path: Path, asked: IntervalsRequest, job: Job) -> None:
    """Keep what was found, as long as the campaign is there."""
    try:
        if job.error is None:
            with open_campaign(path) as campaign:
                keep_intervals(campaign, asked, job.result)
        else:
            logger.warning("%s: how sure the leaderboard is, is not known: %s", path, job.error)
    finally:
        with _guard:
            _running.pop(key, None)
