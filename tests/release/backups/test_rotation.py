"""A server's own backups: made when due, named by their time, the newest few kept, and never in the way."""

from __future__ import annotations

import logging
import shutil
import stat
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests.flipping import flip_a_score, flip_the_head
from tests.sentences import says
from workbench.core.atomic_files import ENDING, drafting
from workbench.jobs.background import Turn
from workbench.people.accounts import Accounts, add_account, check_password, open_accounts
from workbench.release.audit.checks import audit
from workbench.release.backups import checks, rotation
from workbench.release.backups.checks import check_accounts, check_campaign, check_in_background
from workbench.release.backups.files import (
    DAMAGED,
    UNCHECKED,
    VERIFIED,
    Backup,
    Finding,
    backups_of,
    newest_verified,
)
from workbench.release.backups.rotation import (
    Schedule,
    back_up,
    back_up_what_is_due,
    backing_up,
    is_due,
    too_old,
)
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.log import log

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


@pytest.fixture
def small_copy(small_file: Path, tmp_path: Path) -> Path:
    """The campaign `small`, which nobody has open."""
    return shutil.copyfile(small_file, tmp_path / "small.db")


@pytest.fixture(autouse=True)
def checks_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process for each check takes half a second; one test below has them."""

    def check(path: Path, *, accounts: bool = False) -> Finding:
        return check_accounts(path) if accounts else check_campaign(path)

    monkeypatch.setattr(rotation, "check_in_background", check)


def names(folder: Path) -> list[str]:
    """The files in a folder, without what is kept beside the copies."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".checked")


def at(time: str) -> str:
    return f"a.auto.20260301T{time}Z.db"


def test_a_backup_is_named_by_its_time_in_utc_and_passes_the_audit(small: Campaign, folder: Path) -> None:
    two_hours_east = timezone(2 * HOUR)
    made = back_up(small.path, Schedule(folder), NOON.astimezone(two_hours_east))
    assert names(folder) == ["small.auto.20260301T120000Z.db"]
    newest = newest_verified(folder, "small", NOON)
    assert newest == backups_of(folder, "small")[0]
    assert newest is not None
    assert (newest.path, newest.made, newest.state, newest.checked) == (made, NOON, VERIFIED, NOON)
    with open_campaign(made) as campaign:
        assert [finding.wrong for finding in audit(campaign) if finding.wrong] == []
        head = log.head(campaign)
    assert newest.finding == Finding("", head.seq, head.hash.hex())


def test_a_backup_is_due_when_there_is_none_of_the_last_interval(folder: Path) -> None:
    schedule = Schedule(folder, every=HOUR)
    assert is_due(schedule, "a", NOON)
    (folder / at("110001")).touch()
    assert not is_due(schedule, "a", NOON)
    assert is_due(schedule, "a", NOON + timedelta(seconds=1))
    assert is_due(schedule, "b", NOON)
    (folder / "b.auto.20990101T000000Z.db").touch()  # from a clock that was ahead
    assert is_due(schedule, "b", NOON)


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


def test_backups_from_a_clock_that_was_ahead_take_no_rungs_of_the_ladder_and_stay(
    small_copy: Path, folder: Path
) -> None:
    schedule = Schedule(folder, keep=2, days=2, weeks=0)
    ahead = [back_up(small_copy, schedule, NOON + hour * HOUR + timedelta(days=365)) for hour in (0, 1)]
    days = [back_up(small_copy, schedule, NOON + timedelta(days=day)) for day in range(4)]
    left = {one.made for one in backups_of(folder, "small")}
    assert left == {NOON + timedelta(days=day) for day in (2, 3)} | {
        NOON + hour * HOUR + timedelta(days=365) for hour in (0, 1)
    }
    newest = newest_verified(folder, "small", NOON + timedelta(days=3))
    assert newest is not None
    assert newest.path == days[-1]
    assert {path.suffix for path in (*ahead, days[-1])} == {".db"}


def test_what_a_killed_server_left_half_made_is_removed_with_the_next_backup(
    path: Path, folder: Path
) -> None:
    (folder / f".{at('110000')}.workbench-draft").mkdir()
    with drafting(folder / at("115900")):
        back_up(path, Schedule(folder), NOON)
        assert names(folder) == [f".{at('115900')}.workbench-draft", at("120000")]


def test_two_servers_with_one_folder_of_backups_make_one_backup_an_interval(path: Path, folder: Path) -> None:
    schedule, start = Schedule(folder), threading.Barrier(2)

    def look(minute: int) -> None:
        start.wait()
        back_up_what_is_due([path], schedule, NOON + timedelta(minutes=minute))

    for minute in (0, 5):
        servers = [threading.Thread(target=look, args=[minute]) for _ in range(2)]
        for server in servers:
            server.start()
        for server in servers:
            server.join()
        assert names(folder) == [at("120000")]
    newest = newest_verified(folder, "a", NOON)
    assert newest is not None
    with open_campaign(newest.path) as campaign:
        assert [finding.wrong for finding in audit(campaign) if finding.wrong] == []


