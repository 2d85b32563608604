"""Simulations whose replays other processes do: the numbers are those of one process."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from tests.analysis.simulating.alone import simulate
from tests.clusters import without_processes
from tests.conftest import skip_or_fail
from tests.scoring.evaluation.test_parts import made
from workbench.analysis.simulating.collection import collection_from_files
from workbench.analysis.simulating.selection import named_strategies
from workbench.analysis.simulating.simulate import Seeded, Setting, Truth, relevant_candidates, replays_named
from workbench.jobs.cluster import Workers
from workbench.methods.measures import parse_measure

STRATEGIES = ("depth", "hedge", "uniform", "thompson", "rrf")


def test_a_replay_in_another_process_is_given_all_it_needs(tmp_path: Path) -> None:
    measure, budgets = parse_measure("AP"), [10.0, 50.0]
    collection, _ = collection_from_files(*made(tmp_path), 20)
    selected = named_strategies(STRATEGIES, 20)
    setting = Setting(
        collection,
        budgets,
        relevant_candidates(collection, 1),
        Truth(measure, collection.scores(collection.labels, measure)),
    )
    alone = list(simulate(collection, selected, budgets, measure, seeds=1))
    found = [replays_named(*pickle.loads(pickle.dumps((setting, Seeded(one.name, 1))))) for one in selected]
    assert [list(replays) for replays in found] == [
        [row.replays[0] for row in alone if row.strategy == one.name] for one in selected
    ]


def test_replays_that_others_do_are_those_of_one_process_whichever_ends_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = without_processes(monkeypatch, "workbench.analysis.simulating.simulate")
    measure, budgets = parse_measure("AP"), [10.0, 50.0]
    collection, _ = collection_from_files(*made(tmp_path), 20)
    selected = named_strategies(STRATEGIES, 20)
    alone, elsewhere = (
        list(simulate(collection, selected, budgets, measure, seeds=2, workers=workers))
        for workers in (None, Workers(number=2))
    )
    assert elsewhere == alone
    assert asked == [Workers(number=2)]


@pytest.mark.slow
@pytest.mark.parametrize("collections", [1, 2])
def test_processes_print_the_same_bytes_as_one(tmp_path: Path, collections: int) -> None:
    if importlib.util.find_spec("distributed") is None:
        skip_or_fail("distributed is not installed: make test-slow")
    qrels, runs = made(tmp_path)
    words = [sys.executable, "-m", "workbench", "simulate", qrels, *runs, "--depth", "20", "--format", "json"]
    if collections == 2:
        words += ["+", f"less={qrels}", *runs[:3]]
    words += [word for name in STRATEGIES for word in ("--strategy", name)]
    alone, elsewhere = (
        subprocess.run([*words, *more], capture_output=True, text=True, check=True)
        for more in ([], ["--workers", "2"])
    )
    assert elsewhere.stdout == alone.stdout
    assert elsewhere.stderr == alone.stderr
