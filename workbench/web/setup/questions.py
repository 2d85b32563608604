"""The page Questions: what is asked about documents besides relevance, and a form that asks more."""

from __future__ import annotations

from flask import flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.questions import declare, question_counts
from workbench.core.errors import CampaignError
from workbench.core.records import Question
from workbench.formats.scale import ScaleError, grades_of
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests.form_values import one_line, whole_number
from workbench.web.requests.long_work import takes_long
from workbench.web.setup.campaign_settings import SPARE_ROWS, typed_rows

blueprint = Pages("questions", __name__)

LONGEST = 200
"""Characters of a title and of a guideline."""


@blueprint.get("/c/<campaign>/settings/questions", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The questions, how far each is answered, and a form: for a new one, or with `?name=` to change one."""
    return _page()


@blueprint.post("/c/<campaign>/settings/questions", allow=ORGANISERS)
@takes_long
def ask(campaign: str) -> ResponseReturnValue:
    """Ask the question of the form, or change it; 422 with the reason for what makes no sense."""
    try:
        least = request.form.get("asked-from", "") and whole_number("asked-from", "Ask about: a grade", 0)
        question = Question(
            request.form.get("name", "").strip(),
            one_line("title", LONGEST) or request.form.get("name", ""),
            tuple(grades_of(typed_rows(()))),
            whole_number("good-from", "Good from grade: a whole number", 1),
            None if least == "" else least,
            one_line("guideline", LONGEST),
        )
        declare(g.campaign, question)
    except (CampaignError, ScaleError) as error:
        return _page(str(error)), 422
    flash(f"The question {question.name} is asked.")
    return redirect(url_for(".page", campaign=campaign), 303)


def _page(problem: str = "") -> str:
    current, form = settings.read(g.campaign), request.form
    name = request.values.get("name", "")
    before = next((each for each in current.questions if each.name == name), None)
    rows = typed_rows(before.grades if before else ())
    filled = {
        "name": name,
        "title": form.get("title", before.title if before else ""),
        "guideline": form.get("guideline", before.guideline if before else ""),
        "good-from": form.get("good-from", str(before.relevant_from if before else 1)),
        "asked-from": form.get("asked-from", _shown(before.asked_from if before else current.relevant_from)),
    }
    return render_template(
        "setup/settings/questions.html",
        counts=question_counts(g.campaign),
        grades=current.grades,
        before=before,
        filled=filled,
        rows=[*rows, *[("", "", "")] * SPARE_ROWS],
        problem=problem,
        longest=LONGEST,
    )


def _shown(grade: int | None) -> str:
    return "" if grade is None else str(grade)
