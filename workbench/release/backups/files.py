"""The automatic backups in a folder: how they are named, and what the check of each one found.

A copy that holds is `robust.auto.20260301T120000Z.db`, by its time in UTC; one that the check found damaged is
`robust.auto.20260301T120000Z.damaged.db`. The finding is kept beside the copy as JSON, in a file of the same name with
`.checked` at its end; a copy without one was not checked. What is compressed has `.zst` after `.db`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from workbench.core.atomic_files import put_over

TIME = "%Y%m%dT%H%M%SZ"
VERIFIED, DAMAGED, UNCHECKED = "verified", "damaged", "not checked"
_STAMP = "[0-9]{8}T[0-9]{6}Z"
_SUFFIX = ".checked"
PACKED = ".zst"


class Finding(NamedTuple):
    """What the check of a copy found: the first thing that is wrong ("" where it holds), and where its log ends.

    `seq` and `hash` (hexadecimal) are those of the newest row, 0 and "" where the copy could not be read so far.
    """

    wrong: str
    seq: int
    hash: str


class Backup(NamedTuple):
    """An automatic backup: when it was made, and its state, which is one of VERIFIED, DAMAGED and UNCHECKED.

    `checked` is when it was checked, `finding` what was found; both are None where it was not.
    """

    path: Path
    made: datetime
    state: str
    checked: datetime | None = None
    finding: Finding | None = None


def name_of(name: str, at: datetime) -> str:
    """The file name of a backup of the campaign `name` (or of `accounts`) that holds."""
    return f"{name}.auto.{at.astimezone(UTC):{TIME}}.db"


def backups_of(folder: Path, name: str) -> list[Backup]:
    """The backups of one campaign (or of `accounts`) in a folder, newest first."""
    found = _timed(folder, re.compile(rf"{re.escape(name)}\.auto\.({_STAMP})(?:\.damaged)?\.db(?:\.zst)?"))
    return sorted((_backup(at, path) for at, path in found), key=lambda one: one.made, reverse=True)


def up_to(backups: Sequence[Backup], now: datetime) -> list[Backup]:
    """Those that were made by `now`: one named after a clock that was ahead is of no time that is known."""
    return [one for one in backups if one.made <= now]


def newest_verified(folder: Path, name: str, now: datetime) -> Backup | None:
    """The newest backup of a campaign (or of `accounts`) by `now` that was checked and holds; None without one."""
    return next((one for one in up_to(backups_of(folder, name), now) if one.state == VERIFIED), None)


def put_in_place(draft: Path, target: Path, finding: Finding | None, now: datetime) -> Path:
    """Give a copy its name, that of a damaged one if it is, with the finding of its check beside it; the new path.

    `finding` is None for a copy that could not be checked.
    """
    if finding is not None and finding.wrong:
        target = target.with_name(f"{target.name.removesuffix('.db')}.damaged.db")
    if finding is not None:
        text = json.dumps(
            {"checked": now.astimezone(UTC).isoformat(), **finding._asdict()}, ensure_ascii=False
        )
        beside = finding_of(target)
        aside = draft.with_name(beside.name)
        aside.write_text(text + "\n", encoding="utf-8")
        put_over(aside, beside)
    put_over(draft, target)
    return target


def remove(backup: Backup) -> None:
    """Delete a backup and what was kept beside it."""
    backup.path.unlink(missing_ok=True)
    finding_of(backup.path).unlink(missing_ok=True)


def _timed(folder: Path, pattern: re.Pattern[str]) -> list[tuple[datetime, Path]]:
    found = []
    for path in folder.iterdir():
        if (match := pattern.fullmatch(path.name)) is not None and path.is_file():
            with suppress(ValueError):  # digits that are no time: not ours
                found.append((datetime.strptime(match[1], TIME).replace(tzinfo=UTC), path))
    return found


def _backup(made: datetime, path: Path) -> Backup:
    damaged = ".damaged.db" in path.name
    try:
        content = json.loads(finding_of(path).read_text(encoding="utf-8"))
        finding = Finding(str(content["wrong"]), int(content["seq"]), str(content["hash"]))
        checked = datetime.fromisoformat(content["checked"])
    except (OSError, ValueError, TypeError, LookupError):  # none there, or one that cannot be read
        return Backup(path, made, DAMAGED if damaged else UNCHECKED)
    return Backup(path, made, DAMAGED if damaged or finding.wrong else VERIFIED, checked, finding)


def finding_of(path: Path) -> Path:
    """The file beside a backup that keeps what its check found."""
    return path.with_name(path.name + _SUFFIX)
