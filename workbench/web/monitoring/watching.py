"""What a server knows of its own health: every few seconds it tries each campaign, and looks at the disk and backups.

The answers for monitors, the metrics and the warnings on pages are all from the newest look. What becomes bad is
written to the log once, and once more when it is well again.
"""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, cast

from flask import current_app

from workbench.core import plugins
from workbench.core.errors import WorkbenchError
from workbench.jobs.background import in_background, running
from workbench.people.accounts import can_be_read
from workbench.people.accounts.future_times import bring_back
from workbench.release.backups.files import DAMAGED, VERIFIED, Backup, backups_of, up_to
from workbench.release.backups.rotation import Schedule
from workbench.storage.campaign.log.trial import was_written
from workbench.storage.instance import ACCOUNTS_FILE, Space, space_of
from workbench.web.requests.connections import PATIENCE, Connections

LOOK_EVERY = 10.0
"""Seconds from one look to the next."""

STALE = 60.0
"""Seconds after which a look says nothing any more: what should have looked again hangs."""

STUCK = 10.0
"""Seconds that a writer may wait; a saver is refused after 2."""

PAUSE = 0.05
ROOM = 1 << 16
"""Bytes that must find room in the instance folder."""

READY, GONE, UNREADABLE, BUSY, STUCK_WRITER = "ready", "gone", "unreadable", "busy", "stuck"
WORDS = {
    GONE: "the file is gone while it is served; put it back, or restore its newest backup",
    BUSY: f"another program has been writing for more than {PATIENCE:g} s, so nothing can be saved",
    STUCK_WRITER: f"a writer has been waiting for more than {STUCK:g} s",
}

DISKS = {
    "instance": "The server’s disk",
    "campaigns": "A disk with campaigns",
    "backups": "The disk of the backups",
}
NO_BACKUP = "no backup of the last two intervals passed its check"
DAMAGED_BACKUP = "it is damaged, and so may be the file it was copied from; audit that file"

logger = logging.getLogger("workbench.web")


class Probe(NamedTuple):
    """What came of trying a campaign: its state, how many wait to write, for how many seconds the first of them, and
    the age in seconds of its newest backup that was checked and holds (None when there is none, or none are made).
    """

    name: str
    state: str
    message: str = ""
    writers_waiting: int = 0
    oldest_writer_seconds: float = 0.0
    newest_backup_seconds: float | None = None


class Look(NamedTuple):
    """The state of a server at one time.

    `backup` is the age of the newest backup of the accounts in seconds; `overdue` names the files (without suffix)
    whose newest backup is older than it should be, `damaged` those whose newest copy does not hold.
    """

    at: datetime
    clock: float
    accounts: bool
    room: bool
    campaigns: tuple[Probe, ...]
    spaces: tuple[Space, ...]
    backup: float | None = None
    overdue: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()

    def is_ready(self) -> bool:
        """Whether people can sign in and judge in every campaign, and every background thread works now."""
        if time.monotonic() - self.clock >= STALE or any(thread.failure for thread in running()):
            return False
        return self.accounts and self.room and all(one.state == READY for one in self.campaigns)


