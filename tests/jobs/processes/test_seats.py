"""Places for threads that work for long."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from workbench.jobs.processes import Cancelled, Seats, TooManyJobs


def seats(patience: float = 0.0, waiting: int = 1) -> Seats:
    return Seats(most=3, of_one=2, waiting=waiting, patience=patience)


def test_one_owner_gets_fewer_seats_than_there_are_and_others_the_rest() -> None:
    found = seats()
    with found.seat("a"), found.seat("a"):
        with pytest.raises(TooManyJobs), found.seat("a"):
            pass
        with found.seat("b"), pytest.raises(TooManyJobs), found.seat("c"):
            pass
    with found.seat("c"):
        pass


def test_more_than_may_wait_are_refused_and_who_hangs_up_does_not_wait() -> None:
    found = seats(patience=3600.0, waiting=0)
    with ExitStack() as stack:
        for owner in "abc":
            stack.enter_context(found.seat(owner))
        with pytest.raises(TooManyJobs), found.seat("d"):
            pass
    found = seats(patience=3600.0)
    with found.seat("a"), found.seat("a"):
        for _ in range(2):  # and the place of the first in the queue is free again
            with pytest.raises(Cancelled), found.seat("a", lambda: False):
                pass


def test_a_seat_that_is_given_back_goes_to_one_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.jobs.processes.jobs.LOOK", 0.001)
    found, others = seats(patience=3600.0), ExitStack()
    for _ in range(2):
        others.enter_context(found.seat("a"))
    looks: list[int] = []

    def leave_at_the_second() -> bool:
        looks.append(1)
        if len(looks) == 2:
            others.close()
        return True

    with found.seat("a", leave_at_the_second):
        assert len(looks) == 2
