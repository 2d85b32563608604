"""Norming sessions: the same documents for all assessors; the grades do not count unless the session is closed so.

A session is opened, then its grades are revealed, then it is closed, each by an event. What is said in a session are
judgments of the kind `norming` between its opening and its closing: one session is open at a time, so each such row
belongs to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.core.records import Judgment
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, append_event, select_judgments, up_to
from workbench.storage.campaign.log.state import part

OPENED, REVEALED, CLOSED = KINDS = (kinds.NORMING_OPENED, kinds.NORMING_REVEALED, kinds.NORMING_CLOSED)
"""The kinds of events of sessions."""


class Session(NamedTuple):
    """A norming session: its topic and documents in order; the `seq` of the events that opened, revealed and closed it.

    `counts` says that the grades were taken over as grades that count when it was closed.
    """

    norming: int
    topic_id: str
    documents: tuple[str, ...]
    opened: int
    revealed: int | None = None
    closed: int | None = None
    counts: bool = False

    @property
    def is_open(self) -> bool:
        """Whether something can still be said in it."""
        return self.closed is None


def source_of(norming: int) -> str:
    """The source of a grade that counts since it was taken over from a session."""
    return f"norming {norming}"


def put_open(campaign: Campaign, topic_id: str, documents: Sequence[str]) -> Session:
    """Open a session inside the open write transaction."""
    norming = max(_sessions(campaign), default=0) + 1
    content = {"norming": norming, "topic": topic_id, "documents": list(documents)}
    seq = append_event(campaign, OPENED, content)
    return Session(norming, topic_id, tuple(documents), seq)


def put_revealed(campaign: Campaign, norming: int) -> int:
    """Show the grades of a session to all, inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, REVEALED, {"norming": norming})


def put_closed(campaign: Campaign, norming: int, *, counts: bool) -> int:
    """End a session inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, CLOSED, {"norming": norming, "counts": counts})


@part(*KINDS, start=dict)
def _sessions(found: dict[int, Session], event: Event) -> None:
    """Every session by its number, in the order they were opened."""
    content, norming = event.content, event.content["norming"]
    if event.kind == OPENED:
        found[norming] = Session(norming, content["topic"], tuple(content["documents"]), event.seq)
    elif event.kind == REVEALED:
        found[norming] = found[norming]._replace(revealed=event.seq)
    else:
        found[norming] = found[norming]._replace(closed=event.seq, counts=content["counts"])


def all_sessions(campaign: Campaign) -> list[Session]:
    """Every session, in the order they were opened."""
    return list(_sessions(campaign).values())


def find(campaign: Campaign, norming: int) -> Session | None:
    """The session of this number, or None."""
    return _sessions(campaign).get(norming)


def open_session(campaign: Campaign) -> Session | None:
    """The session that is open, or None."""
    return next((session for session in all_sessions(campaign) if session.is_open), None)


def newest(campaign: Campaign, session: Session, document_id: str, assessor: str) -> Judgment | None:
    """What an assessor last said of a document in a session, as it is stored."""
    found = select_judgments(
        campaign,
        """WHERE topic = ? AND document = ? AND assessor = ? AND kind = 'norming' AND seq > ? AND seq < ?
        ORDER BY seq DESC LIMIT 1""",
        [session.topic_id, document_id, id_of(campaign, assessor), session.opened, up_to(session.closed)],
    )
    return next(found, None)


def said(campaign: Campaign, session: Session, before: int | None = None) -> list[Judgment]:
    """What each assessor last said of each document in a session, or had said before row `before` of the log.

    As they are stored, in byte order of document and assessor.
    """
    newest = f"""JOIN (
        SELECT max(seq) AS seq FROM judgment
        WHERE topic = ? AND kind = 'norming' AND seq > ? AND seq < ? GROUP BY document, assessor
    ) USING (seq) ORDER BY document, {shown("judgment.assessor")}"""
    values = [session.topic_id, session.opened, min(up_to(session.closed), up_to(before))]
    return list(select_judgments(campaign, newest, values))
