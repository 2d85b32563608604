"""Backups that a server makes by itself: of each campaign and the accounts every so often; the newest few are kept.

They are called `robust.auto.20260301T120000Z.db`, by the time in UTC. Files of other names are never removed, so a
backup that should stay is kept by giving it another name.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from workbench import accounts
from workbench.campaign import backup, open_campaign
from workbench.instance import ACCOUNTS_FILE

LOOK_EVERY = timedelta(minutes=5)
"""How often the server asks what is due, which is also how soon it tries again after a failure."""

LAST_WORD = 60.0
"""Seconds that a server which stops waits for a backup in the making."""

STALE = timedelta(days=1)
TIME = "%Y%m%dT%H%M%SZ"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Schedule:
    """Where backups go, how much time lies between two of a file, and how many of each are kept."""

    folder: Path
    every: timedelta = timedelta(hours=1)
    keep: int = 48


def is_due(schedule: Schedule, name: str, now: datetime) -> bool:
    """Whether the file `name` has no backup of the last interval; one from a clock that was ahead does not count."""
    past = [at for at in _made(schedule.folder, name) if at <= now]
    return not past or now - max(past) >= schedule.every


def back_up(path: Path, schedule: Schedule, now: datetime) -> Path:
    """Copy a campaign or the accounts into the folder, then remove what is older than the newest few; the new file.

    The copy gets its name once it is whole; one of the accounts is for its owner alone. Raises CampaignError,
    AccountError or OSError when it cannot be made.
    """
    name = path.stem
    target = schedule.folder / f"{name}.auto.{now.astimezone(UTC):{TIME}}.db"
    draft = _draft_of(target)
    _copy(path, draft)
    draft.replace(target)
    _remove_old(schedule, name, just_made=target, now=now)
    return target


def back_up_what_is_due(paths: Iterable[Path], schedule: Schedule, now: datetime) -> list[Path]:
    """Back up each file whose time has come; the new files. A failure is logged, and the others go on."""
    new = []
    for path in paths:
        try:
            if is_due(schedule, path.stem, now):
                new.append(back_up(path, schedule, now))
        except Exception as error:  # noqa: BLE001 - whatever goes wrong with a backup, serving goes on
            logger.error("no backup of %s was made: %s", path, error)
    return new


def keep_backing_up(
    paths: Callable[[], Iterable[Path]],
    schedule: Schedule,
    *,
    stopped: Callable[[float], bool],
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> None:
    """Look for what is due again and again, until `stopped` says so; it waits for as many seconds as it is given.

    `paths` names the files there are at the time.
    """
    pause = min(LOOK_EVERY, schedule.every).total_seconds()
    while True:
        try:
            back_up_what_is_due(paths(), schedule, clock())
        except Exception as error:  # noqa: BLE001 - as above: tomorrow's backups must not end with today's
            logger.error("no backups were made: %s", error)
        if stopped(pause):
            return


@contextmanager
def backing_up(paths: Callable[[], Iterable[Path]], schedule: Schedule | None) -> Iterator[None]:
    """Make backups in a thread of its own for as long as the block runs; none without a schedule."""
    if schedule is None:
        yield
        return
    stop = threading.Event()
    thread = threading.Thread(
        target=keep_backing_up, args=(paths, schedule), kwargs={"stopped": stop.wait}, daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(LAST_WORD)


def _copy(path: Path, draft: Path) -> None:
    if path.name == ACCOUNTS_FILE:  # which is no campaign's name
        with accounts.open_accounts(path.parent) as opened:
            accounts.backup(opened, draft)
    else:
        with open_campaign(path) as campaign:
            backup(campaign, draft)


def _made(folder: Path, name: str) -> dict[datetime, Path]:
    """The backups of a file that were made here, by their time."""
    return _timed(folder, re.compile(rf"{re.escape(name)}\.auto\.([0-9]{{8}}T[0-9]{{6}}Z)\.db"))


def _timed(folder: Path, pattern: re.Pattern[str]) -> dict[datetime, Path]:
    found = {}
    for path in folder.iterdir():
        if (match := pattern.fullmatch(path.name)) is not None and path.is_file():
            try:
                found[datetime.strptime(match[1], TIME).replace(tzinfo=UTC)] = path
            except ValueError:  # digits that are no time: not ours
                continue
    return found


def _draft_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.part")


def _remove_old(schedule: Schedule, name: str, *, just_made: Path, now: datetime) -> None:
    made = _made(schedule.folder, name)
    for at in sorted(made)[: max(0, len(made) - schedule.keep)]:
        if made[at] != just_made:
            made[at].unlink()
    # What a server that was killed left half made; a younger one may be in the making by another server.
    drafts = re.compile(rf"\.{re.escape(name)}\.auto\.([0-9]{{8}}T[0-9]{{6}}Z)\.db\.part")
    for at, draft in _timed(schedule.folder, drafts).items():
        if now - at > STALE:
            draft.unlink()
