"""Documents were wrong after judging began: they leave the queues, and corrected texts take their places."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.moments.steps import Steps
from workbench.campaign.ingest import add_documents
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import broken, documents
from workbench.storage.campaign.grades import labels

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXTS = '{"id": "d1", "title": "Document 1", "text": "The whole of document 1."}\n'


@pytest.fixture(autouse=True)
def judged(small: Path, judging_as: JudgeAs, tmp_path: Path) -> Path:
    """Ben judged d1, whose text was cut off, for both topics, and d2 for the first."""
    (tmp_path / "all.jsonl").write_text('{"id": "d9", "text": "Another document."}\n', encoding="utf-8")
    with open_campaign(small) as campaign:
        add_documents(campaign.by("Anna"), [str(tmp_path / "all.jsonl")], keep_all=True)
        for topic_id, document_id in (("1", "d1"), ("1", "d2"), ("2", "d1")):
            judging_as(campaign, "Ben", topic_id, document_id, 1)
    return small


def send_corrected(page: Page, steps: Steps, *, judged: str) -> None:
    """Send the corrected texts, and say what becomes of those stored, which is chosen unless `judged` is ""."""
    steps.taken += 1
    page.get_by_label("Choose files of documents").set_input_files(
        {"name": "corrected.jsonl", "mimeType": "application/jsonl", "buffer": TEXTS.encode()}
    )
    if judged:
        steps.click(page.get_by_role("radio", name=judged))
    steps.click("Check and add")
    expect(page.locator(".report-added")).to_contain_text("1 replaced")


def labelled(path: Path) -> set[tuple[str, str]]:
    with open_campaign(path) as campaign:
        stored = documents.find(campaign, "d1")
        assert stored is not None
        assert stored.document.text == "The whole of document 1."
        return {label.pair for label in labels.qrels(campaign)}


def test_corrected_texts_are_judged_again_after_five_steps(visit: Visit, judged: Path) -> None:
    page = visit("/c/small/dashboard", "Anna")
    steps = Steps(page)
    steps.click("Set up")
    steps.click("Add documents")
    send_corrected(page, steps, judged="clear judgments")
    expect(page.locator(".report-added")).to_contain_text("2 judgments cleared")
    assert steps.taken == 5
    assert labelled(judged) == {("1", "d2")}


def test_a_broken_text_leaves_the_queues_in_six_steps_and_is_replaced_in_three_more(
    visit: Visit, judged: Path
) -> None:
    page = visit("/c/small/dashboard", "Anna")
    steps = Steps(page)
    steps.click(page.get_by_role("button", name="Jump to"))
    steps.type(page.get_by_role("combobox"), "d1")
    steps.click(page.get_by_role("option", name="d1 topic 1"))
    steps.click(page.locator("summary", has_text="as broken"))
    steps.type("What is broken", "cut off")
    steps.click("Mark as broken")
    expect(page.get_by_role("link", name="Replace the text")).to_be_visible()
    assert steps.taken == 6
    with open_campaign(judged) as campaign:
        assert set(broken.marked(campaign)) == {"d1"}
    steps.click("Replace the text")
    send_corrected(page, steps, judged="")
    expect(page.locator(".report-added")).to_contain_text("still counted: 2")
    assert steps.taken == 9
    assert labelled(judged) == {("1", "d1"), ("1", "d2"), ("2", "d1")}
    with open_campaign(judged) as campaign:
        assert broken.marked(campaign) == {}
