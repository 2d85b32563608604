"""The page of one's own work, for each who judges: pace, grades, hours by day, also as CSV."""

from __future__ import annotations

from flask import Response, g, render_template

from workbench.analysis.assessors.own_work import own_work
from workbench.campaign.working_time import FOR_ASSESSORS, WorkDay, working_days
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.sheets import sheet_of
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.judging.given import buttons_of
from workbench.web.requests.answers import attached

blueprint = Pages("own_work", __name__)


@blueprint.get("/c/<campaign>/work", allow=JUDGES)
def page(campaign: str) -> str:
    """One's own days, pace and grades; self-agreement once judging is over."""
    work, rules = own_work(g.campaign, g.member), settings.read(g.campaign)
    buttons = buttons_of(rules)
    return render_template(
        "agreement/assessors/own_work.html",
        work=work,
        graded=sum(work.grades.values()),
        buttons=buttons,
        scale=[*buttons, *sorted(set(work.grades) - set(buttons))],
    )


@blueprint.get("/c/<campaign>/work/hours.csv", allow=JUDGES)
def hours(campaign: str) -> Response:
    """One's own hours by day (UTC)."""
    days = working_days(g.campaign, assessor=g.member)
    text = "".join(as_csv(sheet_of(WorkDay, days, FOR_ASSESSORS)))
    return attached(text, f"{campaign}.hours.csv", "text/csv; charset=utf-8")
