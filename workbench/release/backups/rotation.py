"""Automatic backups of campaigns and accounts: made at intervals, and fewer of them kept the older they are.

How they are named is in `files`. Files of other names are never removed, so a backup that should stay is
kept by giving it another name. Each copy is checked before it gets its name, in a process of its own: one that is
damaged gets a name that says so, and never takes the place of one that holds. All that hold but the newest are packed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from workbench.core.atomic_files import drafting
from workbench.core.errors import CampaignBeingCreated
from workbench.jobs.background import in_background
from workbench.jobs.processes import JobFailed
from workbench.people import accounts
from workbench.release.backups import files
from workbench.release.backups.checks import check_in_background
from workbench.release.backups.packing import pack_in_background, to_pack
from workbench.storage.campaign import backup, open_campaign
from workbench.storage.instance import ACCOUNTS_FILE

LOOK_EVERY = timedelta(minutes=5)
"""How often the server asks what is due, which is also how soon it tries again after a failure."""

STOP_PATIENCE = 60.0
"""Seconds that a server which stops waits for a backup in the making."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Schedule:
    """Where backups go, how much time lies between two of a file, and which of each are kept.

    The newest `keep` stay, and of the newest `days` days and `weeks` weeks (of UTC) that have any, one of each.
    """

    folder: Path
    every: timedelta = timedelta(hours=1)
    keep: int = 24
    days: int = 14
    weeks: int = 8


def is_due(schedule: Schedule, name: str, now: datetime) -> bool:
    """Whether the file `name` has no backup of the last interval; one from a clock that was ahead does not count."""
    past = [one.made for one in files.up_to(files.backups_of(schedule.folder, name), now)]
    return not past or now - max(past) >= schedule.every


def back_up(path: Path, schedule: Schedule, now: datetime) -> Path:
    """Copy a campaign or the accounts into the folder, check it, then remove what is too old; the new file.

    The copy gets its name once it is whole and checked; one of the accounts is for its owner alone. A copy that is
    damaged is kept too, since it may hold judgments that no other has, and the log says so. Copies named after a clock
    that was ahead are no part of the ladder until their time has come, and stay. Raises CampaignError, AccountError or
    OSError when it cannot be made.
    """
    target = schedule.folder / files.name_of(path.stem, now)
    with drafting(target) as draft:
        _copy(path, draft)
        finding = check_in_background(draft, accounts=path.name == ACCOUNTS_FILE)
        made = files.put_in_place(draft, target, finding, now)
    _tell(path, made, finding, now)
    past = files.up_to(files.backups_of(schedule.folder, path.stem), now)
    gone = [one for one in too_old(past, schedule.keep, schedule.days, schedule.weeks) if one.path != made]
    for one in gone:
        files.remove(one)
    _pack([one for one in past if one not in gone])
    return made


def _pack(backups: Sequence[files.Backup]) -> None:
    """Pack what is to be packed; what cannot be stays as it is, and is tried again with the next backup."""
    for one in to_pack(backups):
        try:
            pack_in_background(one)
        except (JobFailed, CampaignBeingCreated, OSError) as error:
            logger.error("the backup %s could not be compressed: %s", one.path, error)


def _tell(path: Path, made: Path, finding: files.Finding | None, now: datetime) -> None:
    if finding is None:
        logger.error("the backup %s could not be checked", made)
    elif finding.wrong:
        good = files.newest_verified(made.parent, path.stem, now)
        newest = f"the newest intact backup is {good.path}" if good else "there is no intact backup"
        logger.error("%s is damaged (%s), as its backup %s shows; %s", path, finding.wrong, made, newest)


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


@contextmanager
def backing_up(
    paths: Callable[[], Iterable[Path]],
    schedule: Schedule | None,
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[None]:
    """Make backups in a thread of its own for as long as the block runs; none without a schedule.

    `paths` names the files there are at the time.
    """
    if schedule is None:
        yield
        return
    with in_background(
        "backups",
        lambda _: back_up_what_is_due(paths(), schedule, clock()),
        pause=min(LOOK_EVERY, schedule.every).total_seconds(),
        patience=STOP_PATIENCE,
    ):
        yield


def _copy(path: Path, target: Path) -> None:
    if path.name == ACCOUNTS_FILE:  # which is no campaign's name
        with accounts.open_accounts(path.parent) as opened:
            accounts.backup(opened, target)
    else:
        with open_campaign(path, compare=False) as campaign:
            backup(campaign, target)


def too_old(backups: Sequence[files.Backup], keep: int, days: int = 0, weeks: int = 0) -> list[files.Backup]:
    """Those of one file's backups (newest first) that may go.

    The newest `keep` stay, one of each of the newest `days` days and `weeks` weeks that have any (the newest that
    holds, where one does) and, however old, the newest that was checked and holds. Damaged ones do not count among
    them, and of those only the newest stays: the file is still damaged in it, and it has all that the others have.
    """
    damaged = [one for one in backups if one.state == files.DAMAGED]
    others = [one for one in backups if one.state != files.DAMAGED]
    good = [one for one in others if one.state == files.VERIFIED][:1]
    by_day = _one_of_each(others, lambda one: one.made.date(), days)
    by_week = _one_of_each(others, lambda one: one.made.isocalendar()[:2], weeks)
    stay = [*others[:keep], *good, *by_day, *by_week]
    paths = {one.path for one in stay}
    return [*(one for one in others if one.path not in paths), *damaged[1:]]


def _one_of_each(
    backups: Sequence[files.Backup], period: Callable[[files.Backup], object], number: int
) -> list[files.Backup]:
    """One backup of each of the newest `number` periods that have any: the newest that holds, else the newest."""
    found: dict[object, files.Backup] = {}
    for one in backups:
        known = found.setdefault(period(one), one)
        if known.state != files.VERIFIED and one.state == files.VERIFIED:
            found[period(one)] = one
    return list(found.values())[:number]
