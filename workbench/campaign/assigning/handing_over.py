"""Take topics from assessors and hand them over to others; topics that wait for people who cannot judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from workbench.campaign.assigning.changing import check_topics, put_checked
from workbench.core.errors import AlreadyDone
from workbench.core.natural_order import natural
from workbench.core.wording import counted, listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, draws
from workbench.storage.campaign.assigning.assignments import PARTS, SECOND, WHOLE, Assignment
from workbench.storage.campaign.collection import topic_withdrawals
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import current_judgments
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members


def unassign(
    campaign: Campaign, pairs: Iterable[tuple[str, str]], *, parts: Collection[str] = PARTS
) -> list[Assignment]:
    """Take topics from assessors, in one transaction; what was judged stays.

    `pairs` are topic and assessor: another assessor of the same topic keeps it. `parts` are those of
    `assignments.PARTS` that are taken.

    Returns the assignments that ended. Raises NotThere for unknown topics, AlreadyDone when none of them is held.
    """
    return hand_over(campaign, pairs, None, parts=parts)


def hand_over(
    campaign: Campaign, pairs: Iterable[tuple[str, str]], heir: str | None, *, parts: Collection[str] = PARTS
) -> list[Assignment]:
    """Give topics of assessors to another, each in the same part; arguments and errors as in `unassign`.

    CampaignError for an heir who would have both parts of a topic.
    """
    with campaign.write():
        return put_handed_over(campaign, pairs, heir, parts=parts)


def put_handed_over(
    campaign: Campaign, pairs: Iterable[tuple[str, str]], heir: str | None, *, parts: Collection[str] = PARTS
) -> list[Assignment]:
    """Do what `hand_over` does inside the open write transaction."""
    asked, there = set(pairs), assignments.all_assignments(campaign)
    check_topics(campaign, [topic_id for topic_id, _ in asked])
    ended = [row for row in there if (row.topic_id, row.assessor) in asked and row.part in parts]
    if not ended:
        raise AlreadyDone("none of these topics is assigned to them any more")
    replaced = {(row.topic_id, row.part) for row in ended}
    stay = [row for row in there if (row.topic_id, row.part) in replaced and row not in ended]
    wanted = [(row.topic_id, row.part, row.assessor) for row in stay]
    wanted += [(row.topic_id, row.part, heir) for row in ended if heir is not None]
    put_checked(campaign, replaced, list(dict.fromkeys(wanted)))
    return ended


def held(
    campaign: Campaign, names: Collection[str] = (), topic_ids: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Topic and assessor of the assignments of these people and of these topics, by default all.

    Topics that are withdrawn are left out, unless they are named; NotThere and CampaignError as in `assign`.
    """
    check_topics(campaign, topic_ids)
    out = topic_withdrawals.withdrawn(campaign)
    return [
        (row.topic_id, row.assessor)
        for row in assignments.all_assignments(campaign)
        if row.assessor in (names or {row.assessor})
        and row.topic_id in (topic_ids or {row.topic_id})
        and row.topic_id not in out
    ]


def ended_words(ended: Sequence[Assignment]) -> str:
    """Which assignments ended, such as "12 topic assignments and 3 second assignments of Ann ended"."""
    names = list(dict.fromkeys(row.assessor for row in ended))
    whole = sum(row.part == WHOLE for row in ended)
    parts = [
        counted(number, f"{what} assignment")
        for number, what in ((whole, "topic"), (len(ended) - whole, "second"))
        if number
    ]
    return f"{' and '.join(parts)} of {listed(names)} ended"


def without_judge(campaign: Campaign, disabled: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """The open topics that wait for people who cannot judge, with their names.

    None of the assessors of the whole has a judging role and an account that is not among the `disabled`, or the second
    assessor has not and drawn pairs are left. Topics without any assessor are not among them, nor any where all
    assessors judge all topics.
    """
    if settings.read(campaign).who_judges == "anybody":
        return {}
    roles = members.all_members(campaign)
    judging = {name for name, role in roles.items() if role in members.JUDGES and name not in disabled}
    closed = assignments.closed(campaign)
    whole = {
        row.topic_id for row in progress_by_topic(campaign, "") if row.judged + row.held_back < row.pooled
    }
    twice = Counter(topic_id for topic_id, _ in current_judgments.drawn_twice(campaign))
    second = {topic for topic, drawn in draws.drawn(campaign).items() if twice[topic] < len(drawn)}
    waiting = {WHOLE: whole - closed.keys(), SECOND: second - closed.keys()}
    names: dict[tuple[str, str], list[str]] = {}
    for row in assignments.all_assignments(campaign):
        if row.topic_id in waiting[row.part]:
            names.setdefault((row.topic_id, row.part), []).append(row.assessor)
    found: dict[str, tuple[str, ...]] = {}
    for (topic_id, _), given in names.items():
        if judging.isdisjoint(given):
            found[topic_id] = (*found.get(topic_id, ()), *given)
    return dict(sorted(found.items(), key=lambda entry: natural(entry[0])))
