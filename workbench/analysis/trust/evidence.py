"""What can be said of pairs of runs, as servers ask for it: at once where it is cheap, else by one job, and cached.

A job finds the parts that take long in a process of its own. Sums of pairs follow the log from then on; all else is
cached for the row of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from workbench.analysis.trust.certain_history import CertainPoint, certain_over_log, steps_of_history
from workbench.analysis.trust.certain_pairs import (
    DEFAULT_MEASURE,
    CertainPairs,
    PairsFollower,
    PairsRequest,
    certain_pairs,
    pairs_follower,
)
from workbench.analysis.trust.decisions import ALPHA, Decisions, decide, require_risk
from workbench.analysis.trust.drawn import series_of
from workbench.analysis.trust.found import TopicFound, found_of
from workbench.analysis.trust.pair_sums import StoredSums, counted_topics
from workbench.core.errors import CampaignError, UnknownName
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

LINES = 500_000
"""This many ranked documents of all runs, and the order of drawing takes seconds."""
IN_REQUEST = 3e8
"""Up to this many steps of arithmetic are done while a page waits: some tenths of a second."""
IN_A_JOB = 6e11
"""About this many are done in a job: ten minutes. Beyond that the runs of the lowest means are left out."""
IN_A_HISTORY = 6e10
"""This many for all points of the history of certain pairs together."""

Part = Literal["pairs", "decided", "history"]


class Question(NamedTuple):
    """What is asked: a measure, the risk of each decision, a row of the log, and runs, all where none are named."""

    measure: str = DEFAULT_MEASURE
    alpha: float = ALPHA
    as_of: int | None = None
    runs: tuple[str, ...] = ()

    @property
    def pairs(self) -> PairsRequest:
        """What is asked of bounds of pairs."""
        return PairsRequest(self.measure, self.runs, self.as_of, most_steps=IN_A_JOB)


class Decided(NamedTuple):
    """What draws at random say.

    Attributes:
        decisions: about pairs; None where no pool was drawn in an order, or it says nothing.
        refused: why an order says nothing of this measure, or any more; "" otherwise.
        topics: what topics can still have; None where no part of a pool was drawn uniformly.
    """

    decisions: Decisions | None
    refused: str
    topics: tuple[TopicFound, ...] | None


class Found(NamedTuple):
    """What a job found as of a row of the log; None for each part that it was not asked for."""

    seq: int
    question: Question
    sums: StoredSums | None
    decided: Decided | None
    history: list[CertainPoint] | None


_decided: Cache[Decided] = Cache(in_all=16)
_histories: Cache[list[CertainPoint]] = Cache(of_one=8)


def usual_measure(campaign: Campaign, as_of: int | None = None) -> str:
    """The measure that the newest random order was drawn for, else DEFAULT_MEASURE."""
    series = series_of(campaign, as_of)
    return DEFAULT_MEASURE if series is None else str(series.record.parameters["measure"])


def cached_decided(campaign: Campaign, question: Question) -> Decided:
    """What draws say now, or as of a row of the log; CampaignError for a risk that is none."""
    head = log.head_at(campaign, question.as_of)
    row = head.seq if question.as_of else None
    return _decided.at(campaign, head, question[:2], lambda: _find_decided(campaign, question, row))


def cached_history(campaign: Campaign, question: Question) -> list[CertainPoint]:
    """How many pairs were certain after rows of the log."""
    head = log.head_at(campaign, question.as_of)
    return _histories.at(
        campaign,
        head,
        question.measure,
        lambda: certain_over_log(campaign, question.measure, as_of=question.as_of, most_steps=IN_A_HISTORY),
    )


def known_history(campaign: Campaign, question: Question) -> list[CertainPoint] | None:
    """The same where it is cached, else None."""
    return _histories.known(campaign, log.head_at(campaign, question.as_of), question.measure)


def pairs_now(campaign: Campaign, question: Question) -> CertainPairs:
    """The bounds of all pairs of the question."""
    return certain_pairs(campaign, **question.pairs._asdict())


def pairs_take_long(campaign: Campaign, request: PairsRequest) -> bool:
    """Whether `certain_pairs` and `next_documents` may have to compute for seconds first."""
    return pairs_follower(campaign).steps(campaign, request) > IN_REQUEST


def pairs_soon(campaign: Campaign, request: PairsRequest) -> CertainPairs | None:
    """The pairs of some runs where they are found at once, else None; what is kept of all runs stays kept."""
    if pairs_take_long(campaign, request):
        return None
    return PairsFollower().answer(campaign, request)


def _decided_take_long(campaign: Campaign, question: Question) -> bool:
    if _decided.known(campaign, log.head_at(campaign, question.as_of), question[:2]) is not None:
        return False
    return sum(run.record.lines for run in runs.in_force(campaign)) > LINES


def _history_takes_long(campaign: Campaign, question: Question) -> bool:
    if known_history(campaign, question) is not None:
        return False
    return steps_of_history(campaign, question.measure, as_of=question.as_of) > IN_REQUEST


TAKES_LONG: dict[Part, Callable[[Campaign, Question], bool]] = {
    "pairs": lambda campaign, question: pairs_take_long(campaign, question.pairs),
    "decided": _decided_take_long,
    "history": _history_takes_long,
}


def slow_parts(campaign: Campaign, question: Question, *wanted: Part) -> tuple[Part, ...]:
    """Those of the wanted parts that may take seconds; errors as for the parts themselves."""
    return tuple(part for part in wanted if TAKES_LONG[part](campaign, question))


def found_in_file(path: Path, question: Question, parts: Sequence[Part], *, on_step: OnStep) -> Found:
    """These parts of the answer for the campaign at `path`: what a worker process does for the server."""
    with open_campaign(path) as campaign:
        seq = log.head_at(campaign, question.as_of).seq
        then = question._replace(as_of=seq)
        return Found(
            seq,
            then,
            _summed(campaign, then.pairs, on_step) if "pairs" in parts else None,
            _find_decided(campaign, then, seq) if "decided" in parts else None,
            certain_over_log(campaign, then.measure, as_of=seq, most_steps=IN_A_HISTORY, on_step=on_step)
            if "history" in parts
            else None,
        )


def keep(path: Path, found: Found) -> None:
    """Keep what another process found; sums follow the log from now on."""
    question, sums, decided, history = found[1:]
    with open_campaign(path) as campaign:
        head = log.head_at(campaign, found.seq)
        if sums is not None:
            pairs_follower(campaign).keep(campaign, question.pairs, sums)
        if decided is not None:
            _decided.at(campaign, head, question[:2], lambda: decided)
        if history is not None:
            _histories.at(campaign, head, question.measure, lambda: history)


def _find_decided(campaign: Campaign, question: Question, as_of: int | None) -> Decided:
    require_risk(question.alpha)
    decisions, refused = None, ""
    try:
        decisions = decide(campaign, question.measure, alpha=question.alpha, as_of=as_of)
    except (CampaignError, UnknownName) as error:
        refused = str(error)
    topics = found_of(campaign, alpha=question.alpha, as_of=as_of)
    return Decided(decisions, refused, None if topics is None else tuple(topics))


def _summed(campaign: Campaign, request: PairsRequest, on_step: OnStep) -> StoredSums:
    """What all pairs are found from, with what the documents that decide most are found from."""
    found, scoring, sums = PairsFollower().sums(campaign, request, on_step)
    if sums.adds_up:
        form = sums.form(scoring)
        for topic in counted_topics(scoring):
            on_step(found.n_topics, found.n_topics, f"Documents of topic {scoring.topic_ids[topic]}")
            sums.spread(scoring, topic, form)
    return sums.to_store()
