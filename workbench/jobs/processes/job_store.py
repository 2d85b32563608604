"""The jobs of a server as people see them: each has a name and an end that a reload, and a restart, does not lose.

Each job has a small file of its own in a folder of its owner, written when it begins and when it ends. While it is
unfinished its server holds a draft of that file, which no longer counts when the server is gone, however it went: then
the job was interrupted. The newest are kept for a while; results that are files lie elsewhere.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Callable, Hashable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.atomic_files import ENDING, drafting, put_over, remove_abandoned
from workbench.core.errors import CampaignBeingCreated, InputError, NotThere
from workbench.core.wording import as_sentence
from workbench.jobs.processes.jobs import Body, Job, Jobs
from workbench.jobs.processes.work import USUAL, Cancelled, JobFailed, Limits, Step

WAITING, RUNNING, DONE = "waiting", "running", "done"
FAILED, CANCELLED, INTERRUPTED = "failed", "cancelled", "interrupted"
UNFINISHED = frozenset({WAITING, RUNNING})

MOST = 20
"""How many ended jobs of an owner are kept."""

OLDEST = timedelta(days=7)

STOP_PATIENCE = 5.0
"""Seconds that a job gets to note that it was interrupted."""

RESTARTED = (
    "The server was stopped or restarted before this was done. Nothing half done was kept; start it again."
)
OUR_FAULT = "Something went wrong on our side. Nothing you saved before is lost."
USER_ERRORS = (JobFailed, NotThere, InputError)
"""Errors whose words are for the people who asked; of any other the log has the words."""

logger = logging.getLogger(__name__)


class Title(NamedTuple):
    """What a job is called, which pages show it (`kind`), and who began it."""

    name: str
    kind: str
    by: str


class Outcome(NamedTuple):
    """What a job that is done shows: a sentence, a link with its words, and details as JSON values."""

    said: str = ""
    address: str = ""
    link: str = ""
    detail: Any = None


class Record(NamedTuple):
    """What is known of a job, as in its file: `at` and `ended` in ISO 8601, `step` how far it is or was."""

    id: str
    title: Title
    at: str
    state: str = WAITING
    ended: str = ""
    outcome: Outcome = Outcome()
    step: Step = Step()
    is_ours: bool = False

    @property
    def is_unfinished(self) -> bool:
        """Whether it waits or runs."""
        return self.state in UNFINISHED


class StartedJob(NamedTuple):
    """A job that was begun, or that is doing the same already, and its record's id."""

    id: str
    job: Job


@dataclass
class _Live:
    """A job of this server: its record as it began, and as it ended."""

    record: Record
    job: Job
    key: Hashable
    held: ExitStack

    @property
    def goes_on(self) -> bool:
        """Whether it has no end yet: people see that before its waiters go on, and must not join a job then."""
        return self.record.is_unfinished and not self.job.done.is_set()

    def now(self) -> Record:
        """The record, with how far the job is."""
        if self.record.state != WAITING:
            return self.record
        return self.record._replace(state=RUNNING if self.job.is_running else WAITING, step=self.job.step)


