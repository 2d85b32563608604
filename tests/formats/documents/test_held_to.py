"""Work with a library that is held to time and memory."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.sentences import refused
from workbench.formats.documents import in_pdf as module
from workbench.formats.documents.in_pdf import UsedUp, held_to

OURS = __name__.partition(".")[0]


def work(times: int) -> int:
    """Some work in steps, which takes long if it is let."""
    return sum(number % 7 for number in range(times))


@pytest.mark.parametrize(("seconds", "held"), [(0.0, 0), (1e9, 5_000_001)])
def test_who_goes_beyond_a_limit_is_ended(monkeypatch: pytest.MonkeyPatch, seconds: float, held: int) -> None:
    monkeypatch.setattr(module, "LOOK", 0.001)
    most = iter([0])
    monkeypatch.setattr(module, "_most_memory", lambda: next(most, held))
    before = signal.getsignal(signal.SIGVTALRM)
    with refused(UsedUp), held_to(seconds, 5, OURS):
        work(10**9)
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_within_its_limits_and_outside_of_the_library_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.001)
    monkeypatch.setattr(module, "_most_memory", iter([0, *([5_000_000] * 10_000)]).__next__)
    with held_to(1e9, 5, OURS):
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[1] > 0
        work(10**5)
    monkeypatch.setattr(module, "_most_memory", lambda: 0)
    with held_to(0.0, 0, "pypdf"):
        work(10**5)


def test_another_thread_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_thread() -> tuple[float, float]:
        assert threading.current_thread() is not threading.main_thread()
        with held_to(0.0, 0, OURS):
            return signal.getitimer(signal.ITIMER_VIRTUAL)

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(in_thread).result() == (0.0, 0.0)
    monkeypatch.delattr(signal, "setitimer")
    with held_to(0.0, 0, OURS):
        assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
