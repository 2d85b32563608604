"""The judging page as an assessor will see it, for the organiser: any topic and document, pooled or not.

It is drawn by the server alone: there is no script on it, no outbox and no address that stores anything.
"""

from __future__ import annotations

from flask import g, render_template, request
from werkzeug.wrappers import Response

from workbench.campaign.assessing.showing import show_unpooled
from workbench.core.natural_order import natural
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.judging.document_view import frame_of, view_of
from workbench.web.judging.keys import grade_buttons

blueprint = Pages("preview", __name__)

OFFERED = 20
"""How many documents the page offers by name; any other can be typed."""


@blueprint.get("/c/<campaign>/preview", allow=ORGANISERS)
def page(campaign: str) -> tuple[str, int] | str:
    """The judging page of `?topic=` and `?document=`; without them of the first of each."""
    topic_id, document_id = request.args.get("topic", "").strip(), request.args.get("document", "").strip()
    ids = sorted(topics.topic_ids(g.campaign), key=natural)
    stored = topics.find(g.campaign, topic_id or next(iter(ids), ""))
    offered = [] if stored is None else documents.some_with_text(g.campaign, stored.topic.topic_id, OFFERED)
    current = settings.read(g.campaign)
    html = render_template(
        "judging/preview/page.html",
        settings=current,
        topic=None if stored is None else stored.topic,
        topic_id=topic_id,
        document_id=document_id or next(iter(offered), ""),
        offered=offered,
        topic_ids=ids[:OFFERED],
        buttons=grade_buttons(current.grades, current.relevant_from, order=current.key_order),
        name=campaign,
    )
    return (html, 404) if topic_id and stored is None else html


@blueprint.get("/c/<campaign>/preview/document", allow=ORGANISERS)
def document(campaign: str) -> Response:
    """The document of `?document=` in its frame, with the words of `?topic=` marked; all of it with `?whole=1`."""
    topic_id, document_id = request.args.get("topic", ""), request.args.get("document", "")
    shown = show_unpooled(g.campaign, topics.named(g.campaign, topic_id), document_id)
    view = view_of(document_id, shown, marked=False)
    return frame_of(view, whole="whole" in request.args)
