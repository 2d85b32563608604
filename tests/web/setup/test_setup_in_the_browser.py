"""Dashboard, settings, pools and submissions in a browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.setup.test_dashboard import judge
from workbench.campaign.ingest import add_runs
from workbench.campaign.submission_rules import Rules, change_rules
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import runs

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
