"""The page Change the scale: what was given under each grade, what becomes of it, and what that changes."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.campaign_settings import SETTINGS
from workbench.campaign.changing_scale import (
    Effect,
    NewScale,
    change_scale_of,
    effect_of,
    given_grades,
    history,
    sentences_on,
)
from workbench.campaign.changing_settings import SettingsConflict
from workbench.core.errors import CampaignError
from workbench.formats.scale import ScaleError, grades_of, parse_map
from workbench.jobs.processes import Outcome
from workbench.storage.campaign.log import log
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import allow_in_campaign
from workbench.web.requests import campaign_jobs
from workbench.web.requests.long_work import takes_long
from workbench.web.setup.campaign_settings import GRADE_FIELDS, MOST_ROWS, SPARE_ROWS

blueprint = Blueprint("scale", __name__)

KIND = "scale"
REFUSED = (CampaignError, ScaleError)


@blueprint.get("/c/<campaign>/settings/scale")
@allow_in_campaign("organiser")
@takes_long
def page(campaign: str) -> str:
    """What was given under each grade of the scale in force, and a form for another scale."""
    return _page()


@blueprint.post("/c/<campaign>/settings/scale")
@allow_in_campaign("organiser")
@takes_long
def change(campaign: str) -> ResponseReturnValue:
    """Show what the form's scale changes, or with `do=change` replace the scale: all of it, or nothing."""
    try:
        new, base = _new_scale(), request.form.get("base", type=int)
        if request.form.get("do") != "change":
            return _page(effect=effect_of(g.campaign, new))
        address = url_for("scale.page", campaign=campaign)
        begun = campaign_jobs.begin(
            "Change the scale",
            KIND,
            work_on(g.campaign, change_scale_of, new, base),
            outcome_of=lambda seq: Outcome(
                "The scale is changed.", f"{address}?changed={seq}", "Show the scale"
            ),
            user_errors=REFUSED,
        )
        return campaign_jobs.answer(begun, lambda seq: redirect(f"{address}?changed={seq}", 303))
    except SettingsConflict as error:
        return _page(problem=str(error)), 409
    except REFUSED as error:
        return _page(problem=str(error)), 422


def _rows() -> list[tuple[str, ...]]:
    columns = [request.form.getlist(f"grade-{column}")[:MOST_ROWS] for column in GRADE_FIELDS]
    rows = [row for row in zip(*columns, strict=False) if any(cell.strip() for cell in row)]
    return rows or [(str(number), name, line) for number, name, line in settings.read(g.campaign).grades]


def _new_scale() -> NewScale:
    form = request.form
    old = [
        name.removeprefix("becomes:") for name in form if name.startswith("becomes:") and form[name].strip()
    ]
    return NewScale(
        tuple(grades_of([(number, name, line) for number, name, line in _rows()])),
        SETTINGS["relevant-from"].value_of(form.get("relevant-from", "")),
        parse_map(",".join(f"{number}={form[f'becomes:{number}']}" for number in old)),
        frozenset(form.getlist("again", type=int)),
        "special" in form,
    )


def _page(problem: str = "", effect: Effect | None = None) -> str:
    current, form = settings.read(g.campaign), request.form
    given = effect.given if effect else given_grades(g.campaign)
    values: dict[str, Any] = {
        "base": form.get("base") or log.newest_seq(g.campaign),
        "relevant_from": form.get("relevant-from", str(current.relevant_from)),
        "becomes": {each.grade: form.get(f"becomes:{each.grade}", str(each.grade)) for each in given},
        "again": set(form.getlist("again", type=int)),
        "special": "special" in form,
        "names": {number.strip(): label for number, label, _ in _rows()},
    }
    return render_template(
        "setup/settings/scale.html",
        name=g.campaign.name,
        settings=current,
        rows=[*_rows(), *[("", "", "")] * SPARE_ROWS],
        given=given,
        sentences=sentences_on(effect) if effect else [],
        history=history(g.campaign),
        has_special=any(each.grade < 0 and each.total for each in given),
        changed=request.args.get("changed", type=int),
        problem=problem,
        **values,
    )
