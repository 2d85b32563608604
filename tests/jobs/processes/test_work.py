"""How far a piece of work is, and the sentences for why it was not done."""

from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.jobs.processes.work import (
    Cancelled,
    JobFailed,
    Limits,
    MemoryExceeded,
    Step,
    TimeExceeded,
    TooManyJobs,
    WorkerDied,
    counting,
)


@pytest.mark.parametrize(
    ("done", "total", "percent"),
    [
        (5, None, None),
        (5, 0, None),
        (0, 3, 0),
        (1, 3, 33),
        (2, 3, 66),
        (299, 300, 99),
        (3, 3, 100),
        (4, 3, 100),
        (-1, 3, 0),
    ],
)
def test_what_is_done_is_counted_in_whole_hundredths(
    done: int, total: int | None, percent: int | None
) -> None:
    assert Step(done, total).percent == percent


def test_steps_are_reported_from_0_on_and_never_more_than_there_are() -> None:
    told: list[tuple[int, int | None, str]] = []
    more = counting(lambda *step: told.append(step), "Scoring", 1001, noun="run")
    more(1)
    more(1500)
    assert told == [
        (0, 1001, "Scoring: 0 runs"),
        (1, 1001, "Scoring: 1 run"),
        (1001, 1001, "Scoring: 1,501 runs"),
    ]
    told.clear()
    more = counting(lambda *step: told.append(step), "Reading")
    more(7)
    more(2)
    assert told == [(0, None, "Reading"), (7, None, "Reading"), (9, None, "Reading")]


@pytest.mark.parametrize(
    "error",
    [
        TimeExceeded(Limits(1200.5, 1)),
        TimeExceeded(Limits(0.25, 1)),
        MemoryExceeded(Limits(1, 4000)),
        WorkerDied(None),
        WorkerDied(-9),
        WorkerDied(-6),
        WorkerDied(-15),
        WorkerDied(9),
        WorkerDied(0),
        Cancelled(),
        TooManyJobs(),
    ],
)
def test_a_piece_of_work_that_was_not_done_says_why(error: JobFailed) -> None:
    assert says(str(error))
