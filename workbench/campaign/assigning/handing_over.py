"""Hand over what waits for a person to others, take topics from assessors, and find topics that wait for no judge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from workbench.campaign.assessing import open_pairs
from workbench.campaign.assessing.permission import AGAIN
from workbench.campaign.assigning.again import requests_again, waiting_again
from workbench.campaign.assigning.changing import able, check_judge, check_topics, distributed, put_checked
from workbench.core.errors import AlreadyDone, CampaignError
from workbench.core.natural_order import natural
from workbench.core.wording import counted, listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims, draws
from workbench.storage.campaign.assigning.assignments import PARTS, SECOND, WHOLE
from workbench.storage.campaign.collection import topic_withdrawals
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import current_judgments, judging_again
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

NOUNS = {
    WHOLE: ("topic", "topics"),
    SECOND: ("second part", "second parts"),
    AGAIN: ("document to judge again", "documents to judge again"),
}
"""What the parts of a person's work are called."""


class Item(NamedTuple):
    """What waits for a person: a part of a topic, or a document to judge again (part AGAIN)."""

    part: str
    topic_id: str
    document_id: str


class Successors(NamedTuple):
    """Who hands over to which heirs: without heirs to all other assessors. Members whose accounts are `disabled`
    are refused; `chosen` is the heir of each item in an earlier plan that was agreed to, None for a new plan.
    """

    person: str
    heirs: tuple[str, ...]
    disabled: frozenset[str] = frozenset()
    chosen: Mapping[Item, str] | None = None


class HandOver(NamedTuple):
    """Of each item of work the open pairs, heir, or why it stays; and the open pairs each heir had before."""

    person: str
    pairs: Mapping[Item, int]
    given: Mapping[Item, str]
    left: Mapping[Item, str]
    before: Mapping[str, int]

    def share(self, heir: str) -> tuple[str, int]:
        """What an heir gets, as text, and the open pairs of that."""
        items = [item for item, name in self.given.items() if name == heir]
        many = Counter(item.part for item in items)
        words = " and ".join(counted(many[part], *nouns) for part, nouns in NOUNS.items() if many[part])
        return words, sum(self.pairs[item] for item in items)

    @property
    def words(self) -> str:
        """What each heir got, and whether something was not."""
        given = "; ".join(f"{words} to {heir}" for heir in self.before if (words := self.share(heir)[0]))
        stays = f"; {counted(len(self.left), 'item')} left with {self.person}" if self.left else ""
        return f"handed over from {self.person}: {given}{stays}"


def work_of(campaign: Campaign, person: str) -> dict[Item, int]:
    """What waits for a person, with the open pairs of each item, those with most first.

    A topic that is judged or closed is an item without an open pair. Topics that are withdrawn are left out, and hidden
    repeats: only the person who judged first can repeat.
    """
    out = topic_withdrawals.withdrawn(campaign)
    again = [each for each in waiting_again(campaign) if each.assessor == person and each.topic_id not in out]
    waiting = open_pairs(campaign, person)
    waiting.subtract(each.topic_id for each in again)
    rows = (row for row in assignments.all_assignments(campaign) if row.topic_id not in out)
    mine = [Item(row.part, row.topic_id, "") for row in rows if row.assessor == person]
    found = {item: max(0, waiting[item.topic_id]) for item in mine}
    for topic_id, claim in claims.all_claims(campaign).items():
        if claim.assessor == person and waiting[topic_id] > 0:  # none where topics are not claimed
            found.setdefault(Item(WHOLE, topic_id, ""), waiting[topic_id])
    found |= {Item(AGAIN, *each[:2]): 1 for each in again}
    return dict(sorted(found.items(), key=lambda entry: (-entry[1], natural(entry[0].topic_id), entry[0])))


