"""Changing who judges what: topics given to assessors, also by lists, claimed by them, closed and opened again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from workbench.core.errors import AlreadyDone, CampaignError, InputError, NotThere, Problem, UnknownName
from workbench.core.natural_order import natural
from workbench.core.wording import listed, none_such
from workbench.formats.people_lists import read_assignments, write_json_lines, write_table, wrong_with_name
from workbench.formats.text.content import Content
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims
from workbench.storage.campaign.assigning.assignments import SECOND, WHOLE
from workbench.storage.campaign.collection import pools, topic_withdrawals, topics
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

T = TypeVar("T")

LONGEST_LEASE = 7 * 24 * 60
"""Minutes; a topic that is to be held for more than a week should be assigned."""

WRITERS = {"jsonl": write_json_lines, "csv": write_table}

MOST_CLAIMS = 3
"""How many topics one assessor may hold at a time: who holds more keeps them from others."""


def choose_who_judges(campaign: Campaign, who: str, *, lease_minutes: int | None = None) -> None:
    """Choose who may judge a topic, one of `settings.WHO_JUDGES`, and how long a topic that was taken stays taken.

    Raises UnknownName for another choice, CampaignError for a lease of no or too many minutes.
    """
    if who not in settings.WHO_JUDGES:
        raise UnknownName(none_such("choice of who judges", who, settings.WHO_JUDGES))
    if lease_minutes is not None and not 1 <= lease_minutes <= LONGEST_LEASE:
        raise CampaignError(f"a topic can be taken for 1 to {LONGEST_LEASE:,} minutes")
    changes = {"who_judges": who} | ({} if lease_minutes is None else {"lease_minutes": lease_minutes})
    with campaign.write():
        current = settings.read(campaign)
        is_new = any(getattr(current, name) != value for name, value in changes.items())
        if is_new or not is_chosen(campaign):
            settings.change(campaign, changes)


def is_chosen(campaign: Campaign) -> bool:
    """Whether the setting who judges was ever made, by an organiser or by the first assignment."""
    return settings.value(campaign, "who_judges", None) is not None


def assign(
    campaign: Campaign,
    topic_ids: Sequence[str],
    assessors: Sequence[str],
    *,
    part: str = WHOLE,
    add: bool = False,
    disabled: Collection[str] = (),
) -> None:
    """Give topics to assessors, in the place of those who had this part of them; what was judged stays.

    Unless who judges was chosen before, the first topic that is given leaves topics to those they are given to.

    `part` is one of `assignments.PARTS`; a topic has one second assessor at most. `add` gives topics beside those who
    have them.

    Raises NotThere for unknown topics, CampaignError for an assessor who would have both parts of a topic, or whose
    account is `disabled`.
    """
    with campaign.write():
        able(campaign, assessors, disabled)
        there, chosen = assignments.all_assignments(campaign) if add else [], set(topic_ids)
        kept = [
            (row.topic_id, part, row.assessor) for row in there if row.part == part and row.topic_id in chosen
        ]
        wanted = [(topic_id, part, name) for topic_id in topic_ids for name in assessors]
        wanted = list(dict.fromkeys([*kept, *wanted]))
        put_checked(campaign, {(topic_id, part) for topic_id in topic_ids}, wanted)


def put_checked(
    campaign: Campaign, replaced: Collection[tuple[str, str]], assigned: Sequence[tuple[str, str, str]]
) -> None:
    """Store assignments inside the open write transaction if they fit those that stay; see `assign`."""
    # An organiser who assigns a topic expects that no other assessor judges it.
    if any(part == WHOLE for _, part, _ in assigned) and not is_chosen(campaign):
        settings.change(campaign, {"who_judges": "assigned"})
    check_topics(campaign, [topic_id for topic_id, _ in replaced])
    for wrong in filter(None, (wrong_with_name(name) for _, _, name in assigned)):
        raise CampaignError(wrong)
    staying = [
        (row.topic_id, row.part, row.assessor)
        for row in assignments.all_assignments(campaign)
        if (row.topic_id, row.part) not in replaced
    ]
    _check_parts([*staying, *assigned])
    ordered = sorted(replaced, key=lambda entry: (natural(entry[0]), entry[1]))
    assignments.put(campaign, ordered, assigned)


def check_topics(campaign: Campaign, topic_ids: Iterable[str]) -> None:
    """NotThere names the topics that the campaign does not have."""
    asked, known = set(topic_ids), topics.topic_ids(campaign)
    out = sorted(asked & topic_withdrawals.withdrawn(campaign).keys(), key=natural)
    if out:
        raise CampaignError(
            f"withdrawn: {listed(out)}; restore before assigning (workbench task withdraw --topics --restore)"
        )
    unknown = sorted(asked.difference(known), key=natural)
    if unknown:
        raise NotThere(none_such("topic", unknown, known, of=campaign.name))


def _check_parts(rows: Sequence[tuple[str, str, str]]) -> None:
    parts: dict[tuple[str, str], str] = {}
    seconds: Counter[str] = Counter()
    for topic_id, part, assessor in rows:
        if parts.setdefault((topic_id, assessor), part) != part:
            raise CampaignError(
                f"{assessor} cannot be the second assessor of topic {topic_id} and judge the whole of it; "
                "take one of the two from them first"
            )
        seconds[topic_id] += part == SECOND
    for topic_id, number in seconds.items():
        if number > 1:
            raise CampaignError(f"topic {topic_id} can have one second assessor, not {number}")


def able(campaign: Campaign, names: Sequence[str] | None, disabled: Collection[str]) -> list[str]:
    """These assessors, or those of the campaign whose accounts are not `disabled`; CampaignError for one who is."""
    for name in names or ():
        if name in disabled:
            raise CampaignError(f"{name} has a disabled account; choose another member")
    return list(names or (name for name in judges(campaign) if name not in disabled))


def spread(
    campaign: Campaign, assessors: Sequence[str] | None = None, *, disabled: Collection[str] = ()
) -> dict[str, str]:
    """Assign each unassigned topic with pooled pairs to the assessor with the fewest pairs so far.

    `assessors` and `disabled` are as in `able`. Returns the assignee of each topic; CampaignError if there are no
    assessors.
    """
    with campaign.write():
        names = able(campaign, assessors, disabled)
        if not names:
            way_out = f"workbench member add {campaign.command_name} NAME --role assessor"
            raise CampaignError(f"{campaign.name} has no assessors; add one: {way_out}")
        given = _spread(names, pools.pooled_by_topic(campaign), assignments.all_assignments(campaign))
        rows = [(topic_id, WHOLE, name) for topic_id, name in given.items()]
        if rows:
            put_checked(campaign, {(topic_id, WHOLE) for topic_id in given}, rows)
    return given


def _spread(
    names: Sequence[str], pairs: Mapping[str, int], there: Sequence[assignments.Assignment]
) -> dict[str, str]:
    """Each to the assessor with the fewest pairs of those who are not its second."""
    load = dict.fromkeys(names, 0)
    taken = {row.topic_id for row in there if row.part == WHOLE}
    barred = {(row.topic_id, row.assessor) for row in there if row.part == SECOND}
    for row in there:
        if row.assessor in load and row.part == WHOLE:
            load[row.assessor] += pairs.get(row.topic_id, 0)
    largest = sorted(pairs.keys() - taken, key=lambda topic_id: (-pairs[topic_id], natural(topic_id)))
    free = {topic_id: pairs[topic_id] for topic_id in largest}
    given, _ = distributed(free, load, lambda *pair: "second" if pair in barred else "")
    return dict(sorted(given.items(), key=lambda entry: natural(entry[0])))


def distributed(
    sizes: Mapping[T, int], before: Mapping[str, int], reason: Callable[[T, str], str]
) -> tuple[dict[T, str], dict[T, str]]:
    """A person for each item, and for items that none of them can have the reasons.

    `sizes` are the pairs of each item, the largest first, which gives nearly equal shares; `before` those that each
    person has already. `reason` says why a person cannot have an item, "" if they can.
    """
    load, many = Counter(before), Counter[str]()
    given, left = dict[T, str](), dict[T, str]()
    for item, size in sizes.items():
        why = {name: reason(item, name) for name in before}
        able = [name for name in before if not why[name]]
        if able:
            given[item] = min(able, key=lambda name: (load[name], many[name]))
            load[given[item]] += size
            many[given[item]] += 1
        else:
            left[item] = "; ".join(f"{name} {why[name]}" for name in before)
    return given, left


def judges(campaign: Campaign) -> list[str]:
    """The assessors of a campaign, by name; its adjudicators and organisers judge when they are asked by name."""
    return [name for name, role in members.all_members(campaign).items() if role == "assessor"]


def check_judge(campaign: Campaign, name: str) -> None:
    """CampaignError for who has no role that judges."""
    role = members.role_of(campaign, name)
    if role not in members.JUDGES:
        where = campaign.name
        has = (
            f"has the role {role} in {where}, which does not judge" if role else f"is not a member of {where}"
        )
        raise CampaignError(f"{name} {has}; its members: workbench member list {campaign.command_name}")


def without_judging_role(campaign: Campaign, names: Iterable[str]) -> tuple[str, ...]:
    """Those of these people who may not judge in a campaign, or not yet, each once."""
    there = members.all_members(campaign)
    return tuple(name for name in dict.fromkeys(names) if there.get(name) not in members.JUDGES)


def close(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> list[str]:
    """Close topics; returns those that were open. NotThere for unknown topics, AlreadyDone if all are closed."""
    with campaign.write():
        found = _in_state(campaign, topic_ids, closed=False, otherwise="closed already")
        assignments.close_topics(campaign, found, reason=reason)
    return found


def reopen(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> list[str]:
    """Open closed topics again; returns those that were closed. Errors as in `close`."""
    with campaign.write():
        found = _in_state(campaign, topic_ids, closed=True, otherwise="not closed")
        assignments.reopen_topics(campaign, found, reason=reason)
    return found


def _in_state(campaign: Campaign, topic_ids: Sequence[str], *, closed: bool, otherwise: str) -> list[str]:
    check_topics(campaign, topic_ids)
    there = assignments.closed(campaign)
    found = [topic_id for topic_id in dict.fromkeys(topic_ids) if (topic_id in there) is closed]
    if not found:
        raise AlreadyDone(f"{otherwise}: {listed(list(topic_ids))}")
    return found


class NotFree(CampaignError):
    """A topic cannot be claimed now: it is assigned, claimed, closed or withdrawn, or too many claims are held."""


def claim(campaign: Campaign, topic_id: str, assessor: str, *, now: datetime | None = None) -> None:
    """Claim a topic for the campaign's `lease_minutes`; NotThere for an unknown topic, NotFree if it is taken."""
    moment = now or datetime.now(UTC)
    with campaign.write():
        if topic_id in topic_withdrawals.withdrawn(campaign):
            raise NotFree(f"topic {topic_id} was withdrawn by an organiser")
        check_topics(campaign, [topic_id])
        rules = settings.read(campaign)
        if rules.who_judges != "claimed":
            raise NotFree("assessors do not take topics themselves in this campaign")
        if topic_id in assignments.closed(campaign):
            raise NotFree(f"topic {topic_id} is closed")
        parts = assignments.of_topic(campaign, topic_id)
        if WHOLE in parts.values() or assessor in parts:
            raise NotFree(f"topic {topic_id} is assigned already")
        taken = claims.live(campaign, moment, rules.lease_minutes)
        if topic_id in taken and taken[topic_id].assessor != assessor:
            raise NotFree(f"another assessor has claimed topic {topic_id}")
        others = [topic for topic, each in taken.items() if each.assessor == assessor and topic != topic_id]
        if len(others) >= MOST_CLAIMS:
            raise NotFree(f"you hold {MOST_CLAIMS} topics already; finish one or give one back first")
        claims.put(campaign, topic_id, assessor, now=moment, minutes=rules.lease_minutes)


