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

from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE, PairsRequest, certain_pairs
from workbench.analysis.trust.evidence import IN_A_JOB, pairs_take_long
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
from workbench.analysis.trust.sentences import certain_sentence
from workbench.core.wording import counted
from workbench.jobs.processes import Job, Limits, TooManyJobs, Work
from workbench.methods.bounds.registry import adds_up
from workbench.scoring.board.of_round import OfRound
from workbench.scoring.board.table import choose
from workbench.storage.campaign import open_campaign
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


def intervals_soon(asked: IntervalsRequest, as_of: int | None) -> BoardIntervals | None:
    """How sure the board of this request's campaign is, or was as of an older row; None where that is not known yet.

    Raises:
        UnknownName: a measure that does not exist.
        JobFailed: it could not be computed.
    """
    is_now = log.head(g.campaign.at(as_of)) == log.head(g.campaign)
    key = (g.campaign.file, asked, None if is_now else as_of)
    # Asked for first: what is running no more has left its result where it is looked for next.
    job = _running.get(key)
    found = known_intervals(g.campaign.at(as_of), asked)
    if found is not None:
        return found
    if job is None:
        shown = shown_in_detail(g.campaign.at(as_of), asked)
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
    try:
        if job.error is None:
            with open_campaign(path) as campaign:
                keep_intervals(campaign, asked, job.result)
        else:
            logger.warning("%s: how sure the leaderboard is, is not known: %s", path, job.error)
    finally:
        with _guard:
            _running.pop(key, None)


def certain_line(
    names: Sequence[str], tags: Sequence[str], *, row: int | None, part: OfRound | None = None
) -> CertainLine | None:
    """How many pairs are certain by the first additive measure, and where the pairs are; None without a pair.

    Args:
        names: the board's measures.
        tags: its runs; pairs with other runs do not count.
        row: the row of the log that it shows, None for now.
        part: the round whose runs it shows.
    """
    if len(tags) < 2:
        return None
    then = g.campaign.at(row)
    relevant_from = settings.read(then).relevant_from
    measures = [measure for _, measure in choose(names, relevant_from)]
    name = next((str(each) for each in measures if adds_up(each)), DEFAULT_MEASURE)
    # Bounds of two runs depend on no third one; only what is taken out for a round gives other bounds.
    taken_out = part is not None and part.residual
    asked = PairsRequest(name, part=part if taken_out else None, most_steps=IN_A_JOB)
    moment: dict[str, Any] = {} if row is None else {"as-of": row}
    address = url_for("trust.page", campaign=g.campaign.name, measure=name, **moment)
    link = address if g.role == "organiser" and not taken_out else None
    if pairs_take_long(then, asked):
        pairs = counted(len(tags) * (len(tags) - 1) // 2, "pair")
        where = " on the page Can we stop?" if link else ""
        return CertainLine(f"Which of {pairs} of runs are certain takes longer to compute{where}", link)
    found = certain_pairs(then, **asked._asdict()).among(tags)
    if len(found.tags) < 2 or not found.n_topics:
        return None
    also = " Without what was judged before the round." if taken_out else ""
    return CertainLine(certain_sentence(found) + also, link)
