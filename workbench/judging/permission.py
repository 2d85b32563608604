"""Who may judge what: the campaign's choice of who judges, assignments, claims, and closed topics.

A pair is judged whole by as many assessors as its topic has (one, unless more are assigned), and once more by the
topic's second assessor if it was drawn for that. Nobody learns which pairs were drawn, nor what the other said: to the
one a pair that only the other has judged is as open as any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from workbench.campaign import Campaign, assignments, claims, draws, settings, standing
from workbench.campaign.assignments import SECOND, WHOLE
from workbench.campaign.settings import Settings
from workbench.campaign.standing import Standing
from workbench.errors import JudgmentRefused
from workbench.records import Judgment

CLOSED = "the topic is closed: nothing more is judged here"
NOT_YOURS = "the topic is not assigned to you"
TAKEN = "somebody else has taken the topic"
FREE = "nobody has taken the topic; take it first"
FULL = "somebody else has judged this document already"
NOT_DRAWN = "this document is not among those that you are to judge"


class Access(NamedTuple):
    """What an assessor may judge of a topic.

    Attributes:
        part: `whole`, `second`, or "" for nothing of it.
        refusal: why nothing may be judged now: a reason of JudgmentRefused and a sentence; ("", "") if it may.
        room: how many assessors judge each pair whole; 0 is for as many as wish, after whom it is no longer open.
        seconds: whose judgments of drawn pairs are second ones.
        can_be_taken: whether the topic is free for the taking.
        until: when the topic is free again if nothing more is judged (UTC, as in the log), "" where it was not taken.
    """

    part: str
    refusal: tuple[str, str]
    room: int
    seconds: frozenset[str]
    can_be_taken: bool = False
    until: str = ""

    def is_full(self, others: Collection[str], *, drawn: bool) -> bool:
        """Whether a pair that these others have judged has no room for one more judgment of this part."""
        if self.part == SECOND:
            return any(name in self.seconds for name in others)
        counted = [name for name in others if not (drawn and name in self.seconds)]
        return len(counted) >= max(1, self.room)


class Part(NamedTuple):
    """An assessor's part of a topic: which documents are to be judged, and which of them have no room for one more.

    `drawn` are the documents to be judged twice.
    """

    access: Access
    drawn: frozenset[str]

    def holds(self, document_id: str) -> bool:
        """Whether the document is one that this assessor is shown."""
        return self.access.part != SECOND or document_id in self.drawn

    def full(self, current: Iterable[Judgment | Standing], assessor: str) -> set[str]:
        """The documents that others have judged as often as they are to be judged, by what is in force."""
        others: dict[str, list[str]] = {}
        for each in current:
            if each.assessor != assessor and each.kind not in ("cleared", "adjudication"):
                others.setdefault(each.document_id, []).append(each.assessor)
        return {
            document_id
            for document_id, names in others.items()
            if self.access.is_full(names, drawn=document_id in self.drawn)
        }


def part_of(campaign: Campaign, topic_id: str, assessor: str, access: Access | None = None) -> Part:
    """What of a topic is an assessor's; `access` if it is known already."""
    access = access or access_to(campaign, topic_id, assessor)
    drawn = draws.drawn_of_topics(campaign, [topic_id]).get(topic_id, ())
    return Part(access, frozenset(drawn))


def access_to(
    campaign: Campaign,
    topic_id: str,
    assessor: str,
    *,
    rules: Settings | None = None,
    now: datetime | None = None,
) -> Access:
    """What an assessor may judge of a topic now."""
    rules = rules or settings.read(campaign)
    closed = assignments.is_closed(campaign, topic_id)
    if rules.who_judges == "anybody":
        return Access(WHOLE, ("topic closed", CLOSED) if closed else ("", ""), 0, frozenset())
    parts = assignments.of_topic(campaign, topic_id)
    taken = claims.of_topic(campaign, topic_id) if rules.who_judges == "claimed" else None
    found = _access(rules, parts, taken, assessor, now or datetime.now(UTC))
    if closed:
        found = found._replace(refusal=("topic closed", CLOSED), can_be_taken=False)
    return found._replace(seconds=assignments.seconds_ever(campaign, topic_id))


def _access(
    rules: Settings,
    parts: Mapping[str, str],
    taken: claims.Claim | None,
    assessor: str,
    now: datetime,
) -> Access:
    """A lease that ended is still good for whoever had it, until somebody else takes the topic."""
    room = max(1, sum(part == WHOLE for part in parts.values()))
    if assessor in parts:
        return Access(parts[assessor], ("", ""), room, frozenset())
    if rules.who_judges != "claimed" or WHOLE in parts.values():
        return Access("", ("not yours", NOT_YOURS), room, frozenset())
    if taken is not None and taken.assessor == assessor:
        return Access(WHOLE, ("", ""), room, frozenset(), until=taken.until)
    if taken is not None and taken.is_live(now):
        return Access("", ("not yours", TAKEN), room, frozenset())
    return Access("", ("not yours", FREE), room, frozenset(), can_be_taken=True)


def check_may_judge(
    campaign: Campaign, topic_id: str, document_id: str, assessor: str, *, now: datetime | None = None
) -> None:
    """Refuse what the assessor may not judge now, and hold a claim that was used for longer.

    Called inside the transaction that writes the judgment, so that nobody else can come between. Raises
    JudgmentRefused with the reason `topic closed`, `not yours` or `judged by another`.
    """
    rules = settings.read(campaign)
    access = access_to(campaign, topic_id, assessor, rules=rules, now=now)
    if access.refusal[0]:
        raise JudgmentRefused(*access.refusal)
    if rules.who_judges == "anybody":
        return
    there = standing.of_pair(campaign, topic_id, document_id)
    drawn = draws.is_drawn(campaign, topic_id, document_id)
    if access.part == SECOND and not drawn:
        raise JudgmentRefused("not yours", NOT_DRAWN)
    if assessor not in there and access.is_full(there, drawn=drawn):
        raise JudgmentRefused("judged by another", FULL)
    if rules.who_judges == "claimed":
        _renew(campaign, topic_id, assessor, rules, now)


def _renew(campaign: Campaign, topic_id: str, assessor: str, rules: Settings, now: datetime | None) -> None:
    taken = claims.of_topic(campaign, topic_id)
    if taken is not None and taken.assessor == assessor:
        claims.put(campaign, topic_id, assessor, now=now or datetime.now(UTC), minutes=rules.lease_minutes)
