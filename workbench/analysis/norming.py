"""Norming sessions: all assessors judge the same documents independently, then see and discuss all grades.

What is said there never counts, unless it is asked for when the session is closed: then each assessor's last grade is
appended as a grade of theirs, for the pairs of which they have none yet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Annotated, NamedTuple
from uuid import uuid4

import numpy as np

from workbench.analysis.between_assessors.coefficients import RESAMPLES, Scope, scope_of
from workbench.analysis.between_assessors.gathering import GradedPairs, graded_pairs
from workbench.analysis.between_assessors.sheets import sheet_of_sides
from workbench.campaign import questions
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.records import Judgment
from workbench.core.results import FLAT, HIDDEN, Column
from workbench.core.seed import SEED
from workbench.core.wording import listed
from workbench.formats.tables.sheets import Cell, Sheet
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.collection import documents, pools
from workbench.storage.campaign.collection.question_topics import question_of
from workbench.storage.campaign.grades.current_judgments import independent_grades
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

USUAL = 10
"""The default number of documents of a session."""

MOST = 100


class Said(NamedTuple):
    """What one assessor said of a document: None where they said nothing; `grade` is None for can't tell."""

    grade: int | None
    comment: str
    changed: bool


class Row(NamedTuple):
    """A document of a session, its title, and what each of the outcome's assessors said of it."""

    document_id: Annotated[str, Column(name="document")]
    title: Annotated[str, HIDDEN]
    said: dict[str, Said | None]


class Outcome(NamedTuple):
    """Who has said what in a session; before it is revealed only how many documents each assessor is done with.

    `done` has the assessors with how many documents they have judged: while the session is open all assessors and
    adjudicators of the campaign, and any other who did. `rows` are empty until the grades are revealed; `before` and
    `after` are the agreement by what stood when they were, and by what stands now.
    """

    session: Annotated[Session, FLAT]
    done: dict[str, int]
    rows: tuple[Row, ...]
    before: Scope | None
    after: Scope | None


def open_norming(
    campaign: Campaign, topic_id: str, chosen: Sequence[str] = (), *, number: int = USUAL, seed: int = 0
) -> Session:
    """Open a session over documents of a topic: those chosen, else a draw by the seed from those with a text.

    Raises:
        NotThere: a document is not pooled for the topic, or has no text; or the topic has none.
        AlreadyDone: a session is open already.
        CampaignError: too many documents.
    """
    with campaign.write():
        there = norming.open_session(campaign)
        if there is not None:
            raise AlreadyDone(f"norming session {there.norming} is open; close it first")
        readable = set(pools.pooled_of_topic(campaign, topic_id)) - documents.held_back_for(
            campaign, topic_id
        )
        if not readable:
            raise NotThere(f"topic {topic_id!r} has no pooled documents with a text in {campaign.name}")
        wanted = list(dict.fromkeys(chosen)) or _drawn(sorted(readable), topic_id, number, seed)
        unknown = [document_id for document_id in wanted if document_id not in readable]
        if unknown:
            raise NotThere(f"not pooled for topic {topic_id!r}, or without a text: {listed(unknown)}")
        if not 1 <= len(wanted) <= MOST:
            raise CampaignError(f"a norming session has 1 to {MOST} documents, not {len(wanted):,}")
        return norming.put_open(campaign, topic_id, wanted)


def _drawn(readable: Sequence[str], topic_id: str, number: int, seed: int) -> list[str]:
    """Any document as likely as any other."""

    def key(document_id: str) -> bytes:
        return blake2b("\0".join(("norming", str(seed), topic_id, document_id)).encode()).digest()

    return sorted(readable, key=key)[: max(number, 0)]


def reveal_norming(campaign: Campaign) -> Session:
    """Reveal all grades of the open session to its assessors, who may change theirs from then on.

    NotThere when none is open, AlreadyDone when its grades are shown already.
    """
    with campaign.write():
        session = _open(campaign)
        if session.revealed is not None:
            raise AlreadyDone(f"the grades of norming session {session.norming} are shown already")
        seq = norming.put_revealed(campaign, session.norming)
    return session._replace(revealed=seq)


def close_norming(campaign: Campaign, *, counts: bool = False) -> Session:
    """End the open session; with `counts` the last grades become grades that count, where their assessor has none.

    NotThere when none is open.
    """
    with campaign.write():
        session = _open(campaign)
        if counts:
            log.append_judgments(campaign, _counting(campaign, session, campaign.moment))
            questions.put_due(campaign)
        seq = norming.put_closed(campaign, session.norming, counts=counts)
    return session._replace(closed=seq, counts=counts)


def newest_session(campaign: Campaign) -> Session | None:
    """The session that was opened last, or None."""
    return next(reversed(norming.all_sessions(campaign)), None)


