"""A monitor learns whether the server works, and nothing else."""

from __future__ import annotations

import errno
import logging
import shutil
import stat
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.sentences import says
from tests.waiting import wait_until
from tests.web.conftest import MakeApp, SignIn
from workbench.jobs.background import running
from workbench.people.accounts import AccountsUnavailable, begin_session, find_session, open_accounts
from workbench.release.backups.files import Finding, name_of, put_in_place
from workbench.release.backups.rotation import Schedule
from workbench.storage.campaign import open_campaign
from workbench.storage.instance import InstanceError, Space, monitor_token
from workbench.web.monitoring import watching as watch_module
from workbench.web.monitoring.watching import STALE, Look, Watch, warnings_of, watching


def test_a_server_that_works_says_so_and_no_more(app: Flask) -> None:
    answer = app.test_client().get("/health")
    assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert app.test_client().head("/health").status_code == 200


def damaged(path: Path) -> None:
    path.write_text("no database, and longer than the header of one\n" * 200)


@pytest.mark.parametrize("asked_before", [True, False])
@pytest.mark.parametrize(
    ("name", "harm", "said"),
    [
        ("", shutil.rmtree, "[Errno 2] No such file or directory: '{}'"),
        ("accounts.db", Path.unlink, "{}"),
        ("accounts.db", damaged, "{}"),
        ("accounts.db", lambda path: path.write_bytes(b"\xff" * 8192), "{}"),
    ],
    ids=["no instance", "no accounts", "damaged", "overwritten"],
)
def test_an_instance_or_accounts_that_are_gone_or_damaged_are_said_and_stay_so(
    app: Flask,
    instance: Path,
    caplog: pytest.LogCaptureFixture,
    asked_before: bool,
    name: str,
    harm: Callable[[Path], None],
    said: str,
) -> None:
    client, path = app.test_client(), instance / name
    if asked_before:
        assert client.get("/health").status_code == 200
    harm(path)
    there = path.exists()
    answer = client.get("/health")
    assert (answer.status_code, answer.get_json()) == (503, {"status": "unavailable"})
    assert path.exists() is there
    assert "not healthy: " + said.format(path) in caplog.text


def as_monitor(app: Flask, path: str = "/health/ready", token: str = "") -> TestResponse:
    right = token or monitor_token(Path(app.instance_path))
    return app.test_client().get(path, headers={"Authorization": f"Bearer {right}"})


def looked(app: Flask) -> Look:
    watch: Watch = app.extensions["workbench_watch"]
    return watch.look()


def test_everybody_learns_one_word_and_monitors_the_state_of_each_campaign(
    app: Flask, small: Path, client_of: SignIn
) -> None:
    for who in (None, "Carla", "Anna"):
        answer = client_of(app, who).get("/health/ready")
        assert (answer.status_code, answer.get_json()) == (200, {"status": "ready"})
    assert as_monitor(app, token="x" * 43).get_json() == {"status": "ready"}
    said = as_monitor(app).get_json()
    assert said["status"] == "ready"
    assert {one["name"]: one["state"] for one in said["campaigns"]} == {"robust": "ready", "small": "ready"}
    (space,) = said["space"]
    assert (space["place"], 0 < space["free_bytes"] < space["size_bytes"]) == ("instance", True)


