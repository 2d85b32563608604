"""A decision of an adjudicator and a server that is slow, away, restarted, or was quicker: stored once, or told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.axe import found
from tests.web.judging.judging_page import coloured
from tests.web.judging.outboxes import log, restore
from workbench.analysis.adjudication.deciding import Decision, adjudicate, pair_of
from workbench.core.records import Rationale
from workbench.storage.campaign import Campaign, open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


REASONS = {"Ben": Rationale("text", 4, 8, "text"), "Carla": Rationale("text", 12, 20, "document")}
"""In "The text of document 1."."""


@pytest.fixture
def campaign(small: Path, judging_as: JudgeAs) -> Campaign:
    """Ben and Carla differ on d1 and d2 of topic 1, each with a reason."""
    opened = open_campaign(small)
    for document_id in ("d1", "d2"):
        for name, grade in (("Ben", 1), ("Carla", 0)):
            judging_as(opened, name, "1", document_id, grade, rationales=(REASONS[name],))
    return opened


def opened(visit: Visit, address: str = "/c/small/adjudicate?topic=1&document=d1") -> Page:
    """Anna's page, once what it shows may be settled."""
    page = visit(address, "Anna", intercepted=True)
    ready(page, "d1")
    return page


def ready(page: Page, document_id: str) -> None:
    """Wait until a document may be settled: what waited goes out by itself within some seconds."""
    expect(page.locator("input[name=document]")).to_have_value(document_id, timeout=20_000)
    expect(page.locator("#decide")).to_have_attribute("data-ready", "yes", timeout=20_000)


def decisions(path: Path) -> list[tuple[str, int | None]]:
    return [(row.document_id, row.grade) for row in log(path) if row.kind == "adjudication"]


def quicker(campaign: Campaign) -> None:
    """Wilma settles d1 first."""
    seen = pair_of(campaign, "1", "d1", "Wilma")
    shown = seen.shown
    given = shown.judged("d1", uuid="a-uuid-of-wilma", grade=1)
    adjudicate(campaign.by("Wilma"), Decision(given, seen.newest))


def test_reasons_are_marked_in_the_style_of_their_letter_and_gone_to(
    visit: Visit, campaign: Campaign
) -> None:
    page = opened(visit)
    marks = {
        row.locator(".voice-reason > span").inner_text(): row.locator(".voice-reason").get_attribute(
            "data-mark"
        )
        for row in page.locator(".voice").all()
    }
    assert set(marks) == {"text", "document"}
    assert set(marks.values()) == {"1", "2"}
    for words, mark in marks.items():
        assert coloured(page, f"voice-{mark}") == [words]
    page.keyboard.press("n")
    assert coloured(page, "voice-now") == ["text"]
    page.keyboard.press("n")
    assert coloured(page, "voice-now") == ["document"]
    page.keyboard.press("N")
    assert coloured(page, "voice-now") == ["text"]
    assert found(page, "adjudicate") == []


def test_a_decision_is_kept_while_the_server_is_away_and_stored_once_it_is_back(
    visit: Visit, small: Path, campaign: Campaign
) -> None:
    page = opened(visit)
    page.route("**/adjudicate", lambda route: route.abort())
    page.keyboard.press("1")
    words = page.locator("#sending-words")
    expect(words).to_contain_text("“Relevant” is kept here")
    page.keyboard.press("0")
    page.keyboard.press("j")
    with page.expect_request("**/adjudicate"):
        page.get_by_role("button", name="Send it now").click()
    expect(words).to_contain_text("is kept here")
    assert decisions(small) == []
    page.unroute("**/adjudicate")
    ready(page, "d2")
    assert decisions(small) == [("d1", 1)]


def test_a_decision_whose_answer_was_lost_is_not_stored_twice(
    visit: Visit, small: Path, campaign: Campaign
) -> None:
    page = opened(visit)

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/adjudicate", lose_the_answer)
    page.keyboard.press("1")
    expect(page.locator("#sending-words")).to_contain_text("does not respond")
    assert decisions(small) == [("d1", 1)]
    page.unroute("**/adjudicate")
    ready(page, "d2")
    assert decisions(small) == [("d1", 1)]


