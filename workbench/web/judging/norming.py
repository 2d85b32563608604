"""The page of norming sessions: what is to be judged, who has, and, once that is shown, who said what."""

from __future__ import annotations

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis import norming
from workbench.campaign import assessing
from workbench.core.about import DOCUMENTS, ONE
from workbench.core.errors import REFUSED
from workbench.core.natural_order import natural
from workbench.core.wording import counted
from workbench.methods.statistics.agreement import FEWEST_ITEMS, Coefficient
from workbench.storage.campaign.assigning import norming as sessions
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.collection.question_topics import about, question_of
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, ORGANISERS, Pages
from workbench.web.judging.given import buttons_at
from workbench.web.requests.form_values import whole_number

blueprint = Pages("norming", __name__)

SHOWN = ("raw agreement", "Fleiss' kappa", "Krippendorff's alpha, ordinal", "Gwet's AC2, quadratic")
"""The coefficients that the page has; the command line has all of them."""


@blueprint.app_template_global()
def norming_session() -> Session | None:
    """The session that is open in this request's campaign."""
    return sessions.open_session(g.campaign)


@blueprint.app_template_global()
def norming_noun(session: Session) -> str:
    """What is judged in a session: document, nugget and so on."""
    return ONE[about(g.campaign, session.topic_id)]


@blueprint.get("/c/<campaign>/norming", allow=JUDGES)
def page(campaign: str) -> str:
    """The session of `?session=`, else the open one, else the newest; an organiser opens the next one here."""
    found = sessions.all_sessions(g.campaign)
    number = request.args.get("session", type=int)
    chosen = [each for each in found if each.norming == number] if number is not None else found[-1:]
    if number is not None and not chosen:
        abort(404, f"There is no norming session {number}.")
    return _page(chosen[0] if chosen else None)


@blueprint.post("/c/<campaign>/norming", allow=ORGANISERS)
def change(campaign: str) -> ResponseReturnValue:
    """Open a session, show its grades, or close it, as the form's `do` says."""
    try:
        session = _change(request.form.get("do", ""))
    except REFUSED as error:
        newest = sessions.all_sessions(g.campaign)[-1:]
        return _page(newest[0] if newest else None, str(error)), 422
    return redirect(url_for(".page", campaign=campaign, session=session.norming), 303)


def _change(what: str) -> Session:
    form = request.form
    if what == "open":
        chosen = form.get("documents", "").split()
        number = whole_number(
            "number", f"how many documents: a whole number from 1 to {norming.MOST}", norming.USUAL
        )
        seed = whole_number("seed", "the seed of the draw is a whole number, such as 7", 0)
        return norming.open_norming(g.campaign, form.get("topic", ""), chosen, number=number, seed=seed)
    if what == "reveal":
        return norming.reveal_norming(g.campaign)
    if what != "close":
        abort(400, "Choose what to change.")
    return norming.close_norming(g.campaign, counts=bool(form.get("counts")))


def _page(session: Session | None, problem: str = "") -> str:
    topic_id = session.topic_id if session else ""
    asked = g.campaign.asking(question_of(g.campaign, topic_id))
    outcome = norming.outcome_of(asked, session) if session else None
    mine = assessing.queue_of_session(asked, session, g.member) if session else []
    offered = [row.topic_id for row in assessing.whole_progress(g.campaign.asking(EVERY), g.member)]
    earlier = [each for each in sessions.all_sessions(g.campaign) if session and each != session]
    return render_template(
        "judging/norming/page.html",
        name=g.campaign.name,
        settings=settings.read(asked),
        one=ONE[about(asked)],
        session=session,
        outcome=outcome,
        lead=_lead(outcome, ONE[about(asked)]),
        fewest=FEWEST_ITEMS,
        mine={item.document_id: item for item in mine},
        called=documents.titles(asked, session.documents) if session and about(asked) != DOCUMENTS else {},
        topic=_title(topic_id) if session else "",
        buttons=buttons_at(asked, session.closed if session else None),
        coefficients=_coefficients(outcome),
        earlier=earlier[::-1],
        titles={each.norming: _title(each.topic_id) for each in earlier},
        choices=[(each, _title(each)) for each in sorted(offered, key=natural)],
        may_open=g.role == "organiser" and (session is None or sessions.open_session(g.campaign) is None),
        most=norming.MOST,
        usual=norming.USUAL,
        problem=problem,
        typed=request.form,
    )


def _lead(outcome: norming.Outcome | None, one: str = "document") -> str:
    if outcome is None:
        return "No norming session yet."
    session, number = outcome.session, len(outcome.session.documents)
    ready = sum(done == number for done in outcome.done.values())
    if session.revealed is None and session.is_open:
        if not outcome.done:
            return f"The session is open: {counted(number, one)}, none judged yet."
        which = f"its {one}" if number == 1 else f"all {number} {one}s"
        return f"{ready} of {len(outcome.done)} assessors have judged {which}."
    if session.is_open:
        return "All grades are shown: discuss those that differ. Assessors can change their grades."
    ended = "its grades count" if session.counts else "its grades do not count"
    return f"The session has ended; {ended}."


def _title(topic_id: str) -> str:
    stored = topics.find(g.campaign, topic_id)
    return f"{topic_id} {stored.topic.title}".strip() if stored else topic_id


def _coefficients(outcome: norming.Outcome | None) -> list[tuple[Coefficient, Coefficient]]:
    if outcome is None or outcome.before is None or outcome.after is None:
        return []
    both = zip(outcome.before.graded, outcome.after.graded, strict=True)
    return [(before, after) for before, after in both if before.name in SHOWN]
