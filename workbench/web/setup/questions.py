"""The page Questions: what is asked besides relevance, about documents and about answers, and a form that asks more."""

from __future__ import annotations

from typing import Annotated

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.pools.new_units import UnitNews, news_of
from workbench.campaign.questions import USUAL, declare, question_counts, scale_of
from workbench.core.about import ABOUT, DOCUMENTS, LIST_PAIRS
from workbench.core.errors import CampaignError
from workbench.core.parameters import Limits
from workbench.core.records import LABELS, SCALE, WEIGHT, Question
from workbench.formats.scale import ScaleError, grades_of, parse_map, parse_weights
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import Count, Grade, ShortName, Text
from workbench.web.requests.long_work import takes_long
from workbench.web.setup.campaign_settings import SPARE_ROWS, typed_rows

blueprint = Pages("questions", __name__)

LONGEST = 200
Words = Annotated[str, Limits("what assessors read", most=LONGEST)]
"""Characters of a title and of a guideline."""


@blueprint.get("/c/<campaign>/settings/questions", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The questions, how far each is answered, and a form: for a new one, or with `?name=` to change one.

    With `?about=` it is filled with what is usually asked about citations, nuggets or answers.
    """
    return _page()


@blueprint.post("/c/<campaign>/settings/questions", allow=ORGANISERS)
@takes_long
def ask(
    campaign: str,
    *,
    name: ShortName = "",
    title: Words = "",
    good__from: Grade = 1,
    asked__from: Grade | None = None,
    guideline: Words = "",
    about: Text = DOCUMENTS,
    answered: Text = SCALE,
    ends: Text = "",
    counts: Text = "",
    depth: Count = 1,
) -> ResponseReturnValue:
    """Ask the question of the form, or change it; 422 with the reason for what makes no sense."""
    try:
        rows = tuple(parse_weights(ends) if answered == WEIGHT else grades_of(typed_rows(())))
        several = answered == LABELS
        question = Question(
            name,
            title or name,
            () if several else rows,
            good__from,
            asked__from if about == DOCUMENTS else None,
            guideline,
            about,
            answered,
            rows if several else (),
            tuple(sorted(parse_map(counts).items())),
            depth if about == LIST_PAIRS else USUAL[LIST_PAIRS].depth,
        )
        declare(g.campaign, question)
    except (CampaignError, ScaleError) as error:
        return _page(str(error)), 422
    say(f"The question {question.name} is asked.")
    return redirect(url_for(".page", campaign=campaign), 303)


def _page(problem: str = "") -> str:
    current, form = settings.read(g.campaign), request.form
    name, about = request.values.get("name", ""), request.values.get("about", DOCUMENTS)
    known = {each.name: each for each in current.questions}
    before = known.get(name)
    begins = before or USUAL.get(about) or Question("", "", (), asked_from=current.relevant_from)
    answered = before.answered if before else request.values.get("answered", SCALE)
    several = answered == LABELS
    shown = () if not before and answered != SCALE else begins.labels if several else begins.grades
    rows = typed_rows(shown)
    filled = {
        "name": name or ("" if begins.name in known else begins.name),
        "about": before.about if before else about,
        "answered": answered,
        "ends": form.get("ends", scale_of(before) if before else "0..10"),
        "counts": form.get("counts", ",".join(f"{number}={grade}" for number, grade in begins.counts)),
        "title": form.get("title", begins.title),
        "guideline": form.get("guideline", begins.guideline),
        "good-from": form.get("good-from", str(begins.relevant_from)),
        "asked-from": form.get("asked-from", str(begins.asked_from)),
        "depth": form.get("depth", str(begins.depth)),
    }
    return render_template(
        "setup/settings/questions.html",
        counts=question_counts(g.campaign),
        news={name: _news(each) for name, each in known.items()},
        kinds=ABOUT,
        grades=current.grades,
        before=before,
        filled=filled,
        rows=[*rows, *[("", "", "")] * (SPARE_ROWS + 6 * several)],
        problem=problem,
        longest=LONGEST,
    )


def _news(question: Question) -> UnitNews:
    has_none = question.about == DOCUMENTS and question.answered != LABELS
    return UnitNews() if has_none else news_of(g.campaign.asking(question.name))
