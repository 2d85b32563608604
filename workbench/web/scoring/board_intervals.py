"""How sure a leaderboard is, without a request that computes for seconds: what takes long is done in another process.

Meanwhile the page has what was known last, as of the row of the log that it names. One computation for each board runs
at a time, however many people look at it; the next one begins when a page asks after that.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

from flask import g, url_for

from workbench.analysis.trust import intervals
from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE, PairsRequest, certain_pairs
from workbench.analysis.trust.evidence import IN_A_JOB, pairs_take_long
from workbench.analysis.trust.sentences import certain_sentence
from workbench.core.wording import counted
from workbench.jobs.processes import Job, Limits, TooManyJobs, Work
from workbench.methods.bounds.registry import adds_up
from workbench.scoring.board.table import choose
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection.rounds import ALL
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.requests.long_work import long_work
from workbench.web.scoring.board_view import CertainLine

logger = logging.getLogger(__name__)

IN_REQUEST = 3e8
"""Up to this many steps of arithmetic are done while a page waits: some tenths of a second."""
SOON = 0.3
"""Seconds that a request waits for another process."""
LIMITS = Limits(seconds=120)

BEING_COMPUTED = "Intervals, ties with the best and certain pairs are being computed."

_guard = RLock()
_running: dict[Hashable, Job] = {}


def intervals_soon(campaign: Campaign, asked: intervals.IntervalsRequest) -> intervals.BoardIntervals | None:
    """How sure the board of a campaign is, or was as of an older row; None where that is not known yet.

    Raises:
        UnknownName: a measure that does not exist.
        JobFailed: it could not be computed.
    """
    is_now = log.head(campaign) == log.head(campaign.now)
    key = (campaign.file, asked, campaign.view, None if is_now else campaign.as_of)
    # Asked for first: what is running no more has left its result where it is looked for next.
    job = _running.get(key)
    found = intervals.known_intervals(campaign, asked)
    if found is not None:
        return found
    if job is None:
        shown = intervals.shown_in_detail(campaign, asked)
        if intervals.steps_of_intervals(shown) <= IN_REQUEST:
            return intervals.keep_intervals(campaign, asked, intervals.intervals_in(shown))
        job = _begin(key, Work(intervals.intervals_in, (shown,)), campaign, asked)
    if job is not None and job.wait(SOON):
        done: intervals.BoardIntervals = job.outcome()
        return done
    return intervals.last_intervals(campaign, asked) if is_now else None


def _begin(key: Hashable, work: Work, campaign: Campaign, asked: intervals.IntervalsRequest) -> Job | None:
    """Begin to compute, unless another request has begun it in the meantime; None where too much else waits."""
    with _guard:
        if key in _running:
            return _running[key]
        owner = (str(campaign.path), "board")
        ended = partial(_ended, key, campaign.path, campaign.view, asked)
        try:
            job = long_work().queues.files.begin(
                lambda run: run(work), owner=owner, limits=LIMITS, afterwards=ended
            )
        except TooManyJobs:
            return None
        if not job.done.is_set():
            _running[key] = job
        return job


def _ended(
    key: Hashable, path: Path, view: tuple[Any, str], asked: intervals.IntervalsRequest, job: Job
) -> None:
    try:
        if job.error is None:
            with open_campaign(path) as campaign:
                intervals.keep_intervals(campaign.showing(view), asked, job.result)
        else:
            logger.warning("%s: the certainty of the leaderboard is not known: %s", path, job.error)
    finally:
        with _guard:
            _running.pop(key, None)


def certain_line(campaign: Campaign, names: Sequence[str], tags: Sequence[str]) -> CertainLine | None:
    """How many pairs are certain by the first additive measure, and where the pairs are; None without a pair.

    Args:
        campaign: as it is shown.
        names: the board's measures.
        tags: its runs; pairs with other runs do not count.
    """
    if len(tags) < 2:
        return None
    relevant_from = settings.read(campaign).relevant_from
    measures = [measure for _, measure in choose(names, relevant_from)]
    name = next((str(each) for each in measures if adds_up(each)), DEFAULT_MEASURE)
    # Bounds of two runs depend on no third one; only what does not count for a round gives other bounds.
    taken_out = campaign.part is not None and campaign.part.judged != ALL
    then = campaign if taken_out else campaign.whole
    asked = PairsRequest(name, most_steps=IN_A_JOB)
    moment: dict[str, Any] = {} if campaign.as_of is None else {"as-of": campaign.as_of}
    address = url_for("trust.page", campaign=campaign.name, measure=name, **moment)
    link = address if g.role == "organiser" else None
    if pairs_take_long(then, asked):
        pairs = counted(len(tags) * (len(tags) - 1) // 2, "pair")
        where = " on the page Can we stop?" if link else ""
        return CertainLine(f"Finding which of {pairs} of runs are certain takes longer{where}", link)
    found = certain_pairs(then, **asked._asdict()).among(tags)
    if len(found.tags) < 2 or not found.n_topics:
        return None
    also = " Pairs judged before the round are left out." if taken_out else ""
    return CertainLine(certain_sentence(found) + also, link)
