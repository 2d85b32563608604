"""Permutations on real workers, each a process of its own: the p-values of one process, to the last digit."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.analysis.comparing.test_all_pairs import scored
from tests.clusters import busy, outcome, running, wait_for, workers
from tests.sentences import says
from workbench.analysis.comparing.all_pairs import pairs_of
from workbench.jobs.cluster import Workers

pytestmark = pytest.mark.slow

SCORES = scored(np.random.default_rng(2).random((50, 100)))
ROUNDS = 4_000  # 20 blocks


@pytest.fixture
def two_blocks_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[pairs_of.__module__], "BLOCKS_IN_A_TASK", 2)


@pytest.mark.usefixtures("two_blocks_a_task")
def test_p_values_are_those_of_one_process_also_when_a_worker_is_killed(scheduler: str) -> None:
    alone = pairs_of(SCORES, permutations=ROUNDS).randomised_tukey
    told: list[int] = []
    with workers(scheduler) as started:
        found = pairs_of(SCORES, permutations=ROUNDS, workers=Workers(scheduler)).randomised_tukey
    assert (found == alone).all()
    with workers(scheduler, 2) as started:

        def kill_one(rounds: int) -> None:
            told.append(rounds)
            started[0].kill()

        found = pairs_of(
            SCORES, permutations=ROUNDS, workers=Workers(scheduler), progress=kill_one
        ).randomised_tukey
    assert (found == alone).all()
    assert (len(told), sum(told)) == (10, ROUNDS)


@pytest.mark.usefixtures("two_blocks_a_task")
def test_who_stops_it_leaves_nothing_to_do(scheduler: str) -> None:
    def stop(_rounds: int) -> None:
        raise KeyboardInterrupt

    with workers(scheduler):
        with pytest.raises(KeyboardInterrupt):
            pairs_of(SCORES, permutations=100 * ROUNDS, workers=Workers(scheduler), progress=stop)
        wait_for(lambda: not busy(scheduler))


@pytest.mark.usefixtures("small_file")
def test_the_command_prints_the_same_bytes(scheduler: str, small_file: Path) -> None:
    words = ("compare", str(small_file), "--all", "--permutations", "40000", "--format", "csv")
    alone = outcome(running(*words))
    assert alone[2] == 0, alone
    with workers(scheduler, 2):
        assert outcome(running(*words, "--scheduler", scheduler)) == alone
    refused = outcome(running(*words, "--scheduler", "nonsense://x"))
    assert (refused[0], refused[2]) == ("", 1)
    assert says(refused[1], "nonsense://x")