def working(campaign: Campaign) -> set[str]:
    """The people who have assignments or claims, or are to judge a document again."""
    found = {row.assessor for row in assignments.all_assignments(campaign)}
    found |= {claim.assessor for claim in claims.all_claims(campaign).values()}
    return found | {each.assessor for each in waiting_again(campaign)}


def plan_hand_over(campaign: Campaign, asked: Successors) -> HandOver:
    """Who would get what: each item goes to the heir with the fewest open pairs of those who can have it.

    Raises CampaignError for no heirs, the person among them, or one who cannot judge here; AlreadyDone where `chosen`
    no longer fits what waits for the person, or what the heirs have.
    """
    others = (
        name for name in able(campaign, asked.heirs, asked.disabled) if asked.heirs or name != asked.person
    )
    heirs = tuple(dict.fromkeys(others))
    _check_heirs(campaign, asked._replace(heirs=heirs))
    with campaign.snapshot():
        pairs = work_of(campaign, asked.person)
        before = {heir: open_pairs(campaign, heir).total() for heir in heirs}
        reason = _reasons(campaign, pairs)
    given, left = distributed(pairs, before, reason)
    if asked.chosen is not None:
        unable = (heir not in before or reason(item, heir) for item, heir in asked.chosen.items())
        if asked.chosen.keys() != given.keys() or any(unable):
            raise AlreadyDone(f"the work of {asked.person} has changed since the preview")
        given = dict(asked.chosen)
    return HandOver(asked.person, pairs, given, left, before)


def _check_heirs(campaign: Campaign, asked: Successors) -> None:
    if not asked.heirs:
        raise CampaignError(f"no other assessor can take over the work of {asked.person}; invite one first")
    for heir in asked.heirs:
        check_judge(campaign, heir)
        if heir == asked.person:
            raise CampaignError(f"{heir} cannot take over their own work; choose another member")


def _reasons(campaign: Campaign, items: Iterable[Item]) -> Callable[[Item, str], str]:
    """A function that says why an heir cannot have an item, "" if they can."""
    parts = {(row.topic_id, row.assessor): row.part for row in assignments.all_assignments(campaign)}
    topics = {item.topic_id for item in items if item.part == SECOND}
    judged = {(each.topic_id, each.assessor) for each in current_judgments.of_topics(campaign, topics)}
    first = judged - assignments.second_assessors(campaign)
    asked = {each[:3] for each in waiting_again(campaign)}
    known = {item: current_judgments.of_pair(campaign, *item[1:]) for item in items if item.part == AGAIN}

    def reason(item: Item, heir: str) -> str:
        has = parts.get((item.topic_id, heir), "")
        if item.part == AGAIN:
            if heir in known[item]:
                return "has judged the document"
            return "is to judge the document already" if (*item[1:], heir) in asked else ""
        if has:
            return "has the whole topic" if has == WHOLE else "is the second assessor of the topic"
        was_first = item.part == SECOND and (item.topic_id, heir) in first
        return "judged in the topic as a first assessor" if was_first else ""

    return reason


def hand_over(campaign: Campaign, asked: Successors) -> HandOver:
    """Hand over a person's work as `plan_hand_over` says, inside the open write transaction; judgments stay theirs.

    Errors as there; AlreadyDone too when nothing waits for the person, CampaignError when no heir can have any of it.
    """
    found = plan_hand_over(campaign, asked)
    if not found.pairs:
        raise AlreadyDone(f"nothing waits for {asked.person}")
    if not found.given:
        reasons = "; ".join(f"topic {item.topic_id}: {why}" for item, why in found.left.items())
        raise CampaignError(f"nothing of {asked.person} can be handed over: {reasons}")
    _put_parts(campaign, found)
    _put_again(campaign, found)
    return found


