"""One function over many tasks in other processes: workers of this machine, or those of a Dask scheduler.

Dask does the work: it hands tasks to free workers, gives those of a worker that dies to another one, and starts
workers of this machine again. The workbench adds this: workers must have its own version, tasks are not
written down with what they were given, and failures are sentences.
"""

from __future__ import annotations

import pickle  # nosec B403 - see where it is used
import re
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar, cast

from workbench.core.errors import ClusterError, Problem
from workbench.core.extras import needed

T = TypeVar("T")

PATIENCE = 15.0
"""Seconds in which a scheduler has to answer, and a first worker to be there; then for how long all may be away."""
ANSWER = 30.0
"""Seconds in which workers have to say their versions, which they do beside their tasks; then each gets one more."""
POLL = 0.02
"""Seconds between two looks at what is done."""
ADDRESS = re.compile(r"(tcp|tls|ws|wss)://\S+:\d+")
PYTHON = "Python"
SAME = (PYTHON, "relevance-workbench", "numpy", "polars", "scipy")
"""Of what scores, pools and p-values are made: workers with another version may print another last digit.

What is compiled is part of the workbench's own version, and reads files to the same numbers with or without it.
"""
LOST = "the scheduler no longer answers; check that it runs, and try again"
KILLED = "every worker that took this task has died; does it need more memory than a worker has?"


class Workers(NamedTuple):
    """Where to work: the address of a scheduler, such as `tcp://host:8786`, or a number of processes here.

    Instead of an address Dask's own `Client` or cluster may stand, which stay open.
    """

    scheduler: Any = None
    number: int | None = None


def workers_of(scheduler: Any, number: int | None) -> Workers | None:
    """Where to work, as requested; None for this process."""
    return None if scheduler is None and number is None else Workers(scheduler, number)


class Task:
    """What a worker is given for one task: a name that may be shown, and the rest, which logs do not repeat."""

    def __init__(self, name: str, given: Any) -> None:
        self.name, self.given = name, given

    def __repr__(self) -> str:
        return self.name


