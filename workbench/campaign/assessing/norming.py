"""Judging in a norming session: its documents, the same for all assessors, each with their own grades of it."""

from __future__ import annotations

from workbench.campaign.assessing.permission import Access
from workbench.campaign.assessing.queues import QueueItem
from workbench.campaign.assessing.showing import Shown, left_for, shown_to_all
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.core.records import Judgment
from workbench.core.wording import translatable as _
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming as sessions
from workbench.storage.campaign.assigning.assignments import WHOLE
from workbench.storage.campaign.assigning.norming import Session

ENDED = _("the norming session has ended: nothing more is judged in it")


def session_of(campaign: Campaign, number: int) -> Session:
    """The session of this number; NotThere when there is none."""
    session = sessions.find(campaign, number)
    if session is None:
        raise NotThere(f"there is no norming session {number} in {campaign.name}")
    return session


def access_to_session(session: Session) -> Access:
    """Every assessor of the campaign may judge all documents of an open session."""
    refusal = ("", "") if session.is_open else ("norming closed", ENDED)
    return Access(WHOLE, refusal, 0, frozenset())


def queue_of_session(campaign: Campaign, session: Session, assessor: str) -> list[QueueItem]:
    """The documents of a session in its order, with this assessor's own grades."""
    given = {
        judgment.document_id: judgment.as_given()
        for judgment in sessions.said(campaign, session)
        if judgment.assessor == assessor
    }
    return [QueueItem.of(document_id, given.get(document_id)) for document_id in session.documents]


def show_in_session(campaign: Campaign, session: Session, document_id: str, assessor: str) -> Shown:
    """A document of a session, with what this assessor said of it there; NotThere for a pair that is in no pool."""
    with campaign.snapshot():
        shown = shown_to_all(campaign, session.topic_id, document_id)
        left = left_for(campaign, shown, document_id, assessor)
        return shown._replace(mine=own_in_session(campaign, session, document_id, assessor), left=left)


def own_in_session(campaign: Campaign, session: Session, document_id: str, assessor: str) -> Judgment | None:
    """An assessor's own judgment of a document in a session, as they gave it."""
    found = sessions.newest(campaign, session, document_id, assessor)
    return found and found.as_given()


def check_session(session: Session, topic_id: str, document_id: str) -> None:
    """Refuse a judgment in a session: JudgmentRefused `unknown pair`, or `norming closed` after its end."""
    if session.topic_id != topic_id or document_id not in session.documents:
        raise JudgmentRefused("unknown pair", f"the document is not in a norming session {session.norming}")
    if not session.is_open:
        raise JudgmentRefused("norming closed", ENDED)
