"""Where other processes are to do the work and cannot; with real ones: tests/scoring/evaluation/test_on_cluster.py."""

from __future__ import annotations

import io
import logging
import signal
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from tests.clusters import workers
from tests.sentences import refused, says
from workbench.core.errors import ClusterError, Problem
from workbench.core.extras import NotInstalled
from workbench.jobs.cluster import SAME, Cluster, Task, Workers, cluster, in_order


def test_without_dask_a_sentence_says_what_to_install_and_logs_have_names_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with refused(NotInstalled, "relevance-workbench[distributed]"), cluster(Workers(number=2)):
        pass
    assert repr([Task("s3://bucket/a.run", "s3://KEY:SECRET@bucket/a.run")]) == "[s3://bucket/a.run]"


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
        self.scheduler = SimpleNamespace(identity=lambda: {"workers": self.workers})
        self.asked: list[str] = []
        self.waited = 0.0
        self.hanging: set[str] = set()

    def submit(self, function: Callable[[Any], Any], shared: Task, *, pure: bool) -> Any:
        assert not pure
        warnings.warn("Sending large graph of size 20 MiB", stacklevel=1)
        self.shared.append(repr(shared))
        return function(shared)

    def map(
        self, call: Callable[..., Any], tasks: Sequence[Task], *, key: str, pure: bool, **given: Any
    ) -> list[Future]:
        assert not pure
        assert key == given["function"].__name__
        first = len(self.futures)
        for task in tasks:
            try:
                status, result = ("finished", call(task, **given)) if self.workers else ("pending", None)
            except (ValueError, KilledWorker) as error:
                status, result = "error", error
            self.futures.append(Future(f"key-{len(self.futures)}", status, result))
        return self.futures[first:]

    def gather(self, batch: list[Future]) -> list[Any]:
        return [future._result for future in batch]

    def run(
        self,
        function: Callable[..., str],
        *given: str,
        on_error: str,
        callback_timeout: float,
        workers: Sequence[str] = ("tcp://a:1", "tcp://b:1"),
    ) -> dict[str, Any]:
        assert on_error == "return"
        self.asked.append((given or ("Python",))[0])
        self.waited += callback_timeout
        if self.hanging & {*workers}:
            raise TimeoutError
        here = function(*given)
        return {each: self.versions.get(self.asked[-1], here) if each[6] == "b" else here for each in workers}

    def sync(
        self, about: Callable[[], dict[str, Any]], *, n_workers: int, callback_timeout: float
    ) -> dict[str, Any]:
        assert (n_workers, callback_timeout) == (-1, 15.0)
        return about()

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
    # Before and after, of all that numbers depend on.
    assert client.asked == [*SAME, *SAME]


def test_groups_of_tasks_have_each_what_they_share_and_places_count_through_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("time.sleep")
    client = Client()
    groups = [(shared, [Task("one", 1), Task("two", 2)]) for shared in (3, 10)]
    assert sorted(Cluster(client, client).each_of(times, groups)) == [(0, 3), (1, 6), (2, 10), (3, 20)]
    assert client.shared == ["shared", "shared"]
    with pytest.raises(ClusterError, match=r"^100\.run: every worker"):
        list(
            Cluster(Client(), Client()).each_of(times, [(1, [Task("1.run", 1)]), (1, [Task("100.run", 100)])])
        )


def test_what_a_task_raises_is_raised_here_and_of_one_that_kills_its_workers_the_name_is_said() -> None:
    with pytest.raises(ValueError, match="a negative number"):
        multiplied(Client(), 1, -1)
    with pytest.raises(ClusterError) as told:
        multiplied(Client(), 1, 100, 2)
    assert says(str(told.value))


