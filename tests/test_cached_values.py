"""Values that pages ask for: who asks for the same waits for one computation, and no other campaign waits for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from threading import Event, Lock, Semaphore
from typing import Any, NamedTuple

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.adjudication.conflicts import cached_conflicts
from workbench.analysis.assessors.profile import ASSESSORS
from workbench.analysis.between_assessors.declared import AGREEMENT, DISAGREEMENT
from workbench.analysis.comparing.declared import PAIRS
from workbench.analysis.dashboard.progress import state_of
from workbench.analysis.run_profiles.contribution import brought
from workbench.analysis.trust.intervals import intervals_of
from workbench.campaign.label_rules import rule_state
from workbench.release.campaign_summary import cached_summary
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log

LONG = 30.0
"""Seconds after which something that hangs is given up."""

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Kind(NamedTuple):
    """How a value is asked for, and the function that computes it: where its caller looks it up."""

    ask: Callable[[Campaign], Any]
    module: str
    function: str


def _past(campaign: Campaign) -> Any:
    return board_history_of(campaign).table(campaign, ["AP"], log.newest_seq(campaign))


KINDS = {
    "agreement": Kind(
        lambda it: AGREEMENT.answer(it, {}), "analysis.between_assessors.declared", "agreement"
    ),
    "effect": Kind(
        lambda it: DISAGREEMENT.answer(it, {}),
        "analysis.between_assessors.declared",
        "effect_of_disagreement",
    ),
    "assessors": Kind(lambda it: ASSESSORS.answer(it, {}), "analysis.assessors.profile", "summaries"),
    "conflicts": Kind(cached_conflicts, "analysis.adjudication.conflicts", "conflicts"),
    "progress": Kind(lambda it: state_of(it, now=NOW), "storage.campaign.counts.activity", "tallies"),
    "label rules": Kind(rule_state, "campaign.label_rules", "_state"),
    "all pairs": Kind(lambda it: PAIRS.answer(it, {}), "analysis.comparing.declared", "pairs_of"),
    "contributions": Kind(brought, "analysis.run_profiles.contribution", "_found"),
    "release": Kind(cached_summary, "release.campaign_summary", "summarise_campaign"),
    "intervals": Kind(lambda it: intervals_of(it, ["AP"]), "analysis.trust.intervals", "all_intervals"),
    "checksums": Kind(
        lambda it: runs.packed_rankings(it), "storage.campaign.collection.ranking_blobs", "_wrong"
    ),
    "past": Kind(_past, "scoring.board.past_boards", "tabulate"),
}


class Stopped:
    """A function that computes a value, stopped in its first call until it may go on; counts its calls."""

    def __init__(self, compute: Callable[..., Any]) -> None:
        self.compute, self.calls = compute, 0
        self.begun, self.may_go_on, self._lock = Event(), Event(), Lock()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        with self._lock:
            self.calls += 1
            is_first = self.calls == 1
        if is_first:
            self.begun.set()
            assert self.may_go_on.wait(LONG)
        return self.compute(*arguments, **named)


def stop(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> Stopped:
    module = import_module(f"workbench.{kind.module}")
    stopped = Stopped(getattr(module, kind.function))
    monkeypatch.setattr(module, kind.function, stopped)
    return stopped


@pytest.fixture
def file(small: Campaign, judging_as: JudgeAs) -> Path:
    """The file of a campaign in which two assessors differ."""
    for document_id in ("d1", "d2"):
        judging_as(small, "Ann", "1", document_id, 2)
        judging_as(small, "Ben", "1", document_id, 0)
    small.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return small.path


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_four_who_ask_for_the_same_value_have_it_computed_once(
    kind: Kind, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped, asked = stop(kind, monkeypatch), Semaphore(0)

    def ask() -> Any:
        with open_campaign(file) as campaign:
            asked.release()
            return kind.ask(campaign)

    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(ask) for _ in range(4)]
        for _ in answers:
            assert asked.acquire(timeout=LONG)
        stopped.may_go_on.set()
        first, *others = [answer.result(LONG) for answer in answers]
    assert stopped.calls == 1
    assert all(str(other) == str(first) for other in others)
