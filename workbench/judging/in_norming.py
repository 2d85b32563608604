"""Judging in a norming session: its documents, one's own grades in it, and how these are stored."""

from __future__ import annotations

from workbench.campaign import Campaign, norming, off_record
from workbench.campaign.assignments import WHOLE
from workbench.campaign.norming import Session
from workbench.errors import JudgmentRefused, NotThere
from workbench.judging.permission import Access
from workbench.judging.queues import QueueItem
from workbench.records import Judgment

ENDED = "the norming session has ended: nothing more is judged in it"


def session_of(campaign: Campaign, number: int) -> Session:
    """The session of this number; NotThere when there is none."""
    session = norming.find(campaign, number)
    if session is None:
        message = f"there is no norming session {number} in {campaign.name}"
        raise NotThere(message)
    return session


def access_to_session(session: Session) -> Access:
    """Everybody who judges in the campaign judges all of a session, as long as it is open."""
    refusal = ("", "") if session.is_open else ("norming closed", ENDED)
    return Access(WHOLE, refusal, 0, frozenset())


def queue_of_session(campaign: Campaign, session: Session, assessor: str) -> list[QueueItem]:
    """The documents of a session in its order, the same for everybody, with this assessor's own grades in it."""
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


def seen_in_session(campaign: Campaign, number: int, document_id: str, assessor: str) -> Judgment | None:
    """An assessor's own judgment of a document in a session, as they gave it."""
    found = norming.newest(campaign, session_of(campaign, number), document_id, assessor)
    return found and off_record.as_given(found)


def check_session(campaign: Campaign, number: int, topic_id: str, document_id: str) -> None:
    """Refuse what cannot be said in a session; called inside the write transaction.

    Raises JudgmentRefused: `unknown pair` for a document that is not in the session, `norming closed` after its end.
    """
    session = norming.find(campaign, number)
    if session is None or session.topic_id != topic_id or document_id not in session.documents:
        raise JudgmentRefused("unknown pair", f"the document is not in a norming session {number}")
    if not session.is_open:
        raise JudgmentRefused("norming closed", ENDED)