def _put_parts(campaign: Campaign, found: HandOver) -> None:
    given = [(item.topic_id, item.part, heir) for item, heir in found.given.items() if item.part in PARTS]
    replaced = {part[:2] for part in given}
    rows = assignments.all_assignments(campaign)
    there = [(row.topic_id, row.part, row.assessor) for row in rows if row.assessor != found.person]
    if given:
        put_checked(campaign, replaced, [*(row for row in there if row[:2] in replaced), *given])
    for topic_id, _ in replaced:
        claims.remove(campaign, topic_id, found.person)


def _put_again(campaign: Campaign, found: HandOver) -> None:
    """The requests are taken back from the person and made to the heirs, with the reasons that they had."""
    rows = [row for row in requests_again(campaign) if row.assessor == found.person and row.is_open]
    asked = ((row.reason, Item(AGAIN, *row[:2])) for row in rows)
    given = sorted(each for each in asked if each[1] in found.given)
    if given:
        judging_again.put(campaign, [(*item[1:], found.person) for _, item in given], taken_back=True)
    for reason, alike in groupby(given, key=itemgetter(0)):
        judging_again.put(campaign, [(*item[1:], found.given[item]) for _, item in alike], reason=reason)


def unassign(
    campaign: Campaign,
    names: Collection[str] = (),
    topic_ids: Collection[str] = (),
    *,
    parts: Collection[str] = PARTS,
) -> str:
    """Take these topics from these people, or all topics, or from all people; what was judged stays.

    Topics that are withdrawn stay, unless they are named. Returns how many assignments ended, as text. Raises
    NotThere for unknown topics, AlreadyDone when there is no such assignment.
    """
    with campaign.write():
        check_topics(campaign, topic_ids)
        there = assignments.all_assignments(campaign)
        chosen = topic_ids or {row.topic_id for row in there} - topic_withdrawals.withdrawn(campaign).keys()
        ended = [
            row
            for row in there
            if row.assessor in (names or {row.assessor}) and row.topic_id in chosen and row.part in parts
        ]
        if not ended:
            raise AlreadyDone("none of these topics is assigned to them any more")
        replaced = {(row.topic_id, row.part) for row in ended}
        stay = [row for row in there if (row.topic_id, row.part) in replaced and row not in ended]
        put_checked(campaign, replaced, [(row.topic_id, row.part, row.assessor) for row in stay])
    return f"{counted(len(ended), 'assignment')} of {listed(sorted({row.assessor for row in ended}))} ended"


def without_judge(campaign: Campaign, disabled: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """The open topics that wait for people who cannot judge, with their names.

    None of the assessors of the whole has a judging role and an account that is not among the `disabled`, or the second
    assessor has not and drawn pairs are left, or one who is to judge a document again. Topics without any assessor are
    not among them.
    """
    roles = members.all_members(campaign)
    judging = {name for name, role in roles.items() if role in members.JUDGES and name not in disabled}
    shut = assignments.closed(campaign).keys() | topic_withdrawals.withdrawn(campaign).keys()
    whole = {
        row.topic_id for row in progress_by_topic(campaign, "") if row.judged + row.held_back < row.pooled
    }
    twice = Counter(topic_id for topic_id, _ in current_judgments.drawn_twice(campaign))
    second = {topic for topic, drawn in draws.drawn(campaign).items() if twice[topic] < len(drawn)}
    waiting = {WHOLE: whole - shut, SECOND: second - shut}
    anybody = settings.read(campaign).who_judges == "anybody"
    rows = [row for row in assignments.all_assignments(campaign) if row.topic_id in waiting[row.part]]
    names = defaultdict[tuple[str, ...], list[str]](list)
    for row in () if anybody else rows:
        names[row.topic_id, row.part].append(row.assessor)
    names |= {each[:3]: [each.assessor] for each in waiting_again(campaign) if each.topic_id not in shut}
    found = defaultdict[str, list[str]](list)
    for (topic_id, *_), given in names.items():
        found[topic_id] += given if judging.isdisjoint(given) else ()
    return {each: tuple(dict.fromkeys(found[each])) for each in sorted(found, key=natural) if found[each]}
