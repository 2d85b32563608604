"""What leaving out gives as pages and figures ask for it: computed once for a row of the log."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from workbench.analysis.reuse.origin import By
from workbench.analysis.reuse.report import WHOLE, Effort, Reuse, reuse
from workbench.jobs.processes import OnStep, counting
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

LINES = 2_000_000
"""Runs times ranked documents, from which on it may take seconds."""


class Question(NamedTuple):
    """What is asked: the measure as it was written, what is left out, and the depth of pools that are assumed."""

    measure: str = "AP"
    by: By = "team"
    depth: int | None = None
    effort: Effort = WHOLE

    @property
    def name(self) -> str:
        """What answering it is called in the list of jobs."""
        depth = "" if self.depth is None else f", depth {self.depth:,}"
        return f"Leaving out each {self.by}: {self.measure}{depth}"


_found: Cache[Reuse] = Cache(in_all=32)


def cached_reuse(campaign: Campaign, question: Question, *, as_of: int | None = None) -> Reuse:
    """What `reuse` finds now, or as of a row of the log; errors as there."""
    head = log.head_at(campaign, as_of)
    return _found.at(
        campaign,
        head,
        question,
        lambda: reuse(
            campaign,
            question.measure,
            by=question.by,
            depth=question.depth,
            effort=question.effort,
            as_of=head.seq if as_of else None,
        ),
    )


def reuse_takes_long(campaign: Campaign, question: Question, *, as_of: int | None = None) -> bool:
    """Whether `cached_reuse` may have to compute for seconds first."""
    if _found.known(campaign, log.head_at(campaign, as_of), question) is not None:
        return False
    stored = runs.in_force(campaign)
    return len(stored) * sum(run.record.lines for run in stored) > LINES


def reuse_of_file(path: Path, question: Question, *, on_step: OnStep) -> Reuse:
    """What is found in the campaign at `path` now: what a worker process does for the server."""
    steps = counting(on_step, "Leaving out", noun=question.by)
    with open_campaign(path) as campaign:
        return reuse(
            campaign,
            question.measure,
            by=question.by,
            depth=question.depth,
            effort=question.effort,
            progress=steps,
        )


def keep_reuse(path: Path, question: Question, found: Reuse) -> None:
    """Keep what another process found in the campaign at `path`."""
    with open_campaign(path) as campaign:
        _found.at(campaign, log.head_at(campaign, found.head.seq), question, lambda: found)


def known_reuse(campaign: Campaign, question: Question, as_of: int) -> Reuse | None:
    """What was found as of a row of the log, where it is still known."""
    return _found.known(campaign, log.head_at(campaign, as_of), question)
