"""The guidelines as assessors read them: the version in force, what changed since another, and that one has read it."""

from __future__ import annotations

from typing import Literal

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from workbench.campaign import guidelines
from workbench.campaign.campaign_settings import LONGEST_GUIDELINES
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.judging.document.markdown import guidelines_html
from workbench.web.judging.keys import grade_buttons
from workbench.web.requests.form_fields import Row
from workbench.web.requests.languages import gettext

blueprint = Pages("guidelines", __name__)


@blueprint.app_template_filter("guidelines")
def as_html(text: str) -> Markup | None:
    """Guidelines as HTML; None for what is shown as it was written."""
    return guidelines_html(text)


@blueprint.app_template_test("short_guidelines")
def is_short(text: str) -> bool:
    """Whether a judging page holds the guidelines; longer ones, out of a bundle, have a page of their own alone."""
    return len(text) <= LONGEST_GUIDELINES


@blueprint.app_template_global()
def unread_guidelines() -> int | None:
    """The older version that the person of this request knows while a newer one is in force."""
    return guidelines.unread(g.campaign, g.member, settings.read(g.campaign))


@blueprint.get("/c/<campaign>/guidelines", allow=JUDGES)
def page(campaign: str) -> str:
    """The guidelines, or those of `?version=`; with changes from `?since=` or the version the assessor knows."""
    versions = settings.guideline_versions(g.campaign)
    current = settings.read(g.campaign)
    known = {each.version for each in versions}
    version = request.args.get("version", current.guideline_version, type=int)
    unread = unread_guidelines()
    since = request.args.get("since", unread, type=int)
    if version not in known | {current.guideline_version} or (since is not None and since not in known | {0}):
        abort(404, gettext("The guidelines have no such version."))
    shown = current if version == current.guideline_version else settings.read(g.campaign.at(version))
    buttons = grade_buttons(shown.grades, shown.relevant_from, order=current.key_order)
    return render_template(
        "judging/guidelines/page.html",
        settings=shown,
        current=current.guideline_version,
        versions=versions,
        unread=unread,
        since=since,
        changes=None
        if since is None or since >= version
        else guidelines.changes_between(settings.read(g.campaign.at(since)), shown),
        buttons=buttons,
        by_grade={button.grade: button for button in buttons},
        name=campaign,
        must_confirm=not guidelines.is_known(g.campaign, g.member),
    )


@blueprint.post("/c/<campaign>/guidelines", allow=JUDGES)
def read(campaign: str, *, version: Row, then: Literal["judge", "topics"] = "topics") -> ResponseReturnValue:
    """The assessor has read the version that the page showed; they are not led to it any more.

    Who read their first one comes to a judging page that begins with a tour of itself.
    """
    is_first = not guidelines.is_known(g.campaign, g.member)
    guidelines.note_read(g.campaign, g.member, version)
    if then != "judge":
        return redirect(url_for("campaigns.own_topics", campaign=campaign), 303)
    return redirect(url_for("judge.page", campaign=campaign, tour=1 if is_first else None), 303)
