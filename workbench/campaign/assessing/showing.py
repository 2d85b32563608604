"""One pooled pair as an assessor sees it, and the documents of a norming session."""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.campaign.assessing import repeats
from workbench.campaign.assessing.permission import Access
from workbench.campaign.assessing.queues import QueueItem
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.core.records import Document, Judgment, Topic
from workbench.core.values import declared
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming as sessions
from workbench.storage.campaign.assigning.assignments import WHOLE
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.grades import off_record
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

SHOWN = tuple(field for field in declared(Judgment) if field.given.part == "shown")
"""The fields of a judgment that prove what was shown."""

ENDED = "the norming session has ended: nothing more is judged in it"


class Shown(NamedTuple):
    """Everything about one pair that an assessor sees, and what a judgment of it has to echo.

    `document` and `text_hash` are None when the campaign has no text of the document; `mine` is the
    assessor's own judgment in force, if there is one: the newest repeat of a pair that was judged again, None while it
    is due again. `is_broken` says that an organiser marked the text as broken, so that it waits for another.
    """

    topic: Topic
    topic_version: int
    document: Document | None
    text_hash: str | None
    pool: int
    guideline_version: int
    mine: Judgment | None
    is_broken: bool = False

    def judged(self, document_id: str, **said: Any) -> Judgment:
        """A judgment of the pair, with the proof of what was shown, and what is said of it."""
        proof = {field.name: getattr(self, field.name) for field in SHOWN}
        return Judgment(
            topic_id=self.topic.topic_id, document_id=document_id, pool=self.pool, **proof, **said
        )


def show(
    campaign: Campaign,
    topic_id: str,
    document_id: str,
    assessor: str,
    *,
    with_text: bool = True,
    norming: int | None = None,
) -> Shown:
    """One pooled pair as an assessor sees it, or all of it but the document; NotThere for a pair that is in no pool.

    In the `norming` session of a number `mine` is what they said there.
    """
    with campaign.snapshot():
        rules = settings.read(campaign)
        shown = shown_to_all(campaign, topic_id, document_id, rules, with_text=with_text)
        return shown._replace(mine=own_judgment(campaign, topic_id, document_id, assessor, norming=norming))


def shown_to_all(
    campaign: Campaign, topic_id: str, document_id: str, rules: Settings, *, with_text: bool
) -> Shown:
    """One pooled pair without any assessor's own judgment; NotThere for a pair that is in no pool."""
    pair = topics.of_pair(campaign, topic_id, document_id)
    if pair is None:
        message = f"document {document_id!r} is not pooled for topic {topic_id!r} in {campaign.name}"
        raise NotThere(message)
    stored = documents.find(campaign, document_id) if with_text else None
    return Shown(
        topic=pair.topic.topic,
        topic_version=pair.topic.version,
        document=stored.document if stored else None,
        text_hash=pair.text_hash,
        pool=pair.pool,
        guideline_version=rules.guideline_version,
        mine=None,
        is_broken=pair.is_broken,
    )


def own_judgment(
    campaign: Campaign, topic_id: str, document_id: str, assessor: str, *, norming: int | None = None
) -> Judgment | None:
    """What an assessor may see of their own judgment of a pair, or of the one they gave in a norming session."""
    if norming is not None:
        session = session_of(campaign, norming)
        return seen_in_session(campaign, session, document_id, assessor)
    return repeats.own_judgments_of_pair(
        campaign, topic_id, document_id, assessor, settings.read(campaign)
    ).seen


def session_of(campaign: Campaign, number: int) -> Session:
    """The session of this number; NotThere when there is none."""
    session = sessions.find(campaign, number)
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
            for judgment in sessions.said(campaign, session)
            if judgment.assessor == assessor
        }
    return [_item(document_id, given.get(document_id)) for document_id in session.documents]


def _item(document_id: str, mine: Judgment | None) -> QueueItem:
    if mine is None or mine.kind == "cleared":
        return QueueItem(document_id, "open", seq=mine.seq if mine else None)
    return QueueItem(document_id, "mine", mine.kind, mine.grade, mine.seq)


def seen_in_session(campaign: Campaign, session: Session, document_id: str, assessor: str) -> Judgment | None:
    """An assessor's own judgment of a document in a session, as they gave it."""
    found = sessions.newest(campaign, session, document_id, assessor)
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
