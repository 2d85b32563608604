"""What the outbox in the browser keeps, sends, shares between tabs and leaves to its owner."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, Route

from tests.fixture_types import SignIn, Visit
from tests.web.judging.outboxes import (
    HARNESS,
    all_sent,
    become,
    cut,
    in_database,
    join,
    log,
    stored,
    until,
    with_outbox,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def opened(page: Page, account: str = "Ben") -> Page:
    """Load the outbox anew, with the browser's database, which may come late."""
    with_outbox(page, account)
    until(page, "outbox.receipts.database")
    return page


@pytest.fixture
def page(visit: Visit, small: Path) -> Page:
    return opened(visit("/c/small/", intercepted=True))


def test_what_is_added_stands_in_the_database_before_it_counts_as_safe(page: Page) -> None:
    cut(page)
    uuid = page.evaluate("judge('d1', 1)")
    (entry,) = in_database(page)
    assert (entry["uuid"], entry["campaign"], entry["account"]) == (uuid, "small", "Ben")
    assert page.evaluate("outbox.state.durable") is True


def test_what_waits_is_sent_in_order_by_the_page_that_is_opened_next(page: Page, small: Path) -> None:
    cut(page)
    page.evaluate(
        """async () => {
            const first = await judge("d2", 1);
            await judge("d1", 0);
            await judge("d2", 0, null, first);
        }"""
    )
    until(page, "outbox.entries().length === 3")
    page.unroute_all()
    all_sent(opened(page))
    assert stored(small) == [("d2", 1), ("d1", 0), ("d2", 0)]
    assert [row.replaces for row in log(small)][:2] == [None, None]
    assert log(small)[2].replaces == log(small)[0].seq
    assert in_database(page) == []


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500, "content_type": "application/json", "body": '{"reason": "failure", "message": "x"}'},
        {
            "status": 503,
            "content_type": "application/json",
            "body": '{"reason": "unavailable", "message": "x"}',
        },
        {"status": 502, "content_type": "text/html", "body": "<h1>Bad gateway</h1>"},
        {"status": 403, "content_type": "text/html", "body": "<h1>Blocked by the network</h1>"},
        {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to the hotel</h1>"},
        {"status": 200, "content_type": "application/json", "body": '{"stored": {"uuid": "'},
        {"status": 201, "content_type": "application/json", "body": "{}"},
        None,
    ],
    ids=[
        "500",
        "503",
        "502 of a proxy",
        "403 of a proxy",
        "page of a hotel",
        "half an answer",
        "empty answer",
        "closed connection",
    ],
)
def test_an_answer_that_is_no_acknowledgement_loses_and_doubles_nothing(
    page: Page, small: Path, answer: dict[str, Any] | None
) -> None:
    def store_and_answer_otherwise(route: Route) -> None:
        route.fetch()  # the server has it; the browser does not hear so
        if answer is None:
            route.abort("connectionclosed")
        else:
            route.fulfill(**answer)

    page.route(re.compile("/api/judgments"), store_and_answer_otherwise)
    page.evaluate("judge('d1', 1)")
    until(page, "outbox.state.state === 'offline'")
    assert page.evaluate("waiting()") == [["d1", 1]]
    join(page)
    all_sent(page)
    assert stored(small) == [("d1", 1)]
    assert page.evaluate("stored") == [["d1", 1]]