class Watch:
    """Looks at the campaigns of `held`, at the accounts, at the disks, and at the backups, if any are scheduled."""

    def __init__(self, held: Connections, instance: Path, backups: Schedule | None = None) -> None:
        self._held, self._instance, self._backups = held, instance, backups
        self._lock = threading.Lock()
        self._latest: Look | None = None
        self._wrong: dict[str, str] = {}

    def latest(self) -> Look:
        """The newest look; a new one where that is old and no thread is looking."""
        latest = self._latest
        if latest is not None and time.monotonic() - latest.clock < 1.5 * LOOK_EVERY:
            return latest
        if self._lock.acquire(blocking=latest is None):
            try:
                return self._look()
            finally:
                self._lock.release()
        return latest or self.latest()

    def look(self) -> Look:
        """Look now."""
        with self._lock:
            return self._look()

    def _look(self) -> Look:
        began, now = time.monotonic(), datetime.now(UTC)
        paths = self._held.paths() | self._held.missing()
        copies = self._copies(paths)
        ages = {name: _age(held, now) for name, held in copies.items()}
        tried = [self._tried(name)._replace(newest_backup_seconds=ages.get(name)) for name in sorted(paths)]
        look = Look(
            now,
            began,
            self._accounts_are_well(now),
            _has_room(self._instance),
            tuple(tried),
            tuple(self._spaces(paths)),
            ages.get(Path(ACCOUNTS_FILE).stem),
            tuple(self._overdue(copies, ages)),
            tuple(
                name
                for name, held in copies.items()
                if any(one.state == DAMAGED for one in up_to(held or [], now)[:1])
            ),
        )
        self._tell(look)
        self._latest = look
        return look

    def _tried(self, name: str) -> Probe:
        try:
            campaign = self._held.campaign(name)
            if campaign is None:
                return Probe(name, GONE, WORDS[GONE])
            waiting, oldest = campaign.write_queue.waiting()
            until = time.monotonic() + PATIENCE
            while not was_written(campaign):
                if time.monotonic() > until:
                    return Probe(name, BUSY, WORDS[BUSY], waiting, oldest)
                time.sleep(PAUSE)
        except WorkbenchError as error:
            if (path := self._held.paths().get(name)) is not None:
                self._held.reopen(path)
            return Probe(name, UNREADABLE, str(error))
        if oldest > STUCK:
            return Probe(name, STUCK_WRITER, WORDS[STUCK_WRITER], waiting, oldest)
        return Probe(name, READY, "", waiting, oldest)

    def _accounts_are_well(self, now: datetime) -> bool:
        """Whether the accounts can be read; nothing in them lasts longer because the clock was put back."""
        try:
            if not accounts_can_be_read(self._instance, self._held):
                return False
            brought = bring_back(self._held.accounts().at(now))
        except WorkbenchError:
            return False
        if brought:
            logger.warning(
                "the clock was put back: times in the accounts that lay ahead (%d) count from now on", brought
            )
        return True

    def _spaces(self, paths: dict[str, Path]) -> Iterator[Space]:
        """Free space of the instance folder, of that of backups, and of the fullest other folder of a campaign."""
        folders = {path.parent for path in paths.values()} - {self._instance}
        others = [space for folder in folders if (space := space_of("campaigns", folder))]
        found = [space_of("instance", self._instance), min(others, key=lambda one: one.free, default=None)]
        if self._backups is not None:
            found.append(space_of("backups", self._backups.folder))
        yield from filter(None, found)

    def _copies(self, paths: dict[str, Path]) -> dict[str, list[Backup] | None]:
        """The backups of each campaign and the accounts, newest first, none without a schedule; None if unreadable."""
        found: dict[str, list[Backup] | None] = {}
        if self._backups is None:
            return found
        for name in (*paths, Path(ACCOUNTS_FILE).stem):
            found[name] = None
            with suppress(OSError):
                found[name] = backups_of(self._backups.folder, name)
        return found

    def _overdue(
        self, copies: dict[str, list[Backup] | None], ages: dict[str, float | None]
    ) -> Iterator[str]:
        """The files of whose last two intervals no backup holds; what has none at all may have just been made."""
        if self._backups is not None:
            limit = (2 * self._backups.every + timedelta(minutes=10)).total_seconds()
            for name, age in ages.items():
                if age > limit if age is not None else copies[name] != []:
                    yield name

    def _tell(self, look: Look) -> None:
        alarms, warnings = dict(_alarms(look)), dict(_warnings(look))
        wrong = alarms | warnings
        for about, words in wrong.items():
            if about not in self._wrong:
                logger.log(logging.ERROR if about in alarms else logging.WARNING, "%s: %s", about, words)
        for about in self._wrong.keys() - wrong.keys():
            logger.warning("%s: recovered", about)
        self._wrong = wrong


def _alarms(look: Look) -> Iterator[tuple[str, str]]:
    """What stops people from judging, each with what it is about; what it is about stays the same while it lasts."""
    for one in look.campaigns:
        if one.state != READY:
            yield f"campaign {one.name} ({one.state})", one.message
    if not look.accounts:
        yield "accounts", "they cannot be read"
    if not look.room:
        yield "instance folder", f"{ROOM} bytes cannot be written there; is the disk full?"


def _warnings(look: Look) -> Iterator[tuple[str, str]]:
    """What does not stop them yet, in the same way."""
    for space in look.spaces:
        if space.is_low:
            yield f"free space ({space.place})", str(space)
    for name in look.overdue:
        yield f"backup of {name}", NO_BACKUP
    for name in look.damaged:
        yield f"newest backup of {name}", DAMAGED_BACKUP
    yield from ((f"plugin {each.name}", said) for each in plugins.KNOWN for said in each.troubles[:1])


def warnings_of(look: Look, names: Iterable[str] | None = None) -> list[str]:
    """What does not stop the judging yet, as sentences; of backups those of the files `names`, of all for None."""
    low = [f"{DISKS[one.place]} is nearly full: {one}." for one in look.spaces if one.is_low]
    asked = set(names) if names is not None else {*look.overdue, *look.damaged}
    overdue, damaged = sorted(asked.intersection(look.overdue)), sorted(asked.intersection(look.damaged))
    return [
        *low,
        *(f"{name} has no recent backup that passed its check." for name in overdue),
        *(
            f"The newest backup of {name} is damaged: audit {name}, it may be damaged too."
            for name in damaged
        ),
    ]


def warnings_for(name: str) -> list[str]:
    """The warnings that concern the organiser of a campaign of this server, from the newest look."""
    return warnings_of(watch().latest(), (name, Path(ACCOUNTS_FILE).stem))


def watch() -> Watch:
    """What watches the server that answers this request."""
    return cast("Watch", current_app.extensions["workbench_watch"])


def accounts_can_be_read(instance: Path, held: Connections) -> bool:
    """Whether the accounts can be read; not opened where they are gone, which would create them. Raises as opening."""
    return (instance / ACCOUNTS_FILE).is_file() and can_be_read(held.accounts())


def _age(copies: list[Backup] | None, now: datetime) -> float | None:
    made = next((one.made for one in up_to(copies or [], now) if one.state == VERIFIED), None)
    return None if made is None else (now - made).total_seconds()


def _has_room(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
            file.flush()
    except OSError:
        return False
    return True


@contextmanager
def watching(watch: Watch, settle: Callable[[], None], *, pause: float = LOOK_EVERY) -> Iterator[None]:
    """Look again and again in a thread of its own for as long as the block runs; `settle` ends each look."""

    def turn(_: threading.Event) -> None:
        try:
            watch.look()
        finally:
            settle()

    with in_background("state of the server", turn, pause=pause, patience=LOOK_EVERY):
        yield
