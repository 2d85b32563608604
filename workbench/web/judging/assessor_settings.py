"""An assessor's private settings while judging: postponed documents, own terms, preferences; and the
history of their judgments.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, g, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from workbench.campaign import assessor_settings
from workbench.campaign.assessor_settings import LONGEST_TERM, MarkedWords, TermRefused
from workbench.core.errors import NotThere
from workbench.core.values import text
from workbench.web.access.rules import JUDGES, allow_in_campaign
from workbench.web.judging import preferences
from workbench.web.judging.history import judged
from workbench.web.judging.submissions import (
    Reader,
    WrongField,
    read_fields,
    read_text,
    read_truth,
    sent_json,
)
from workbench.web.requests.answers import refusal

blueprint = Blueprint("assessor_settings", __name__)

CHANGES = ("add", "remove", "off", "on")


@blueprint.post("/c/<campaign>/api/later")
@allow_in_campaign(*JUDGES)
def later(campaign: str) -> Response:
    """Put a document off, or no longer: `{topic_id, document_id, later}`; once more changes nothing."""
    readers: dict[str, Reader] = {"topic_id": read_text, "document_id": read_text, "later": read_truth}
    try:
        sent = read_fields(sent_json(), readers)
        marked = assessor_settings.postpone(g.campaign, g.member, **sent)
    except WrongField as error:
        return refusal(422, "wrong field", str(error), field=error.field)
    except NotThere as error:
        return refusal(404, "unknown pair", str(error))
    return jsonify(later=marked)


@blueprint.post("/c/<campaign>/postponed-topics")
@allow_in_campaign(*JUDGES)
def later_topic(campaign: str) -> AnyResponse:
    """Put a topic off with `do=postpone`, else no longer; judging goes on with the topic that is next then."""
    is_later = request.form.get("do") == "postpone"
    try:
        assessor_settings.postpone_topic(g.campaign, g.member, request.form.get("topic", ""), later=is_later)
    except NotThere as error:
        abort(404, str(error))
    return redirect(url_for("judge.page" if is_later else "campaigns.home", campaign=campaign), 303)


@blueprint.get("/c/<campaign>/api/terms")
@allow_in_campaign(*JUDGES)
def terms(campaign: str) -> Response:
    """One's own terms for `?topic=`, in the order they were added, and the words of the topic that are switched off."""
    return _marked(assessor_settings.marked_words(g.campaign, g.member, request.args.get("topic", "")))


@blueprint.post("/c/<campaign>/api/terms")
@allow_in_campaign(*JUDGES)
def change_terms(campaign: str) -> Response:
    """Add or remove a term of one's own, switch a word of the topic off or on; the answer is that of GET.

    Takes `{topic_id, add?, remove?, off?, on?}`.
    """
    readers: dict[str, Reader] = {
        "topic_id": read_text,
        **dict.fromkeys(CHANGES, text(4 * LONGEST_TERM).read),
    }
    try:
        sent = read_fields(sent_json(), readers, frozenset(CHANGES))
        changed = assessor_settings.change_terms(g.campaign, g.member, **sent)
    except WrongField as error:
        return refusal(422, "wrong field", str(error), field=error.field)
    except TermRefused as error:
        return refusal(422, "wrong field", str(error), field="off" if "off" in sent else "add")
    except NotThere as error:
        return refusal(404, "unknown topic", str(error))
    return _marked(changed)


@blueprint.get("/c/<campaign>/api/preferences")
@allow_in_campaign(*JUDGES)
def all_preferences(campaign: str) -> Response:
    """All of one's preferences by name."""
    return jsonify(preferences.all_of(g.campaign, g.member))


@blueprint.post("/c/<campaign>/api/preferences")
@allow_in_campaign(*JUDGES)
def change_preferences(campaign: str) -> Response:
    """Set preferences: `{name: value}`, all or none; the answer has all of them."""
    try:
        sent = sent_json()
        if not isinstance(sent, dict):
            raise WrongField("body", "a JSON object is expected")
        return jsonify(preferences.change(g.campaign, g.member, sent))
    except WrongField as error:
        return refusal(422, "wrong field", str(error), field=error.field)


@blueprint.get("/c/<campaign>/history")
@allow_in_campaign(*JUDGES)
def history(campaign: str) -> str:
    """One's own judgments in force, newest first, 50 a page, by the filters of the address."""
    return render_template(
        "judging/history/page.html", name=campaign, **judged(g.campaign, g.member, request.args)
    )


def _marked(words: MarkedWords) -> Response:
    return jsonify(terms=list(words.own), off=words.off)
