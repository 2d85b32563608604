"""Deleting a document that nothing refers to, from the page where documents are added."""

from __future__ import annotations

from flask import Blueprint, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.content_changes import delete_documents
from workbench.core.errors import CampaignError, NotThere
from workbench.core.values import LONGEST_ID
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.web.access.rules import allow_in_campaign
from workbench.web.requests.form_values import one_line
from workbench.web.setup.new_campaign import step_page

blueprint = Blueprint("deleting_documents", __name__)


@blueprint.post("/c/<campaign>/add/documents/delete")
@allow_in_campaign("organiser")
def delete(campaign: str) -> ResponseReturnValue:
    """Delete the document of the form's `document`; 422 where there is none, or something refers to it."""
    document_id = request.form.get("document", "").strip()[:LONGEST_ID]
    reason = one_line("reason", LONGEST_REASON)
    try:
        delete_documents(g.campaign, [document_id], reason=reason)
    except (CampaignError, NotThere) as error:
        return step_page("documents", wrong=str(error)), 422
    return redirect(url_for("new_campaign.step", campaign=campaign, kind="documents", deleted=1), 303)
