"""Where other processes are to do the work and cannot; with real ones: tests/scoring/evaluation/test_on_cluster.py."""

from __future__ import annotations

import io
import logging
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from types import MappingProxyType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from click.testing import CliRunner

from tests.clusters import workers
from workbench.cli import main
from workbench.core.cluster import SAME, Cluster, Task, Workers, cluster, in_order, workers_of
from workbench.core.errors import ClusterError, Problem


def test_without_dask_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ClusterError, match=r"install it: pip install 'relevance-workbench\[distributed\]'"),
        cluster(Workers(number=2)),
    ):
        pass


def test_logs_have_the_name_of_a_task_and_not_what_it_was_given() -> None:
    assert repr([Task("s3://bucket/a.run", "s3://KEY:SECRET@bucket/a.run")]) == "[s3://bucket/a.run]"


def test_work_goes_to_other_processes_if_a_scheduler_or_a_number_of_them_is_named() -> None:
    assert workers_of(None, None) is None
    assert workers_of("tcp://h:1", None) == Workers("tcp://h:1", None)
    assert workers_of(None, 2) == Workers(None, 2)


def test_processes_here_and_a_scheduler_elsewhere_are_not_used_at_once() -> None:
    words = ["eval", "q", "r", "--workers", "2", "--scheduler", "tcp://h:1"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "give one of the two" in result.stderr


def test_results_and_problems_are_in_the_order_of_the_tasks_whatever_ends_first() -> None:
    missing, empty = (Problem("c.run", None, "is missing"),), (Problem("b.run", 1, "is empty"),)
    found = in_order([(3, "d"), (2, missing), (0, "a"), (1, empty)], str)
    assert found == (["a", "d"], [empty, missing])


class KilledWorker(Exception):
    """As Dask tells of a task that has killed several workers."""


class Future:
    """A task that was done at once, or failed, or is waited for as long as there are no workers."""

    def __init__(self, key: str, status: str, result: Any) -> None:
        self.key, self.status, self._result, self.released = key, status, result, False

    def done(self) -> bool:
        return self.status != "pending"

    def exception(self) -> Any:
        return self._result

    def release(self) -> None:
        self.released = True


class Completed:
    """The futures of which some are done, two at a time and the last ones first."""

    def __init__(self, futures: list[Future], loop: object) -> None:
        assert loop == "loop"
        self.left = futures[::-1]

    def count(self) -> int:
        return len(self.left)

    def next_batch(self, *, block: bool) -> list[Future]:
        assert not block
        batch = [one for one in self.left[:2] if one.done()]
        self.left = self.left[len(batch) :]
        return batch


class Client:
    """What a client of Dask is asked for, with workers in this process."""

    loop = "loop"
    as_completed = Completed
    KilledWorker = KilledWorker

    def __init__(self, versions: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.workers = {"tcp://a:1": 1}
        self.versions = versions
        self.cancelled: list[Future] = []
        self.futures: list[Future] = []
        self.shared: list[str] = []
        self.asked = 0

    def submit(self, function: Callable[[Any], Any], shared: Task, *, pure: bool) -> Any:
        assert not pure
        warnings.warn("Sending large graph of size 20 MiB", stacklevel=1)
        self.shared.append(repr(shared))
        return function(shared)

    def map(
        self, call: Callable[..., Any], tasks: Sequence[Task], *, pure: bool, **given: Any
    ) -> list[Future]:
        assert not pure
        for place, task in enumerate(tasks):
            try:
                status, result = ("finished", call(task, **given)) if self.workers else ("pending", None)
            except (ValueError, KilledWorker) as error:
                status, result = "error", error
            self.futures.append(Future(f"key-{place}", status, result))
        return self.futures

    def gather(self, batch: list[Future]) -> list[Any]:
        return [future._result for future in batch]

    def run(self, function: Callable[[str], str], package: str, *, on_error: str) -> dict[str, Any]:
        assert on_error == "return"
        self.asked += 1
        return {"tcp://a:1": function(package), "tcp://b:1": self.versions.get(package, function(package))}

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": self.workers}

    def cancel(self, futures: list[Future], *, force: bool) -> None:
        assert force
        self.cancelled += futures


def times(shared: int, given: int) -> int:
    if given < 0:
        raise ValueError("a negative number")
    if given > 99:
        raise KilledWorker
    return shared * given


def multiplied(client: Client, *given: int) -> list[tuple[int, int]]:
    tasks = [Task(f"{one}.run", one) for one in given]
    return list(Cluster(client, client).each(times, 3, tasks))


def test_each_result_comes_with_the_place_of_its_task_as_soon_as_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("time.sleep")  # nothing is waited for
    client = Client()
    assert multiplied(client, 5, 6, 7) == [(2, 21), (1, 18), (0, 15)]
    assert all(future.released for future in client.futures)
    assert (client.cancelled, client.shared) == ([], ["shared"])
    # Before and after, of each package of which scores are made.
    assert client.asked == 2 * len(SAME)


def test_what_a_task_raises_is_raised_here_and_of_one_that_kills_its_workers_the_name_is_said() -> None:
    with pytest.raises(ValueError, match="a negative number"):
        multiplied(Client(), 1, -1)
    with pytest.raises(ClusterError) as told:
        multiplied(Client(), 1, 100, 2)
    assert str(told.value) == (
        "100.run: every worker that took this task has died; does it need more memory than a worker has?"
    )


@pytest.mark.parametrize(("theirs", "has"), [("0.9", "0.9"), (ModuleNotFoundError("numpy"), "none")])
def test_a_worker_with_another_version_is_refused_with_both(theirs: object, has: str) -> None:
    with pytest.raises(ClusterError) as told:
        multiplied(Client({"numpy": theirs}), 1)
    assert str(told.value) == (
        f"the worker tcp://b:1 has numpy {has}, and here it is {metadata.version('numpy')}; "
        "install the same version on both sides"
    )


def test_a_worker_that_dies_before_it_says_its_version_is_none_of_another_version() -> None:
    assert multiplied(Client({"numpy": OSError("Timed out")}), 5) == [(0, 15)]


def test_workers_that_are_all_gone_are_waited_for_and_then_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.sleep", lambda seconds: now.append(now.pop() + 250 * seconds))
    monkeypatch.setattr("time.monotonic", lambda: now[-1])
    client = Client()
    client.workers = {}
    with pytest.raises(
        ClusterError, match="all workers are gone, and none has come for 15 seconds; start some"
    ):
        multiplied(client, 1, 2)
    assert now == [20.0]
    assert client.cancelled == client.futures
    # One that is there again, or still at work, is waited for: the next look is again after more than 15 seconds.
    client, looks = Client(), []
    client.workers = {}

    def info() -> dict[str, Any]:
        looks.append(now[-1])
        return {"workers": {} if len(looks) > 2 else {"tcp://a:1": 1}}

    monkeypatch.setattr(client, "scheduler_info", info)
    with pytest.raises(ClusterError, match="all workers are gone"):
        multiplied(client, 1)
    assert looks == [40.0, 60.0, 80.0]


class Distributed(SimpleNamespace):
    """A module of Dask that notes how clients and workers are made."""

    def __init__(self, **fails: Exception) -> None:
        self.made: list[Any] = []
        self.fails = fails
        self.utils = SimpleNamespace(silence_logging_cmgr=self.noting("silenced"))
        self.LocalCluster = self.noting("workers")
        self.Client = self.noting("client")

    def noting(self, what: str) -> Callable[..., Any]:
        def made(*given: Any, **named: Any) -> Any:
            if what in self.fails:
                raise self.fails[what]
            self.made.append((what, given, named))
            found = MagicMock()
            found.__enter__.return_value = f"the {what}"
            found.wait_for_workers = self.wait
            found.close = lambda: self.made.append("closed")
            return found

        return made

    def wait(self, number: int, timeout: float) -> None:
        if "wait" in self.fails:
            raise self.fails["wait"]
        self.made.append(("waited", number, timeout))


def test_workers_of_this_machine_are_for_this_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", found := Distributed())
    with cluster(Workers(number=3)):
        pass
    (_, given, named), (_, used, how) = found.made
    assert (given, named) == (
        (),
        {
            "n_workers": 3,
            "threads_per_worker": 1,
            "processes": True,
            "security": True,
            "dashboard_address": "127.0.0.1:0",
            "silence_logs": "CRITICAL",
        },
    )
    assert (used, how) == (("the workers",), {})


@pytest.mark.parametrize("is_told_by_dask", [True, False])
def test_processes_that_cannot_be_started_for_want_of_room_are_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, is_told_by_dask: bool
) -> None:
    error: Exception = OSError(28, "No space left on device")
    if is_told_by_dask:
        cause, error = error, RuntimeError("Cluster failed to start")
        error.__cause__ = cause
    monkeypatch.setitem(sys.modules, "distributed", Distributed(workers=error))
    with pytest.raises(ClusterError) as told, cluster(Workers(number=2)):
        pass
    assert str(told.value) == (
        "processes cannot be started here: [Errno 28] No space left on device; they need a little room in the folder "
        "for temporary files (TMPDIR)"
    )


def test_a_scheduler_has_fifteen_seconds_to_answer_and_to_have_a_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", found := Distributed())
    with cluster(Workers("tls://host:8786")) as there:
        assert (there._distributed, there._client) == (found, "the client")
    assert found.made == [
        ("silenced", ("CRITICAL",), {}),
        ("client", ("tls://host:8786",), {"timeout": 15.0, "set_as_default": False}),
        ("waited", 1, 15.0),
    ]


@pytest.mark.parametrize(
    ("scheduler", "fails", "said"),
    [
        (
            "host:8786",
            {},
            "'host:8786' is no address of a scheduler; write tcp://HOST:PORT or tls://HOST:PORT",
        ),
        (
            "tcp://h:1",
            {"client": OSError("refused")},
            "no scheduler answers at tcp://h:1; start one there (dask scheduler), or check host and port",
        ),
        (
            "tls://h:1",
            {"client": TypeError("TLS expects a `ssl_context` argument")},
            "certificates are needed for tls://h:1, as Dask's settings name them (distributed.comm.tls)",
        ),
        (
            "tcp://h:1",
            {"wait": TimeoutError("late")},
            "the scheduler at tcp://h:1 has no workers; start some: dask worker tcp://h:1",
        ),
    ],
)
def test_a_scheduler_that_cannot_be_used_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, scheduler: str, fails: dict[str, Exception], said: str
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", found := Distributed(**fails))
    with pytest.raises(ClusterError) as told, cluster(Workers(scheduler)):
        pass
    assert str(told.value) == said
    assert ("closed" in found.made) == ("wait" in fails)


@pytest.mark.slow
def test_what_the_library_logs_of_a_worker_that_died_is_not_shown(scheduler: str) -> None:
    distributed = logging.getLogger(pytest.importorskip("distributed").__name__)
    shown = logging.StreamHandler(io.StringIO())
    distributed.addHandler(shown)
    try:
        with workers(scheduler), cluster(Workers(scheduler)):
            distributed.getChild("client").warning("Couldn't gather 1 keys, rescheduling")
        assert shown.stream.getvalue() == ""
        distributed.getChild("client").warning("Afterwards")
        assert shown.stream.getvalue() == "Afterwards\n"
    finally:
        distributed.removeHandler(shown)
