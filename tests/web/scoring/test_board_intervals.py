"""How sure a large leaderboard is, is computed in another process; the page never waits for it."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask, g
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.analysis.trust import intervals
from workbench.analysis.trust.intervals import intervals_of, keep_intervals
from workbench.jobs.processes import Jobs, TooManyJobs, Work, WorkerDied, Workers
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.web.requests.long_work import Queues
from workbench.web.scoring import board_intervals

pytestmark = pytest.mark.usefixtures("small")

SURE = "/c/small/api/board/intervals?m=AP"


class HeldWorkers:
    """Worker processes that begin when `gate` is set; what crosses to them is pickled."""

    def __init__(self) -> None:
        self.gate, self.begun, self.deaths = Event(), 0, 0

    def run(self, work: Work, limits: object, **more: object) -> Any:
        self.begun += 1
        if self.begun <= self.deaths:
            raise WorkerDied
        assert self.gate.wait(10)
        function, arguments = pickle.loads(pickle.dumps((work.function, work.arguments)))
        return pickle.loads(pickle.dumps(function(*arguments)))

    def close(self) -> None:
        self.gate.set()


@pytest.fixture
def workers(app: Flask, monkeypatch: pytest.MonkeyPatch) -> HeldWorkers:
    """All boards count as large, and no request waits for other processes."""
    monkeypatch.setattr(board_intervals, "IN_REQUEST", -1.0)
    monkeypatch.setattr(board_intervals, "SOON", 0.0)
    intervals._sure.clear()
    held = HeldWorkers()
    long_work = app.extensions["workbench_long_work"]
    queues = Queues(Jobs(cast("Workers", held)), long_work.queues.drawings)
    app.extensions["workbench_long_work"] = long_work._replace(queues=queues)
    return held


@pytest.fixture
def campaign(small: Path) -> Iterator[Campaign]:
    with open_campaign(small) as opened:
        yield opened


def when_done(client: FlaskClient, address: str, newest: int) -> Any:
    """The answer once it is as of this row."""
    for _ in range(500):
        answer = client.get(address)
        if answer.status_code == 200 and answer.get_json()["seq"] == newest:
            return answer.get_json()
        time.sleep(0.01)
    raise AssertionError(answer.text)


def test_a_large_board_says_that_it_is_being_computed_and_is_computed_once(
    anna: FlaskClient, campaign: Campaign, workers: HeldWorkers, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ben", "1", "d1", 1)
    for _ in range(3):
        answer = anna.get(SURE)
        assert answer.status_code == 202
        assert answer.get_json() == {"message": board_intervals.BEING_COMPUTED}
    page = anna.get("/c/small/board?m=AP&intervals=yes").text
    assert says(page)
    workers.gate.set()
    told = when_done(anna, SURE, log.newest_seq(campaign))
    assert workers.begun == 1
    found = intervals_of(campaign, ["AP"])
    assert list(told["rows"]) == list(found.tags)
    bounds = found.measures[0].bounds
    assert bounds is not None
    assert [cell["open"]["low"] for (cell,) in told["rows"].values()] == bounds.lower.tolist()
    assert "pairs of runs" in told["certain"]["text"] or "pair of runs" in told["certain"]["text"]
    assert board_intervals.BEING_COMPUTED not in anna.get("/c/small/board?m=AP&intervals=yes").text


def test_until_a_judgment_is_in_the_numbers_those_of_an_older_row_are_shown_as_such(
    anna: FlaskClient, campaign: Campaign, workers: HeldWorkers, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ben", "1", "d1", 1)
    before = log.newest_seq(campaign)
    workers.gate.set()
    when_done(anna, SURE, before)
    workers.gate.clear()
    judging_as(campaign, "Ben", "1", "d2", 1)
    answer = anna.get(SURE)
    assert (answer.status_code, answer.get_json()["seq"]) == (200, before)
    assert "Reload the page" in anna.get("/c/small/board?m=AP&intervals=yes").text
    workers.gate.set()
    when_done(anna, SURE, log.newest_seq(campaign))
    assert workers.begun == 2


def test_who_asks_while_a_result_is_being_kept_does_not_begin_anew(
    anna: FlaskClient,
    campaign: Campaign,
    workers: HeldWorkers,
    judging_as: JudgeAs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judging_as(campaign, "Ben", "1", "d1", 1)
    keeping, kept = Event(), Event()

    def slowly(*arguments: Any) -> Any:
        keeping.set()
        assert kept.wait(10)
        return keep_intervals(*arguments)

    monkeypatch.setattr(intervals, "keep_intervals", slowly)
    assert anna.get(SURE).status_code == 202
    workers.gate.set()
    assert keeping.wait(10)
    anna.get(SURE)
    kept.set()
    when_done(anna, SURE, log.newest_seq(campaign))
    assert workers.begun == 1


def test_a_past_board_is_not_shown_as_of_another_row(
    anna: FlaskClient, campaign: Campaign, workers: HeldWorkers, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ben", "1", "d1", 1)
    row = log.newest_seq(campaign)
    judging_as(campaign, "Ben", "1", "d2", 1)
    workers.gate.set()
    when_done(anna, SURE, log.newest_seq(campaign))
    workers.gate.clear()
    assert anna.get(f"{SURE}&as-of={row}").status_code == 202
    workers.gate.set()
    assert when_done(anna, f"{SURE}&as-of={row}", row)["seq"] == row


def test_a_process_that_dies_is_tried_again_with_the_next_request(
    anna: FlaskClient, campaign: Campaign, workers: HeldWorkers, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ben", "1", "d1", 1)
    workers.deaths = 1
    assert anna.get(SURE).status_code in (202, 503)
    workers.gate.set()
    assert when_done(anna, SURE, log.newest_seq(campaign))
    assert workers.begun == 2


def test_what_is_running_is_not_begun_again_and_too_much_is_not_begun_at_all(
    app: Flask, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise TooManyJobs

    files = SimpleNamespace(begin=full)
    held = SimpleNamespace(queues=SimpleNamespace(files=files))
    running: Any = object()
    monkeypatch.setattr(board_intervals, "long_work", lambda: held)
    monkeypatch.setitem(board_intervals._running, "running", running)
    with app.test_request_context():
        g.campaign = campaign
        assert board_intervals._begin("running", Work(len, ("",)), campaign, None) is running  # type: ignore[arg-type]
        assert board_intervals._begin("new", Work(len, ("",)), campaign, None) is None  # type: ignore[arg-type]
    assert "new" not in board_intervals._running


def test_a_request_that_waits_until_a_large_board_is_done_shows_it(
    anna: FlaskClient,
    campaign: Campaign,
    workers: HeldWorkers,
    judging_as: JudgeAs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judging_as(campaign, "Ben", "1", "d1", 1)
    past = log.newest_seq(campaign)
    judging_as(campaign, "Ben", "1", "d2", 1)
    monkeypatch.setattr(board_intervals, "SOON", 60.0)
    workers.gate.set()
    for address, row in ((SURE, past + 1), (f"{SURE}&as-of={past}", past)):
        answer = anna.get(address)
        assert (answer.status_code, answer.get_json()["seq"]) == (200, row)