@pytest.mark.parametrize(
    ("harm", "state"), [(Path.unlink, "gone"), (damaged, "unreadable")], ids=["gone", "damaged"]
)
def test_one_campaign_that_cannot_be_used_makes_a_server_not_ready_and_alive(
    app: Flask,
    small: Path,
    client_of: SignIn,
    harm: Callable[[Path], None],
    state: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert looked(app).is_ready()
    kept = small.read_bytes()
    harm(small)
    looked(app)
    looked(app)
    answer = client_of(app, None).get("/health/ready")
    assert (answer.status_code, answer.get_json()) == (503, {"status": "not ready"})
    assert client_of(app, None).get("/health").status_code == 200
    said = {one["name"]: one["state"] for one in as_monitor(app).get_json()["campaigns"]}
    assert said == {"robust": "ready", "small": state}
    alarms = [record for record in caplog.records if "campaign small" in record.getMessage()]
    assert [record.levelno for record in alarms] == [logging.ERROR]  # once, however often it is looked at
    other = small.with_name("small.aside")
    other.write_bytes(kept)
    other.replace(small)
    assert looked(app).is_ready()
    assert caplog.messages[-1] == f"campaign small ({state}): recovered"


def test_a_campaign_that_another_program_writes_to_for_too_long_is_not_ready(
    app: Flask, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.web.monitoring.watching.PATIENCE", 0.01)
    with open_campaign(small) as other:
        other.db.conn.execute("BEGIN IMMEDIATE")
        assert [one.state for one in looked(app).campaigns] == ["ready", "busy"]
        other.db.conn.execute("ROLLBACK")
    assert looked(app).is_ready()


def test_a_disk_without_room_makes_a_server_not_ready(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("workbench.web.monitoring.watching.tempfile.TemporaryFile", full)
    assert not looked(app).is_ready()


def test_a_look_that_is_too_old_is_no_proof(app: Flask) -> None:
    look = looked(app)
    assert look.is_ready()
    assert not look._replace(clock=look.clock - STALE).is_ready()


def test_a_server_looks_by_itself(app: Flask) -> None:
    watch: Watch = app.extensions["workbench_watch"]
    held = app.extensions["workbench_connections"]
    times = [looked(app).clock]
    with watching(watch, held.settle, pause=0.01):
        until = time.monotonic() + 60
        while len(times) < 4 and time.monotonic() < until:
            if watch.latest().clock > times[-1]:
                times.append(watch.latest().clock)
    assert len(times) == 4


def test_a_disk_with_less_than_a_tenth_free_is_warned_of_where_organisers_look(
    anna: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert "nearly full" not in anna.get("/c/robust/dashboard").text
    usage = SimpleNamespace(free=3_100_000_000, total=50_000_000_000)
    monkeypatch.setattr("workbench.storage.instance.shutil.disk_usage", lambda _: usage)
    looked(app)
    (warning,) = as_monitor(app).get_json()["warnings"]
    for said in (anna.get("/c/robust/dashboard").text, caplog.text, warning):
        assert "3.1 GB of 50.0 GB are free (6 %)" in said
    assert as_monitor(app).status_code == 200  # people can judge


def test_the_token_of_monitors_is_for_the_owner_alone_and_stays(app: Flask, instance: Path) -> None:
    file = instance / "monitor_token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert monitor_token(instance) == file.read_text() == monitor_token(instance)
    file.write_text("short")
    with pytest.raises(InstanceError, match="delete it"):
        monitor_token(instance)


def backed_up(folder: Path, name: str, hours: int, *, wrong: str = "") -> None:
    """Put a checked backup into a folder, of so many hours ago."""
    now = datetime.now(UTC)
    made = folder / name_of(name, now - timedelta(hours=hours))
    made.with_suffix(".draft").touch()
    put_in_place(made.with_suffix(".draft"), made, Finding(wrong, 1, "ab"), now)


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@pytest.mark.usefixtures("small")
def test_readiness_names_an_old_backup_of_a_server_that_makes_them(make_app: MakeApp, backups: Path) -> None:
    for name, hours in (("small", 9), ("robust", 1), ("accounts", 1)):
        backed_up(backups, name, hours)
    (backups / name_of("small", datetime.now(UTC) - timedelta(hours=1))).touch()  # one that nobody checked
    said = as_monitor(make_app(backups=Schedule(backups, every=timedelta(hours=2)))).get_json()
    ages = {one["name"]: one["newest_backup_seconds"] // 3600 for one in said["campaigns"]}
    assert (ages, said["accounts_backup_seconds"] // 3600) == ({"robust": 1, "small": 9}, 1)
    assert says("\n".join(said["warnings"]))
    assert [one["place"] for one in said["space"]] == ["instance", "backups"]


@pytest.mark.usefixtures("small")
def test_a_damaged_newest_backup_is_an_alarm_while_an_older_one_still_holds(
    make_app: MakeApp, backups: Path
) -> None:
    for hours, wrong in ((1, ""), (0, "row 7 of the log does not follow row 6")):
        backed_up(backups, "small", hours, wrong=wrong)
    look = looked(make_app(backups=Schedule(backups, every=timedelta(hours=2))))
    assert (look.overdue, look.damaged) == ((), ("small",))
    assert says("\n".join(warnings_of(look, ["small", "accounts"])), "small")
    assert warnings_of(look, ["robust"]) == []


@pytest.mark.usefixtures("small")
def test_a_backup_from_a_clock_that_was_ahead_hides_no_missing_one(make_app: MakeApp, backups: Path) -> None:
    for days in (1, -365):
        backed_up(backups, "small", days * 24)
    said = as_monitor(make_app(backups=Schedule(backups))).get_json()
    assert says("\n".join(said["warnings"]))
    ages = {one["name"]: one["newest_backup_seconds"] for one in said["campaigns"]}
    assert ages["small"] // 86_400 == 1


def test_a_server_brings_back_what_lies_ahead_of_its_clock_and_says_so(
    app: Flask, instance: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = datetime.now(UTC)
    with open_accounts(instance) as accounts:
        token = begin_session(accounts.at(now + timedelta(days=365)), "Ben")
        assert looked(app).is_ready()
        assert find_session(accounts.at(now + timedelta(hours=1)), token) is None
    assert says("\n".join(caplog.messages))


@pytest.mark.parametrize(
    ("seconds", "state", "words"), [(10.0, "ready", ""), (10.123456, "stuck", "more than 10 s")]
)
def test_a_writer_that_has_waited_for_more_than_ten_seconds_is_stuck(
    app: Flask, monkeypatch: pytest.MonkeyPatch, seconds: float, state: str, words: str
) -> None:
    waiting = "workbench.storage.campaign.file.write_queue.WriteQueue.waiting"
    monkeypatch.setattr(waiting, lambda _: (3, seconds))
    (robust,) = looked(app).campaigns
    assert (robust[:2], robust[3:5], words in robust.message) == (("robust", state), (3, seconds), True)
    (said,) = as_monitor(app).get_json()["campaigns"]
    assert said["oldest_writer_seconds"] == round(seconds, 3)


@pytest.mark.parametrize("name", ["can_be_read", "bring_back"])
def test_accounts_that_cannot_be_read_or_written_make_a_server_not_ready(
    app: Flask, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AccountsUnavailable("accounts.db: the disk is full")

    monkeypatch.setattr(watch_module, name, fail)
    assert not looked(app).accounts
    assert not looked(app).is_ready()


def test_all_that_is_wrong_is_told_once_and_what_is_worst_as_an_error(app: Flask) -> None:
    look = looked(app)
    (robust,) = look.campaigns
    wrong = look._replace(
        accounts=False,
        room=False,
        campaigns=(robust._replace(state="gone", message="it is gone"),),
        spaces=(Space("backups", 10, 100), Space("campaigns", 9, 100)),
        overdue=("robust",),
        damaged=("accounts",),
    )
    assert list(watch_module._alarms(look)) == []
    assert says("\n".join(map(": ".join, watch_module._alarms(wrong))), "robust", "accounts", "65536")
    assert says("\n".join(map(": ".join, watch_module._warnings(wrong))), "(9 %)", "robust", "accounts")
    assert says("\n".join(warnings_of(wrong)))


def test_a_backup_is_overdue_after_two_intervals_and_ten_minutes(app: Flask, instance: Path) -> None:
    held = app.extensions["workbench_connections"]
    watch = Watch(held, instance, Schedule(instance / "backups", every=timedelta(hours=1)))
    limit = 2 * 3600 + 600
    copies = {"fresh": None, "old": None, "new": [], "lost": None}
    ages = {"fresh": float(limit), "old": limit + 0.1, "new": None, "lost": None}
    assert list(watch._overdue(copies, ages)) == ["old", "lost"]  # type: ignore[arg-type]
    assert list(Watch(held, instance)._overdue(copies, ages)) == []  # type: ignore[arg-type]


def test_files_are_let_go_of_after_a_look_that_fails() -> None:
    settled: list[None] = []
    failing = SimpleNamespace(look=lambda: 1 / 0)
    with watching(failing, lambda: settled.append(None), pause=0.01):  # type: ignore[arg-type]
        wait_until(lambda: [thread.failure for thread in running()] == ["division by zero"])
    assert settled == [None]


def test_a_look_is_asked_for_again_after_fifteen_seconds_and_never_by_two_at_once(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(watch_module, "time", SimpleNamespace(monotonic=lambda: now))
    watch: Watch = app.extensions["workbench_watch"]
    first = watch.latest()
    now = 1014.9
    assert watch.latest() is first
    now = 1015.0
    with watch._lock:
        assert watch.latest() is first, "while another thread looks"
    assert watch.latest().clock == 1015.0


def test_a_backup_folder_that_is_gone_makes_the_backups_of_all_files_overdue(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(backups=Schedule(tmp_path / "not mounted"))
    look = looked(app)
    assert (look.overdue, look.damaged, look.backup) == (("robust", "accounts"), (), None)
    assert look.is_ready(), "people can judge"