def test_a_document_that_is_judged_back_and_forth_is_stored_whole_a_little_later(
    page: Page, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.campaign.assessing.storing.MOST_ROWS", 5)
    monkeypatch.setattr("workbench.campaign.assessing.storing.WINDOW", timedelta(seconds=5))
    cut(page)
    page.evaluate(
        """async () => {
            let last = null;
            for (let grade = 0; grade < 8; grade++) last = await judge("d1", grade % 2, null, last);
            await judge("d2", 1);
        }"""
    )
    page.unroute_all()
    page.evaluate("outbox.attempts.hurry()")
    until(page, "outbox.entries().length === 4")
    assert page.evaluate("[outbox.state.state, outbox.state.refused.length]") == ["saving", 0]
    all_sent(page)
    assert stored(small) == [("d1", grade % 2) for grade in range(8)] + [("d2", 1)]


def test_the_same_uuid_with_another_content_is_refused_and_can_be_stored_as_one_of_its_own(
    page: Page, small: Path
) -> None:
    uuid = page.evaluate("judge('d1', 1)")
    all_sent(page)
    page.evaluate(
        """async (uuid) => {
            const [{ judgment }] = await outbox.receipts.known([uuid]);
            await outbox.add({ ...judgment, document_id: "d2", grade: 0 }, null);
        }""",
        uuid,
    )
    until(page, "outbox.state.state === 'problem'")
    refused = page.evaluate("outbox.entries()[0].refused")
    assert (refused["status"], refused["reason"], refused["current"]) == (409, "uuid taken", None)
    assert stored(small) == [("d1", 1)]
    page.evaluate("outbox.discard(outbox.entries()[0].uuid)")
    assert in_database(page) == []


def test_a_judgment_that_arrived_as_another_is_kept_and_stored_as_a_change_of_it(
    page: Page, small: Path
) -> None:
    def send_another_grade(route: Route) -> None:
        route.continue_(post_data={**route.request.post_data_json, "grade": 0})

    page.route(re.compile("/api/judgments"), send_another_grade)
    page.evaluate(
        "(async () => { const first = await judge('d1', 1); await judge('d1', 0, null, first); })()"
    )
    until(page, "outbox.state.state === 'problem'")
    refused = page.evaluate("outbox.entries()[0].refused")
    assert (refused["reason"], refused["current"]["grade"]) == ("stored differently", 0)
    assert stored(small) == [("d1", 0)]
    assert page.evaluate("stored") == [], "the page believes that its own judgment was stored"
    assert sorted(entry["judgment"]["grade"] for entry in in_database(page)) == [0, 1]
    assert in_database(page, "receipts") == []
    page.unroute_all()
    page.evaluate("outbox.keepMine(outbox.entries()[0].uuid)")
    all_sent(page)
    assert stored(small) == [("d1", 0), ("d1", 1), ("d1", 0)]
    rows = log(small)
    assert [row.replaces for row in rows] == [None, rows[0].seq, rows[1].seq]
    assert page.evaluate("stored") == [["d1", 1], ["d1", 0]]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("uuid", "00000000-0000-4000-8000-000000000000"),
        ("topic_id", "2"),
        ("document_id", "d2"),
        ("kind", "can't tell"),
        ("grade", 0),
        ("text_hash", "0" * 64),
    ],
)
def test_an_answer_that_names_another_judgment_is_no_acknowledgement(
    page: Page, small: Path, field: str, value: object
) -> None:
    def answer_otherwise(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        route.fulfill(response=answer, json={**body, "stored": {**body["stored"], field: value}})

    page.route(re.compile("/api/judgments"), answer_otherwise)
    page.evaluate("judge('d1', 1)")
    until(page, "outbox.state.state === 'problem'")
    assert page.evaluate("outbox.entries()[0].refused.reason") == "stored differently"
    assert page.evaluate("stored") == []
    assert len(in_database(page)) == 1
    assert in_database(page, "receipts") == []


def test_a_refused_judgment_carries_what_is_in_force_and_takes_its_followers_along(
    page: Page, small: Path
) -> None:
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    page.evaluate(
        "(async () => { const wrong = await judge('d1', 0); await judge('d1', 1, null, wrong); })()"
    )
    until(page, "outbox.state.state === 'problem'")
    refused = page.evaluate("outbox.entries()[0].refused")
    assert (refused["status"], refused["reason"]) == (409, "replaced elsewhere")
    assert (refused["current"]["grade"], refused["current"]["seq"]) == (1, log(small)[0].seq)
    page.evaluate("outbox.keepMine(outbox.entries()[0].uuid)")
    all_sent(page)
    assert stored(small) == [("d1", 1), ("d1", 0), ("d1", 1)]


def test_without_a_database_a_judgment_is_safe_only_when_the_server_has_it(visit: Visit, small: Path) -> None:
    page = visit("/c/small/", intercepted=True)
    page.add_init_script(
        "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('none here'); } })"
    )
    with_outbox(page)
    cut(page)
    page.evaluate("window.isSafe = false; judge('d1', 1).then(() => (window.isSafe = true)); 0")
    until(page, "outbox.state.state === 'offline'")
    assert page.evaluate("[isSafe, outbox.state.durable, outbox.state.waiting]") == [False, False, 1]
    join(page)
    until(page, "isSafe")
    assert stored(small) == [("d1", 1)]


def test_a_database_that_is_full_keeps_nobody_from_saving(page: Page, small: Path) -> None:
    page.evaluate(
        """IDBObjectStore.prototype.put = function () {
            throw new DOMException("full", "QuotaExceededError");
        }; 0"""
    )
    page.evaluate("judge('d1', 1)")
    assert stored(small) == [("d1", 1)]
    all_sent(page)


def test_two_tabs_share_what_waits_and_hear_what_was_stored(page: Page, small: Path) -> None:
    page.context.route(re.compile("/api/(judgments|receipts)"), lambda route: route.abort())
    other = page.context.new_page()
    other.goto(page.url)
    other.evaluate(HARNESS, "Ben")
    page.evaluate("judge('d1', 1)")
    until(other, "waiting().length === 1")
    page.context.unroute_all()
    other.evaluate("outbox.attempts.hurry()")
    page.evaluate("outbox.attempts.hurry()")
    all_sent(other)
    all_sent(page)
    for tab in (page, other):
        until(tab, "stored.length === 1")
    assert stored(small) == [("d1", 1)]


def test_what_was_judged_before_it_was_heard_that_another_tab_had_sent_the_first_replaces_it(
    page: Page, small: Path
) -> None:
    cut(page)
    first = page.evaluate("judge('d1', 1)")
    page.evaluate("window.unheard = []; outbox.channel.onmessage = ({ data }) => unheard.push(data); 0")
    other = page.context.new_page()
    other.goto(page.url)
    other.evaluate(HARNESS, "Ben")
    until(page, "unheard.some(({ acknowledged }) => acknowledged)")
    page.evaluate("(first) => judge('d1', 0, null, first)", first)
    page.evaluate("unheard.forEach((change) => outbox.heard(change))")
    join(page)
    all_sent(page)
    assert [(row.grade, row.replaces) for row in log(small)] == [(1, None), (0, log(small)[0].seq)]


def test_what_one_person_left_is_counted_for_the_next_and_sent_only_in_its_own_name(
    page: Page, small: Path, app: Flask, client_of: SignIn
) -> None:
    cut(page)
    page.evaluate("judge('d1', 1)")
    become(page, app, client_of, "Carla")
    page.unroute_all()
    opened(page, "Carla")
    assert page.evaluate("outbox.others()") == [{"account": "Ben", "campaign": "small", "count": 1}]
    page.evaluate("judge('d1', 0)")
    all_sent(page)
    assert [(row.assessor, row.grade) for row in log(small)] == [("Carla", 0)]
    become(page, app, client_of, "Ben")
    all_sent(opened(page))
    assert [(row.assessor, row.grade) for row in log(small)] == [("Carla", 0), ("Ben", 1)]


def test_a_page_of_the_first_person_sends_nothing_while_the_second_is_signed_in(
    page: Page, small: Path, app: Flask, client_of: SignIn
) -> None:
    become(page, app, client_of, "Carla")
    page.evaluate("outbox.add({ uuid: crypto.randomUUID(), topic_id: '1', document_id: 'd1' }, null)")
    until(page, "outbox.state.state === 'signed out'")
    assert log(small) == []
    assert page.evaluate("outbox.entries().length") == 1
