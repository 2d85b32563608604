"""A server's own backups: made when due, named by their time, the newest few kept, and never in the way."""

from __future__ import annotations

import logging
import stat
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from workbench import rotating_backups
from workbench.accounts import add_account, check_password, open_accounts
from workbench.audit import audit
from workbench.campaign import Campaign, create_campaign, open_campaign
from workbench.rotating_backups import (
    Schedule,
    back_up,
    back_up_what_is_due,
    backing_up,
    is_due,
    keep_backing_up,
)

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_campaign(tmp_path / "a.db").close()
    return tmp_path / "a.db"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def at(time: str) -> str:
    return f"a.auto.20260301T{time}Z.db"


def test_a_backup_is_named_by_its_time_in_utc_and_passes_the_audit(small: Campaign, folder: Path) -> None:
    two_hours_east = timezone(2 * HOUR)
    made = back_up(small.path, Schedule(folder), NOON.astimezone(two_hours_east))
    assert names(folder) == ["small.auto.20260301T120000Z.db"]
    with open_campaign(made) as campaign:
        assert [finding.wrong for finding in audit(campaign) if finding.wrong] == []


def test_a_backup_is_due_when_there_is_none_of_the_last_interval(folder: Path) -> None:
    schedule = Schedule(folder, every=HOUR)
    assert is_due(schedule, "a", NOON)
    (folder / at("110001")).touch()
    assert not is_due(schedule, "a", NOON)
    assert is_due(schedule, "a", NOON + timedelta(seconds=1))
    assert is_due(schedule, "b", NOON)


def test_a_backup_from_a_clock_that_was_ahead_holds_up_no_others(folder: Path) -> None:
    (folder / "a.auto.20990101T000000Z.db").touch()
    assert is_due(Schedule(folder), "a", NOON)


def test_the_newest_are_kept_and_only_files_made_here_are_removed(path: Path, folder: Path) -> None:
    others = ["a.db", "a.20260301T090000Z.db", "a.auto.kept.db", "b.auto.20260301T090000Z.db", "aXauto.db"]
    for name in (*others, at("090000"), at("100000"), at("110000"), "a.auto.20261399T000000Z.db"):
        (folder / name).touch()
    back_up(path, Schedule(folder, keep=2), NOON)
    assert set(names(folder)) == {*others, "a.auto.20261399T000000Z.db", at("110000"), at("120000")}


def test_the_backup_just_made_stays_also_when_the_clock_went_back(path: Path, folder: Path) -> None:
    for time in ("130000", "140000"):
        (folder / at(time)).touch()
    back_up(path, Schedule(folder, keep=2), NOON)
    assert names(folder) == [at("120000"), at("130000"), at("140000")]


def test_what_a_killed_server_left_half_made_is_removed_a_day_later(path: Path, folder: Path) -> None:
    for draft in (".a.auto.20260228T110000Z.db.part", ".a.auto.20260301T115900Z.db.part"):
        (folder / draft).touch()
    back_up(path, Schedule(folder), NOON)
    assert names(folder) == [".a.auto.20260301T115900Z.db.part", at("120000")]


def test_the_accounts_are_backed_up_while_they_are_used_for_their_owner_alone(
    tmp_path: Path, folder: Path
) -> None:
    schedule = Schedule(folder, keep=2)
    with open_accounts(tmp_path) as accounts:
        for hour, name in enumerate(["Anna", "Ben", "Cleo"]):
            add_account(accounts, name, "a long enough one", now=NOON)
            back_up_what_is_due([accounts.path], schedule, NOON + hour * HOUR)
        assert back_up_what_is_due([accounts.path], schedule, NOON + 2.5 * HOUR) == []
    assert names(folder) == [f"accounts.auto.20260301T{hour}0000Z.db" for hour in (13, 14)]
    newest = folder / names(folder)[1]
    assert stat.S_IMODE(newest.stat().st_mode) == 0o600
    newest.rename(folder / "accounts.db")
    with open_accounts(folder) as copy:
        assert check_password(copy, "Cleo", "a long enough one") is not None


def test_a_backup_that_fails_is_logged_and_leaves_nothing_while_the_others_go_on(
    path: Path, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "broken.db").write_text("no campaign")
    made = back_up_what_is_due([tmp_path / "broken.db", path], Schedule(folder), NOON)
    assert made == [folder / at("120000")]
    assert names(folder) == [at("120000")]
    ((_, level, message),) = caplog.record_tuples
    assert level == logging.ERROR
    assert message.startswith(f"no backup of {tmp_path / 'broken.db'} was made: ")


def test_a_folder_that_vanished_ends_nothing(
    path: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.rmdir()
    assert back_up_what_is_due([path], Schedule(folder), NOON) == []
    assert "no backup of" in caplog.text


def test_backups_go_on_until_they_are_stopped(path: Path, folder: Path) -> None:
    times = [NOON, NOON + timedelta(minutes=5), NOON + HOUR]
    clock, waits = iter(times), []

    def stopped(seconds: float) -> bool:
        waits.append(seconds)
        return len(waits) == len(times)

    keep_backing_up(lambda: [path], Schedule(folder), stopped=stopped, clock=lambda: next(clock))
    assert names(folder) == [at("120000"), at("130000")]
    assert waits == [300, 300, 300]


def test_campaigns_that_cannot_be_listed_once_are_listed_the_next_time(
    path: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = iter([True, False])

    def paths() -> list[Path]:
        if next(answers):
            message = "the disk is gone"
            raise OSError(message)
        return [path]

    stops = iter([False, True])
    keep_backing_up(paths, Schedule(folder), stopped=lambda _: next(stops), clock=lambda: NOON)
    assert names(folder) == [at("120000")]
    assert "no backups were made: the disk is gone" in caplog.text


def test_a_thread_makes_them_while_the_block_runs(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = threading.Event()
    real = rotating_backups.back_up_what_is_due

    def and_tell(*given: object) -> list[Path]:
        found = real(*given)  # type: ignore[arg-type]
        made.set()
        return found

    monkeypatch.setattr(rotating_backups, "back_up_what_is_due", and_tell)
    before = set(threading.enumerate())
    with backing_up(lambda: [path], Schedule(folder)):
        assert made.wait(60)
    assert set(threading.enumerate()) <= before
    assert len(names(folder)) == 1


def test_without_a_schedule_nothing_runs(path: Path) -> None:
    before = set(threading.enumerate())
    with backing_up(lambda: [path], None):
        assert set(threading.enumerate()) <= before
