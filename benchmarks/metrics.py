"""What counting costs a save: the time of one saved judgment with and without the metrics, through the application.

.venv/bin/python benchmarks/metrics.py [SAVES]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from flask import Flask

from workbench.campaign.assessing import show
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Topic
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.log import log
from workbench.web.app import create_app
from workbench.web.monitoring.metrics import Metrics


def main() -> None:
    saves = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder)
        app = create_app(folder, demo=True)
        send = sender(app, folder / "rivers.db")
        send(50)
        count, times = Metrics.count, {True: [], False: []}
        for turn in range(saves // 10):
            counted = turn % 2 == 0
            Metrics.count = count if counted else lambda *_: None  # type: ignore[method-assign,assignment]
            times[counted] += send(20)
        Metrics.count = count  # type: ignore[method-assign]
        alone = cost_alone(app)
        app.extensions["workbench_connections"].close()
    for counted, words in ((True, "with metrics"), (False, "without")):
        print(
            f"{words}: median {1000 * statistics.median(times[counted]):.3f} ms of {len(times[counted])} saves"
        )
    print(f"counting alone: {1e6 * alone:.1f} µs")


def make(folder: Path) -> None:
    (folder / "a.run").write_text("1 Q0 d1 1 2 a\n")
    with create_campaign(folder / "rivers.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("a"), [Topic("1", "rivers")], files=[])
            campaign.db.conn.execute(
                "INSERT INTO document (document, title, text, media_type, fields, text_hash) VALUES (?, ?, ?, ?, ?, ?)",
                documents.document_row(Document("d1", "d1", "It freezes.")),
            )
        add_runs(campaign.by("a"), [str(folder / "a.run")])
        add_pool(campaign.by("a"), depth=1, viewing="document id")


def sender(app: Flask, path: Path):
    client = app.test_client()
    token = client.get("/session").get_json()["csrf_token"]
    client.post(f"/start/{'x' * 43}", data={"name": "ben", "csrf_token": token})
    headers = {"X-CSRFToken": client.get("/session").get_json()["csrf_token"]}
    with open_campaign(path) as campaign:
        shown, mark = show(campaign, "1", "d1", "ben"), log.mark(campaign)
    state = {"replaces": None, "grade": 0}

    def send(number: int) -> list[float]:
        times = []
        for _ in range(number):
            state["grade"] = 1 - state["grade"]
            body = {
                "uuid": str(uuid4()),
                "log": mark,
                "topic_id": "1",
                "document_id": "d1",
                "pool": shown.pool,
                "text_hash": shown.text_hash,
                "topic_version": shown.topic_version,
                "guideline_version": shown.guideline_version,
                "kind": "grade",
                "grade": state["grade"],
                "replaces": state["replaces"],
                "client_at": "2026-03-01T12:00:00.000Z",
                "active_seconds": 2.0,
                "comment": "",
            }
            began = time.perf_counter()
            answer = client.post("/c/rivers/api/judgments", json=body, headers=headers)
            times.append(time.perf_counter() - began)
            assert answer.status_code == 201, answer.text
            state["replaces"] = answer.get_json()["stored"]["seq"]
        return times

    return send


def cost_alone(app: Flask, times: int = 20_000) -> float:
    """Seconds that one call of `count` takes for a save."""
    metrics = app.extensions["workbench_metrics"]
    with app.test_request_context("/c/rivers/api/judgments", method="POST"):
        answer = app.response_class(status=201)
        began = time.perf_counter()
        for _ in range(times):
            metrics.count(answer, 0.003)
        return (time.perf_counter() - began) / times


if __name__ == "__main__":
    main()