class Cluster:
    """Workers that are there and have this version of the workbench; made by `cluster`."""

    def __init__(self, distributed: Any, client: Any) -> None:
        self._distributed, self._client = distributed, client

    def each(
        self, function: Callable[[Any, Any], T], shared: Any, tasks: Sequence[Task]
    ) -> Iterator[tuple[int, T]]:
        """The same as `each_of` for one group."""
        return self.each_of(function, [(shared, tasks)])

    def each_of(
        self, function: Callable[[Any, Any], T], groups: Sequence[tuple[Any, Sequence[Task]]]
    ) -> Iterator[tuple[int, T]]:
        """The place of each task and what `function(shared, task.given)` returned, in the order in which they end.

        The function is one of a module of the workbench. A group is what its tasks share, which a worker gets once if
        it does any of them, and the tasks, whose names need not differ; places count through all groups.

        Raises ClusterError where a worker has another version or does not answer, all workers are gone, a task killed
        several of them, or the scheduler is gone; else what the function raised, as it was.
        """
        client, tasks = self._client, [task for _, group in groups for task in group]
        self._check_versions()
        with postponed():  # Python would print what a half-made future says when it is dropped
            futures = self._sent(function, groups)
        places = {future.key: place for place, future in enumerate(futures)}
        try:
            completed = self._distributed.as_completed(futures, loop=client.loop)
            for batch in self._batches(completed):
                for future in batch:
                    if future.status == "error":
                        error, name = future.exception(), tasks[places[future.key]].name
                        if not isinstance(error, self._distributed.KilledWorker):
                            raise error
                        raise ClusterError(f"{name}: {KILLED}")
                    if future.status == "cancelled":  # Dask does so with all of them when the connection ends
                        raise ClusterError(LOST)
                results = client.gather(batch)
                for future in batch:
                    future.release()  # else Dask does it again when its worker dies
                for future, result in zip(batch, results, strict=True):
                    yield places[future.key], pickle.loads(result)  # noqa: S301  # nosec B301 - our workers made it
            self._check_versions()  # workers that came while it went on
        finally:
            client.cancel([future for future in futures if not future.done()], force=True)
            for future in futures:
                future.release()

    def _sent(
        self, function: Callable[[Any, Any], T], groups: Sequence[tuple[Any, Sequence[Task]]]
    ) -> list[Any]:
        client, futures = self._client, []
        for shared, group in groups:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph")
                # A task and not data that is scattered: when the last worker that has it dies, it is there again.
                sent = client.submit(_shared, Task("shared", shared), pure=False)
            futures += client.map(
                _call, group, key=function.__name__, function=function, shared=sent, pure=False
            )
        return futures

    def _batches(self, completed: Any) -> Iterator[list[Any]]:
        """What is done, as it is done. `ClusterError` when there has been no worker for too long."""
        seen = time.monotonic()
        while completed.count():
            if batch := list(completed.next_batch(block=False)):
                yield batch
                seen = time.monotonic()
                continue
            time.sleep(POLL)
            now = time.monotonic()
            if now - seen > PATIENCE:
                if not self._there():
                    raise ClusterError(
                        f"all workers are gone, and none has come for {PATIENCE:.0f} seconds; start some and try again"
                    )
                seen = now

    def _check_versions(self) -> None:
        """Each worker has the versions of this process. `ClusterError` that names both."""
        import sysconfig
        from importlib import metadata

        for what in SAME:  # a worker without the workbench has these functions too
            function = sysconfig.get_python_version if what == PYTHON else metadata.version
            given = () if what == PYTHON else (what,)
            version = function(*given)
            for worker, theirs in sorted(self._answers(function, *given).items()):
                if isinstance(theirs, OSError):
                    continue  # it has died, and the scheduler does not know yet: others do what it had
                if theirs != version:
                    has = theirs if isinstance(theirs, str) else "none"
                    message = f"the worker {worker} has {what} {has}, and here it is {version}"
                    raise ClusterError(f"{message}; install the same version on both sides")

    def _answers(self, function: Callable[..., str], *given: str) -> dict[str, Any]:
        """What each worker returns, or its error. `ClusterError` that names one that does not answer."""
        ask = partial(self._client.run, function, *given, on_error="return")
        with suppress(TimeoutError):
            return cast("dict[str, Any]", ask(callback_timeout=ANSWER))
        found: dict[str, Any] = {}
        for worker in self._there():
            try:
                found |= ask(workers=[worker], callback_timeout=1)
            except TimeoutError as error:
                message = f"the worker {worker} has not said its versions in {ANSWER:.0f} seconds"
                raise ClusterError(f"{message}; restart it, or stop it and try again") from error
        return found

    def _there(self) -> list[str]:
        """The addresses of the workers that there are now. `ClusterError` if the scheduler does not say."""
        try:
            about = self._client.sync(
                self._client.scheduler.identity, n_workers=-1, callback_timeout=PATIENCE
            )
        except OSError as error:
            raise ClusterError(LOST) from error
        return list(about["workers"])


@contextmanager
def cluster(workers: Workers) -> Iterator[Cluster]:
    """Workers for as long as the block lasts; when it ends early, what is not done is cancelled.

    Raises ClusterError where no scheduler answers, or it has no workers, and NotInstalled without Dask.
    """
    with needed():
        import distributed
    with ExitStack() as stack:
        if workers.scheduler is None:
            with uninterrupted():
                local = _started(distributed, workers.number)
                stack.callback(uninterrupted()(local.close))
                client = stack.enter_context(distributed.Client(local))
        else:
            # What becomes of a worker that dies is said by results and errors, in the words of one machine.
            stack.enter_context(distributed.utils.silence_logging_cmgr("CRITICAL"))
            client = _connected(distributed, stack, workers.scheduler)
        yield Cluster(distributed, client)


