"""Results that were taken from real workers, one of which dies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clusters import busy, names, wait_for, workers
from workbench.jobs.cluster import Task, Workers, cluster

pytestmark = pytest.mark.slow

TAKEN, LATE = range(30), range(30, 60)


def task(folder: Path) -> Callable[[int, int], int]:
    """A function that workers get by value: ten times what it is given; it leaves a file for each time.

    What is late waits for the file `go`, so that all that is early is taken before.
    """

    def times_ten(shared: int, given: int) -> int:
        import time

        while given in LATE and not (folder / "go").exists():
            time.sleep(0.01)
        (folder / f"{given} {len([*folder.glob(f'{given} *')])}").touch()
        return shared * given

    return times_ten


def test_what_was_taken_from_a_worker_before_it_died_is_not_done_again(
    scheduler: str, tmp_path: Path
) -> None:
    tasks = [Task(f"task {given}", given) for given in range(60)]
    with workers(scheduler, 2) as started, cluster(Workers(scheduler)) as there:
        found = there.each(task(tmp_path), 10, tasks)
        first = [next(found) for _ in TAKEN]
        (tmp_path / "go").touch()
        wait_for(lambda: all((tmp_path / f"{given} 0").exists() for given in LATE) and not busy(scheduler))
        started[0].kill()
        wait_for(lambda: "worker0" not in names(scheduler))
        rest = list(found)
    assert sorted(first + rest) == [(given, 10 * given) for given in range(60)]
    assert [given for given in TAKEN if (tmp_path / f"{given} 1").exists()] == []
    assert [given for given in LATE if (tmp_path / f"{given} 1").exists()] != []  # these were lost with it