def give_back(campaign: Campaign, topic_id: str, assessor: str) -> None:
    """Give a topic back before the lease ends; what was judged stays."""
    with campaign.write():
        claims.remove(campaign, topic_id, assessor)


class Imported(NamedTuple):
    """What a list said: how many topics it gave to how many people, and those of them who are no members yet."""

    topics: int
    assessors: int
    without_judging_role: tuple[str, ...]


def import_list(campaign: Campaign, content: Content, *, disabled: Collection[str] = ()) -> Imported:
    """Assign topics as a list says, all of it or nothing.

    The assignees of a listed topic are replaced by those in the list; other topics are not changed. People
    who are no members yet are taken: they may be invited later.

    Raises InputError for lists that cannot be read and for topics that are not there, with their lines; CampaignError
    for an assessor who would have both parts of a topic, or whose account is `disabled`.
    """
    rows = read_assignments(content)
    known = topics.topic_ids(campaign)
    there = set(known)
    problems = [
        Problem(content.file, row.line, none_such("topic", row.topic_id, known, of=campaign.name))
        for row in rows
        if row.topic_id not in there
    ]
    if problems:
        raise InputError(problems)
    names = dict.fromkeys(row.assessor for row in rows)
    with campaign.write():
        able(campaign, list(names), disabled)
        put_checked(
            campaign,
            {(row.topic_id, row.part) for row in rows},
            [(row.topic_id, row.part, row.assessor) for row in rows],
        )
    return Imported(len({row.topic_id for row in rows}), len(names), without_judging_role(campaign, names))


def export_list(campaign: Campaign, form: str = "jsonl") -> str:
    """The assignments as a file, `jsonl` or `csv`, that `import_list` reads back."""
    rows = assignments.all_assignments(campaign)
    return WRITERS[form]((row.topic_id, row.assessor, row.part) for row in rows)