def test_ctrl_c_while_tasks_are_sent_comes_when_all_of_them_are() -> None:
    class Interrupted(Client):
        def submit(self, *given: Any, **extra: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            return super().submit(*given, **extra)

    client = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        multiplied(client, 1, 2, 4)
    assert len(client.futures) == 3


def test_a_scheduler_that_hangs_is_said_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs() -> dict[str, Any]:
        raise TimeoutError

    now = [0.0]
    monkeypatch.setattr("time.sleep", lambda seconds: now.append(now.pop() + 250 * seconds))
    monkeypatch.setattr("time.monotonic", lambda: now[-1])
    client = Client()
    client.workers, client.scheduler.identity = {}, hangs
    with refused(ClusterError):
        multiplied(client, 1)


@pytest.mark.parametrize(("theirs", "has"), [("0.9", "0.9"), (ModuleNotFoundError("it"), "none")])
@pytest.mark.parametrize("package", ["relevance-workbench", "numpy", "polars", "scipy"])
def test_a_worker_with_another_version_is_refused_with_both(package: str, theirs: object, has: str) -> None:
    with pytest.raises(ClusterError) as told:
        multiplied(Client({package: theirs}), 1)
    assert says(str(told.value))


def test_a_worker_of_another_python_is_refused_and_one_that_differs_in_repairs_is_not() -> None:
    here = "{}.{}".format(*sys.version_info)
    with refused(ClusterError):
        multiplied(Client({"Python": "3.9"}), 1)
    assert multiplied(Client({"Python": here}), 5) == [(0, 15)]


def test_a_worker_that_does_not_say_its_versions_is_named_and_one_that_died_is_none_of_another_version() -> (
    None
):
    client = Client()
    client.workers["tcp://b:1"] = 1
    client.hanging = {"tcp://b:1"}
    with refused(ClusterError, "tcp://b:1"):
        multiplied(client, 1)
    assert multiplied(Client({"numpy": OSError("Timed out")}), 5) == [(0, 15)]


def test_a_worker_that_is_gone_before_it_says_its_versions_is_not_waited_for() -> None:
    client = Client({"numpy": "0.9"})
    client.hanging = {"tcp://b:1"}  # it is asked together with the other, and then no longer there
    assert multiplied(client, 5) == [(0, 15)]
    assert multiplied(Client({"numpy": OSError("Timed out")}), 5) == [(0, 15)]


def test_workers_that_are_all_gone_are_waited_for_and_then_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.sleep", lambda seconds: now.append(now.pop() + 250 * seconds))
    monkeypatch.setattr("time.monotonic", lambda: now[-1])
    client = Client()
    client.workers = {}
    with refused(ClusterError):
        multiplied(client, 1, 2)
    assert now == [20.0]
    assert client.cancelled == client.futures
    # One that is there again, or still at work, is waited for: the next look is again after more than 15 seconds.
    client, looks = Client(), []
    client.workers = {}

    def info() -> dict[str, Any]:
        looks.append(now[-1])
        return {"workers": {} if len(looks) > 2 else {"tcp://a:1": 1}}

    client.scheduler.identity = info
    with refused(ClusterError):
        multiplied(client, 1)
    assert looks == [40.0, 60.0, 80.0]


class LocalCluster:
    """Workers of this machine."""

    def __init__(self, **named: Any) -> None:
        self.named = named

    def close(self) -> None:
        pass


class Distributed(SimpleNamespace):
    """A module of Dask that notes how clients and workers are made."""

    def __init__(self, **fails: Exception) -> None:
        self.made: list[Any] = []
        self.fails = fails
        self.utils = SimpleNamespace(silence_logging_cmgr=self.silenced)
        self.LocalCluster = self.noting("workers", LocalCluster)
        self.Client = client_of(self)

    def noting(self, what: str, make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*given: Any, **named: Any) -> Any:
            self.fail(what)
            self.made.append((what, *given, named))
            return make(*given, **named)

        return made

    def silenced(self, level: str) -> ExitStack:
        self.made.append(("silenced", level))
        return ExitStack()

    def fail(self, what: str) -> None:
        if what in self.fails:
            raise self.fails[what]


def client_of(distributed: Distributed) -> type:
    """The class of its clients, each of which begins as soon as it is made."""

    class Client:
        def __init__(self, where: Any, **named: Any) -> None:
            distributed.made.append(("client", where, named))
            self.start(timeout=named.get("timeout"))

        def start(self, **named: Any) -> None:
            distributed.made.append(("started", named))
            distributed.fail("client")

        def wait_for_workers(self, number: int, timeout: float) -> None:
            distributed.fail("wait")
            distributed.made.append(("waited", number, timeout))

        def close(self) -> None:
            distributed.made.append("closed")

        def __enter__(self) -> str:
            return "the client"

        def __exit__(self, *_: object) -> None:
            pass

    return Client


def test_workers_of_this_machine_are_for_this_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", found := Distributed())
    with cluster(Workers(number=3)):
        pass
    (_, how), (_, used, named), _ = found.made
    assert how == {
        "n_workers": 3,
        "threads_per_worker": 1,
        "processes": True,
        "security": True,
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": "CRITICAL",
    }
    assert (used.named, named) == (how, {})


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
    assert says(str(told.value))


@pytest.mark.parametrize(
    ("scheduler", "fails"),
    [
        ("host:8786", {}),
        ("tcp://h:1", {"client": OSError("refused")}),
        ("tcp://h:1", {"client": TimeoutError("it says nothing")}),
        ("tcp://h:1", {"client": MemoryError("it says 8 bytes, which are taken for a length")}),
        ("tls://h:1", {"client": TypeError("TLS expects a `ssl_context` argument")}),
        ("tcp://h:1", {"wait": TimeoutError("late")}),
    ],
)
def test_a_scheduler_that_cannot_be_used_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, scheduler: str, fails: dict[str, Exception]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", found := Distributed(**fails))
    with refused(ClusterError, scheduler), cluster(Workers(scheduler)):
        pass
    assert found.made.count("closed") == len(fails)


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