def in_order(
    found: Iterable[tuple[int, T | tuple[Problem, ...]]], kind: type[T]
) -> tuple[list[T], list[tuple[Problem, ...]]]:
    """The results of tasks, which are of a `kind`, and the problems of those that failed, in the order of the tasks.

    `found` has the place of each task with its result or its problems, in any order.
    """
    results: list[T] = []
    problems: list[tuple[Problem, ...]] = []
    for _, each in sorted(found, key=itemgetter(0)):
        if isinstance(each, kind):
            results.append(each)
        else:
            problems.append(cast("tuple[Problem, ...]", each))
    return results, problems


def _started(distributed: Any, number: int | None) -> Any:
    """Processes of this machine, for it alone and encrypted: other people's processes could send code otherwise."""
    try:
        return distributed.LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            processes=True,
            security=True,
            dashboard_address="127.0.0.1:0",
            silence_logs="CRITICAL",
        )
    except (OSError, RuntimeError) as error:  # of the second kind is whatever Dask meets on the way
        raise ClusterError(
            f"processes cannot be started here: {error.__cause__ or error}; they need a little room in the folder for "
            "temporary files (TMPDIR)"
        ) from error


def _connected(distributed: Any, stack: ExitStack, scheduler: Any) -> Any:
    """A client with workers, closed with the stack unless it was given."""
    given = isinstance(scheduler, distributed.Client)
    client = scheduler if given else _opened(distributed, scheduler)
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        if not given:
            client.close()
        where = scheduler if isinstance(scheduler, str) else client.scheduler.address
        raise ClusterError(
            f"the scheduler at {where} has no workers; start some: dask worker {where}"
        ) from error
    return client if given else stack.enter_context(client)


def _opened(distributed: Any, scheduler: Any) -> Any:
    if not isinstance(scheduler, str) and isinstance(scheduler, distributed.deploy.Cluster):
        return distributed.Client(scheduler, set_as_default=False)
    if not isinstance(scheduler, str) or not ADDRESS.fullmatch(scheduler):
        message = f"{scheduler!r} is not the address of a scheduler; write tcp://HOST:PORT or tls://HOST:PORT"
        raise ClusterError(message)
    try:
        client = _patient(distributed)(scheduler, timeout=PATIENCE, set_as_default=False)
    except TypeError as error:  # what Dask raises without a context of TLS
        message = (
            f"certificates are needed for {scheduler}, as Dask's settings name them (distributed.comm.tls)"
        )
        raise ClusterError(message) from error
    except Exception as error:
        if type(error) is OSError:  # no connection; each of the others has a class of its own
            found = f"no scheduler answers at {scheduler}; start one there (dask scheduler), or check host and port"
        else:
            found = (
                f"what listens at {scheduler} does not answer as a Dask scheduler; check host and port, and whether it "
                "is tcp:// or tls://"
            )
        raise ClusterError(found) from error
    return client


def _patient(distributed: Any) -> Any:
    """Dask's client, which by itself waits without end for the first words of what accepts its connection."""

    class Patient(distributed.Client):  # type: ignore[misc]
        def start(self, **given: Any) -> None:
            try:
                # A second more than a connection may take, so that it is known which of both there was not.
                super().start(callback_timeout=PATIENCE + 1, **given)
            except BaseException:
                self.close()
                raise

    return Patient


def _shared(shared: Task) -> Task:
    return shared


def _call(task: Task, function: Callable[[Any, Any], T], shared: Task) -> bytes:
    """What the function returns, as one piece: Dask would send each of its many arrays by itself."""
    return pickle.dumps(function(shared.given, task.given))


@contextmanager
def postponed() -> Iterator[None]:
    """Ctrl-C comes when the block has ended; so the block is short.

    Python lets it come between any two steps, also of a library that is not prepared for it.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        yield
        return
    came: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C comes when the block has ended, and never to the processes that are started in it.

    A terminal sends it to all of them: they would end one by one, each with a traceback, while others are started. And
    what starts them does not end those that there are already when it is interrupted itself.
    """
    with postponed():
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            yield
            return
        resource_tracker.ensure_running()  # Python starts it with the first process, and unblocks Ctrl-C then
        # What is started in the block has it blocked too; no process would take over a handler.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
