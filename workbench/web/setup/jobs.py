"""The jobs of a campaign, or of one person: what takes long, how far it is, what came of it, and cancelling it."""

from __future__ import annotations

from flask import Response, jsonify, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from workbench.web.access.rules import JUDGES, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.languages import gettext

blueprint = Pages("jobs", __name__)

OWNERS = (*JUDGES, "participant")
"""Who has jobs: organisers those of the campaign; participants, and assessors who may search, their own."""


@blueprint.get("/c/<campaign>/jobs", allow=OWNERS)
def every(campaign: str) -> str:
    """The jobs of the campaign, the newest first."""
    return render_template("setup/jobs/every.html", jobs=campaign_jobs.listed())


@blueprint.get("/c/<campaign>/jobs/<job>", allow=OWNERS)
def page(campaign: str, job: str) -> str:
    """One job: how far it is, or what came of it."""
    return render_template("setup/jobs/page.html", job=campaign_jobs.found(job))


@blueprint.get("/c/<campaign>/api/jobs/<job>", allow=OWNERS)
def state(campaign: str, job: str) -> Response:
    """How far a job is, and what came of it."""
    return jsonify(campaign_jobs.as_json(campaign_jobs.found(job)))


@blueprint.post("/c/<campaign>/jobs/<job>/cancel", allow=OWNERS)
def cancel(campaign: str, job: str) -> ResponseReturnValue:
    """End a job, if it has not ended yet; any organiser of the campaign may."""
    campaign_jobs.found(job)
    campaign_jobs.cancel(job)
    return redirect(url_for(".page", campaign=campaign, job=job), 303)


@blueprint.app_template_filter("job_word")
def job_word(state: str) -> str:
    """The state of a job as pages say it."""
    return gettext(campaign_jobs.WORDS[state])
