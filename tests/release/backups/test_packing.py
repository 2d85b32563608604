"""Older backups are compressed: what comes out is what went in, also after a kill, and one command restores it."""

from __future__ import annotations

import io
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.sentences import refused
from workbench.core.errors import CampaignError, UnusableCampaign
from workbench.jobs.processes import Work
from workbench.release.audit.checks import audit
from workbench.release.backups import checks, packing, rotation
from workbench.release.backups.checks import check_campaign
from workbench.release.backups.files import (
    DAMAGED,
    UNCHECKED,
    VERIFIED,
    Backup,
    backups_of,
    name_of,
    newest_verified,
    put_in_place,
)
from workbench.release.backups.packing import copy_of, pack, pack_in_background, to_pack
from workbench.release.backups.restoring import restore
from workbench.release.backups.rotation import Schedule, back_up, too_old
from workbench.storage.campaign import Campaign, backup, open_campaign
from workbench.storage.campaign.log import log

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir(mode=0o700)
    return tmp_path / "backups"


def checked(campaign: Campaign, folder: Path, at: datetime) -> Path:
    """An automatic backup as the server leaves it."""
    draft = folder / "draft"
    backup(campaign, draft)
    return put_in_place(draft, folder / name_of("small", at), check_campaign(draft), at)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work of other processes is done in this one."""

    class Here:
        def run(self, work: Work, _: object) -> object:
            return work.function(*work.arguments)

        def close(self) -> None:
            """Nothing to end."""

    for module in (packing, checks):
        monkeypatch.setattr(module, "Workers", Here)
    monkeypatch.setattr(checks.os, "nice", lambda _: 0)


def ladder(times: list[datetime], keep: int, days: int, weeks: int) -> list[datetime]:
    """What is left of backups that hold when each was made at its time and the old ones were removed then."""
    left: list[Backup] = []
    for at in times:
        left.insert(0, Backup(Path(f"{at}"), at, VERIFIED))
        gone = too_old(left, keep, days, weeks)
        left = [one for one in left if one not in gone]
    return [one.made for one in left]


def test_hours_days_and_weeks_are_kept_of_backups_every_hour_for_ten_weeks() -> None:
    times = [NOON + number * HOUR for number in range(70 * 24)]
    left = ladder(times, 24, 14, 8)
    newest = times[-1]
    assert left[:24] == [newest - hour * HOUR for hour in range(24)]
    days = sorted({at.date() for at in left}, reverse=True)
    assert days[:14] == [(newest - day * DAY).date() for day in range(14)]
    weeks = sorted({at.isocalendar()[:2] for at in left}, reverse=True)
    assert weeks == [(newest - 7 * week * DAY).isocalendar()[:2] for week in range(8)]
    assert len(left) <= 24 + 14 + 8
    assert newest - left[-1] > 7 * 7 * DAY - 7 * DAY
    off_for_a_month = [NOON + day * DAY for day in (0, 1, 2, 3, 4, 40)]
    assert ladder(off_for_a_month, 1, 14, 8) == off_for_a_month[::-1]


def test_of_a_day_the_backup_that_holds_is_kept_and_not_a_newer_one_that_nobody_checked() -> None:
    old = [
        Backup(Path("c"), NOON - DAY + 2 * HOUR, DAMAGED),
        Backup(Path("b"), NOON - DAY + HOUR, UNCHECKED),
        Backup(Path("a"), NOON - DAY, VERIFIED),
    ]
    newest = Backup(Path("d"), NOON, VERIFIED)
    assert [one.path.name for one in too_old([newest, *old], 1, 14, 0)] == ["b"]


def test_all_that_hold_are_packed_but_the_newest_and_nothing_else() -> None:
    states = [DAMAGED, UNCHECKED, VERIFIED, VERIFIED, UNCHECKED, VERIFIED]
    names = ["f.db", "e.db", "d.db", "c.db", "b.db", "a.db.zst"]
    backups = [
        Backup(Path(name), NOON - place * HOUR, state)
        for place, (name, state) in enumerate(zip(names, states, strict=True))
    ]
    assert [one.path.name for one in to_pack(backups)] == ["c.db"]


def test_older_backups_are_packed_keep_their_finding_and_are_restored_by_one_command(
    small: Campaign, folder: Path, tmp_path: Path, at_once: None
) -> None:
    plain = checked(small, folder, NOON)
    size, mode, head = plain.stat().st_size, stat.S_IMODE(plain.stat().st_mode), log.head(small)
    with small.write():
        log.append_event(small.by("Olga"), "note", {})
    checked(small, folder, NOON + HOUR)
    newest = back_up(small.path, Schedule(folder), NOON + 2 * HOUR)
    found = backups_of(folder, "small")
    assert [one.path.name for one in found] == [
        newest.name,
        "small.auto.20260301T130000Z.db.zst",
        "small.auto.20260301T120000Z.db.zst",
    ]
    assert [one.state for one in found] == [VERIFIED] * 3
    packed = found[-1].path
    assert packed.stat().st_size < size / 2
    assert stat.S_IMODE(packed.stat().st_mode) == mode
    target = tmp_path / "again.db"
    assert restore(packed, target).head == head
    with open_campaign(target) as campaign:
        assert [finding.wrong for finding in audit(campaign) if finding.wrong] == []


@pytest.mark.parametrize("moment", ["finding", "packed", "plain"])
def test_killed_while_packing_a_backup_that_holds_is_there_and_the_next_one_goes_on(
    small: Campaign, folder: Path, at_once: None, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    checked(small, folder, NOON)
    checked(small, folder, NOON + HOUR)
    old = backups_of(folder, "small")[-1]
    names = {"finding": "_keep_finding", "packed": "put_over", "plain": "remove"}

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(packing, names[moment], killed)
        with pytest.raises(KeyboardInterrupt):
            pack_in_background(old)
    assert next(one.state for one in backups_of(folder, "small") if one.made == NOON) == VERIFIED
    (again,) = [one for one in to_pack(backups_of(folder, "small")) if one.made == NOON]
    made = pack_in_background(again)
    assert [(one.path, one.state) for one in backups_of(folder, "small")][1:] == [(made, VERIFIED)]
    left = {path.name for path in folder.iterdir()}
    assert left == {
        *(f"small.auto.20260301T130000Z.db{end}" for end in ("", ".checked")),
        *(f"small.auto.20260301T120000Z.db.zst{end}" for end in ("", ".checked")),
    }


def test_what_is_packed_wrongly_or_damaged_later_takes_no_place(
    small: Campaign, folder: Path, tmp_path: Path, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = checked(small, folder, NOON)
    packed = tmp_path / "packed.db.zst"
    pack(plain, packed)
    flipped = bytearray(packed.read_bytes())
    flipped[len(flipped) // 2] ^= 1
    bad = tmp_path / "bad.db.zst"
    bad.write_bytes(flipped)
    short = tmp_path / "short.db.zst"
    short.write_bytes(packed.read_bytes()[:-40])
    for broken in (bad, short):
        with pytest.raises((CampaignError, UnusableCampaign)):
            restore(broken, tmp_path / "again.db")
    assert not (tmp_path / "again.db").exists()

    def failing(_: Backup) -> Path:
        raise OSError("the disk is full")

    monkeypatch.setattr(rotation, "pack_in_background", failing)
    made = back_up(small.path, Schedule(folder), NOON + HOUR)
    assert made.exists() and plain.exists()
    good = newest_verified(folder, "small", NOON + HOUR)
    assert good is not None and good.path == made


def test_what_is_packed_has_a_checksum_and_what_is_unpacked_is_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"rivers and lakes" * 9)
    pack(tmp_path / "plain", tmp_path / "packed.zst")
    assert (tmp_path / "packed.zst").read_bytes()[4] & 4  # RFC 8878, 3.1.1.1.1
    copy_of(tmp_path / "packed.zst", tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "plain").read_bytes()
    assert stat.S_IMODE((tmp_path / "again").stat().st_mode) == 0o600


def test_what_does_not_come_out_as_it_was_packed_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(*_: Any, **__: Any) -> Any:
        return io.BytesIO(b"other")

    (tmp_path / "a.db").write_bytes(b"whole")
    monkeypatch.setattr("workbench.release.backups.packing._unpacked", forgetful)
    with refused(OSError):
        pack(tmp_path / "a.db", tmp_path / "a.db.zst")