def _open(campaign: Campaign) -> Session:
    session = norming.open_session(campaign)
    if session is None:
        way_out = f"workbench judging norming open {campaign.command_name} TOPIC"
        raise NotThere(f"no norming session is open in {campaign.name}; open one: {way_out}")
    return session


def _counting(campaign: Campaign, session: Session, now: datetime | None) -> list[Judgment]:
    own = {(each.topic_id, each.document_id, each.assessor) for each in independent_grades(campaign)}
    return [
        judgment.follows(
            uuid=str(uuid4()),
            received_at=log.timestamp(now),
            kind="grade",
            replaces=None,
            source=norming.source_of(session.norming),
        )
        for judgment in norming.said(campaign, session)
        if judgment.grade is not None
        and (judgment.topic_id, judgment.document_id, judgment.assessor) not in own
    ]


def outcome_of(
    campaign: Campaign, session: Session, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Outcome:
    """What a session has come to."""
    campaign = campaign.asking(question_of(campaign, session.topic_id))
    with campaign.snapshot():
        now = _given(norming.said(campaign, session))
        then = _given(norming.said(campaign, session, session.revealed))
        # An organiser may take part, but is not waited for.
        roles = members.all_members(campaign).items() if session.is_open else ()
        expected = {name for name, role in roles if role in members.JUDGES and role != "organiser"}
        names = sorted({assessor for _, assessor in now} | expected)
        if session.revealed is None:
            return Outcome(session, _done(now, names), (), None, None)
        rules = settings.read(campaign.at(session.opened))
        titles = documents.titles(campaign, session.documents)
    scale = {grade.grade for grade in rules.grades} | _grades(now) | _grades(then)
    before, after = (
        scope_of(
            name,
            _graded_pairs(session, given, scale, rules.relevant_from),
            resamples,
            np.random.default_rng(seed),
        )
        for name, given in (("before", then), ("after", now))
    )
    rows = tuple(
        Row(
            document_id,
            titles.get(document_id, ""),
            {name: _said(now.get((document_id, name)), then.get((document_id, name))) for name in names},
        )
        for document_id in session.documents
    )
    return Outcome(session, _done(now, names), rows, before, after)


Given = dict[tuple[str, str], Judgment]
"""What was said in a session and not taken back, by document and assessor."""


def _given(stored: Sequence[Judgment]) -> Given:
    shown = map(Judgment.as_given, stored)
    return {(each.document_id, each.assessor): each for each in shown if each.kind != "cleared"}


def _grades(given: Given) -> set[int]:
    return {each.grade for each in given.values() if each.grade is not None}


def _done(given: Given, names: Sequence[str]) -> dict[str, int]:
    return {name: sum(assessor == name for _, assessor in given) for name in names}


def _said(now: Judgment | None, then: Judgment | None) -> Said | None:
    if now is None:
        return None
    return Said(now.grade, now.comment, then is not None and then.grade != now.grade)


def _graded_pairs(session: Session, given: Given, grades: Collection[int], relevant_from: int) -> GradedPairs:
    """The grades of a session as a table; a document that fewer than two graded says nothing of agreement."""
    graded = [
        (session.documents.index(document_id), assessor, each.grade)
        for (document_id, assessor), each in given.items()
        if each.grade is not None
    ]
    return graded_pairs(
        [(session.topic_id, document_id) for document_id in session.documents],
        graded,
        assessors=sorted({assessor for _, assessor, _ in graded}),
        grades=grades,
        relevant_from=relevant_from,
    )


def who_is_done(found: Outcome) -> Sheet:
    """How many of the session's documents each assessor has judged."""
    columns = Column("Assessor", "assessor", "text"), Column("Documents judged", "judged", "count")
    return Sheet(columns, tuple(found.done.items()))


def who_said_what(found: Outcome) -> Sheet:
    """A row for each document, with each assessor's last grade; no rows before these are revealed."""
    columns = [Column(name, f"grade {name}", "text") for name in found.done]
    rows = tuple((row.document_id, *map(_grade, row.said.values())) for row in found.rows)
    return Sheet((Column("Document", "document", "text"), *columns), rows)


def _grade(said: Said | None) -> Cell:
    if said is None:
        return None
    return "can't tell" if said.grade is None else str(said.grade)


def before_and_after(found: Outcome) -> Sheet:
    """Every coefficient of grades when they were revealed, and by what stands now; none before that."""
    sides = [() if scope is None else scope.graded for scope in (found.before, found.after)]
    rows = ((before.name, before, after) for before, after in zip(*sides, strict=True))
    return sheet_of_sides({"before": "Before", "after": "After"}, rows)
