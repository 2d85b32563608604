"""What a browser asks about judgments that were acknowledged to it: does this server still have them?

A server that was restored from an older backup has lost what came after it. Browsers keep the judgments that were
acknowledged in the last days, ask here, and send again what is not known any more.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, g, jsonify, request

from workbench.core.values import UUID_PATTERN
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.web.access.rules import JUDGES, allow_in_campaign
from workbench.web.requests.answers import refusal

MOST_AT_ONCE = 500

blueprint = Blueprint("receipts", __name__)


@blueprint.post("/c/<campaign>/api/receipts")
@allow_in_campaign(*JUDGES)
def unknown(campaign: str) -> Response:
    """Which of `{"uuids": [...]}` (at most 500, in small letters) name no judgment of the signed-in account.

    `log` in the answer tells this campaign's log from any other: a new campaign under an old name
    knows none of the earlier judgments, and must not be given them.
    """
    uuids = _uuids()
    if uuids is None:
        message = f"uuids: a list of at most {MOST_AT_ONCE} UUIDs is expected"
        return refusal(422, "wrong field", message, field="uuids")
    return jsonify(
        unknown=judgments.unknown_uuids(g.campaign, uuids, g.member),
        log=log.mark(g.campaign),
    )


def _uuids() -> list[str] | None:
    try:
        sent = request.get_json()
    except RecursionError:
        return None
    uuids = sent.get("uuids") if isinstance(sent, Mapping) else None
    if not isinstance(uuids, list) or len(uuids) > MOST_AT_ONCE:
        return None
    return uuids if all(isinstance(uuid, str) and UUID_PATTERN.fullmatch(uuid) for uuid in uuids) else None
