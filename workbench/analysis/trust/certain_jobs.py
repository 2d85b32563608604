"""What is certain, as servers compute it: at once where it is cheap, else in another process, and then kept."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from workbench.analysis.trust.certain_history import (
    CertaintyPoint,
    certainty_over_log,
    known_history,
    put_history,
    steps_of_history,
)
from workbench.analysis.trust.certain_pairs import (
    CertainPairs,
    CertaintyFollower,
    PairsRequest,
    certainty_follower,
)
from workbench.analysis.trust.pair_sums import StoredSums, counted_topics
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log

IN_REQUEST = 3e8
"""Up to this many steps of arithmetic are done while a page waits: some tenths of a second."""
IN_A_JOB = 6e11
"""About this many are done in a job: ten minutes. Beyond that the runs of the lowest means are left out."""
IN_A_HISTORY = 6e10
"""This many for the history of certainty along the log, for all its points together."""


class Summed(NamedTuple):
    """What a job has summed up, as of which row of the log."""

    seq: int
    request: PairsRequest
    stored: StoredSums


class History(NamedTuple):
    """The history of certainty up to a row of the log."""

    seq: int
    measure: str
    points: list[CertaintyPoint]


def pairs_take_long(campaign: Campaign, request: PairsRequest) -> bool:
    """Whether `certain_pairs` and `deciding_documents` may have to compute for seconds first."""
    return certainty_follower(campaign).steps(campaign, request) > IN_REQUEST


def pairs_soon(campaign: Campaign, request: PairsRequest) -> CertainPairs | None:
    """The pairs of some runs where they are found at once, else None; what is kept of all runs stays kept."""
    if pairs_take_long(campaign, request):
        return None
    return CertaintyFollower().answer(campaign, request)


def sums_of_file(path: Path, request: PairsRequest, *, on_step: OnStep) -> Summed:
    """What all pairs of the campaign at `path` are found from: what a worker process does for the server."""
    with open_campaign(path) as campaign:
        seq = log.head_at(campaign, request.as_of).seq
        follower, as_of_row = CertaintyFollower(), request._replace(as_of=seq)
        found, scoring, sums = follower.sums(campaign, as_of_row, on_step)
        if sums.adds_up:
            form = sums.form(scoring)
            for topic in counted_topics(scoring):
                on_step(found.n_topics, found.n_topics, f"Documents of topic {scoring.topic_ids[topic]}")
                sums.spread(scoring, topic, form)
        return Summed(seq, as_of_row, sums.to_store())


def keep_sums(path: Path, summed: Summed) -> None:
    """Keep what another process summed up, so that it follows the log from now on."""
    with open_campaign(path) as campaign:
        certainty_follower(campaign).keep(campaign, summed.request, summed.stored)


def history_takes_long(campaign: Campaign, measure: str, as_of: int | None) -> bool:
    """Whether the history of certainty is neither known nor cheap."""
    if known_history(campaign, measure, as_of=as_of) is not None:
        return False
    return steps_of_history(campaign, measure, as_of=as_of) > IN_REQUEST


def history_of_file(path: Path, measure: str, as_of: int | None, *, on_step: OnStep) -> History:
    """The history of certainty in the campaign at `path`: what a worker process does for the server."""
    with open_campaign(path) as campaign:
        seq = log.head_at(campaign, as_of).seq
        points = certainty_over_log(campaign, measure, as_of=seq, most_steps=IN_A_HISTORY, on_step=on_step)
        return History(seq, measure, points)


def keep_history(path: Path, history: History) -> None:
    """Keep what another process found."""
    with open_campaign(path) as campaign:
        put_history(campaign, history.measure, history.seq, history.points)
