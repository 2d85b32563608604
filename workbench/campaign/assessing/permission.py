"""Who may judge what: the campaign's choice of who judges, assignments, claims, and closed topics.

A pair is judged whole by as many assessors as its topic has (one, unless more are assigned), and once more by the
topic's second assessor if it was drawn for that. No assessor sees which pairs were drawn, nor the other's grade: to the
one a pair that only the other has judged is as open as any. A pair that an organiser has judged again is open to the
assessor who is named, whatever is assigned, and what they say of it takes no room from the topic's own assessors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import JudgmentRefused
from workbench.core.records import Judgment
from workbench.core.wording import translatable as _
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims, draws
from workbench.storage.campaign.assigning.assignments import SECOND, WHOLE
from workbench.storage.campaign.collection.question_topics import topic_of
from workbench.storage.campaign.grades import current_judgments, judging_again
from workbench.storage.campaign.grades.current_judgments import CurrentJudgment
from workbench.storage.campaign.grades.judging_again import Request
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

AGAIN = "again"
"""The part of a topic of an assessor who has no more of it than pairs to judge again."""

CLOSED = _("the topic is closed: nothing more is judged here")
NOT_YOURS = _("the topic is not assigned to you")
TAKEN = _("another assessor has claimed the topic")
FREE = _("the topic is unclaimed; claim it first")
FULL = _("another assessor has already judged this document")
NOT_DRAWN = _("this document is not among those that you are to judge")


class Access(NamedTuple):
    """What an assessor may judge of a topic.

    Attributes:
        part: `whole`, `second`, `again`, or "" for nothing of it.
        refusal: why nothing may be judged now: a reason of JudgmentRefused and a sentence; ("", "") if it may.
        room: how many assessors judge each pair whole; 0 is without limit, and then one judgment closes it.
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

    `drawn` are the documents to be judged twice; `again` says who is to judge documents again, or did.
    """

    access: Access
    drawn: frozenset[str]
    again: Mapping[str, frozenset[str]] = MappingProxyType({})

    def holds(self, document_id: str, assessor: str) -> bool:
        """Whether the document is one that this assessor is shown."""
        if self.access.part not in (SECOND, AGAIN) or assessor in self.again.get(document_id, ()):
            return True
        return self.access.part == SECOND and document_id in self.drawn

    def full(self, current: Iterable[Judgment | CurrentJudgment], assessor: str) -> set[str]:
        """The documents that others have judged as often as they are to be judged, by what is in force."""
        others: dict[str, list[str]] = {}
        for each in current:
            beside = self.again.get(each.document_id, ())
            if assessor in beside or each.assessor in (assessor, *beside):
                continue
            if each.kind not in ("cleared", "adjudication"):
                others.setdefault(each.document_id, []).append(each.assessor)
        return {
            document_id
            for document_id, names in others.items()
            if self.access.is_full(names, drawn=document_id in self.drawn)
        }


class _Asked(NamedTuple):
    """Which topic an assessor asks for, and when, under which settings."""

    topic_id: str
    assessor: str
    rules: Settings
    now: datetime


def part_of(campaign: Campaign, topic_id: str, assessor: str) -> Part:
    """What of a topic is an assessor's."""
    drawn = draws.drawn(campaign).get(topic_id, frozenset())
    again = judging_again.of_topic(campaign, topic_id)
    return Part(access_to(campaign, topic_id, assessor), drawn, again)


def access_to(campaign: Campaign, topic_id: str, assessor: str, *, now: datetime | None = None) -> Access:
    """What an assessor may judge of a topic now."""
    asked = _Asked(topic_id, assessor, settings.read(campaign), now or datetime.now(UTC))
    requests = judging_again.holding(campaign, topic_id=topic_id, assessor=assessor)
    return _with_requests(_access_and_claim(campaign, asked)[0], requests)


def accesses_to(
    campaign: Campaign, topic_ids: Iterable[str], assessor: str, requests: Sequence[Request]
) -> dict[str, Access]:
    """The same of several topics; `requests` are all that this assessor is to judge again."""
    rules, now = settings.read(campaign), datetime.now(UTC)
    return {
        topic_id: _with_requests(
            _access_and_claim(campaign, _Asked(topic_id, assessor, rules, now))[0],
            [each for each in requests if each.topic_id == topic_id],
        )
        for topic_id in topic_ids
    }


