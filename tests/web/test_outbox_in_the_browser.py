"""The outbox by itself, in a real browser: what it keeps, sends, offers again and hands over as a file.

`outbox` of the page is of Ben in the campaign `small`; `judge(document, grade, replaces, after)` adds what the judging
page would add, and resolves with its uuid when that is safe.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route

from workbench.campaign import backup, create_campaign, judgments, members, open_campaign, settings
from workbench.records import Judgment

pytestmark = pytest.mark.browser

SignIn = Callable[[Flask, str | None], FlaskClient]
Visit = Callable[..., Page]

HARNESS = """async (account) => {
    const { Outbox } = await import("/static/outbox.js");
    const { getJson, postJson, uuid4 } = await import("/static/session.js");
    window.stored = [];
    const post = (judgment) => postJson("api/judgments", judgment, account);
    const onstored = (entry, stored) => window.stored.push([stored.document_id, stored.grade]);
    window.outbox = new Outbox({ campaign: "small", account }, post, { onchange() {}, onstored });
    await outbox.ready();
    window.waiting = () => outbox.entries().map(({ judgment }) => [judgment.document_id, judgment.grade]);
    window.judge = async (document_id, grade, replaces = null, after = null) => {
        const { body } = await getJson(`api/document?topic=1&document=${document_id}`);
        const { pool, text_hash, topic_version, guideline_version } = body;
        const uuid = uuid4();
        const client_at = new Date().toISOString();
        await outbox.add({ uuid, topic_id: "1", document_id, pool, text_hash, topic_version, guideline_version,
            kind: "grade", grade, replaces, client_at, active_seconds: 1, comment: "" }, after);
        return uuid;
    };
    await outbox.run();
}"""


def with_outbox(page: Page, account: str = "Ben") -> Page:
    """Load the outbox anew, as a page that is opened does."""
    page.reload()
    page.evaluate(HARNESS, account)
    return page


def log(path: Path) -> list[Judgment]:
    with open_campaign(path) as campaign:
        return list(judgments.log(campaign))


def stored(path: Path) -> list[tuple[str, int | None]]:
    return [(row.document_id, row.grade) for row in log(path)]


def until(page: Page, condition: str) -> None:
    """Wait for what the page's own code says; Playwright's own way of waiting asks for `eval`."""
    page.evaluate(
        f"""async () => {{
            for (let tries = 0; !({condition}); tries++) {{
                if (tries === 400) throw new Error({condition!r});
                await new Promise((resolve) => setTimeout(resolve, 20));
            }}
        }}"""
    )


def all_sent(page: Page) -> None:
    until(page, "outbox.state.state === 'saved'")


def in_database(page: Page, store: str = "outbox") -> list[dict[str, Any]]:
    """What any page of this origin finds there."""
    found = page.evaluate(
        """(store) => new Promise((resolve, reject) => {
            const request = indexedDB.open("workbench");
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
                const all = request.result.transaction([store]).objectStore(store).getAll();
                all.onsuccess = () => { request.result.close(); resolve(all.result); };
            };
        })""",
        store,
    )
    return list(found)


def cut(page: Page) -> None:
    page.route(re.compile("/api/(judgments|receipts)"), lambda route: route.abort())


def join(page: Page) -> None:
    page.unroute_all()
    page.evaluate("outbox.hurry()")


def become(page: Page, app: Flask, client_of: SignIn, who: str) -> None:
    """Somebody else signs in, in the same browser."""
    cookie = client_of(app, who).get_cookie("workbench_5000")
    assert cookie is not None
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": page.url.split("/c/")[0]}])


@pytest.fixture
def page(visit: Visit, small: Path) -> Page:
    return with_outbox(visit("/c/small/", intercepted=True))


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
    all_sent(with_outbox(page))
    assert stored(small) == [("d2", 1), ("d1", 0), ("d2", 0)]
    assert [row.replaces for row in log(small)][:2] == [None, None]
    assert log(small)[2].replaces == log(small)[0].seq
    assert in_database(page) == []


def test_the_outbox_of_an_earlier_version_is_taken_over(page: Page, small: Path) -> None:
    cut(page)
    page.evaluate("judge('d3', 1)")
    (entry,) = in_database(page)
    page.evaluate("outbox.discard(outbox.entries()[0].uuid)")
    page.evaluate(
        """(entry) => {
            const earlier = { uuid: entry.uuid, judgment: entry.judgment, after: null, refused: null };
            const key = `:0001790000000000:${entry.uuid}`;
            localStorage[`workbench:outbox:small:Ben${key}`] = JSON.stringify(earlier);
            localStorage[`workbench:outbox:small:Anna%20B${key.replace(/.$/, "x")}`] =
                JSON.stringify({ ...earlier, uuid: "of-anna" });
            localStorage["workbench:outbox:small:Ben:broken"] = "{";
        }""",
        entry,
    )
    with_outbox(page)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('outbox'))") == [
        "workbench:outbox:small:Ben:broken"
    ]
    assert page.evaluate("[waiting(), outbox.others()]") == [
        [["d3", 1]],
        [{"account": "Anna B", "campaign": "small", "count": 1}],
    ]
    page.unroute_all()
    all_sent(with_outbox(page))
    assert stored(small) == [("d3", 1)]


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
    ],
    ids=[
        "500",
        "503",
        "502 of a proxy",
        "403 of a proxy",
        "page of a hotel",
        "half an answer",
        "empty answer",
    ],
)
def test_an_answer_that_is_no_acknowledgement_loses_and_doubles_nothing(
    page: Page, small: Path, answer: dict[str, Any]
) -> None:
    def store_and_answer_otherwise(route: Route) -> None:
        route.fetch()  # the server has it; the browser does not hear so
        route.fulfill(**answer)

    page.route(re.compile("/api/judgments"), store_and_answer_otherwise, times=1)
    page.evaluate("judge('d1', 1)")
    until(page, "outbox.state.state === 'offline'")
    assert page.evaluate("waiting()") == [["d1", 1]]
    join(page)
    all_sent(page)
    assert stored(small) == [("d1", 1)]
    assert page.evaluate("stored") == [["d1", 1]]


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
    other = page.context.new_page()
    other.goto(page.url)
    other.evaluate(HARNESS, "Ben")
    page.context.route(re.compile("/api/(judgments|receipts)"), lambda route: route.abort())
    page.evaluate("judge('d1', 1)")
    until(other, "waiting().length === 1")
    page.context.unroute_all()
    other.evaluate("outbox.hurry()")
    page.evaluate("outbox.hurry()")
    all_sent(other)
    all_sent(page)
    for tab in (page, other):
        until(tab, "stored.length === 1")
    assert stored(small) == [("d1", 1)]


def test_what_one_person_left_is_counted_for_the_next_and_sent_only_in_its_own_name(
    page: Page, small: Path, app: Flask, client_of: SignIn
) -> None:
    cut(page)
    page.evaluate("judge('d1', 1)")
    become(page, app, client_of, "Carla")
    page.unroute_all()
    with_outbox(page, "Carla")
    assert page.evaluate("outbox.others()") == [{"account": "Ben", "campaign": "small", "count": 1}]
    page.evaluate("judge('d1', 0)")
    all_sent(page)
    assert [(row.assessor, row.grade) for row in log(small)] == [("Carla", 0)]
    become(page, app, client_of, "Ben")
    all_sent(with_outbox(page))
    assert [(row.assessor, row.grade) for row in log(small)] == [("Carla", 0), ("Ben", 1)]


def test_a_page_of_the_first_person_sends_nothing_while_the_second_is_signed_in(
    page: Page, small: Path, app: Flask, client_of: SignIn
) -> None:
    become(page, app, client_of, "Carla")
    page.evaluate("outbox.add({ uuid: crypto.randomUUID(), topic_id: '1', document_id: 'd1' }, null)")
    until(page, "outbox.state.state === 'signed out'")
    assert log(small) == []
    assert page.evaluate("outbox.entries().length") == 1


# ---- a server restored from an older backup


def copy_of(path: Path, folder: Path) -> Path:
    with open_campaign(path) as campaign:
        return backup(campaign, folder / "older.db")


def restore(app: Flask, path: Path, older: Path) -> None:
    """The server is stopped, and an older copy put in the campaign's place."""
    app.extensions["workbench_connections"].close()
    shutil.copy(older, path)