def test_a_page_that_is_reloaded_sends_what_waited_and_keeps_the_note(
    visit: Visit, small: Path, campaign: Campaign
) -> None:
    page = opened(visit)
    page.route("**/adjudicate", lambda route: route.abort())
    page.locator("#note").fill("A has read it")
    page.get_by_role("button", name="Not relevant").click()
    expect(page.locator("#sending-words")).to_contain_text("is kept here")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    ready(page, "d1")
    expect(page.locator("#note")).to_have_value("A has read it")
    expect(page.locator("#sending-words")).to_contain_text("is kept here")
    page.unroute("**/adjudicate")
    ready(page, "d2")
    expect(page.locator("#note")).to_have_value("")
    assert decisions(small) == [("d1", 0)]


def test_a_signed_out_adjudicator_signs_in_over_the_page_and_the_decision_is_stored(
    visit: Visit, small: Path, campaign: Campaign
) -> None:
    page = opened(visit)
    page.context.clear_cookies()
    page.keyboard.press("1")
    dialog = page.locator("dialog.sign-in-again")
    expect(dialog).to_contain_text("1 judgment is")
    assert decisions(small) == []
    dialog.get_by_label("Password", exact=True).fill("anna's password")
    dialog.get_by_role("button", name="Sign in as Anna").click()
    ready(page, "d2")
    assert decisions(small) == [("d1", 1)]


def test_a_decision_of_a_quicker_adjudicator_is_reported_and_nothing_is_stored(
    visit: Visit, small: Path, campaign: Campaign
) -> None:
    page = opened(visit)
    quicker(campaign)
    page.keyboard.press("0")
    trouble = page.locator("#trouble")
    expect(trouble).to_contain_text("elsewhere meanwhile: grade 1")
    expect(page.get_by_role("link", name="Show current state")).to_be_focused()
    page.keyboard.press("0")
    assert decisions(small) == [("d1", 1)]
    page.keyboard.press("Enter")
    expect(page.locator(".voice-settled")).to_contain_text("Adjudicated as Relevant by Wilma")


def test_a_decision_that_waited_goes_into_no_campaign_that_was_made_again_under_the_name(
    visit: Visit, small: Path, small_again: Path, campaign: Campaign, app: Flask, judging_as: JudgeAs
) -> None:
    page = opened(visit)
    page.route("**/adjudicate", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator("#sending-words")).to_contain_text("is kept here")
    with open_campaign(small_again) as again:
        for name, grade in (("Ben", 1), ("Carla", 0)):
            judging_as(again, name, "1", "d1", grade, rationales=(REASONS[name],))
    campaign.close()
    restore(app, small, small_again)
    page.unroute("**/adjudicate")
    expect(page.locator("#trouble")).to_contain_text("“Relevant” was discarded", timeout=40_000)
    assert decisions(small) == []
    page.get_by_role("link", name="Show current state").click()
    ready(page, "d1")
    page.keyboard.press("0")
    expect(page).to_have_url(re.compile("/adjudication$"))
    assert decisions(small) == [("d1", 0)]


def test_tab_and_enter_alone_lead_from_the_document_to_a_reason_and_to_a_grade(
    visit: Visit, small: Path, campaign: Campaign
) -> None:
    page = opened(visit)
    focused = "document.activeElement?.innerText.trim() || document.activeElement?.id"
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    seen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(focused))
        assert page.evaluate(ring) == "solid"
        if seen[-1] == "Show":
            break
    page.keyboard.press("Enter")
    assert len(coloured(page, "voice-now")) == 1
    page.get_by_role("button", name="Relevant", exact=False).last.focus()
    page.keyboard.press("Enter")
    ready(page, "d2")
    assert decisions(small) == [("d1", 1)]
