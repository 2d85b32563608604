"""A job has one form: a name, how far it is, cancel, and an end that a reload shows, for organisers of its campaign."""

from __future__ import annotations

import io
import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import MakeApp, SignIn, TokenOf
from tests.sentences import says
from workbench.campaign.ingest import add_runs
from workbench.campaign.new_campaign import open_scores
from workbench.campaign.pools.pool_job import pool_name
from workbench.jobs.processes import OnStep, Outcome, Title, Work
from workbench.release.audit.checks import CHECKS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.web.requests import campaign_jobs

pytestmark = pytest.mark.usefixtures("small")

JSON = {"Accept": "application/json"}


@pytest.fixture
def app(app_of_jobs: Flask) -> Flask:
    return app_of_jobs


def never_ending(told: Path, *, on_step: OnStep) -> None:
    on_step(3, 12, "runs/bm25.run")
    told.write_text(str(os.getpid()), encoding="ascii")
    time.sleep(3600)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Every bundle goes on for ever; the file gets the number of its process."""
    begin = campaign_jobs.begin

    def begin_another(name: str, kind: str, body: Any, **more: Any) -> Any:
        return begin(name, kind, Work(never_ending, (tmp_path / "pid",), reports=True), **more)

    monkeypatch.setattr(campaign_jobs, "begin", begin_another)
    return tmp_path / "pid"


def begun(anna: FlaskClient, address: str = "/c/small/publish/bundle?runs=1") -> str:
    """Ask for something long; the id of its job."""
    answer = anna.get(address)
    assert answer.status_code == 303
    return str(answer.location.rpartition("/")[2])


def state_of(anna: FlaskClient, job: str) -> dict[str, Any]:
    return dict(anna.get(f"/c/small/api/jobs/{job}").get_json())


def wait_for(anna: FlaskClient, job: str, **expected: Any) -> dict[str, Any]:
    while not expected.items() <= (found := state_of(anna, job)).items():
        assert found["state"] in {"waiting", "running", expected["state"]}, found
        time.sleep(0.02)
    return found


def text(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def test_a_bundle_gives_a_sign_at_once_and_its_file_when_it_is_done(anna: FlaskClient) -> None:
    job = begun(anna)
    found = wait_for(anna, job, state="done")
    assert found["name"] == "Release bundle with runs"
    assert found["by"] == "Anna"
    for address in (f"/c/small/jobs/{job}", "/c/small/publish", "/c/small/jobs"):
        assert "Release bundle with runs" in text(anna, address)
    assert f'href="{found["result"].replace("&", "&amp;")}">Download</a>' in text(
        anna, f"/c/small/jobs/{job}"
    )
    with anna.get(found["result"]) as answer:
        assert (answer.status_code, answer.data[:2]) == (200, b"PK")


def test_programs_get_the_job_and_where_to_ask_for_it(anna: FlaskClient) -> None:
    answer = anna.get("/c/small/publish/sheets?format=html", headers=JSON)
    assert answer.status_code == 202
    assert answer.get_json()["name"] == "Team sheets as HTML"
    while (found := anna.get(answer.get_json()["address"]).get_json())["state"] != "done":
        time.sleep(0.02)
    with anna.get(found["result"], headers=JSON) as archive:
        assert archive.mimetype == "application/zip"


def test_a_team_has_its_sheet_by_a_job_that_others_do_not_see(
    app: Flask, anna: FlaskClient, client_of: SignIn, small: Path, tmp_path: Path
) -> None:
    run = tmp_path / "aa1.run"
    run.write_text("1 Q0 d1 1 2.0 aa1\n")
    with open_campaign(small) as campaign:
        add_runs(campaign.by("Anna"), [str(run)], team="Alpha")
        open_scores(campaign.by("Anna"), True)
        with campaign.write():
            for name in ("Paul", "Carla"):
                members.put(campaign.by("Anna"), name, "participant", team="Alpha")
    paul = client_of(app, "Paul")
    job = begun(paul, "/c/small/own-runs/sheet?format=pdf")
    found = wait_for(paul, job, state="done")
    assert found["name"] == "Team sheet: Alpha, PDF"
    assert "Team sheet: Alpha, PDF" in text(paul, f"/c/small/jobs/{job}")
    with paul.get(found["result"]) as sheet:
        assert (sheet.mimetype, sheet.data[:4]) == ("application/pdf", b"%PDF")
    for other in (anna, client_of(app, "Carla")):
        assert other.get(f"/c/small/jobs/{job}").status_code == 404
        assert "Team sheet" not in text(other, "/c/small/jobs")


def test_a_job_shows_how_far_it_is_and_cancel_ends_its_process(
    anna: FlaskClient, endless: Path, token_of: TokenOf, small: Path
) -> None:
    job = begun(anna)
    wait_for(anna, job, state="running", done=3, total=12, step="runs/bm25.run")
    page = text(anna, f"/c/small/jobs/{job}")
    assert '<progress aria-label="Release bundle with runs" max="100" value="25"></progress>' in page
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
    assert "data-alone" in page, "when the job ends the page is loaded again, with the reports below it"
    assert "data-alone" not in text(anna, "/c/small/jobs")
    assert begun(anna) == job, "the same bundle is one job"
    with open_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"title": "Another"})
    assert begun(anna) == job, "also while the log grows"
    while not endless.exists():
        time.sleep(0.01)
    address = f"/c/small/jobs/{job}/cancel"
    assert anna.post(address).status_code == 400, "without its token nothing is cancelled"
    answer = anna.post(address, data={"csrf_token": token_of(anna)})
    assert answer.location == f"/c/small/jobs/{job}"
    wait_for(anna, job, state="cancelled")
    assert 'Cancelled</b> <span dir="auto">during: runs/bm25.run' in text(anna, answer.location)
    assert not Path(f"/proc/{endless.read_text()}").exists()


def test_a_worker_that_is_killed_is_a_failed_job_and_the_next_one_is_done(
    anna: FlaskClient, endless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = begun(anna)
    while not endless.exists() or not endless.read_text():
        time.sleep(0.01)
    os.kill(int(endless.read_text()), signal.SIGKILL)
    wait_for(anna, job, state="failed")
    page = text(anna, f"/c/small/jobs/{job}")
    assert says(page)
    monkeypatch.undo()
    with anna.get("/c/small/publish/bundle?comments=1", headers=JSON) as answer:
        assert answer.status_code in (200, 202)


def test_a_restart_shows_what_was_done_and_what_was_interrupted(
    anna: FlaskClient, endless: Path, make_app: MakeApp, client_of: SignIn, app: Flask
) -> None:
    job = begun(anna)
    wait_for(anna, job, state="running")
    other = client_of(make_app(port=5000), "Anna")
    assert state_of(other, job)["state"] == "waiting", "it runs on another server"
    assert "Cancel" not in text(other, f"/c/small/jobs/{job}")
    book = app.extensions["workbench_jobs"]
    for live in book._live.values():
        live.held.close()  # as when its server is gone
    assert says(text(other, f"/c/small/jobs/{job}"))
    for live in list(book._live.values()):
        live.job.cancel()


def test_jobs_of_a_campaign_are_for_its_organisers_alone(
    anna: FlaskClient, app: Flask, client_of: SignIn
) -> None:
    job = begun(anna)
    for who, status in {"Ben": 404, "Paul": 404, None: 302}.items():
        assert client_of(app, who).get(f"/c/small/jobs/{job}").status_code == status
    assert anna.get(f"/c/robust/jobs/{job}").status_code == 404, "of another campaign"
    wait_for(anna, job, state="done")


def test_a_campaign_that_takes_over_a_name_does_not_take_over_its_jobs(
    anna: FlaskClient, small: Path, instance: Path
) -> None:
    job = begun(anna)
    wait_for(anna, job, state="done")
    small.unlink()
    (instance / "robust.db").rename(small)
    assert anna.get(f"/c/small/jobs/{job}").status_code == 404
    assert says(text(anna, "/c/small/jobs"))


def test_names_and_sentences_of_jobs_are_text(anna: FlaskClient, app: Flask, small: Path) -> None:
    title = Title("<script>alert(1)</script>", "release", "<b>")
    with app.test_request_context():
        from flask import g

        from workbench.storage.campaign import open_campaign

        with open_campaign(small) as campaign:
            g.campaign, g.role = campaign, "organiser"
            owner = campaign_jobs._owner()
    book = app.extensions["workbench_jobs"]
    begun = book.begin(
        owner,
        title,
        lambda run: None,
        outcome_of=lambda _: Outcome("<i>said</i>", "/c/small/dashboard", "<u>"),
    )
    begun.job.wait()
    for address in (f"/c/small/jobs/{begun.id}", "/c/small/jobs", "/c/small/publish"):
        page = text(anna, address)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "<script>alert" not in page
        assert "<i>said" not in page


def send(anna: FlaskClient, token: str, **files: bytes) -> Any:
    parts = [(io.BytesIO(content), f"{name}.run") for name, content in files.items()]
    data = {"csrf_token": token, "files": parts}
    return anna.post("/c/small/add/runs", data=data, content_type="multipart/form-data")


def test_a_reload_still_shows_what_became_of_files_that_were_sent(
    anna: FlaskClient, token_of: TokenOf
) -> None:
    answer = send(anna, token_of(anna), gamma=b"1 Q0 d1 1 2.5 gamma\n", bad=b"1 Q0 d1 1 1 delta\n1 Q0 d1\n")
    assert answer.status_code == 303
    job = answer.location.rpartition("/")[2]
    found = wait_for(anna, job, state="done")
    assert found["name"] == "Check and add 2 files of runs"
    assert says(found["message"])
    assert found["detail"]["there"] == "3 runs"
    for _ in range(2):
        page = text(anna, answer.location)
        assert "gamma.run</b>" in page
        assert '<span class="finding-line">line 2</span>' in page
        assert 'href="/c/small/add/runs">Show runs</a>' in page
    assert "Check and add 2 files of runs" in text(anna, "/c/small/add/runs")


def test_an_audit_of_the_campaign_is_one_click_and_names_every_check(
    anna: FlaskClient, token_of: TokenOf, small: Path
) -> None:
    assert "Audit this campaign" in text(anna, "/c/small/publish")
    answer = anna.post("/c/small/publish/audit", data={"csrf_token": token_of(anna)})
    job = answer.location.rpartition("/")[2]
    found = wait_for(anna, job, state="done")
    assert says(found["message"])
    assert (found["done"], found["total"]) == (len(CHECKS) - 1, len(CHECKS))
    page = text(anna, f"/c/small/jobs/{job}")
    for question in CHECKS:
        assert f'<b>Holds</b> <span class="report-said">{question}</span>' in page
    with closing(sqlite3.connect(small)) as file, file:
        file.execute("UPDATE document SET text = 'another' WHERE document = 'd1'")
    answer = anna.post("/c/small/publish/audit", data={"csrf_token": token_of(anna)})
    wait_for(anna, answer.location.rpartition("/")[2], state="done")
    page = text(anna, answer.location)
    assert f"1 check of {len(CHECKS)} failed" in page
    assert says(page)


def test_a_pool_is_a_job_that_reads_its_texts_too_and_leads_back_to_the_pool(
    anna: FlaskClient, token_of: TokenOf
) -> None:
    form = {"csrf_token": token_of(anna), "depth": "3", "strategy": "depth", "ties": "descending"}
    form |= {"runs": "", "hours_per_day": "6", "assessors": "1", "expected": "0"}
    answer = anna.post("/c/small/pool", data=form)
    job = answer.location.rpartition("/")[2]
    found = wait_for(anna, job, state="done")
    assert (found["name"], found["message"]) == (
        pool_name("depth", {"depth": 3}),
        "Pool 2 created: 0 new pairs.",
    )
    assert found["step"].startswith("Reading texts") or found["step"].startswith(
        "Looking for near duplicates"
    )
    assert pool_name("depth", {"depth": 3}) in text(anna, "/c/small/pool")
    assert text(anna, found["result"])
