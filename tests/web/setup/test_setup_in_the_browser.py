"""Dashboard, settings, pools and submissions in a browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import complaints
from tests.web.setup.test_dashboard import judge
from workbench.campaign.ingest import add_runs
from workbench.campaign.submission_rules import Rules, change_rules
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools, runs

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("small")]


@pytest.fixture
def busy(small: Path, tmp_path: Path) -> Path:
    """The campaign `small` with judgments of two people, a conflict, and a run with a warning."""
    now = datetime.now(UTC)
    (tmp_path / "gamma.run").write_text("1 Q0 d1 1 2 gamma\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        for number in range(1, 5):
            judge(campaign, "1", f"d{number}", number % 2, "Ben", now - timedelta(days=5 - number))
        judge(campaign, "1", "d1", 0, "Carla", now)
        add_runs(campaign.by("Anna", now), [str(tmp_path / "gamma.run")])
    return small


def test_a_topic_with_a_conflict_leads_to_the_pairs_that_differ(visit: Visit, busy: Path) -> None:
    page = visit("/c/small/dashboard", "Anna")
    page.locator(".entry", has_text="conflicting grades").get_by_role("link", name="1", exact=True).click()
    expect(page).to_have_url(page.url.split("/c/")[0] + "/c/small/judgments?topic=1&look=conflict")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Judgments of topic 1")


def test_the_settings_can_be_saved_wherever_one_is_in_them(visit: Visit) -> None:
    page = visit("/c/small/settings", "Anna", viewport={"width": 1440, "height": 900})
    save = page.get_by_role("button", name="Save settings")
    fields = page.get_by_label("Fields of documents")
    expect(save).to_be_in_viewport(ratio=1)
    fields.focus()
    field, bar = fields.bounding_box(), save.bounding_box()
    assert field is not None
    assert bar is not None
    assert field["y"] + field["height"] <= bar["y"], "the bar covers no field that has the focus"


@pytest.mark.parametrize("width", [1366, 390])
def test_the_settings_say_how_many_changes_are_not_saved(visit: Visit, width: int) -> None:
    page = visit("/c/small/settings", "Anna", viewport={"width": width, "height": 768})
    said = page.locator("#unsaved")
    expect(said).to_have_text("No unsaved changes")
    title = page.get_by_label("Title", exact=True).input_value()
    page.get_by_label("Title", exact=True).fill("Rivers")
    page.get_by_label("Name, row 1", exact=True).fill("No")
    page.get_by_label("Name, row 2", exact=True).fill("Yes")
    expect(said).to_have_text("2 unsaved changes")
    expect(said).to_be_in_viewport(ratio=1)
    page.get_by_label("Title", exact=True).fill(title)
    expect(said).to_have_text("1 unsaved change")
    page.get_by_label("Title", exact=True).fill(" ")
    page.get_by_role("button", name="Save settings").click()
    alert = page.get_by_role("alert")
    expect(alert).to_be_in_viewport()
    expect(page.get_by_label("Title", exact=True)).to_be_focused()
    expect(said).to_have_text("2 unsaved changes")


def test_a_section_of_the_settings_is_reached_from_the_list_by_keys(visit: Visit) -> None:
    page = visit("/c/small/settings", "Anna")
    address = page.url
    way = page.get_by_role("navigation", name="Sections").get_by_role("link", name="Documents", exact=True)
    head = page.get_by_role("heading", name="Documents", exact=True)
    for width in (1366, 768, 390):
        page.set_viewport_size({"width": width, "height": 768})
        page.goto(address)
        way.focus()
        page.keyboard.press("Enter")
        expect(head).to_be_in_viewport(ratio=1)
        expect(way).to_be_in_viewport()
        bar, title = way.bounding_box(), head.bounding_box()
        assert bar is not None
        assert title is not None
        assert width > 1079 or bar["y"] + bar["height"] <= title["y"], "the list covers no heading"


PAIRS = b"1 d2\n1 d9\n"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_list_of_mine_becomes_a_pool_with_and_without_scripts(
    visit: Visit, small: Path, scripts: bool
) -> None:
    page = visit("/c/small/pool", "Anna", viewport={"width": 390, "height": 844}, java_script_enabled=scripts)
    page.locator(".wishes a").last.press("Enter")
    page.locator("#of-files").set_input_files({"name": "mine.txt", "mimeType": "text/plain", "buffer": PAIRS})
    page.get_by_role("button", name="Preview this file").press("Enter")
    page.get_by_role("form", name="Create a pool").get_by_role("button").press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Pool 2 created")
    with open_campaign(small) as campaign:
        assert pools.all_pools(campaign)[-1].record.parameters["pairs"] == ["1 d2", "1 d9"]


def test_a_wrong_field_in_the_fold_is_open_and_in_sight_of_keys(visit: Visit) -> None:
    page = visit("/c/small/pool?strategy=rrf&depth=2", "Anna", viewport={"width": 390, "height": 844})
    page.get_by_text("More parameters").click()
    page.get_by_label("Assessors", exact=True).fill("none")
    page.get_by_label("Assessors", exact=True).press("Enter")
    field = page.get_by_label("Assessors", exact=True)
    expect(field).to_have_value("none")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_visible()
    assert complaints(page, "pool") == []


DEADLINE = datetime(2999, 3, 1, 23, 59, tzinfo=UTC)


def test_a_table_says_whose_the_files_are_that_are_sent_one_by_one(
    visit: Visit, small: Path, tmp_path: Path
) -> None:
    for tag in ("gamma", "delta"):
        (tmp_path / f"{tag}.run").write_text(f"1 Q0 d1 1 9 {tag}\n2 Q0 d2 1 8 {tag}\n")
    (tmp_path / "runs.csv").write_text("file,team,tag\ngamma.run,Delft,g1\ndelta.run,Αθήνα,\n")
    page = visit("/c/small/add/runs", "Anna")
    page.get_by_label("Table of these files").set_input_files(str(tmp_path / "runs.csv"))
    page.get_by_label("Choose run files").set_input_files(
        [str(tmp_path / "gamma.run"), str(tmp_path / "delta.run")]
    )
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_contain_text("2 files added.")
    with open_campaign(small) as campaign:
        assert [run.record[:2] for run in runs.all_runs(campaign)[2:]] == [
            ("g1", "Delft"),
            ("delta", "Αθήνα"),
        ]


def test_a_deadline_is_shown_in_the_time_of_the_reader_too(visit: Visit, small: Path) -> None:
    with open_campaign(small) as campaign:
        change_rules(campaign.by("Anna"), Rules(True, DEADLINE, 1, ()))
    anna = visit("/c/small/submissions", "Anna", timezone_id="Asia/Tokyo")
    expect(anna.locator("#deadline-local")).to_contain_text("1 Mar 2999, 23:59 UTC (")
    expect(anna.locator("#deadline-local time")).to_contain_text("2 Mar 2999, 08:59 GMT+9")
