"""Judging in a norming session: its documents, one's own grades in it, and how these are stored."""

from __future__ import annotations

from workbench.campaign.assessing.permission import Access
from workbench.campaign.assessing.queues import QueueItem
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.assigning.assignments import WHOLE
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.grades import off_record

ENDED = "the norming session has ended: nothing more is judged in it"


def session_of(campaign: Campaign, number: int) -> Session:
    """The session of this number; NotThere when there is none."""
    session = norming.find(campaign, number)
    if session is None:
        message = f"there is no norming session {number} in {campaign.name}"
        raise NotThere(message)
    return session


def access_to_session(session: Session) -> Access:
    """Every assessor of the campaign may judge all documents of an open session."""
    refusal = ("", "") if session.is_open else ("norming closed", ENDED)
    return Access(WHOLE, refusal, 0, frozenset())


def queue_of_session(campaign: Campaign, session: Session, assessor: str) -> list[QueueItem]:
    """The documents of a session in its order, the same for all assessors, with this assessor's own grades."""
    with campaign.snapshot():
        given = {
            judgment.document_id: off_record.as_given(judgment)
            for judgment in norming.said(campaign, session)
            if judgment.assessor == assessor
        }
    return [_item(document_id, given.get(document_id)) for document_id in session.documents]


def _item(document_id: str, mine: Judgment | None) -> QueueItem:
    if mine is None or mine.kind == "cleared":
        return QueueItem(document_id, "open", seq=mine.seq if mine else None)
    return QueueItem(document_id, "mine", mine.kind, mine.grade, mine.seq)


def seen_in_session(campaign: Campaign, session: Session, document_id: str, assessor: str) -> Judgment | None:
    """An assessor's own judgment of a document in a session, as they gave it."""
    found = norming.newest(campaign, session, document_id, assessor)
    return found and off_record.as_given(found)


def check_session(session: Session, topic_id: str, document_id: str) -> None:
    """Refuse what cannot be said in a session.

    Raises JudgmentRefused: `unknown pair` for a document that is not in the session, `norming closed` after its end.
    """
    if session.topic_id != topic_id or document_id not in session.documents:
        message = f"the document is not in a norming session {session.norming}"
        raise JudgmentRefused("unknown pair", message)
    if not session.is_open:
        raise JudgmentRefused("norming closed", ENDED)
