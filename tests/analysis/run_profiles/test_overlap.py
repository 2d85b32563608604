"""How much of a run others have too, counted by hand.

alpha ranks d1 d2 d3 for topic 1 and d1 d2 for topic 2; beta d4 d2 d1, d2 d5, and d6 for topic 10.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.fixture_types import WriteRun
from workbench.analysis.run_profiles.overlap import overlaps, shared
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.core.ranking import Rankings
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs


def told(campaign: Campaign, number: int, *depths: int) -> dict[str, tuple[float, ...]]:
    run = runs.all_runs(campaign)[number]
    found = overlaps(campaign, scoring_of(campaign), run, depths)
    return {overlap.run.record.tag: overlap.shares for overlap in found}


def test_the_share_is_the_mean_over_the_topics_that_the_run_has(small: Campaign) -> None:
    # Of alpha beta has: of the first 1 nothing; of 2 one of each topic; of 3 two of three and one of two.
    assert told(small, 0, 1, 2, 3) == {"beta": (0.0, 0.5, pytest.approx((2 / 3 + 1 / 2) / 2))}
    # Of beta alpha has nothing of topic 10.
    assert told(small, 1, 2, 100) == {"alpha": (pytest.approx(1 / 3), pytest.approx((2 / 3 + 1 / 2) / 3))}


def test_the_runs_most_alike_come_first(small: Campaign, written_run: WriteRun, tmp_path: Path) -> None:
    paths = [
        written_run(tmp_path / "c.run", "none", {"1": "z1 z2"}),
        written_run(tmp_path / "d.run", "same", {"1": "d1 d2 d3", "2": "d2 d1"}),
    ]
    add_runs(small.by("Olga"), paths)
    assert list(told(small, 0, 1, 3)) == ["same", "beta", "none"]
    assert told(small, 0, 1, 3)["same"] == (0.5, 1.0)
    assert told(small, 2, 10) == {"alpha": (0.0,), "beta": (0.0,), "same": (0.0,)}


def test_a_withdrawn_run_is_compared_and_others_are_not_compared_with_it(small: Campaign) -> None:
    withdraw_runs(small.by("Olga"), ["alpha"])
    assert told(small, 0, 2) == {"beta": (0.5,)}
    assert told(small, 1, 2) == {}


def test_a_run_without_others_has_no_overlap(small: Campaign) -> None:
    withdraw_runs(small.by("Olga"), ["alpha", "beta"])
    assert told(small, 0, 10) == {}


def test_a_run_without_a_document_has_nothing_in_common_at_any_depth() -> None:
    none = np.zeros(0, np.int32)
    empty = Rankings(
        np.zeros(3, np.int64), np.zeros(0, np.uint32), np.zeros(2, np.int32), np.arange(2, dtype=np.int32)
    )
    grid = Rankings(np.array([0, 1, 1, 1, 1]), np.zeros(1, np.uint32), none, none)
    assert [shares.tolist() for shares in shared(empty, grid, [1, 5, 9], 2)] == [[0.0, 0.0]] * 3
