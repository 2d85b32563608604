"""The page Change the scale: what was given under each grade, what becomes of it, and what that changes."""

from __future__ import annotations

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import changing_scale
from workbench.campaign.campaign_settings import SETTINGS
from workbench.campaign.changing_scale import Effect, NewScale
from workbench.campaign.changing_settings import SettingsConflict
from workbench.core.errors import CampaignError
from workbench.formats.scale import ScaleError, grades_of, parse_map
from workbench.jobs.processes import Outcome
from workbench.storage.campaign.log import log
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.long_work import takes_long
from workbench.web.setup.campaign_settings import SPARE_ROWS, typed_rows

blueprint = Pages("scale", __name__)

REFUSED = (CampaignError, ScaleError)


@blueprint.get("/c/<campaign>/settings/scale", allow=ORGANISERS)
@takes_long
def page(campaign: str) -> str:
    """What was given under each grade of the scale in force, and a form for another scale."""
    return _page()


@blueprint.post("/c/<campaign>/settings/scale", allow=ORGANISERS)
@takes_long
def change(campaign: str) -> ResponseReturnValue:
    """Show what the form's scale changes, or with `do=change` replace the scale: all of it, or nothing."""
    address = url_for(".page", campaign=campaign)
    try:
        new = _new_scale()
        if request.form.get("do") != "change":
            return _page(effect=changing_scale.change_scale(g.campaign, new, dry_run=True))
        begun = campaign_jobs.begin(
            "Change the scale",
            "scale",
            work_on(g.campaign, changing_scale.change_scale, new, request.form.get("base", type=int)),
            outcome_of=lambda made: Outcome(
                "The scale is changed.", f"{address}?changed={made.row}", "Show it"
            ),
            user_errors=REFUSED,
        )
        return campaign_jobs.answer(begun, lambda made: redirect(f"{address}?changed={made.row}", 303))
    except REFUSED as error:
        return _page(str(error)), 409 if isinstance(error, SettingsConflict) else 422


def _new_scale() -> NewScale:
    form, given = request.form, "becomes:"
    mapped = [f"{name.removeprefix(given)}={form[name]}" for name in form if name.startswith(given)]
    return NewScale(
        tuple(grades_of(typed_rows(settings.read(g.campaign).grades))),
        SETTINGS["relevant-from"].value_of(form.get("relevant-from", "")),
        parse_map(",".join(each for each in mapped if not each.endswith("="))),
        frozenset(form.getlist("again", type=int)),
        "special" in form,
    )


def _page(problem: str = "", effect: Effect | None = None) -> str:
    current = settings.read(g.campaign)
    rows = typed_rows(current.grades)
    return render_template(
        "setup/settings/scale.html",
        rows=[*rows, *[("", "", "")] * SPARE_ROWS],
        names={number.strip(): label for number, label, _ in rows},
        given=effect.given if effect else changing_scale.given_grades(g.campaign),
        sentences=changing_scale.sentences_on(effect) if effect else [],
        history=changing_scale.history(g.campaign),
        changed=request.args.get("changed", type=int),
        problem=problem,
        typed=request.form,
        base=log.newest_seq(g.campaign),
        relevant_from=current.relevant_from,
    )
