"""Decisions and limits as pages and figures ask for them: computed once for a row of the log."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from workbench.analysis.trust.decisions import ALPHA, Decisions, decide
from workbench.analysis.trust.found import TopicFound, found_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

LINES = 500_000
"""This many ranked documents of all runs, and the order of drawing takes seconds."""


class Question(NamedTuple):
    """What is asked: the measure as it was written, "" for that of the order, and the risk."""

    measure: str = ""
    alpha: float = ALPHA

    @property
    def name(self) -> str:
        """What answering it is called in the list of jobs."""
        return f"What is decided: {self.measure or 'the measure of the order'}, risk {self.alpha:g}"


class Answer(NamedTuple):
    """What is decided about pairs, and what topics can still have; None each where the pools say nothing of it."""

    seq: int
    decisions: Decisions | None
    topics: list[TopicFound] | None


_answers: Cache[Answer] = Cache(in_all=16)


def cached_answer(campaign: Campaign, question: Question, *, as_of: int | None = None) -> Answer:
    """What `decide` and `found_of` find now, or as of a row of the log; errors as there."""
    head = log.head_at(campaign, as_of)
    row = head.seq if as_of else None
    return _answers.at(campaign, head, question, lambda: _answer(campaign, question, head.seq, row))


def takes_long(campaign: Campaign, question: Question, as_of: int | None = None) -> bool:
    """Whether `cached_answer` may have to compute for seconds first."""
    if _answers.known(campaign, log.head_at(campaign, as_of), question) is not None:
        return False
    return sum(run.record.lines for run in runs.in_force(campaign)) > LINES


def answer_of_file(path: Path, question: Question, as_of: int | None) -> Answer:
    """What is found in the campaign at `path`, now or as of a row: what a worker process does for the server."""
    with open_campaign(path) as campaign:
        head = log.head_at(campaign, as_of)
        return _answer(campaign, question, head.seq, head.seq)


def keep_answer(path: Path, question: Question, found: Answer) -> None:
    """Keep what another process found in the campaign at `path`."""
    with open_campaign(path) as campaign:
        _answers.at(campaign, log.head_at(campaign, found.seq), question, lambda: found)


def _answer(campaign: Campaign, question: Question, seq: int, as_of: int | None) -> Answer:
    decisions = decide(campaign, question.measure or None, alpha=question.alpha, as_of=as_of)
    return Answer(seq, decisions, found_of(campaign, alpha=question.alpha, as_of=as_of))
