"""Judging without a network: topics that were downloaded into the browser, and judgments that are delivered later."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask, Response
from playwright.sync_api import Error, Page, expect

from tests.at_length import at_length
from tests.fixture_types import MakeCampaign, SignIn, Visit
from tests.web.conftest import PASSWORDS
from tests.web.judging.judging_page import can_judge, log, press, ready, saved
from tests.web.judging.outboxes import become, until
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Topic
from workbench.formats.topics.reading import read_topics
from workbench.people.accounts import end_sessions, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AFTER = "0123456789ab"
"""The edition of an updated server."""

NAMES = [f"e{number:02}" for number in range(1, 9)]
MANY = at_length(100, 40)


@pytest.fixture
def three(make_campaign: MakeCampaign) -> Path:
    """The campaign `three`: three topics, each with the documents e01 to e08."""
    topics = [Topic("1", "rivers"), Topic("2", "lakes"), Topic("3", "seas")]
    texts = [Document(name, f"Title {name}", f"The text of {name}.") for name in NAMES]
    return make_campaign("three", topics, texts, {"alpha": {topic.topic_id: NAMES for topic in topics}})


def downloaded(visit: Visit, campaign: str = "three", who: str = "Ben") -> Page:
    """The page Offline judging after the download of all topics."""
    page = visit(f"/c/{campaign}/offline", who)
    page.get_by_role("button", name="Download").click()
    expect(page.locator("#offline-state")).to_contain_text("can be judged here without a network")
    until(page, "navigator.serviceWorker.controller")
    return page


def test_topics_are_judged_after_a_reload_without_a_network_and_delivered_later(
    visit: Visit, three: Path
) -> None:
    page = downloaded(visit)
    page.context.set_offline(True)
    page.get_by_role("link", name="Judge offline (24)").click()
    ready(page, "Title e01")
    expect(page.locator("#offline-copy")).to_be_visible()
    expect(page.locator("#offline-words")).to_contain_text("3 topics with 24")
    press(page, *"0101")
    ready(page, "Title e05")
    page.reload()
    ready(page, "Title e05")
    press(page, *"0101")
    expect(page.locator(".finished")).to_be_visible()
    page.get_by_role("link", name="Next topic").click()
    ready(page, "Title e01")
    press(page, "1")
    ready(page, "Title e02")
    expect(page.locator("#save-state")).to_have_text("Offline, 9 kept here")
    assert log(three) == []
    page.context.set_offline(False)
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    expect(page.locator("#offline-copy")).to_be_hidden()
    stored = [(row.topic_id, row.document_id, row.grade) for row in log(three)]
    assert stored == [("1", name, place % 2) for place, name in enumerate(NAMES)] + [("2", "e01", 1)]
    page.goto(page.url.split("/judge")[0] + "/offline")
    expect(page.get_by_role("link", name="Judge offline (15)")).to_have_attribute(
        "href", re.compile("topic=2$")
    )


def test_the_page_of_a_member_with_nothing_to_judge_says_so(visit: Visit, three: Path) -> None:
    with open_campaign(three) as campaign, campaign.write():
        assignments.close_topics(campaign.by("Anna"), ["1", "2", "3"])
    page = visit("/c/three/offline")
    expect(page.locator("#offline-state")).to_contain_text("Nothing is downloaded")
    expect(page.get_by_role("button", name="Download")).to_be_hidden()


def test_undo_leads_without_a_network_through_all_topics_to_what_is_not_stored_yet(
    visit: Visit, three: Path
) -> None:
    page = downloaded(visit)
    address = page.url.replace("/offline", "/judge?topic=")
    page.goto(f"{address}1")
    press(page, "1")
    saved(page)
    page.context.set_offline(True)
    press(page, "1")  # e02
    page.goto(f"{address}2")
    press(page, "0", "1")  # e01, e02
    page.goto(f"{address}1")
    press(page, "1")  # e03
    for topic, title in (("1", "e03"), ("2", "e02"), ("2", "e01"), ("1", "e02"), ("1", "e01")):
        press(page, "u")
        ready(page, f"Title {title}")
        expect(page.locator(".strip-id")).to_have_text(topic)
        expect(page.locator("#mine")).to_contain_text("You judged this: ")
    press(page, "u")
    expect(page.locator("#said")).to_have_text("Nothing to undo")
    press(page, "0", "u", "u", "u")  # the new grade is the newest, then e03 and those of the second topic
    ready(page, "Title e02")
    expect(page.locator(".strip-id")).to_have_text("2")
    press(page, "0")
    page.context.set_offline(False)
    saved(page)
    stored = [(row.topic_id, row.document_id, row.grade) for row in log(three)]
    assert stored == [
        ("1", "e01", 1), ("1", "e02", 1), ("2", "e01", 0), ("2", "e02", 1), ("1", "e03", 1), ("1", "e01", 0),
        ("2", "e02", 0),
    ]  # fmt: skip


def test_a_tab_that_was_closed_without_a_network_can_be_opened_again(visit: Visit, three: Path) -> None:
    page = downloaded(visit)
    address = page.url.replace("/offline", "/judge?topic=3")
    page.context.set_offline(True)
    page.goto(address)
    press(page, "1", "1")
    ready(page, "Title e03")
    context = page.context
    page.close()
    again = context.new_page()
    again.goto(address.split("?")[0])  # without a topic: the first of all
    expect(again).to_have_url(re.compile("topic=1(&|$)"))
    ready(again, "Title e01")
    again.goto(address)
    ready(again, "Title e03")
    expect(again.locator("#save-state")).to_have_text("Offline, 2 kept here")
    again.goto(address.replace("/judge?topic=3", "/board"))
    expect(again.locator("#offline-waiting")).to_contain_text("2 judgments kept here")
    expect(again.get_by_role("button", name="Download")).to_have_count(0)
    context.set_offline(False)
    again.goto(address)
    expect(again.locator("#save-state")).to_have_attribute("data-state", "saved")
    assert [(row.topic_id, row.document_id) for row in log(three)] == [("3", "e01"), ("3", "e02")]


def test_what_was_judged_after_the_download_and_stored_is_not_offered_again_without_a_network(
    visit: Visit, three: Path
) -> None:
    page = downloaded(visit)
    page.get_by_role("link", name="rivers").click()
    press(page, "1", "0")
    saved(page)
    page.context.set_offline(True)
    page.reload()
    ready(page, "Title e03")
    expect(page.locator("#progress")).to_contain_text("2 of 8")
    press(page, "u")
    ready(page, "Title e02")
    expect(page.locator("#mine")).to_contain_text("You judged this: Not relevant")
    press(page, "1")
    page.context.set_offline(False)
    saved(page)
    assert [(row.document_id, row.grade) for row in log(three)] == [("e01", 1), ("e02", 0), ("e02", 1)]


def test_what_was_downloaded_of_a_campaign_with_cards_is_judged_one_at_a_time(
    visit: Visit, three: Path
) -> None:
    with open_campaign(three) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    page = downloaded(visit)
    page.context.set_offline(True)
    page.get_by_role("link", name="rivers").click()
    press(page, "1", "0")
    ready(page, "Title e03")
    page.context.set_offline(False)
    saved(page)
    page.get_by_role("banner").get_by_role("link", name="Back to").click()
    card = page.locator(".shown > .card[aria-current]")
    expect(card).to_have_attribute("aria-label", "Title e03")
    expect(page.locator("#offline-words")).to_contain_text("3 topics with 24 documents")
    page.context.set_offline(True)
    press(page, "1")
    expect(page.locator("#save-state")).to_have_text("Offline, 1 kept here")
    page.context.set_offline(False)
    saved(page)
    assert [(row.document_id, row.grade) for row in log(three)] == [("e01", 1), ("e02", 0), ("e03", 1)]


def test_a_text_that_changed_meanwhile_is_refused_and_shown_anew(visit: Visit, three: Path) -> None:
    page = downloaded(visit)
    page.context.set_offline(True)
    page.get_by_role("link", name="rivers").click()
    press(page, "1", "1")
    ready(page, "Title e03")
    with open_campaign(three) as campaign, campaign.write():
        row = documents.document_row(Document("e02", "Title e02", "Another text."))
        change = "UPDATE document SET text = ?, text_hash = ? WHERE document = 'e02'"
        campaign.db.conn.execute(change, [row[2], row[5]])
    page.context.set_offline(False)
    expect(page.locator("#problem-list")).to_contain_text("The text changed")
    assert [row.document_id for row in log(three)] == ["e01"]
    page.context.set_offline(True)
    page.get_by_role("button", name="Open document").click()
    expect(page.locator("#stage")).to_contain_text("not be loaded")  # never again as it was
    page.context.set_offline(False)
    ready(page, "Title e02")
    expect(page.frame_locator("iframe.current").locator("main")).to_have_text("Another text.")
    press(page, "0")
    saved(page)
    assert [(row.document_id, row.grade) for row in log(three)] == [("e01", 1), ("e02", 0)]


@pytest.mark.parametrize(
    ("change", "reason"), [("closed", "topic is closed"), ("given to Carla", "not assigned to")]
)
def test_a_topic_that_was_closed_or_given_away_meanwhile_is_refused_with_the_reason(
    visit: Visit, three: Path, change: str, reason: str
) -> None:
    page = downloaded(visit)
    page.context.set_offline(True)
    page.get_by_role("link", name="lakes").click()
    press(page, "1", "1")
    ready(page, "Title e03")
    with open_campaign(three) as campaign, campaign.write():
        if change == "closed":
            assignments.close_topics(campaign.by("Anna"), ["2"])
        else:
            assignments.put(campaign.by("Anna"), [], [("2", "whole", "Carla")])
            settings.change(campaign.by("Anna"), {"who_judges": "assigned"})
    page.context.set_offline(False)
    expect(page.locator("#problem-count")).to_have_text("2 judgments not stored")
    expect(page.locator("#problem-list")).to_contain_text(reason)
    expect(page.locator("#problem-way")).to_contain_text("Ask an organiser")
    assert log(three) == []


def test_guidelines_that_changed_meanwhile_are_shown_and_the_judgments_keep_the_version_they_were_made_by(
    visit: Visit, three: Path
) -> None:
    page = downloaded(visit)
    page.context.set_offline(True)
    page.get_by_role("link", name="rivers").click()
    press(page, "1")
    ready(page, "Title e02")
    with open_campaign(three) as campaign, campaign.write():
        before = settings.read(campaign).guideline_version
        settings.change(campaign.by("Anna"), {"guidelines": "Other words."})
    page.context.set_offline(False)
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    with page.expect_navigation():
        press(page, "0")
    ready(page, "Title e03")
    page.get_by_role("button", name="Show").click()  # two notices are one line
    expect(page.locator("#offline-old")).to_be_visible()
    saved(page)
    assert [row.guideline_version for row in log(three)] == [before, before]


def test_who_was_signed_out_meanwhile_signs_in_again_and_the_judgments_are_sent(
    visit: Visit, three: Path, instance: Path
) -> None:
    page = downloaded(visit)
    page.context.set_offline(True)
    page.get_by_role("link", name="rivers").click()
    press(page, "1")
    ready(page, "Title e02")
    with open_accounts(instance) as accounts:
        end_sessions(accounts, "Ben")
    page.context.set_offline(False)
    expect(page.locator("#save-state")).to_have_text("Signed out, 1 kept here")
    page.get_by_role("textbox", name="Password").fill(PASSWORDS["Ben"])
    page.get_by_role("button", name="Sign in as Ben").click()
    saved(page)
    assert [row.document_id for row in log(three)] == ["e01"]
    assert len(copies(page)) == 1


def copies(page: Page) -> list[str]:
    """What the browser keeps for offline judging."""
    found = page.evaluate("caches.keys()")
    return [name for name in found if name.startswith("workbench-offline-")]


def test_signing_out_removes_what_was_downloaded(visit: Visit, three: Path) -> None:
    page = downloaded(visit)
    assert len(copies(page)) == 1
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert copies(page) == []
    page.context.set_offline(True)
    with pytest.raises(Error, match="ERR_"):
        page.goto(page.url.split("/sign-in")[0] + "/c/three/judge?topic=1")


def test_what_one_account_downloaded_is_gone_once_another_is_signed_in(
    visit: Visit, three: Path, app: Flask, client_of: SignIn
) -> None:
    page = downloaded(visit)
    become(page, app, client_of, "Carla")
    page.goto(page.url.replace("/offline", "/"))
    until(page, "!(await caches.keys()).length")


def test_what_was_downloaded_is_gone_after_its_days(visit: Visit, three: Path) -> None:
    page = downloaded(visit)
    page.evaluate(
        """async () => {
            const [name] = await caches.keys();
            const cache = await caches.open(name);
            const manifest = await (await cache.match("/manifest.json")).json();
            await cache.put("/manifest.json", new Response(JSON.stringify({ ...manifest, until: Date.now() - 1 })));
        }"""
    )
    address = page.url
    page.context.set_offline(True)
    with pytest.raises(Error, match="ERR_"):
        page.goto(address)
    page.context.set_offline(False)
    page.goto(address)
    until(page, "!(await caches.keys()).length")


def test_a_copy_of_an_earlier_edition_is_whole_or_not_used_and_what_it_sends_is_kept_until_it_is_understood(
    visit: Visit, three: Path, app: Flask
) -> None:
    page = downloaded(visit)
    before = app.config["EDITION"]
    app.config.update(EDITION=AFTER, OLDEST_FORM=2, FORM=2)
    page.context.set_offline(True)
    page.get_by_role("link", name="rivers").click()
    ready(page, "Title e01")
    files = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert {url.split("/static/")[1].split("/")[0] for url in files if "/static/" in url} == {before}
    press(page, "1")
    ready(page, "Title e02")
    page.context.set_offline(False)
    expect(page.locator("meta[name=edition]")).to_have_attribute("content", AFTER)
    ready(page, "Title e02")
    saved(page)
    assert [row.document_id for row in log(three)] == ["e01"]
    expect(page.locator("#offline-old")).to_be_visible()
    page.get_by_role("link", name="Download again").click()
    expect(page.locator("#offline-state")).to_contain_text("an earlier version")
    page.get_by_role("button", name="Download again").click()
    until(page, f"(await caches.keys()).every((name) => name.includes({AFTER!r}))")
    expect(page.locator("#offline-state")).not_to_contain_text("earlier version")


def test_a_server_that_a_proxy_cannot_reach_is_one_without_an_answer(
    visit: Visit, three: Path, app: Flask
) -> None:
    page = downloaded(visit)
    app.after_request_funcs[None].insert(0, lambda _: Response("gone", 502))  # the last word
    page.get_by_role("link", name="rivers").click()
    ready(page, "Title e01")
    expect(page.locator("#offline-copy")).to_be_visible()


@pytest.fixture
def cranfield(data_folder: Path, instance: Path, tmp_path: Path) -> Path:
    """The Cranfield collection, pooled to depth 10 over four runs; Ben has the first six topics."""
    source = data_folder / "cranfield"
    read = read_topics(str(source / "trec-xml/cran.qry.xml")).topics
    lines = [f"{place}\t{' '.join(topic.title.split())}\n" for place, topic in enumerate(read, start=1)]
    (tmp_path / "topics.tsv").write_text("".join(lines))
    path = instance / "cranfield.db"
    with new_campaign(path, title="Cranfield", actor="Anna") as campaign:
        add_topics(campaign.by("Anna"), [str(tmp_path / "topics.tsv")])
        add_documents(campaign.by("Anna"), [str(source / "trec-xml/cran.all.1400.xml")], keep_all=True)
        add_runs(campaign.by("Anna"), sorted(map(str, (source / "runs").glob("*")))[:4])
        add_pool(campaign.by("Anna"), depth=10)
        with campaign.write():
            members.put(campaign.by("Anna"), "Ben", "assessor")
            assignments.put(campaign.by("Anna"), [], [(str(topic), "whole", "Ben") for topic in range(1, 7)])
            settings.change(campaign.by("Anna"), {"who_judges": "assigned"})
    return path


@pytest.mark.data
def test_many_judgments_on_cranfield_without_a_network_and_without_a_stop(
    visit: Visit, cranfield: Path
) -> None:
    page = downloaded(visit, "cranfield")
    page.context.set_offline(True)
    page.goto(page.url.replace("/offline", "/judge"))
    pressed = []
    while len(pressed) < MANY:
        can_judge(page)
        if page.locator(".finished").count():
            page.locator(".finished a.button").click()
            expect(page.locator("iframe.current")).to_be_attached()
            continue
        pressed.append(len(pressed) % 2)
        page.keyboard.press(str(pressed[-1]))
    can_judge(page)
    assert log(cranfield) == []
    page.context.set_offline(False)
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved", timeout=120_000)
    assert [row.grade for row in log(cranfield)] == pressed
    assert len({(row.topic_id, row.document_id) for row in log(cranfield)}) == MANY


def test_what_the_server_says_itself_of_being_unavailable_is_shown(
    visit: Visit, three: Path, app: Flask
) -> None:
    page = downloaded(visit)
    app.before_request_funcs[None].insert(1, lambda: ("The file is being restored.", 503))
    page.goto(page.url.replace("/offline", "/judge?topic=1"))
    expect(page.locator("body")).to_have_text("The file is being restored.")
