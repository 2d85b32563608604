"""A campaign is made from nothing in a browser: files chosen or dropped, each with its progress and its report."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.archives import zipped
from tests.fixture_types import Visit
from tests.web.axe import complaints
from workbench.core.records import Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import runs, topics

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("small")]

RUN = "1 Q0 d1 1 2.5 {tag}\n1 Q0 d2 2 1.5 {tag}\n2 Q0 d1 1 1 {tag}\n"

DROP = """([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  const at = document.querySelector("#drop");
  at.dispatchEvent(new DragEvent("dragover", { dataTransfer: carried, bubbles: true, cancelable: true }));
  at.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


def tags(path: Path) -> list[str]:
    with open_campaign(path) as campaign:
        return [run.record.tag for run in runs.all_runs(campaign)]


def test_files_can_be_dropped_on_the_page(visit: Visit, small: Path) -> None:
    page = visit("/c/small/add/runs", "Anna")
    page.evaluate(DROP, ["gamma.run", RUN.format(tag="gamma")])
    page.get_by_label("Team").fill("Glasgow")
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#there")).to_have_text("3 runs")
    with open_campaign(small) as campaign:
        assert runs.all_runs(campaign)[-1].record.team == "Glasgow"


def test_the_columns_of_a_dropped_file_are_offered_in_the_fields_that_take_them(visit: Visit) -> None:
    page = visit("/c/small/add/documents", "Anna")
    page.evaluate(DROP, ["claims.csv", "nr,vclaim\n1,x\n"])
    expect(page.locator("#columns option[value='vclaim']")).to_have_count(1)
    assert page.locator("input[list=columns]").count() == 4


def test_unused_topics_are_ticked_previewed_and_deleted(visit: Visit, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        topics.put(campaign.by("Olga"), [Topic("nr", "Thema"), Topic("77", "Ice")], files=[])
    page = visit("/c/small/topics", "Anna", bypass_csp=True)
    page.locator("summary", has_text="unused").click()
    page.get_by_label("Topic nr").check()
    told = complaints(page, "the ticks")
    page.locator("#several button").click()
    expect(page.locator(".deleting-ids")).to_have_text("nr")
    assert told + complaints(page, "the preview") == []
    page.locator("button[value=delete]").click()
    expect(page.get_by_role("status").first).to_contain_text("1 topic")
    with open_campaign(small) as campaign:
        assert {"nr", "77"}.intersection(topics.topic_ids(campaign)) == {"77"}


def test_without_scripts_the_form_does_the_same(visit: Visit, small: Path, tmp_path: Path) -> None:
    (tmp_path / "gamma.run").write_text(RUN.format(tag="gamma"), encoding="utf-8")
    (tmp_path / "bad.run").write_text("1 Q0 d1 1 high delta\n", encoding="utf-8")
    page = visit("/c/small/add/runs", "Anna", java_script_enabled=False)
    page.set_input_files("#files", [tmp_path / "gamma.run", tmp_path / "bad.run"])
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_contain_text("1 file added. 1 file with errors")
    expect(page.locator(".report-refused .finding-line")).to_have_text("line 1")
    assert tags(small) == ["alpha", "beta", "gamma"]


def test_the_form_and_the_report_of_a_file_with_errors_are_accessible_and_fit(visit: Visit) -> None:
    page = visit("/c/small/add/runs", "Anna", bypass_csp=True)
    page.evaluate(DROP, ["bad.run", "1 Q0 d1 1 high delta\n"])
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator(".finding-line")).to_have_text("line 1")
    told = complaints(page, "a report")
    for address in ("/new", "/c/robust/dashboard"):
        page.goto("/".join(page.url.split("/")[:3]) + address)
        told += complaints(page, address)
    assert told == []


def test_an_archive_has_a_report_for_each_run_in_it_and_stays_chosen_until_all_are_good(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/add/runs", "Anna")
    packed = {f"{tag}.run": RUN.format(tag=tag).encode() for tag in ("gamma", "delta")}
    packed["bad.run"] = packed["gamma.run"].replace(b"2.5", b"high")
    page.locator("#files").set_input_files(
        {"name": "x.zip", "mimeType": "application/zip", "buffer": zipped(packed)}
    )
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#reports .report-head b")).to_have_text(
        ["x.zip/gamma.run", "x.zip/delta.run", "x.zip/bad.run"]
    )
    expect(page.locator("#summary")).to_have_text(
        "2 files added. 1 file with errors: nothing was added from them."
    )
    with page.expect_download() as found:
        page.get_by_role("link", name="Page for the team on x.zip/delta.run").click()
    assert found.value.suggested_filename == "check-x.zip-delta.run.html"
    assert complaints(page, "reports of an archive") == []
    assert tags(small) == ["alpha", "beta", "gamma", "delta"]
