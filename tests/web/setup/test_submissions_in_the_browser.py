"""In a real browser: a team submits a run with errors, corrects it and takes its receipt; a table comes with files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.sentences import says
from tests.web.axe import found
from workbench.campaign.submission_rules import Rules, change_rules, parse_fields
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.people import members

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DEADLINE = datetime(2999, 3, 1, 23, 59, tzinfo=UTC)
LOOKS = {
    "light": {"viewport": {"width": 1366, "height": 900}, "color_scheme": "light"},
    "dark phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


@pytest.fixture
def teams(small: Path) -> Path:
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Delft")
            members.put(campaign.by("Anna"), "Olga", "participant", team="Αθήνα")
        change_rules(campaign.by("Anna"), Rules(True, DEADLINE, 1, parse_fields(["Method*"])))
    return small


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_team_submits_a_run_and_the_organiser_closes(
    visit: Visit, teams: Path, tmp_path: Path, look: dict[str, object]
) -> None:
    anna = visit("/c/small/submissions", "Anna", timezone_id="Asia/Tokyo", **look)
    expect(anna.get_by_text("Missing: Delft, Αθήνα.")).to_be_visible()
    expect(anna.locator("#deadline-local")).to_contain_text("1 Mar 2999, 23:59 UTC (")
    expect(anna.locator("#deadline-local time")).to_contain_text("2 Mar 2999, 08:59 GMT+9")
    paul = visit("/c/small/submit", "Paul", **look)
    expect(paul.get_by_text("Team Delft has 0 runs of 1.")).to_be_visible()
    assert found(paul, "submit") == []
    file = tmp_path / "bm25 (2).run"
    file.write_text("1 Q0 d1 1 9 delft1\n7 Q0 d2 2 8 delft1\n")
    paul.get_by_label("Run file").set_input_files(str(file))
    paul.get_by_label("Method").fill("automatic")
    paul.get_by_role("button", name="Check and submit").click()
    expect(paul.get_by_text("topic '7' is not in the campaign")).to_be_visible()
    expect(paul.get_by_label("Method")).to_have_value("automatic")
    assert found(paul, "submit, refused") == []
    file.write_text("1 Q0 d1 1 9 delft1\n2 Q0 d2 1 8 delft1\n")
    paul.get_by_label("Run file").set_input_files(str(file))
    paul.get_by_role("button", name="Check and submit").click()
    expect(paul.get_by_role("heading", name="delft1")).to_be_visible()
    expect(paul.get_by_text("a further file can only replace one of them")).to_be_visible()
    with paul.expect_download() as download:
        paul.get_by_role("link", name="Receipt of delft1").click()
    receipt = download.value.path().read_text(encoding="utf-8")
    assert says(receipt)
    assert "Method: automatic\n" in receipt
    assert found(paul, "submit, done") == []
    assert paul.evaluate("document.documentElement.scrollWidth <= innerWidth")
    anna.reload()
    expect(anna.get_by_text("1 team of 2 with 1 run. Missing: Αθήνα.")).to_be_visible()
    anna.get_by_label("Closed").check()
    anna.get_by_role("button", name="Save rules").click()
    expect(anna.get_by_text("Submission is closed.")).to_be_visible()
    assert found(anna, "submissions") == []
    paul.reload()
    expect(paul.get_by_role("heading", name="Submit runs", level=2)).to_have_count(0)
    expect(paul.get_by_role("heading", name="delft1")).to_be_visible()


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
