"""The page for offline judging, and the service worker, as the server sends them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient

from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.organising import settings
from workbench.web.judging.offline import PREFIX
from workbench.web.requests.headers import ACCOUNT_HEADER


def data(html: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="page-data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def test_the_worker_is_of_the_edition_sees_all_of_the_server_and_is_kept_by_no_cache(app: Flask) -> None:
    answer = app.test_client().get("/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-store"
    head = answer.text.splitlines()[0]
    known = json.loads(head.removeprefix("const SERVER = ").removesuffix(";"))
    assert known == {
        "edition": app.config["EDITION"], "prefix": PREFIX, "root": "/", "static": "/static/",
        "sign_out": ["/sign-out", "/account/sign-out-everywhere"],
    }  # fmt: skip


def test_a_page_names_its_account_and_may_have_workers_of_this_server_alone(
    ben: FlaskClient, app: Flask, small: Path
) -> None:
    page = ben.get("/c/small/")
    assert page.headers[ACCOUNT_HEADER] == quote("Ben")
    assert "worker-src 'self'" in page.headers["Content-Security-Policy"]
    for other in (ben.get("/session"), app.test_client().get("/sign-in")):
        assert ACCOUNT_HEADER not in other.headers


def test_the_topics_that_wait_are_offered_with_the_files_that_their_pages_load(
    ben: FlaskClient, small: Path
) -> None:
    with open_campaign(small) as campaign, campaign.write():
        assignments.close_topics(campaign.by("Anna"), ["2"])
    offered = data(ben.get("/c/small/offline").text)
    assert offered["topics"] == [{"topic_id": "1", "title": "frozen rivers", "open": 6}]
    files = offered["files"]
    assert isinstance(files, list)
    pages = ("judge?topic=1", "offline", "document-frame?topic=1&document=d1")
    linked = "".join(ben.get(f"/c/small/{page}").text for page in pages)
    assert set(re.findall(r'(?:href|src)="(/static/[^"]+)"', linked)) <= set(files)
    for address in files:
        with ben.get(address) as answer:
            assert answer.status_code == 200, address


def test_guidelines_come_before_the_download(ben: FlaskClient, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"guidelines": "Read me."})
    answer = ben.get("/c/small/offline")
    assert (answer.status_code, answer.location) == (302, "/c/small/guidelines")
