"""The report on run files that were sent, as a page for the team that submitted them."""

from __future__ import annotations

from flask import Response, abort, g, request

from workbench.campaign.ingest.check_report import from_content
from workbench.release.check_page import check_page
from workbench.release.names import file_name
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import attached

blueprint = Pages("check_pages", __name__)

NO_REPORT = "There is no such report, or it was too old to keep. Check the file again."


@blueprint.get("/c/<campaign>/add/runs/report/<job>", allow=ORGANISERS)
def page(campaign: str, job: str) -> Response:
    """The report of a job on all its files or, with `file`, on the one at this place, counted from 0: an HTML file."""
    record = campaign_jobs.find(job)
    detail = record.outcome.detail if record is not None else None
    reports = detail.get("reports", []) if isinstance(detail, dict) else []
    if "file" in request.args:
        place = request.args.get("file", -1, type=int)
        reports = reports[place : place + 1] if place >= 0 else []
    checks = [from_content(report["check"]) for report in reports if report.get("check")]
    if not checks:
        abort(404, NO_REPORT)
    name = file_name(checks[0].file) if len(checks) == 1 else "runs"
    text = check_page(checks, title=settings.read(g.campaign).title)
    return attached(text, f"check-{name}.html", "text/html; charset=utf-8")
