"""A campaign is made from nothing in a browser: files chosen or dropped, each with its progress and its report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.axe import found
from workbench.formats.topics.reading import read_topics
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, runs, topics
from workbench.storage.campaign.organising import settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RUN = "1 Q0 d1 1 2.5 {tag}\n1 Q0 d2 2 1.5 {tag}\n2 Q0 d1 1 1 {tag}\n"

DROP = """([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  const at = document.querySelector("#drop");
  at.dispatchEvent(new DragEvent("dragover", { dataTransfer: carried, bubbles: true, cancelable: true }));
  at.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


A_WHILE = 120_000
"""Milliseconds for the server to read real files."""


def adds(page: Page, what: str) -> None:
    """Wait until the page that takes these files is there and sends them by itself."""
    expect(page.get_by_role("heading", name=f"Add {what}")).to_be_visible()
    expect(page.locator("#drop-hint")).to_be_visible()


def tags(path: Path) -> list[str]:
    with open_campaign(path) as campaign:
        return [run.record.tag for run in runs.all_runs(campaign)]


@pytest.mark.data
def test_a_campaign_is_made_from_nothing_with_real_files(
    visit: Visit, instance: Path, data_folder: Path, tmp_path: Path
) -> None:
    folder = data_folder / "cranfield"
    # The runs count topics by their position in the file.
    found_topics = enumerate(read_topics(folder / "trec-xml/cran.qry.xml").topics, start=1)
    lines = [json.dumps({"topic_id": str(place), "title": topic.title}) for place, topic in found_topics]
    (tmp_path / "topics.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sent_in = sorted((folder / "runs").glob("*.txt.gz"))

    page = visit("/new", "Anna")
    page.get_by_label("Title", exact=True).fill("Cranfield in a browser")
    page.get_by_label("Grade, row 3").fill("2")
    page.get_by_label("Name, row 3").fill("Key")
    page.get_by_role("button", name="Create campaign").click()

    adds(page, "topics")
    page.set_input_files("#files", tmp_path / "topics.jsonl")
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text("1 file added.", timeout=A_WHILE)
    expect(page.locator("#there")).to_have_text("225 topics")

    page.get_by_role("link", name="Next: documents").click()
    adds(page, "documents")
    page.set_input_files("#files", folder / "trec-xml/cran.all.1400.xml")
    page.get_by_label("These files complete the collection").check()
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text("1 file added.", timeout=A_WHILE)
    expect(page.locator("#there")).to_have_text("1,400 documents")

    page.get_by_role("link", name="Next: runs").click()
    adds(page, "runs")
    page.set_input_files("#files", sent_in)
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text("22 files added.", timeout=A_WHILE)
    expect(page.locator(".report-added")).to_have_count(22)
    expect(page.locator(".report").first).to_contain_text("added: run teamA-en-bm25, 225 topics")

    page.set_input_files("#files", folder / "runs-bad/wrong-topic-ids.txt")
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text("Nothing was added: 1 file with errors.", timeout=A_WHILE)
    expect(page.locator(".findings-problem li").first).to_contain_text("line 1")
    expect(page.locator(".findings-problem li").first).to_contain_text("topic '001' is not in the campaign")

    page.locator("#onward").get_by_role("link", name="Dashboard").click()
    expect(page.locator(".lead")).to_have_text("225 topics, 1,400 documents, 22 runs; no pool yet.")
    page.get_by_role("link", name="Create a pool").click()
    page.locator("form[method=post] button", has_text="Create this pool").click(timeout=A_WHILE)
    expect(page.locator(".said")).to_contain_text("Pool 1 created", timeout=A_WHILE)
    page.get_by_role("link", name="Judging", exact=True).first.click()
    page.get_by_role("link", name="Start judging").click()
    expect(page.get_by_role("button", name="Key")).to_be_visible(timeout=A_WHILE)

    path = instance / "cranfield-in-a-browser.db"
    assert len(tags(path)) == 22
    with open_campaign(path) as campaign:
        assert [grade.name for grade in settings.read(campaign).grades] == ["Not relevant", "Relevant", "Key"]
        assert len(topics.topic_ids(campaign)) == 225
        assert documents.find(campaign, "1400") is not None


def test_a_file_with_errors_adds_nothing_and_the_ones_beside_it_do(
    visit: Visit, small: Path, tmp_path: Path
) -> None:
    (tmp_path / "gamma.run").write_text(RUN.format(tag="gamma"), encoding="utf-8")
    (tmp_path / "bad.run").write_text(RUN.format(tag="delta") + "2 Q0 d2 2 high delta\n", encoding="utf-8")
    page = visit("/c/small/add/runs", "Anna")
    page.set_input_files("#files", [tmp_path / "bad.run", tmp_path / "gamma.run"])
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text(
        "1 file added. 1 file with errors: nothing was added from there."
    )
    bad, good = page.locator(".report").all()
    expect(bad).to_have_class("report report-refused")
    expect(bad.locator(".finding-line")).to_have_text("line 4")
    expect(good).to_have_class("report report-added")
    assert tags(small) == ["alpha", "beta", "gamma"]


def test_a_check_changes_nothing_and_the_same_files_can_be_added_then(
    visit: Visit, small: Path, tmp_path: Path
) -> None:
    (tmp_path / "gamma.run").write_text(RUN.format(tag="gamma"), encoding="utf-8")
    page = visit("/c/small/add/runs", "Anna")
    page.set_input_files("#files", tmp_path / "gamma.run")
    page.get_by_role("button", name="Check only").click()
    expect(page.locator("#summary")).to_contain_text("This was a check: nothing was added.")
    assert tags(small) == ["alpha", "beta"]
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text("1 file added.")
    assert tags(small) == ["alpha", "beta", "gamma"]


def test_files_can_be_dropped_on_the_page(visit: Visit, small: Path) -> None:
    page = visit("/c/small/add/runs", "Anna")
    page.evaluate(DROP, ["gamma.run", RUN.format(tag="gamma")])
    page.get_by_label("Team").fill("Glasgow")
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#there")).to_have_text("3 runs")
    with open_campaign(small) as campaign:
        assert runs.all_runs(campaign)[-1].record.team == "Glasgow"


def test_without_scripts_the_form_does_the_same(visit: Visit, small: Path, tmp_path: Path) -> None:
    (tmp_path / "gamma.run").write_text(RUN.format(tag="gamma"), encoding="utf-8")
    (tmp_path / "bad.run").write_text("1 Q0 d1 1 high delta\n", encoding="utf-8")
    page = visit("/c/small/add/runs", "Anna", java_script_enabled=False)
    page.set_input_files("#files", [tmp_path / "gamma.run", tmp_path / "bad.run"])
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text(
        "1 file added. 1 file with errors: nothing was added from there."
    )
    expect(page.locator(".report-refused .finding-line")).to_have_text("line 1")
    assert tags(small) == ["alpha", "beta", "gamma"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_the_pages_are_accessible_and_fit(visit: Visit, small: Path, scheme: str, width: int) -> None:
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    page = visit("/c/small/add/runs", "Anna", bypass_csp=True, **options)
    page.evaluate(DROP, ["bad.run", "1 Q0 d1 1 high delta\n"])
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_have_text("Nothing was added: 1 file with errors.")
    problems = check(page)
    for address in (
        "/new",
        "/c/small/add/topics",
        "/c/small/add/documents",
        "/c/small/dashboard",
        "/c/robust/dashboard",
    ):
        page.goto(page.url.split("/c/")[0].removesuffix("/new") + address)
        problems += check(page)
    assert problems == []


def check(page: Page) -> list[str]:
    problems = found(page, page.url)
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return [*problems, f"{page.url} is wider than the window"] if wide else problems
