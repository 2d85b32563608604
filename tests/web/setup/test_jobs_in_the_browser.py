"""In a real browser: a job shows how far it is, is cancelled, fails, and gives its file, with scripts and without."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import complaints
from workbench.jobs.processes import OnStep, Work
from workbench.web.requests import campaign_jobs
from workbench.web.requests.long_work import Queues

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("small")]


@pytest.fixture
def app(app_of_jobs: Flask) -> Flask:
    return app_of_jobs


def at_a_gate(gate: Path, work: Work, *, on_step: OnStep) -> Any:
    """The work, once the file `gate` is there; until then it has done three steps of twelve."""
    on_step(3, 12, "runs/bm25.run")
    while not gate.exists():
        time.sleep(0.02)
    return work.function(*work.arguments, on_step=on_step)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The path of a file without which no bundle is made."""
    begin = campaign_jobs.begin

    def begin_at_gate(name: str, kind: str, body: Any, **more: Any) -> Any:
        return begin(name, kind, Work(at_a_gate, (tmp_path / "gate", body), reports=True), **more)

    monkeypatch.setattr(campaign_jobs, "begin", begin_at_gate)
    return tmp_path / "gate"


def test_a_bundle_shows_how_far_it_is_and_then_its_file(visit: Visit, gate: Path) -> None:
    page = visit("/c/small/publish", "Anna")
    page.locator("[name=runs]").check()
    page.locator("form", has=page.locator("[name=runs]")).get_by_role("button").click()
    expect(page.get_by_role("heading", name="Release bundle with runs")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("Running")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "25")
    expect(page.locator(".job-step")).to_contain_text("25 % runs/bm25.run")
    assert complaints(page, "a running job") == []
    address = page.url
    page.goto(address.rpartition("/jobs")[0] + "/publish")
    expect(page.get_by_role("status")).to_contain_text("Running")
    page.goto(address)
    gate.touch()
    expect(page.get_by_role("status")).to_contain_text("Done")
    assert complaints(page, "a job that is done") == []
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download").click()
    assert taken.value.suggested_filename.startswith("small-")


def test_cancel_by_the_keyboard_ends_a_job_and_a_later_visit_still_shows_that(
    visit: Visit, gate: Path
) -> None:
    page = visit("/c/small/publish/bundle", "Anna")
    expect(page.locator(".job-step")).to_contain_text("25 %")
    page.get_by_role("button", name="Cancel").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Cancelled during: runs/bm25.run")
    page.get_by_role("link", name="Jobs", exact=True).click()
    expect(page.locator(".job-line")).to_contain_text("Cancelled")
    assert complaints(page, "jobs") == []


def test_without_scripts_the_page_of_a_job_refreshes_itself(visit: Visit, gate: Path) -> None:
    page = visit("/c/small/publish/bundle", "Anna", java_script_enabled=False)
    expect(page.get_by_role("status")).to_contain_text("Running")
    gate.touch()
    expect(page.get_by_role("link", name="Download")).to_be_visible()


def test_a_job_that_fails_says_why(visit: Visit, queues: Queues, gate: Path) -> None:
    page = visit("/c/small/publish/bundle", "Anna")
    expect(page.locator(".job-step")).to_contain_text("25 %")
    for worker in queues.files._workers._busy:  # type: ignore[union-attr]
        worker.kill()
    expect(page.get_by_role("status")).to_contain_text("Failed: Its process")
    assert complaints(page, "a job that failed") == []
