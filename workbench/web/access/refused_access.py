"""Refused requests in the security log: a bounded number of times for each person and network."""

from __future__ import annotations

import logging
from typing import cast

from flask import Flask, current_app, g, request

from workbench.people.accounts import AccountsUnavailable, By, security_log
from workbench.web.requests.connections import connections
from workbench.web.requests.throttle import Throttle, network_of

MOST, WITHIN = 20, 3600.0
"""How many refusals of one person from one network are written down within this many seconds."""

LONGEST_NAME = 64

logger = logging.getLogger("workbench.web")


def init_app(app: Flask) -> None:
    """Give the application its count."""
    app.extensions["workbench_refused_access"] = Throttle(MOST, WITHIN)


def record_refused_access() -> None:
    """Write down that the person of this request asked for what their role does not allow.

    A campaign that does not exist is written down like one of others: the time of the answer tells nothing.
    """
    if g.viewer is None or g.viewer.local:
        return
    counted = cast("Throttle", current_app.extensions["workbench_refused_access"])
    if counted.attempt((g.account, network_of(request.remote_addr))):
        return
    campaign = str((request.view_args or {}).get("campaign", ""))[:LONGEST_NAME]
    detail = f"{request.method} {request.url_rule}{f' in {campaign}' if campaign else ''}"
    by = By(g.account, request.remote_addr or "")
    try:
        security_log.record(
            connections().accounts(), security_log.ACCESS_REFUSED, g.account, by=by, detail=detail
        )
    except AccountsUnavailable as error:
        logger.error("a refused access is not recorded: %s", error)