def test_the_accounts_are_backed_up_while_they_are_used_for_their_owner_alone(
    tmp_path: Path, folder: Path
) -> None:
    schedule = Schedule(folder, keep=2)
    with open_accounts(tmp_path) as accounts:
        for hour, name in enumerate(["Anna", "Ben", "Cleo"]):
            add_account(accounts.at(NOON), name, "a long enough one")
            back_up_what_is_due([accounts.path], schedule, NOON + hour * HOUR)
        assert back_up_what_is_due([accounts.path], schedule, NOON + 2.5 * HOUR) == []
    assert names(folder) == [f"accounts.auto.20260301T{end}" for end in ("130000Z.db.zst", "140000Z.db")]
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in names(folder)} == {0o600}
    newest = folder / names(folder)[1]
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
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert back_up_what_is_due([path], Schedule(folder), NOON) == [], "a folder that vanished ends nothing"


@pytest.mark.parametrize(("every", "pause"), [(HOUR, 300), (timedelta(minutes=2), 120)])
def test_the_server_looks_for_what_is_due_every_five_minutes_or_sooner(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, every: timedelta, pause: float
) -> None:
    times = iter([NOON, NOON + timedelta(minutes=1), NOON + HOUR])

    def at_once(name: str, turn: Turn, *, pause: float, patience: float) -> AbstractContextManager[None]:
        for _ in range(3):
            turn(threading.Event())
        return nullcontext(waits.append(pause))

    waits: list[float] = []
    monkeypatch.setattr(rotation, "in_background", at_once)
    with backing_up(lambda: [path], Schedule(folder, every=every), clock=lambda: next(times)):
        assert names(folder) == [f"{at('120000')}.zst", at("130000")]
    assert waits == [pause]


def test_a_thread_makes_them_while_the_block_runs(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = threading.Event()
    real = rotation.back_up_what_is_due

    def and_tell(*given: object) -> list[Path]:
        found = real(*given)  # type: ignore[arg-type]
        made.set()
        return found

    monkeypatch.setattr(rotation, "back_up_what_is_due", and_tell)
    before = set(threading.enumerate())
    with backing_up(lambda: [path], Schedule(folder)):
        assert made.wait(60)
    assert set(threading.enumerate()) <= before
    assert len(names(folder)) == 1
    with backing_up(lambda: [path], None):  # without a schedule
        assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("damage", [flip_a_score, flip_the_head])
def test_a_damaged_copy_says_so_in_its_name_and_takes_no_place_of_one_that_holds(
    small_copy: Path, folder: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    schedule = Schedule(folder, keep=2)
    good = back_up(small_copy, schedule, NOON)
    damage(small_copy)
    for hour in (1, 2, 3):
        back_up(small_copy, schedule, NOON + hour * HOUR)
    stem = small_copy.stem
    assert names(folder) == [good.name, f"{stem}.auto.20260301T150000Z.damaged.db"]
    assert [each.state for each in backups_of(folder, stem)] == [DAMAGED, VERIFIED]
    assert not is_due(schedule, stem, NOON + 3 * HOUR)
    assert f"{small_copy} is damaged (" in caplog.text
    assert says(caplog.text)


def test_of_the_old_ones_the_last_that_holds_is_kept_however_many_were_not_checked() -> None:
    def one(hour: int, state: str) -> Backup:
        return Backup(Path(f"{hour}"), NOON + hour * HOUR, state)

    states = [UNCHECKED, DAMAGED, UNCHECKED, DAMAGED, VERIFIED, VERIFIED]
    backups = [one(-place, state) for place, state in enumerate(states)]
    assert too_old(backups, 1) == [backups[2], backups[5], backups[3]]


def test_a_check_that_comes_to_no_answer_is_logged_and_the_copy_kept(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rotation, "check_in_background", lambda path, accounts: None)
    back_up(path, Schedule(folder), NOON)
    assert [each.state for each in backups_of(folder, "a")] == [UNCHECKED]
    assert newest_verified(folder, "a", NOON) is None
    assert says(caplog.text)


def test_what_a_killed_check_of_accounts_leaves_is_what_the_next_command_removes(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_accounts(tmp_path).close()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    left: list[str] = []

    def opened(at: Path) -> Accounts:
        left.extend(names(folder))
        return open_accounts(at)

    monkeypatch.setattr(checks, "open_accounts", opened)
    assert check_accounts(tmp_path / "accounts.db").wrong == ""
    assert [name.endswith(ENDING) for name in left] == [True]


def test_copies_are_checked_in_a_process_of_their_own(tmp_path: Path, small_copy: Path) -> None:
    open_accounts(tmp_path).close()
    assert check_in_background(small_copy) == check_campaign(small_copy)
    assert check_in_background(tmp_path / "accounts.db", accounts=True) == Finding("", 0, "")
    flip_a_score(small_copy)
    found = check_in_background(small_copy)
    assert found is not None
    assert says(found.wrong)
