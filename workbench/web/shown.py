"""What an assessor is shown of one pair: the document in its frame, and what a judgment of it has to echo.

Topic and document ids are any text in any script, so they travel as query parameters, never in the path.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, g, jsonify, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from workbench import judging
from workbench.errors import NotThere
from workbench.judging import Shown
from workbench.web import documents
from workbench.web.access import allow_in_campaign
from workbench.web.answers import own_judgment, refusal

blueprint = Blueprint("shown", __name__)

LONGEST_FIELD = 300
FRAME_POLICY = "sandbox allow-same-origin; default-src 'none'; style-src 'self'; frame-ancestors 'self'"


@blueprint.get("/c/<campaign>/api/document")
@allow_in_campaign("organiser", "assessor")
def document(campaign: str) -> Response:
    """One document as JSON: what the page shows, and what a judgment of it has to echo."""
    topic_id, document_id = request.args.get("topic", ""), request.args.get("document", "")
    try:
        shown = judging.show(g.campaign, topic_id, document_id, g.account)
    except NotThere as error:
        return refusal(404, "unknown pair", str(error))
    return jsonify(
        document_id=document_id,
        pool=shown.pool,
        text_hash=shown.text_hash,
        topic_version=shown.topic_version,
        guideline_version=shown.guideline_version,
        mine=own_judgment(shown.mine),
        **_view(campaign, topic_id, document_id, shown),
    )


@blueprint.get("/c/<campaign>/document-frame")
@allow_in_campaign("organiser", "assessor")
def frame(campaign: str) -> AnyResponse:
    """A document's cleaned HTML, to stand in a sandboxed frame; only the text with `?hash=` will do."""
    try:
        shown = judging.show(
            g.campaign, request.args.get("topic", ""), request.args.get("document", ""), g.account
        )
    except NotThere as error:
        abort(404, str(error))
    if shown.document is None or shown.text_hash != request.args.get("hash"):
        abort(404, "The campaign no longer has this text of the document.")
    response = make_response(render_template("judge/frame.html", html=documents.cleaned(shown.document)))
    response.headers["Content-Security-Policy"] = FRAME_POLICY
    return response


def _view(campaign: str, topic_id: str, document_id: str, shown: Shown) -> dict[str, Any]:
    if shown.document is None or shown.text_hash is None:
        return {"state": "missing", "title": "", "fields": [], "blocks": [], "frame": None}
    view = documents.view_of(shown.document)
    address = url_for(".frame", campaign=campaign, topic=topic_id, document=document_id, hash=shown.text_hash)
    return {
        "state": view.state,
        "title": shown.document.title,
        "fields": [
            {"name": name, "value": value[:LONGEST_FIELD]}
            for name, value in shown.document.fields.items()
            if value
        ],
        "blocks": [block._asdict() for block in view.blocks],
        "frame": address if view.state == documents.FRAME else None,
    }