class JobStore:
    """The jobs of one server by their owners: `jobs` runs them, in `folder` are their records."""

    def __init__(self, jobs: Jobs, folder: Path) -> None:
        self.jobs, self._folder = jobs, folder
        self._lock = threading.RLock()
        self._live: dict[tuple[str, str], _Live] = {}
        self._is_closed = False

    def begin(
        self,
        owner: str,
        title: Title,
        body: Body,
        *,
        key: Hashable = None,
        limits: Limits = USUAL,
        outcome_of: Callable[[Any], Outcome] = lambda result: Outcome(),
        partly: Callable[[], Any] = lambda: None,
        afterwards: Callable[[], None] = lambda: None,
        user_errors: tuple[type[Exception], ...] = (),
    ) -> StartedJob:
        """Begin a job, or find the unfinished one of the same owner and key, which does the same; raises TooManyJobs.

        Args:
            owner, body, limits: see `Jobs.begin`.
            outcome_of: what is shown of its result.
            partly: the details to show where it did not get to its end.
            afterwards: called when it has ended, however it ended, or could not begin; not where another job does the
                same, which may be at work on what this would remove.
            user_errors: errors besides USER_ERRORS whose words are for people.
        """
        record = Record(secrets.token_hex(8), title, _now(), is_ours=True)

        def ended(job: Job) -> None:
            try:
                self._end(owner, _after(record, job, outcome_of, partly, user_errors))
            finally:
                afterwards()

        job = Job(body, limits, owner, ended)
        with self._lock:
            for (whose, id_), live in self._live.items() if key is not None else ():
                if (whose, live.key) == (owner, key) and live.goes_on and not live.job.is_cancelled:
                    return StartedJob(id_, live.job)
            self._live[owner, record.id] = _Live(record, job, key, self._written(owner, record))
        try:
            self.jobs.start(job)
        except BaseException as error:
            job.error = error
            job.done.set()
            with self._lock:
                self._live.pop((owner, record.id)).held.close()
            self._path(owner, record.id).unlink(missing_ok=True)
            afterwards()
            raise
        self._forget_old(owner)
        return StartedJob(record.id, job)

    def of(self, owner: str, *kinds: str) -> list[Record]:
        """The jobs of an owner, those of these kinds alone where any are named, the newest first."""
        here = {id_: live.now() for (whose, id_), live in self._live_now() if whose == owner}
        # The jobs of servers before, and of others, besides those of this one.
        folder = self._path(owner, "").parent
        remove_abandoned(folder)
        held = {path.name for path in folder.glob(f".*{ENDING}")}
        stored = (_read(path, held) for path in folder.glob("*.json") if path.stem not in here)
        known = [*here.values(), *filter(None, stored)]
        found = (record for record in known if not kinds or record.title.kind in kinds)
        return sorted(found, key=lambda record: (record.at, record.id), reverse=True)

    def find(self, owner: str, id_: str) -> Record | None:
        """One job of an owner."""
        return next((record for record in self.of(owner) if record.id == id_), None)

    def cancel(self, owner: str, id_: str) -> bool:
        """End a job of this server; False where it has ended, or is another server's."""
        live = self._live.get((owner, id_))
        if live is None or not live.goes_on:
            return False
        live.job.cancel()
        return True

    def close(self) -> None:
        """End all jobs: those that are unfinished were interrupted."""
        self._is_closed = True
        self.jobs.close()
        for _, live in self._live_now():
            live.job.cancel()
            live.job.wait(STOP_PATIENCE)
            live.held.close()

    def _live_now(self) -> list[tuple[tuple[str, str], _Live]]:
        with self._lock:
            return list(self._live.items())

    def _end(self, owner: str, record: Record) -> None:
        if self._is_closed and record.state in (FAILED, CANCELLED):
            outcome = record.outcome._replace(said=RESTARTED)
            record = record._replace(state=INTERRUPTED, outcome=outcome)
        with self._lock:
            live = self._live[owner, record.id]
            live.record = record
        with suppress(OSError):  # the record in memory is right all the same
            self._put(owner, record)
        live.held.close()

    def _written(self, owner: str, record: Record) -> ExitStack:
        """Write the record of a job that begins; what holds its draft until it ends."""
        held = ExitStack()
        path = self._path(owner, record.id)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            held.enter_context(drafting(path))
            self._put(owner, record)
        except (OSError, CampaignBeingCreated) as error:
            logger.warning("%s: a job is not recorded: %s", path, error)
        return held

    def _put(self, owner: str, record: Record) -> None:
        path = self._path(owner, record.id)
        draft = path.with_name(f".{path.name}{ENDING}") / path.name
        draft.write_text(json.dumps(record._asdict()), encoding="utf-8")
        put_over(draft, path)

    def _forget_old(self, owner: str) -> None:
        ended = [record for record in self.of(owner) if not record.is_unfinished]
        oldest = (datetime.now(UTC) - OLDEST).isoformat()
        for place, record in enumerate(ended):
            if place >= MOST or record.at < oldest:
                with self._lock:
                    self._live.pop((owner, record.id), None)
                self._path(owner, record.id).unlink(missing_ok=True)

    def _path(self, owner: str, id_: str) -> Path:
        return self._folder / sha256(owner.encode()).hexdigest()[:32] / f"{id_}.json"


def jobs_begun_by(folder: Path, by: str) -> list[Record]:
    """The recorded jobs of all owners that a person began, the oldest first."""
    found = filter(None, (_read(path, set()) for path in folder.glob("*/*.json")))
    mine = (record for record in found if record.title.by == by)
    return sorted(mine, key=lambda record: (record.at, record.id))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _after(
    record: Record,
    job: Job,
    outcome_of: Callable[[Any], Outcome],
    partly: Callable[[], Any],
    user_errors: tuple[type[Exception], ...],
) -> Record:
    error, said = job.error, ""
    if error is None:
        return record._replace(state=DONE, ended=_now(), outcome=outcome_of(job.result), step=job.step)
    if isinstance(error, (*USER_ERRORS, *user_errors)):
        said = "" if isinstance(error, Cancelled) else as_sentence(error)
    else:
        logger.error("the job %r failed", record.title.name, exc_info=error)
        said = OUR_FAULT
    state = CANCELLED if isinstance(error, Cancelled) else FAILED
    outcome = Outcome(said=said, detail=partly())
    return record._replace(state=state, ended=_now(), outcome=outcome, step=job.step)


def _read(path: Path, held: set[str]) -> Record | None:
    """A stored record; one that is unfinished and that no server holds was interrupted."""
    try:
        stored = json.loads(path.read_bytes()) | {"is_ours": False}
        of_several = {"title": Title, "outcome": Outcome, "step": Step}
        record = Record(**stored | {name: kind(*stored[name]) for name, kind in of_several.items()})
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("%s: not the record of a job: %s", path, error)
        return None
    if record.is_unfinished and f".{path.name}{ENDING}" not in held:
        return record._replace(state=INTERRUPTED, outcome=Outcome(said=RESTARTED))
    return record
