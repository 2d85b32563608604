"""The outbox by itself in a browser, and what tests ask of it.

`outbox` of the page is of one account in the campaign `small`; `judge(document, grade, replaces, after)` adds what the
judging page would add, and resolves with its uuid when that is safe.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from flask import Flask
from playwright.sync_api import Page

from tests.fixture_types import SignIn
from workbench.core.records import Judgment
from workbench.storage.campaign import backup, open_campaign
from workbench.storage.campaign.grades import judgments

HARNESS = """async (account) => {
    const { Outbox } = await import("/static/judging/outbox.js");
    const { getJson, postJson, uuid4 } = await import("/static/session.js");
    window.stored = [];
    const post = (judgment) => postJson("api/judgments", judgment, account);
    const onstored = (entry, stored) => window.stored.push([stored.document_id, stored.grade]);
    window.outbox = new Outbox({ campaign: "small", account }, post, { onchange() {}, onstored });
    await outbox.ready();
    window.waiting = () => outbox.entries().map(({ judgment }) => [judgment.document_id, judgment.grade]);
    window.judge = async (document_id, grade, replaces = null, after = null) => {
        const { body } = await getJson(`api/document?topic=1&document=${document_id}`);
        const { log, pool, text_hash, topic_version, guideline_version } = body;
        const uuid = uuid4();
        const client_at = new Date().toISOString();
        await outbox.add({ uuid, log, topic_id: "1", document_id, pool, text_hash, topic_version, guideline_version,
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
                if (tries === 1500) throw new Error({condition!r});
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
    page.evaluate("outbox.attempts.hurry()")


def become(page: Page, app: Flask, client_of: SignIn, who: str) -> None:
    """Somebody else signs in, in the same browser."""
    cookie = client_of(app, who).get_cookie("workbench_5000")
    assert cookie is not None
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": page.url.split("/c/")[0]}])


def copy_of(path: Path, folder: Path) -> Path:
    with open_campaign(path) as campaign:
        return backup(campaign, folder / "older.db")


def restore(app: Flask, path: Path, older: Path) -> None:
    """The server is stopped, and an older copy put in the campaign's place."""
    app.extensions["workbench_connections"].close()
    shutil.copy(older, path)
