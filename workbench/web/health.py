"""The answer for monitors: whether this server can do its work, and nothing about what is on it."""

from __future__ import annotations

import logging
from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify

from workbench.accounts import can_be_read
from workbench.errors import WorkbenchError
from workbench.instance import ACCOUNTS_FILE
from workbench.web.access import PUBLIC, allow
from workbench.web.connections import connections

blueprint = Blueprint("health", __name__)

logger = logging.getLogger("workbench.web")


@blueprint.get("/health")
@allow(PUBLIC)
def health() -> Response:
    """`{"status": "ok"}`, or 503 and `{"status": "unavailable"}` when the instance cannot be read."""
    well = _instance_can_be_read(Path(current_app.instance_path))
    answer = jsonify(status="ok" if well else "unavailable")
    answer.status_code = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
    return answer


def _instance_can_be_read(instance: Path) -> bool:
    """Whether the folder can be listed and its accounts be read; the log says why not.

    Accounts that are gone are not opened, which would make them anew.
    """
    try:
        next(instance.iterdir(), None)
        if (instance / ACCOUNTS_FILE).is_file() and can_be_read(connections().accounts()):
            return True
        logger.error("not healthy: %s cannot be read", instance / ACCOUNTS_FILE)
    except (OSError, WorkbenchError) as error:
        logger.error("not healthy: %s", error)
    return False