def test_a_server_restored_from_an_older_backup_gets_back_what_it_lost(
    page: Page, small: Path, tmp_path: Path, app: Flask
) -> None:
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    older = copy_of(small, tmp_path)
    first = log(small)[0].seq
    page.evaluate("(seq) => judge('d1', 0, seq)", first)
    all_sent(page)
    page.evaluate("judge('d2', 1)")
    all_sent(page)
    page.evaluate("(seq) => judge('d1', 1, seq)", log(small)[1].seq)
    all_sent(page)
    restore(app, small, older)
    assert stored(small) == [("d1", 1)]
    all_sent(with_outbox(page))
    assert stored(small) == [("d1", 1), ("d1", 0), ("d2", 1), ("d1", 1)]
    rows = log(small)
    assert [row.replaces for row in rows] == [None, rows[0].seq, None, rows[1].seq]
    assert page.evaluate("stored") == [["d1", 0], ["d2", 1], ["d1", 1]]


def test_a_page_that_was_open_while_its_server_was_restored_notices(
    page: Page, small: Path, tmp_path: Path, app: Flask
) -> None:
    older = copy_of(small, tmp_path)
    for document_id in ("d1", "d2"):
        page.evaluate("(documentId) => judge(documentId, 1)", document_id)
        all_sent(page)
    restore(app, small, older)
    page.evaluate("judge('d3', 0)")
    until(page, "stored.length === 5")
    assert sorted(stored(small)) == [("d1", 1), ("d2", 1), ("d3", 0)]


