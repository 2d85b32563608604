"""The page Questions: what is asked besides relevance, about documents and about answers, and a form that asks more."""

from __future__ import annotations

from flask import flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.pools.new_units import UnitNews, news_of
from workbench.campaign.questions import USUAL, declare, question_counts
from workbench.core.about import ABOUT, DOCUMENTS
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
    """The questions, how far each is answered, and a form: for a new one, or with `?name=` to change one.

    With `?about=` it is filled with what is usually asked about citations, nuggets or answers.
    """
    return _page()


@blueprint.post("/c/<campaign>/settings/questions", allow=ORGANISERS)
@takes_long
def ask(campaign: str) -> ResponseReturnValue:
    """Ask the question of the form, or change it; 422 with the reason for what makes no sense."""
    try:
        about = request.form.get("about", DOCUMENTS)
        is_bound = about == DOCUMENTS and request.form.get("asked-from", "") != ""
        least = whole_number("asked-from", "Ask about: a grade", 0) if is_bound else None
        question = Question(
            request.form.get("name", "").strip(),
            one_line("title", LONGEST) or request.form.get("name", ""),
            tuple(grades_of(typed_rows(()))),
            whole_number("good-from", "Good from grade: a whole number", 1),
            least,
            one_line("guideline", LONGEST),
            about,
        )
        declare(g.campaign, question)
    except (CampaignError, ScaleError) as error:
        return _page(str(error)), 422
    flash(f"The question {question.name} is asked.")
    return redirect(url_for(".page", campaign=campaign), 303)


def _page(problem: str = "") -> str:
    current, form = settings.read(g.campaign), request.form
    name, about = request.values.get("name", ""), request.values.get("about", DOCUMENTS)
    before = next((each for each in current.questions if each.name == name), None)
    begins = before or USUAL.get(about) or Question("", "", (), asked_from=current.relevant_from)
    rows = typed_rows(begins.grades)
    filled = {
        "name": name or ("" if begins.name in {each.name for each in current.questions} else begins.name),
        "about": before.about if before else about,
        "title": form.get("title", begins.title),
        "guideline": form.get("guideline", begins.guideline),
        "good-from": form.get("good-from", str(begins.relevant_from)),
        "asked-from": form.get("asked-from", _shown(begins.asked_from)),
    }
    return render_template(
        "setup/settings/questions.html",
        counts=question_counts(g.campaign),
        scales={each.name: each.grades for each in current.questions},
        news={each.name: _news(each) for each in current.questions},
        kinds=ABOUT,
        grades=current.grades,
        before=before,
        filled=filled,
        rows=[*rows, *[("", "", "")] * SPARE_ROWS],
        problem=problem,
        longest=LONGEST,
    )


def _news(question: Question) -> UnitNews:
    return UnitNews() if question.about == DOCUMENTS else news_of(g.campaign.asking(question.name))


def _shown(grade: int | None) -> str:
    return "" if grade is None else str(grade)
