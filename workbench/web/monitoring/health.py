"""The answers for monitors: whether this server is alive, whether people can judge on it, and its metrics.

Without a token the answers say one word, and nothing about what is on the server. Monitors (`access.is_monitor`) get
the rest: the names of campaigns are for them alone.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from pathlib import Path
from typing import Any

from flask import Response, current_app, jsonify
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from workbench.core.errors import WorkbenchError
from workbench.jobs.background import running
from workbench.storage.instance import ACCOUNTS_FILE
from workbench.web.access.rules import MONITORS, PUBLIC, Pages, is_monitor
from workbench.web.monitoring.metrics import metrics
from workbench.web.monitoring.watching import Look, accounts_can_be_read, warnings_of, watch
from workbench.web.requests.connections import connections

blueprint = Pages("health", __name__)

logger = logging.getLogger("workbench.web")


@blueprint.get("/health", allow=PUBLIC)
def health() -> Response:
    """`{"status": "ok"}`, or 503 and `{"status": "unavailable"}` when the instance cannot be read."""
    well = _instance_can_be_read(Path(current_app.instance_path))
    return _answer({"status": "ok" if well else "unavailable"}, well=well)


@blueprint.get("/health/ready", allow=PUBLIC)
def ready() -> Response:
    """`{"status": "ready"}` when people can sign in and judge in every campaign, else 503 and `"not ready"`.

    Not ready either is a server while a background thread fails. Monitors get the state of each campaign, of each such
    thread, of the disks and of the backups too.
    """
    look = watch().latest()
    well = look.is_ready()
    said = {"status": "ready" if well else "not ready"}
    return _answer(said | (_details(look) if is_monitor() else {}), well=well)


@blueprint.get("/metrics", allow=MONITORS)
def all_metrics() -> Response:
    """The metrics in Prometheus' text format."""
    return Response(generate_latest(metrics().registry), content_type=CONTENT_TYPE_LATEST)


def _details(look: Look) -> dict[str, Any]:
    return {
        "looked_at": look.at.isoformat(timespec="seconds"),
        "accounts": look.accounts,
        "room": look.room,
        "campaigns": [
            one._asdict() | {"oldest_writer_seconds": round(one.oldest_writer_seconds, 3)}
            for one in look.campaigns
        ],
        "background": [{"name": thread.name, "failure": thread.failure} for thread in running()],
        "accounts_backup_seconds": look.backup,
        "space": [
            {"place": one.place, "free_bytes": one.free, "size_bytes": one.size} for one in look.spaces
        ],
        "warnings": warnings_of(look),
    }


def _answer(said: dict[str, Any], *, well: bool) -> Response:
    answer = jsonify(said)
    answer.status_code = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
    return answer


def _instance_can_be_read(instance: Path) -> bool:
    """Whether the folder can be listed and its accounts be read; the log says why not."""
    try:
        next(instance.iterdir(), None)
        if accounts_can_be_read(instance, connections()):
            return True
        logger.error("not healthy: %s cannot be read", instance / ACCOUNTS_FILE)
    except (OSError, WorkbenchError) as error:
        logger.error("not healthy: %s", error)
    return False
