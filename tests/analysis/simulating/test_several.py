"""Simulations on several collections: each as alone, and means that say what they are."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.analysis.simulating.alone import simulation_of
from tests.clusters import without_processes
from tests.scoring.evaluation.test_parts import made
from tests.sentences import refused, says
from workbench.analysis.simulating.collection import collection_from_files
from workbench.analysis.simulating.selection import named_strategies
from workbench.analysis.simulating.sheets import all_content, means_over, rows_of_all
from workbench.analysis.simulating.simulate import Simulated
from workbench.analysis.simulating.whole import Part, Simulation, parts_of, simulations_of
from workbench.core.errors import GradesDoNotFit, InputError, Problem
from workbench.jobs.cluster import Workers
from workbench.methods.measures import parse_measure

AP = parse_measure("AP")
STRATEGIES = ("depth", "hedge", "uniform", "thompson", "strata(strata=1-5:100%,6-20:20%)")


def part(folder: Path, name: str, runs: int) -> Part:
    (folder / name).mkdir()
    return Part(name, collection_from_files(*made(folder / name, runs), 20)[0], AP)


def row(
    strategy: str, budget: float, recall: float | None, tau: float | None, tau_ap: float, rmse: float
) -> Simulated:
    return Simulated(strategy, budget, 10, recall, recall, recall, tau, tau_ap, rmse)


@pytest.mark.parametrize("workers", [None, Workers(number=2)])
def test_each_of_several_collections_is_simulated_as_it_is_alone_whoever_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: Workers | None
) -> None:
    asked = without_processes(monkeypatch, "workbench.analysis.simulating.simulate")
    parts = [part(tmp_path, "three", 3), part(tmp_path, "five", 5)]
    selected, budgets = named_strategies(STRATEGIES, 20), [10.0, 50.0]
    done: list[str] = []
    found = simulations_of(parts, selected, budgets, seeds=2, on_strategy=done.append, workers=workers)
    assert found == [simulation_of(one.collection, selected, budgets, AP, seeds=2) for one in parts]
    assert found[0].rows != found[1].rows
    assert done == [*STRATEGIES, *STRATEGIES]
    assert asked == ([] if workers is None else [workers])  # the processes start once


def test_means_count_collections_alike_and_are_empty_where_one_of_them_has_no_value() -> None:
    first = Simulation((row("depth", 10, 0.2, 1.0, 0.5, 0.1), row("strata", 3.0, None, 0.4, 0.2, 0.3)), ())
    second = Simulation((row("depth", 10, 0.4, None, 0.7, 0.3), row("strata", 5.0, 0.5, 0.6, 0.4, 0.1)), ())
    depth, strata = means_over([first, second])
    assert (depth.strategy, depth.budget, depth.collections, depth.tau) == ("depth", 10, 2, None)
    assert depth.recall is not None
    assert math.isclose(depth.recall, 0.3)
    # How much a strategy judges by its own parameters differs from collection to collection.
    assert (strata.budget, strata.recall, strata.tau, strata.rmse) == (4.0, None, 0.5, 0.2)


def test_the_best_are_marked_within_their_collection() -> None:
    better = Simulation((row("depth", 10, 0.5, 1.0, 1.0, 0.1), row("rrf", 10, 0.6, 1.0, 1.0, 0.1)), ())
    worse = Simulation((row("depth", 10, 0.2, 1.0, 1.0, 0.1), row("rrf", 10, 0.1, 1.0, 1.0, 0.1)), ())
    sheet = rows_of_all({"one": better, "two": worse})
    heads = "collection strategy budget judged recall".split()
    assert [column.name for column in sheet.columns][:5] == heads
    assert [cells[:2] for cells in sheet.rows] == [
        (name, strategy) for name in ("one", "two") for strategy in ("depth", "rrf")
    ]
    assert sheet.best == {(1, 4), (2, 4)}


def test_programs_get_rows_means_and_what_is_said_of_each_collection() -> None:
    one = Simulation((row("depth", 10, 0.5, 1.0, 1.0, 0.1),), ("Seen.",))
    content = all_content({"a": one, "b": one})
    assert [each["collection"] for each in content["rows"]] == ["a", "b"]
    names = "strategy budget collections recall tau tau_ap rmse".split()
    assert content["means"] == [dict(zip(names, ("depth", 10, 2, 0.5, 1.0, 1.0, 0.1), strict=True))]
    assert content["collections"] == {name: {"verdict": ("Seen.",)} for name in "ab"}
    assert says(content["verdict"][0])


def test_what_does_not_fit_one_of_several_collections_is_said_with_its_name(tmp_path: Path) -> None:
    fits, selected = part(tmp_path, "fits", 3), named_strategies(["depth"], 20)
    low = fits._replace(name="low", measure=parse_measure("ERR(max_grade=1)"))
    with pytest.raises(GradesDoNotFit, match=r"^low: "):
        simulations_of([fits, low], selected, [10.0])


def test_all_files_of_all_collections_that_cannot_be_read_are_named_at_once(tmp_path: Path) -> None:
    def unreadable(file: str) -> Part:
        raise InputError([Problem(file, 3, "no score")], more=2)

    readers = {
        "a": lambda: unreadable("a.run"),
        "b": lambda: part(tmp_path, "b", 2),
        "c": lambda: unreadable("c.run"),
    }
    with refused(InputError, "a.run:3", "c.run:3"):
        parts_of(readers)
