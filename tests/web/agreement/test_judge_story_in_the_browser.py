"""From a model's labels to corrected scores, as a new user goes: asked, read, sampled, judged blind, corrected."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from tests.endpoints import Handler, Request, endpoint, grade
from tests.fixture_types import MakeCampaign, Visit
from tests.stories import A_WHILE, expect_saved
from tests.web.judging.judging_page import press
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.model_endpoints import KEYS_FILE
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOUND = "zander"
"""The model finds what has this word, and people find nothing."""


def by_word(handler: Handler, request: Request, turn: int) -> None:
    handler.send(200, grade(int(FOUND in json.dumps(request["messages"]))))


@pytest.fixture
def told(make_campaign: MakeCampaign) -> Path:
    """Two topics of four documents, of which alpha ranks those with the word first, and beta last."""
    texts = (
        f"The {FOUND} lives in fresh water.",
        f"Nets catch a {FOUND} by night.",
        "Roads lead north.",
        "Iron rusts.",
    )
    documents = [Document(f"d{number}", f"Text {number}", text) for number, text in enumerate(texts, 1)]
    ranked = [each.document_id for each in documents]
    runs = {
        run: dict.fromkeys(("1", "2"), order) for run, order in (("alpha", ranked), ("beta", ranked[::-1]))
    }
    return make_campaign("told", [Topic("1", "lakes"), Topic("2", "seas")], documents, runs)


def test_a_judge_is_asked_sampled_judged_blind_and_its_scores_are_corrected(
    visit: Visit, told: Path, app: Flask
) -> None:
    with endpoint(by_word) as server:
        allow(told, app, server.address)
        anna = visit("/c/told/models", "Anna")
        asked(anna)
        sampled(anna)
        corrected = anna.url.split("/c/")[0] + "/c/told/corrected?measure=P@2"
        anna.goto(corrected)
        expect(score_of(anna, "alpha")).to_contain_text("1.0000")
        judged_blind(visit("/c/told/judge?topic=1", "Ben"))
        anna.goto(corrected)
        expect(score_of(anna, "alpha")).to_contain_text("0.0000")
        assert len(server.prompts) == 8


def allow(told: Path, app: Flask, address: str) -> None:
    """What the organisers and the server's administrator say before: where texts may be sent."""
    with open_campaign(told) as campaign:
        change_settings(campaign.by("Anna"), {"model-endpoints": f"{address} documents"})
    keys = Path(app.instance_path) / KEYS_FILE
    keys.touch(mode=0o600)
    keys.write_text(f"{address} sk-of-this-server-0123456789\n")


def asked(anna: Page) -> None:
    anna.get_by_label("Name", exact=True).fill("jay")
    anna.get_by_label("Model, as the endpoint names it").fill("judge-1")
    anna.get_by_role("button", name="Declare").click()
    anna.get_by_role("button", name="Ask", exact=True).click()
    anna.locator("main").get_by_role("link", name="Labels from models").click(timeout=A_WHILE)
    anna.get_by_role("link", name="jay").click()
    expect(anna.locator(".lead")).to_contain_text("jay labelled 8 pairs")


def sampled(anna: Page) -> None:
    """The first pool is retired, and its pairs are candidates of a sample by the judge's own grades."""
    anna.goto(anna.url.split("/c/")[0] + "/c/told/pool")
    anna.get_by_role("button", name="Retire this pool").click()
    expect(anna.get_by_role("status").first).to_contain_text("Pool 1 retired")
    anna.goto(anna.url.split("/c/")[0] + "/c/told/pool?strategy=by-model")
    for name, value in (("judge", "jay"), ("depth", "4"), ("budget", "8")):
        anna.locator(f"#of-{name}").fill(value)
    anna.get_by_role("button", name="Preview", exact=True).click()
    anna.get_by_role("form", name="Create a pool").get_by_role("button").click()
    expect(anna.get_by_role("status").first).to_contain_text("Pool 2 created")


def judged_blind(ben: Page) -> None:
    """All four are drawn, in the order of the draw."""
    stage, left = ben.locator("#stage"), "1234"
    while left:
        expect(stage).to_have_attribute("aria-label", re.compile(f"^Text [{left}]$"))
        left = left.replace((stage.get_attribute("aria-label") or "")[-1], "")
        assert "jay" not in ben.content()
        press(ben, "0")
    expect(ben.get_by_role("heading", name="Topic complete")).to_be_visible(timeout=A_WHILE)
    expect_saved(ben)


def score_of(anna: Page, run: str) -> Locator:
    return anna.get_by_role("row", name=re.compile(f"^{run}"))
