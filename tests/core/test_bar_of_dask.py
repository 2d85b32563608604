"""The bar of Dask's dashboard while the workbench's tasks are done, on a real scheduler and real workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.clusters import busy, names, wait_for, workers
from workbench.jobs import cluster as module
from workbench.jobs.cluster import Task, Workers, cluster

pytestmark = pytest.mark.slow


def task(
    folder: Path, waiting: Sequence[int] = (), not_again: Sequence[int] = ()
) -> Callable[[int, int], int]:
    """A function that workers get by value: it returns ten times what it is given, and leaves a file for each time.

    What is `waiting` does so until its file `go` is there; what is `not_again` fails the second time, after a second.
    """

    def times_ten(shared: int, given: int) -> int:
        import time

        while given in waiting and not (folder / f"go{given}").exists():
            time.sleep(0.01)
        number = len([*folder.glob(f"{given} *")])
        (folder / f"{given} {number}").touch()
        if number and given in not_again:
            time.sleep(1)
            raise OSError("the file is gone meanwhile")
        return shared * given

    return times_ten


def tasks(number: int) -> list[Task]:
    return [Task(f"task {given}", given) for given in range(number)]


def on_scheduler(address: str, function: Callable[..., Any]) -> Any:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return client.run_on_scheduler(function)


def bar(address: str) -> str | None:
    """What the dashboard writes beside the bar of the tasks, as in "3 / 8"; None without a bar."""

    def drawn(dask_scheduler: Any) -> Any:
        from distributed.diagnostics.progress import AllProgress
        from distributed.diagnostics.progress_stream import _counts, _teardown, progress_quads

        progress = AllProgress(dask_scheduler)
        bars = progress_quads(_counts(dask_scheduler, progress))
        _teardown(dask_scheduler, progress)
        return dict(zip(bars["name"], bars["done"], strict=True)).get("times_ten")

    found: str | None = on_scheduler(address, drawn)
    return found


def held(address: str) -> dict[str, set[int]]:
    """The places of the tasks whose results each worker has, by its name."""

    def keys(dask_scheduler: Any) -> Any:
        return {
            str(each.name): [task.key for task in each.has_what] for each in dask_scheduler.workers.values()
        }

    found = on_scheduler(address, keys)
    return {
        name: {int(key.split("-")[-1]) for key in found[name] if key.startswith("times_ten")}
        for name in found
    }


def test_the_bar_rises_to_the_whole_while_results_are_taken_and_its_total_stays(
    scheduler: str, tmp_path: Path
) -> None:
    seen = []
    with workers(scheduler), cluster(Workers(scheduler)) as there:
        found = there.each(task(tmp_path, waiting=range(6)), 10, tasks(6))
        for given in range(6):
            (tmp_path / f"go{given}").touch()
            assert next(found) == (given, 10 * given)
            seen.append(bar(scheduler))
        assert list(found) == []
        wait_for(lambda: bar(scheduler) is None)
    assert seen == ["1 / 6", "2 / 6", "3 / 6", "4 / 6", "5 / 6", "6 / 6"]


def test_a_call_that_ends_early_leaves_no_bar(scheduler: str, tmp_path: Path) -> None:
    with workers(scheduler), cluster(Workers(scheduler)) as there:
        with closing(there.each(task(tmp_path, waiting=[2]), 10, tasks(6))) as found:
            assert [next(found), next(found)] == [(0, 0), (1, 10)]
            assert bar(scheduler) == "2 / 6"
        wait_for(lambda: bar(scheduler) is None)
        (tmp_path / "go2").touch()


def test_results_for_which_workers_have_no_room_are_dropped_as_they_are_taken(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT", 2 * len(pickle.dumps(10)))
    with workers(scheduler), cluster(Workers(scheduler)) as there:
        found = there.each(task(tmp_path, waiting=range(6)), 10, tasks(6))
        for given in range(4):
            (tmp_path / f"go{given}").touch()
            next(found)
        wait_for(lambda: bar(scheduler) == "2 / 4")
        for given in (4, 5):
            (tmp_path / f"go{given}").touch()
        assert sorted(found) == [(4, 40), (5, 50)]


def test_what_was_taken_from_a_worker_before_it_died_is_not_done_again(
    scheduler: str, tmp_path: Path
) -> None:
    taken, late = range(30), range(30, 60)
    with workers(scheduler, 2) as started, cluster(Workers(scheduler)) as there:
        found = there.each(task(tmp_path, waiting=late, not_again=taken), 10, tasks(60))
        first = [next(found) for _ in taken]
        for given in late:
            (tmp_path / f"go{given}").touch()
        wait_for(lambda: all((tmp_path / f"{given} 0").exists() for given in late) and not busy(scheduler))
        has = held(scheduler)
        killed = max(has, key=lambda name: len(has[name] & {*taken}))
        started[int(killed.removeprefix("worker"))].kill()
        wait_for(lambda: killed not in names(scheduler))
        rest = list(found)
    assert sorted(first + rest) == [(given, 10 * given) for given in range(60)]
    again = [given for given in taken if (tmp_path / f"{given} 1").exists()]
    # One that the other worker had begun before they were dropped, and one that was on its way there.
    assert len(again) <= 2 < 15 <= len(has[killed] & {*taken})
