"""Having single pairs judged again, blind: each by an assessor who has not judged it yet."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from workbench.campaign.assessing import open_pairs
from workbench.campaign.assigning.changing import check_judge, distributed, judges
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.natural_order import natural
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import broken, documents, pools, topics
from workbench.storage.campaign.grades import current_judgments, judging_again, judgments
from workbench.storage.campaign.grades.judging_again import Request
from workbench.storage.campaign.log.kinds import LONGEST_REASON

Pair = tuple[str, str]

MOST = 1_000
"""Pairs of one request."""


class Requested(NamedTuple):
    """What was requested: each pair with the assessor who is to judge it."""

    pairs: tuple[tuple[str, str, str], ...]

    @property
    def by_assessor(self) -> dict[str, int]:
        """How many pairs each assessor has of it, by name."""
        return dict(
            sorted(Counter(name for _, _, name in self.pairs).items(), key=lambda one: natural(one[0]))
        )


class RequestRow(NamedTuple):
    """A request as an organiser looks it up: of whom it is, when, by whom and why, and whether it is open."""

    topic_id: str
    document_id: str
    assessor: str
    at: str
    by: str
    reason: str
    is_open: bool


def judge_again(
    campaign: Campaign, pairs: Sequence[Pair], *, by: str | None = None, reason: str = ""
) -> Requested:
    """Have pairs of topic and document judged once more; all of them or none.

    Each has a judgment, is pooled, and has a text that is not broken. `by` is the assessor: None takes for each pair
    the one with the fewest pairs left to judge. Assessors do not see the reason.

    Raises:
        NotThere: a pair is not pooled, or has no text.
        AlreadyDone: the assessor has judged the pair, or is to judge it.
        CampaignError: too many pairs, no judgment yet, a closed topic, or no assessor who could judge it.
    """
    wanted = list(dict.fromkeys(pairs))
    if not wanted:
        raise CampaignError("Select pairs first.")
    if len(wanted) > MOST:
        raise CampaignError(f"{len(wanted):,} pairs; request {MOST:,} at most at a time")
    if len(reason) > LONGEST_REASON:
        raise CampaignError(f"the reason has {len(reason):,} characters; shorten it to {LONGEST_REASON:,}")
    with campaign.write():
        _check(campaign, wanted)
        named = _with_names(campaign, wanted, by)
        judging_again.put(campaign, named, reason=reason)
    return Requested(tuple(named))


def take_back_again(
    campaign: Campaign, topic_id: str, document_id: str, assessor: str, *, reason: str = ""
) -> None:
    """Take a request back that is open; AlreadyDone when the assessor has judged the pair, NotThere without one."""
    with campaign.write():
        there = [
            each
            for each in judging_again.holding(campaign, topic_id=topic_id, assessor=assessor)
            if each.document_id == document_id
        ]
        if not there:
            raise NotThere(f"{assessor} is not to judge document {document_id!r} of topic {topic_id!r} again")
        if not there[0].is_open:
            message = f"{assessor} has judged document {document_id!r} of topic {topic_id!r} meanwhile"
            raise AlreadyDone(message)
        row = (topic_id, document_id, assessor)
        judging_again.put(campaign, [row], taken_back=True, reason=reason)


def waiting_again(campaign: Campaign) -> list[Request]:
    """The requests that wait for their assessors, in the order of the log."""
    return [each for each in judging_again.holding(campaign) if each.is_open]


def requests_again(campaign: Campaign) -> list[RequestRow]:
    """All requests that were not taken back: those that are open first, then the newest."""
    with campaign.snapshot():
        found = judging_again.holding(campaign)
        made = {event.seq: event for event in judging_again.requests(campaign)} if found else {}
    return [
        RequestRow(
            each.topic_id,
            each.document_id,
            each.assessor,
            made[each.seq].at,
            made[each.seq].actor,
            made[each.seq].content["reason"],
            each.is_open,
        )
        for each in sorted(found, key=lambda each: (not each.is_open, -each.seq))
    ]


def _check(campaign: Campaign, pairs: Sequence[Pair]) -> None:
    held_back = broken.held_back(campaign)
    closed = assignments.closed(campaign)
    for topic_id, document_id in pairs:
        pair = f"document {document_id!r} of topic {topic_id!r}"
        topics.named(campaign, topic_id)
        if pools.pool_of(campaign, topic_id, document_id) is None:
            raise NotThere(f"{pair} is in no pool, so it is in no assessor's queue; pool it first")
        if documents.text_hash_of(campaign, document_id) is None:
            raise NotThere(
                f"{pair} has no text; add it first: workbench add documents {campaign.command_name} FILE"
            )
        if document_id in held_back:
            raise CampaignError(f"{pair} is marked as broken; replace its text, or take the mark back")
        if topic_id in closed:
            way_out = f"workbench assign reopen {campaign.command_name} {shlex.quote(topic_id)}"
            raise CampaignError(f"topic {topic_id!r} is closed; reopen it first: {way_out}")
        if not judgments.stands(campaign, topic_id, document_id):
            raise CampaignError(f"{pair} has no judgment yet: it waits in the queue of its topic")


def _with_names(campaign: Campaign, pairs: Sequence[Pair], by: str | None) -> list[tuple[str, str, str]]:
    # Who has judged each pair, or is to (True): judged by them again it would not be blind.
    barred = {pair: dict.fromkeys(current_judgments.of_pair(campaign, *pair), False) for pair in pairs}
    for each in waiting_again(campaign):
        barred.get((each.topic_id, each.document_id), {})[each.assessor] = True
    if by is not None:
        check_judge(campaign, by)
        for (topic_id, document_id), names in barred.items():
            if by in names:
                what = "is to judge" if names[by] else "has judged"
                message = f"{by} {what} document {document_id!r} of topic {topic_id!r} already; choose another assessor"
                raise AlreadyDone(message)
        return [(*pair, by) for pair in pairs]
    sizes = dict.fromkeys(pairs, 1)
    given, left = distributed(sizes, _load(campaign), lambda pair, name: "judged" * (name in barred[pair]))
    for topic_id, document_id in left:
        raise CampaignError(
            f"every assessor has judged document {document_id!r} of topic {topic_id!r}, or is to; "
            "choose an organiser or adjudicator, or invite an assessor"
        )
    return [(*pair, name) for pair, name in given.items()]


def _load(campaign: Campaign) -> dict[str, int]:
    """How many pairs each assessor has left."""
    found = {name: open_pairs(campaign, name).total() for name in judges(campaign)}
    if not found:
        way_out = f"workbench member add {campaign.command_name} NAME --role assessor"
        raise CampaignError(f"{campaign.name} has no assessors; name an organiser, or add one: {way_out}")
    return found
