"""The page of norming sessions: what is to be judged, who has, and, once that is shown, who said what."""

from __future__ import annotations

from typing import Annotated

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis import norming
from workbench.campaign import assessing
from workbench.core.about import ANSWERS, CITATIONS, COUNTED, DOCUMENTS, NUGGETS, ONE, PAIRS, SPANS
from workbench.core.errors import REFUSED
from workbench.core.natural_order import natural
from workbench.core.parameters import Limits
from workbench.core.wording import capital
from workbench.core.wording import translatable as _
from workbench.methods.statistics.agreement import FEWEST_ITEMS, Coefficient
from workbench.storage.campaign.assigning import norming as sessions
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.collection.question_topics import about, question_of
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, ORGANISERS, Pages
from workbench.web.judging.given import buttons_at
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import Changes, Seed, Text, TopicId
from workbench.web.requests.languages import gettext, ngettext

THESE = {
    DOCUMENTS: _("Judge these documents"),
    CITATIONS: _("Judge these citations"),
    NUGGETS: _("Judge these nuggets"),
    ANSWERS: _("Judge these answers"),
    SPANS: _("Judge these spans"),
} | dict.fromkeys(PAIRS, _("Judge these pairs"))

blueprint = Pages("norming", __name__)
CHANGES = Changes()
CHANGES("reveal")(lambda: norming.reveal_norming(g.campaign))
Number = Annotated[int, Limits("how many documents", least=1, most=norming.MOST)]

SHOWN = ("raw agreement", "Fleiss' kappa", "Krippendorff's alpha, ordinal", "Gwet's AC2, quadratic")
"""The coefficients that the page has; the command line has all of them."""


@blueprint.app_template_global()
def norming_session() -> Session | None:
    """The session that is open in this request's campaign."""
    return sessions.open_session(g.campaign)


@blueprint.app_template_global()
def norming_count(session: Session) -> str:
    """How much is judged in a session: 3 documents, 2 nuggets and so on."""
    return _things(about(g.campaign, session.topic_id), len(session.documents))


def _things(kind: str, number: int) -> str:
    return ngettext(*COUNTED[kind], number)


@blueprint.get("/c/<campaign>/norming", allow=JUDGES)
def page(campaign: str) -> str:
    """The session of `?session=`, else the open one, else the newest; an organiser opens the next one here."""
    found = sessions.all_sessions(g.campaign)
    number = request.args.get("session", type=int)
    chosen = [each for each in found if each.norming == number] if number is not None else found[-1:]
    if number is not None and not chosen:
        abort(404, gettext("There is no norming session %(number)s.", number=str(number)))
    return _page(chosen[0] if chosen else None)


@blueprint.post("/c/<campaign>/norming", allow=ORGANISERS, does=CHANGES)
def change(campaign: str) -> ResponseReturnValue:
    """Open a session, show its grades, or close it, as the form's `do` says."""
    try:
        session = CHANGES.chosen()()
    except REFUSED as error:
        newest = sessions.all_sessions(g.campaign)[-1:]
        return _page(newest[0] if newest else None, str(error)), 422
    done = (
        "closed" if session.closed else "open" if session.revealed is None else "open, with its grades shown"
    )
    say(f"Norming session {session.norming} is {done}.")
    return redirect(url_for(".page", campaign=campaign, session=session.norming), 303)


@CHANGES("open")
def _open(
    *, topic: TopicId = "", documents: Text = "", number: Number = norming.USUAL, seed: Seed = 0
) -> Session:
    return norming.open_norming(g.campaign, topic, documents.split(), number=number, seed=seed)


@CHANGES("close")
def _close(*, counts: bool = False) -> Session:
    return norming.close_norming(g.campaign, counts=counts)


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
        things=_things(about(asked), len(session.documents)) if session else "",
        heading=capital(gettext(ONE[about(asked)])),
        these=THESE[about(asked)],
        session=session,
        outcome=outcome,
        lead=_lead(outcome, about(asked)),
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


def _lead(outcome: norming.Outcome | None, kind: str = DOCUMENTS) -> str:
    if outcome is None:
        return gettext("No norming session yet.")
    session, number = outcome.session, len(outcome.session.documents)
    ready, things = sum(done == number for done in outcome.done.values()), _things(kind, number)
    if session.revealed is None and session.is_open:
        if not outcome.done:
            return gettext("The session is open: %(things)s, none judged yet.", things=things)
        done = {"ready": ready, "all": len(outcome.done)}
        if number == 1:
            thing = gettext(ONE[kind])
            return gettext("%(ready)s of %(all)s assessors have judged its %(thing)s.", thing=thing, **done)
        return gettext("%(ready)s of %(all)s assessors have judged all %(things)s.", things=things, **done)
    if session.is_open:
        return gettext("All grades are shown: discuss those that differ. Assessors can change their grades.")
    if session.counts:
        return gettext("The session has ended; its grades count.")
    return gettext("The session has ended; its grades do not count.")


def _title(topic_id: str) -> str:
    stored = topics.find(g.campaign, topic_id)
    return f"{topic_id} {stored.topic.title}".strip() if stored else topic_id


def _coefficients(outcome: norming.Outcome | None) -> list[tuple[Coefficient, Coefficient]]:
    if outcome is None or outcome.before is None or outcome.after is None:
        return []
    both = zip(outcome.before.graded, outcome.after.graded, strict=True)
    return [(before, after) for before, after in both if before.name in SHOWN]
