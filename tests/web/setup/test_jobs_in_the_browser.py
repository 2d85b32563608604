"""In a real browser: a job shows how far it is, is cancelled, fails, and gives its file, with scripts and without."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.axe import found
from workbench.jobs.processes import OnStep, Work
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import runs
from workbench.web.requests import campaign_jobs
from workbench.web.requests.long_work import Queues

pytestmark = [pytest.mark.browser, pytest.mark.slow]


LOOKS = {
    "light": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}


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


def looked_at(page: Page, name: str) -> None:
    """Keep a picture where SCREENSHOTS names a folder."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize("look", LOOKS)
def test_a_bundle_shows_how_far_it_is_and_then_its_file(
    visit: Visit, small: Path, gate: Path, look: str
) -> None:
    page = visit("/c/small/publish", "Anna", **LOOKS[look])
    page.locator("[name=runs]").check()
    page.locator("form", has=page.locator("[name=runs]")).get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Release bundle with runs")
    expect(page.get_by_role("status")).to_contain_text("Running")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "25")
    expect(page.locator(".job-step")).to_contain_text("25 % runs/bm25.run")
    assert found(page, f"a running job, {look}") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    looked_at(page, f"running-{look}")
    address = page.url
    page.goto(address.rpartition("/jobs")[0] + "/publish")
    expect(page.get_by_role("status")).to_contain_text("Running")
    looked_at(page, f"publish-{look}")
    page.goto(address)
    gate.touch()
    expect(page.get_by_role("status")).to_contain_text("Done")
    assert found(page, f"a job that is done, {look}") == []
    looked_at(page, f"done-{look}")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download").click()
    assert taken.value.suggested_filename.startswith("small-")


@pytest.mark.parametrize("look", LOOKS)
def test_cancel_by_the_keyboard_ends_a_job_and_a_later_visit_still_shows_that(
    visit: Visit, small: Path, gate: Path, look: str
) -> None:
    page = visit("/c/small/publish/bundle", "Anna", **LOOKS[look])
    expect(page.locator(".job-step")).to_contain_text("25 %")
    page.get_by_role("button", name="Cancel").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Cancelled during: runs/bm25.run")
    looked_at(page, f"cancelled-{look}")
    page.get_by_role("link", name="All jobs of this campaign").click()
    expect(page.locator(".job-line")).to_contain_text("Cancelled")
    assert found(page, f"jobs, {look}") == []
    looked_at(page, f"list-{look}")


def test_without_scripts_the_page_of_a_job_refreshes_itself(visit: Visit, small: Path, gate: Path) -> None:
    page = visit("/c/small/publish/bundle", "Anna", java_script_enabled=False)
    expect(page.get_by_role("status")).to_contain_text("Running")
    gate.touch()
    expect(page.get_by_role("link", name="Download")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS)
def test_a_job_that_fails_says_why(visit: Visit, small: Path, queues: Queues, gate: Path, look: str) -> None:
    page = visit("/c/small/publish/bundle", "Anna", **LOOKS[look])
    expect(page.locator(".job-step")).to_contain_text("25 %")
    for worker in queues.files._workers._busy:  # type: ignore[union-attr]
        worker.kill()
    expect(page.get_by_role("status")).to_contain_text("Failed: Its process ended before it was done")
    assert found(page, f"a job that failed, {look}") == []
    looked_at(page, f"failed-{look}")


def test_files_are_checked_by_a_job_whose_report_is_there_after_a_reload(
    visit: Visit, small: Path, tmp_path: Path
) -> None:
    (tmp_path / "gamma.run").write_text("1 Q0 d1 1 2.5 gamma\n", encoding="utf-8")
    (tmp_path / "bad.run").write_text("1 Q0 d1 1 high delta\n", encoding="utf-8")
    page = visit("/c/small/add/runs", "Anna")
    page.set_input_files("#files", [tmp_path / "bad.run", tmp_path / "gamma.run"])
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_contain_text("1 file added. 1 file with errors")
    expect(page.locator("#there")).to_have_text("3 runs")
    page.reload()
    page.get_by_text("Recent jobs").click()
    looked_at(page, "uploads")
    page.get_by_role("link", name="bad.run").click()
    expect(page.locator(".finding-line")).to_have_text("line 1")
    looked_at(page, "upload-report")
    with open_campaign(small) as campaign:
        assert [run.record.tag for run in runs.all_runs(campaign)] == ["alpha", "beta", "gamma"]


def test_an_audit_lists_every_check(visit: Visit, small: Path) -> None:
    page = visit("/c/small/publish", "Anna", **LOOKS["dark"])
    page.get_by_role("button", name="Audit this campaign").click()
    expect(page.get_by_role("status")).to_contain_text("Done: All")
    expect(page.locator(".job-findings")).to_contain_text("the chain of hashes is whole")
    looked_at(page, "audit")
