"""Judging without a network: the service worker, and the page on which an assessor downloads topics for it.

The browser keeps a copy of an assessor's topics, made by static/judging/offline.js: their judging pages as the server
made them, the documents, and the static files, all of one edition of the server and of one account. The worker
(static/service_worker.js) answers with it where the server does not. What is judged in it waits in the outbox and
passes the same checks as all else when it is sent.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask import Response, current_app, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import assessing, training
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, PUBLIC, Pages
from workbench.web.judging.training import FIRST
from workbench.web.requests.static_files import bundle_url

PREFIX = "workbench-offline-1:"
"""How the names of the browser's caches begin that hold a copy; another number for another form of copies."""

BUNDLES = (
    "judging/judge.js",
    "judging/offline.js",
    "menu.js",
    "workbench.css",
    "judging/page.css",
    "judging/document.css",
    "judging/assignments.css",
)
"""What the pages of a copy load, beside the icon."""

blueprint = Pages("offline", __name__)


@blueprint.get("/service-worker.js", allow=PUBLIC)
def service_worker() -> Response:
    """The worker, with what it has to know of this server; another one for every edition, so that browsers renew it.

    Its scope is all of this server, since it has to see who signs in and out.
    """
    known = {
        "edition": current_app.config["EDITION"],
        "prefix": PREFIX,
        "root": url_for("campaigns.index"),
        "static": url_for("static", filename="").rpartition(current_app.config["EDITION"])[0],
        "sign_out": [url_for("sign_in.sign_out"), url_for("account.sign_out_everywhere")],
    }
    script = Path(str(current_app.static_folder), "service_worker.js").read_text(encoding="utf-8")
    text = f"const SERVER = {json.dumps(known)};\n{script}"
    return Response(text, mimetype="text/javascript")


@blueprint.get("/c/<campaign>/offline", allow=JUDGES)
def page(campaign: str) -> ResponseReturnValue:
    """What can be judged without a network: the assessor's open topics, to be downloaded or removed."""
    if first := FIRST.get(training.first_step(g.campaign, g.member)):
        return redirect(url_for(first, campaign=campaign))
    progress = assessing.progress_of_all(g.campaign, g.member)
    rows = [row for row in progress if row.waits and not row.can_be_taken]
    data = {
        "campaign": campaign,
        "account": g.account,
        "edition": current_app.config["EDITION"],
        "prefix": PREFIX,
        "days": current_app.config["RECEIPT_DAYS"],
        "worker_url": url_for(".service_worker"),
        "root": url_for("campaigns.index"),
        "page_url": url_for(".page", campaign=campaign),
        "judgments_url": url_for("judgments.store", campaign=campaign),
        "receipt_days": current_app.config["RECEIPT_DAYS"],
        "judge_url": url_for("judge.page", campaign=campaign),
        "files": [url_for("static", filename="icon.svg"), *map(bundle_url, BUNDLES)],
        "topics": [{"topic_id": row.topic_id, "title": row.title, "open": row.open} for row in rows],
    }
    return render_template(
        "judging/offline/page.html",
        rows=rows,
        data=data,
        name=campaign,
        settings=settings.read(g.campaign),
        claims_end=any(row.until for row in rows),
    )


def copy_of_page(campaign: str) -> dict[str, Any]:
    """What a judging page has to know to find the browser's copy."""
    return {"prefix": PREFIX, "url": url_for("offline.page", campaign=campaign)}
