"""What people see of a job: its name, how far it is, and an end that no reload and no restart loses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.sentences import says
from tests.waiting import wait_until
from workbench.core.errors import CampaignError
from workbench.jobs.processes import (
    Jobs,
    JobStore,
    Outcome,
    StartedJob,
    Step,
    Title,
    TooManyJobs,
    Work,
    Workers,
)

TITLE = Title("Release bundle", "release", "Anna")
ENDLESS = Work(time.sleep, (3600,))
PID = Work(os.getpid)
DONE = Outcome("robust-12.zip, 1.2 MB.", "/c/robust/publish/bundle?as_of=12", "Download")


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    found = Workers()
    yield found
    found.close()


@pytest.fixture
def book(tmp_path: Path, workers: Workers) -> JobStore:
    return JobStore(Jobs(workers), tmp_path / "jobs")


def begin(book: JobStore, work: Work, owner: str = "robust", **more: Any) -> StartedJob:
    return book.begin(owner, TITLE, lambda run: run(work), outcome_of=lambda _: DONE, **more)


def states(book: JobStore) -> list[str]:
    return [record.state for record in book.of("robust")]


def test_a_job_that_is_done_is_found_with_its_result_also_after_a_restart(
    book: JobStore, tmp_path: Path
) -> None:
    id_, job = begin(book, PID)
    job.wait()
    for each in (book, JobStore(Jobs(None), tmp_path / "jobs")):
        (record,) = each.of("robust", "release")
        assert (record.id, record.title, record.state, record.outcome) == (id_, TITLE, "done", DONE)
        assert record.ended >= record.at
        assert each.of("robust", "pool") == []
        assert each.find("another", id_) is None


def test_cancel_ends_a_job_and_says_at_which_step(book: JobStore) -> None:
    known, reported = Event(), Event()

    def body(run: Callable[[Work], Any]) -> Any:
        known.wait(60)
        job.report(Step(1, 3, "runs/bm25.run"))
        reported.set()
        return run(ENDLESS)

    id_, job = book.begin("robust", TITLE, body, partly=lambda: ["gamma.run"])
    known.set()
    assert reported.wait(60)
    wait_until(lambda: states(book) == ["running"])
    assert book.cancel("another", id_) is False
    assert book.cancel("robust", id_) is True
    job.wait()
    (record,) = book.of("robust")
    assert (record.state, record.step.what, record.outcome.detail) == (
        "cancelled",
        "runs/bm25.run",
        ["gamma.run"],
    )
    assert book.cancel("robust", id_) is False


def fail(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("work", "user_errors", "said"),
    [
        (Work(os.abort), (), "Its process ended before it was done (killed by signal 6"),
        (Work(fail, (CampaignError("no run was chosen"),)), (CampaignError,), "No run was chosen."),
        (Work(fail, (CampaignError("/srv/robust.db is locked"),)), (), "Something went wrong on our side"),
    ],
)
def test_a_job_that_fails_says_why_in_a_sentence_and_paths_stay_in_the_log(
    book: JobStore,
    work: Work,
    user_errors: tuple[type[Exception], ...],
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    _, job = begin(book, work, user_errors=user_errors)
    job.wait()
    (record,) = book.of("robust")
    assert record.state == "failed"
    assert record.outcome.said.startswith(said)
    assert ("/srv/robust.db" in caplog.text) == said.startswith("Something")


def test_the_same_key_is_one_job_until_it_ends(book: JobStore) -> None:
    ended: list[str] = []
    first = begin(book, ENDLESS, key=7, afterwards=lambda: ended.append("first"))
    again = begin(book, ENDLESS, key=7, afterwards=lambda: ended.append("again"))
    assert (again, ended) == (first, []), "what the first one works on is not removed under it"
    assert begin(book, PID, owner="another", key=7).id != first.id
    book.cancel("robust", first.id)
    assert begin(book, PID, key=7).id != first.id
    first.job.wait()
    assert ended == ["first"]


def test_a_job_that_is_shown_as_done_is_never_handed_out_as_the_unfinished_one(book: JobStore) -> None:
    found: list[tuple[str, bool, bool]] = []

    def look() -> None:  # its end can be seen, and those who wait for it have not gone on
        (record,) = book.of("robust")
        another = begin(book, PID, key="audit")
        found.append((record.state, another.id == record.id, book.cancel("robust", record.id)))

    first = begin(book, PID, key="audit", afterwards=look)
    first.job.wait()
    assert found == [("done", False, False)]
    wait_until(lambda: states(book) == ["done", "done"])


def test_a_job_that_is_refused_is_none(tmp_path: Path, workers: Workers) -> None:
    book, ended = JobStore(Jobs(workers, at_once=1, waiting=0), tmp_path / "jobs"), []
    first = begin(book, ENDLESS)
    wait_until(lambda: states(book) == ["running"])
    with pytest.raises(TooManyJobs):
        begin(book, PID, afterwards=lambda: ended.append("refused"))
    assert (states(book), ended) == (["running"], ["refused"])
    first.job.cancel()
    first.job.wait()
    assert len(list((tmp_path / "jobs").rglob("*.json"))) == 1


def test_what_the_server_did_not_finish_was_interrupted(tmp_path: Path) -> None:
    book = JobStore(Jobs(Workers()), tmp_path / "jobs")
    begin(book, ENDLESS)
    wait_until(lambda: states(book) == ["running"])
    other = JobStore(Jobs(None), tmp_path / "jobs")  # of a second server over the same folder
    assert [(record.is_unfinished, record.is_ours) for record in other.of("robust")] == [(True, False)]
    book.close()
    (record,) = other.of("robust")
    assert record.state == "interrupted"
    assert says(record.outcome.said)


def test_a_server_that_is_killed_leaves_interrupted_jobs(tmp_path: Path) -> None:
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from workbench.jobs.processes import JobStore, Jobs, Title, Work, Workers\n"
        "book = JobStore(Jobs(Workers()), Path(sys.argv[1]))\n"
        "book.begin('robust', Title('Audit', 'release', 'Anna'), lambda run: run(Work(time.sleep, (3600,))))\n"
        "print('begun', flush=True)\n"
        "time.sleep(3600)\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "begun\n"
    book = JobStore(Jobs(None), tmp_path)
    assert [record.is_unfinished for record in book.of("robust")] == [True]
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    # A process that it was just starting has the same files open until it notices.
    wait_until(lambda: states(book) == ["interrupted"])


def test_the_newest_jobs_are_kept_and_none_for_ever(tmp_path: Path) -> None:
    book = JobStore(Jobs(None), tmp_path / "jobs")
    first = begin(book, PID)
    ids = [begin(book, PID).id for _ in range(22)]
    assert {record.id for record in book.of("robust")} == set(ids[-20:])
    assert len(list((tmp_path / "jobs").rglob("*.json"))) == 20
    (path,) = (tmp_path / "jobs").rglob(f"{ids[-1]}.json")
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "at": "2026-01-01T00:00:00.000+00:00"}))
    later = JobStore(Jobs(None), tmp_path / "jobs")
    begin(later, PID)
    assert not {first.id, ids[-1]} & {record.id for record in later.of("robust")}


def test_a_record_that_cannot_be_written_or_read_stops_no_job(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "jobs").write_text("a file where the folder should be")
    book = JobStore(Jobs(None), tmp_path / "jobs")
    begin(book, PID)
    assert states(book) == ["done"]
    assert says(caplog.text)
    other = JobStore(Jobs(None), tmp_path / "others")
    begin(other, PID)
    (path,) = (tmp_path / "others").rglob("*.json")
    path.write_text('{"id": ')
    assert JobStore(Jobs(None), tmp_path / "others").of("robust") == []
    assert says(caplog.text)