def _with_requests(access: Access, requests: Sequence[Request]) -> Access:
    """What is to be judged again is a part of the topic for who has no other; a free topic can be taken after it."""
    if access.part or not requests or (access.can_be_taken and not any(each.is_open for each in requests)):
        return access
    refusal = access.refusal if access.refusal[0] == "topic closed" else ("", "")
    return access._replace(part=AGAIN, refusal=refusal, can_be_taken=False)


def _access_and_claim(campaign: Campaign, asked: _Asked) -> tuple[Access, claims.Claim | None]:
    topic_id, who_judges = asked.topic_id, asked.rules.who_judges
    itself = topic_of(campaign, topic_id)  # who judges a topic answers the questions about its documents too
    closed = not assignments.closed(campaign).keys().isdisjoint((topic_id, itself))
    if who_judges == "anybody":
        return Access(WHOLE, ("topic closed", CLOSED) if closed else ("", ""), 0, frozenset()), None
    taken = claims.of_topic(campaign, topic_id) if who_judges == "claimed" else None
    parts = assignments.of_topic(campaign, topic_id) or assignments.of_topic(campaign, itself)
    found = _access(asked, parts, taken)
    if closed:
        found = found._replace(refusal=("topic closed", CLOSED), can_be_taken=False)
    return found._replace(seconds=assignments.seconds_ever(campaign, topic_id)), taken


def _access(asked: _Asked, parts: Mapping[str, str], taken: claims.Claim | None) -> Access:
    """An expired claim remains valid for its assessor until another assessor claims the topic."""
    _, assessor, rules, now = asked
    room = max(1, sum(part == WHOLE for part in parts.values()))
    if assessor in parts:
        return Access(parts[assessor], ("", ""), room, frozenset())
    if rules.who_judges != "claimed" or WHOLE in parts.values():
        return Access("", ("not yours", NOT_YOURS), room, frozenset())
    if taken is not None and taken.assessor == assessor:
        return Access(WHOLE, ("", ""), room, frozenset(), until=taken.until)
    if taken is not None and taken.is_live(now, rules.lease_minutes):
        return Access("", ("not yours", TAKEN), room, frozenset())
    return Access("", ("not yours", FREE), room, frozenset(), can_be_taken=True)


class Permit(NamedTuple):
    """What decides whether an assessor may judge a pair now.

    `there` are the assessors whose judgments of it stand, `drawn` is whether it is to be judged twice, `again` by whom
    it is to be judged again, or was; if any assessor may judge any topic, none of them is read. `claim` is the claim of
    the topic, if there is one.
    """

    access: Access
    there: frozenset[str] = frozenset()
    drawn: bool = False
    claim: claims.Claim | None = None
    again: frozenset[str] = frozenset()


def permit_of(campaign: Campaign, judgment: Judgment, rules: Settings, now: datetime) -> Permit:
    """The permit for a judgment's pair, read inside the writing transaction, which no other assessor interrupts."""
    pair = judgment.topic_id, judgment.document_id
    access, claim = _access_and_claim(campaign, _Asked(pair[0], judgment.assessor, rules, now))
    if rules.who_judges == "anybody":
        return Permit(access)
    there = current_judgments.of_pair(campaign, *pair)
    again = judging_again.of_topic(campaign, pair[0]).get(pair[1], frozenset())
    return Permit(access, there - again, pair[1] in draws.drawn(campaign).get(pair[0], ()), claim, again)


def check_permit(permit: Permit, rules: Settings, assessor: str) -> None:
    """Refuse what may not be judged now: JudgmentRefused `topic closed`, `not yours` or `judged by another`."""
    access, there, drawn, _, again = permit
    is_requested = assessor in again
    if access.refusal[0] and not (is_requested and access.refusal[0] != "topic closed"):
        raise JudgmentRefused(*access.refusal)
    if rules.who_judges == "anybody" or is_requested:
        return
    if access.part == SECOND and not drawn:
        raise JudgmentRefused("not yours", NOT_DRAWN)
    if assessor not in there and access.is_full(there, drawn=drawn):
        raise JudgmentRefused("judged by another", FULL)