def test_a_change_of_a_judgment_that_the_server_lost_waits_for_it(
    page: Page, small: Path, tmp_path: Path, app: Flask
) -> None:
    older = copy_of(small, tmp_path)
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    (lost,) = log(small)
    restore(app, small, older)
    page.evaluate("(seq) => judge('d1', 0, seq)", lost.seq)
    all_sent(page)
    rows = log(small)
    assert (rows[0].uuid, rows[0].document_id) == (lost.uuid, "d1")
    assert [(row.grade, row.replaces) for row in rows] == [(1, None), (0, rows[0].seq)]


def test_a_campaign_made_anew_under_the_same_name_is_not_given_the_old_judgments(
    page: Page, small: Path, tmp_path: Path, app: Flask
) -> None:
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    cut(page)
    page.evaluate("judge('d2', 1)")
    until(page, "outbox.state.state === 'offline'")
    another = tmp_path / "another.db"
    with create_campaign(another) as campaign, campaign.write():
        settings.change(campaign, {"title": "Another"}, actor="Anna", now=datetime(2026, 4, 1, tzinfo=UTC))
        members.put(campaign, "Ben", "assessor", actor="Anna", now=datetime(2026, 4, 1, tzinfo=UTC))
    restore(app, small, another)
    page.unroute_all()
    with_outbox(page)
    until(page, "outbox.state.state === 'problem'")
    assert page.evaluate("outbox.entries().map(({ refused }) => refused.reason)") == ["another campaign"]
    assert log(small) == []


def test_receipts_are_kept_for_fourteen_days(page: Page, small: Path) -> None:
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    (receipt,) = in_database(page, "receipts")
    assert (receipt["seq"], receipt["judgment"]["document_id"]) == (log(small)[0].seq, "d1")
    page.evaluate("const now = Date.now; Date.now = () => now() + 13.9 * 86_400_000; 0")
    page.evaluate("outbox.receipts.use(outbox.database)")
    assert len(in_database(page, "receipts")) == 1
    page.evaluate("const then = Date.now; Date.now = () => then() + 0.2 * 86_400_000; 0")
    page.evaluate("outbox.receipts.use(outbox.database)")
    assert in_database(page, "receipts") == []
