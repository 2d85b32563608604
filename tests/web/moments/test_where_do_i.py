"""What an organiser looks for is at most two clicks away from the dashboard, along the documented way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import ROOT
from tests.fixture_types import JudgeAs, Visit
from tests.web.moments.steps import Steps
from workbench.campaign import assigning
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SECTION = re.compile(r"^## Where do I …\?\n(.*?)^## ", re.MULTILINE | re.DOTALL)
TEXT = (ROOT / "docs" / "use" / "how-to.md").read_text(encoding="utf-8")
WAYS = dict(re.findall(r"^\| ([a-z].*?) \| (.*?) \|$", SECTION.findall(TEXT)[0], re.MULTILINE))
CALLED = {"the run": "alpha", "the assessor": "Ben"}
"""What stands on the page for what the documentation cannot name."""


def found(page: Page, question: str) -> Locator:
    """What answers a question, once the way is gone."""
    answers = {
        "invite an assessor": page.get_by_role("button", name="Create invitation"),
        "hand over an assessor's topics": page.get_by_role("button", name="Hand over", exact=True),
        "see whether the best run is certain": page.get_by_role("heading", name="Certain pairs"),
        "correct a run's team": page.get_by_text("Correct this run"),
        "download the qrels": page.get_by_role("link", name="qrels", exact=True),
    }
    assert list(answers) == list(WAYS)
    return answers[question].first


def test_the_answer_is_at_most_two_clicks_from_the_dashboard(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben"])
        judging_as(campaign, "Ben", "1", "d1", 1)
    page = visit("/c/small/dashboard", "Anna")
    address = page.url
    for question, way in WAYS.items():
        page.goto(address)
        steps = Steps(page)
        for click in way.split(" → "):
            steps.click(CALLED.get(click, click))
        expect(found(page, question)).to_be_visible()
        assert (question, steps.taken <= 2) == (question, True)
