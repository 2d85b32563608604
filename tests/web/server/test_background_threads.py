"""No background thread of a server ends by a failure, and readiness says which one fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from tests.fixture_types import MakeApp
from tests.waiting import wait_until
from workbench.jobs import background
from workbench.jobs.background import BackgroundThread, running
from workbench.release.backups.rotation import Schedule
from workbench.storage.instance import monitor_token
from workbench.web.server.serving import in_the_background


def readiness(app: Flask, instance: Path) -> tuple[int, dict[str, str]]:
    """The status that monitors get, and what fails by the name of its thread."""
    answer = app.test_client().get(
        "/health/ready", headers={"Authorization": f"Bearer {monitor_token(instance)}"}
    )
    assert answer.json is not None
    return answer.status_code, {one["name"]: one["failure"] for one in answer.json["background"]}


def failing_then_well(app: Flask, instance: Path, thread: BackgroundThread, n_failures: int) -> None:
    """Let so many turns of a thread fail, and see that readiness says so until one succeeds."""
    usual, left = thread.turn, list(range(n_failures))
    failed: list[tuple[int, dict[str, str]]] = []

    def turn(stop: object) -> object:
        if left:
            left.pop()
            raise OSError(24, "Too many open files")
        if not failed:
            failed.append(readiness(app, instance))
        return usual(stop)  # type: ignore[arg-type]

    thread.turn = turn
    wait_until(lambda: failed)
    wait_until(lambda: not thread.failure)
    well = dict.fromkeys((other.name for other in running()), "")
    assert failed == [(503, well | {thread.name: "[Errno 24] Too many open files"})]
    assert readiness(app, instance) == (200, well)
    thread.turn = usual


def test_each_background_thread_that_fails_goes_on_afterwards_and_readiness_says_so_meanwhile(
    make_app: MakeApp, instance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "AFTER_FAILURE", 0.01)
    monkeypatch.setattr(
        background, "BackgroundThread", lambda name, turn, pause: BackgroundThread(name, turn, 0.01)
    )
    (tmp_path / "kept").mkdir()
    schedule = Schedule(tmp_path / "kept")
    app = make_app(backups=schedule)
    with in_the_background(app, schedule):
        threads = running()
        assert len(threads) > 4
        wait_until(lambda: readiness(app, instance)[0] == 200)
        for thread in threads:
            failing_then_well(app, instance, thread, n_failures=2)
