"""Correcting what is said of a run: its team, tag, priority, depth and description, each time by an event of the log.

No number changes with it, except those that go by teams. Rankings, pools and judgments stay as they are. The tag of
a run that a pool names stays too, since the records of pools, their audit and what was printed go by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from workbench.campaign import submission_rules
from workbench.campaign.content_changes import runs_named
from workbench.campaign.ingest.senders import pooled_tags, wrong_tag, wrong_team
from workbench.core.errors import AlreadyDone, CampaignError
from workbench.core.run_costs import CURRENCY, NO_COSTS, Costs, shown_cost
from workbench.core.wording import listed
from workbench.formats.run_tables import LONGEST_NUMBER
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, run_details, runs
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.log.kinds import LONGEST_REASON


class Correction(NamedTuple):
    """What is to be said of a run from now on; None leaves a value as it is, and so do fields that are not named.

    A priority or depth of 0 takes it away, and so do an empty text of a field of the description and a cost of None.
    `contributes` says whether pools made from now on draw on the run unless told otherwise; `place` where it was read,
    for messages.
    """

    team: str | None = None
    tag: str | None = None
    priority: int | None = None
    depth: int | None = None
    description: Mapping[str, str] = run_details.NO_TEXTS
    contributes: bool | None = None
    place: str = ""
    costs: Costs = NO_COSTS


class Corrected(NamedTuple):
    """A run before its correction, what changes of it, and the pools that name it, whose pairs stay."""

    run: StoredRun
    was: Mapping[str, Any]
    now: Mapping[str, Any]
    pools: tuple[int, ...]


def correct_run(campaign: Campaign, tag: str, correction: Correction, *, reason: str = "") -> Corrected:
    """Correct what is said of the run of this tag; errors as in `correct_runs`, AlreadyDone where nothing changes."""
    found = correct_runs(campaign, {tag: correction}, reason=reason)
    if not found:
        raise AlreadyDone(f"run {tag!r} has these values already; nothing is changed")
    return found[0]


def correct_runs(
    campaign: Campaign, corrections: Mapping[str, Correction], *, reason: str = "", dry_run: bool = False
) -> list[Corrected]:
    """Correct what is said of the runs of these tags, all of it or nothing; those that change are returned.

    With `dry_run` nothing is stored.

    Raises:
        NotThere: there is no such run.
        CampaignError: they cannot be corrected so; the message says why, and what to do instead.
    """
    if len(reason) > LONGEST_REASON:
        raise CampaignError(f"the reason has {len(reason):,} characters; shorten it to {LONGEST_REASON:,}")
    found, wrong = list[Corrected](), list[str]()
    with campaign.snapshot() if dry_run else campaign.write():
        taken = pooled_tags(campaign) | {run.record.tag for run in runs.all_runs(campaign)}
        for run in runs_named(campaign, list(corrections)):
            tag = run.record.tag
            try:
                before = _before(campaign, run)
                after = _after(campaign, run, before, corrections[tag], taken)
            except CampaignError as error:
                wrong.append(f"{place}: {error}" if (place := corrections[tag].place) else str(error))
                continue
            taken.add(after["tag"])
            now = {name: value for name, value in after.items() if value != before[name]}
            if now:
                was = {name: before[name] for name in now}
                found.append(Corrected(run, was, now, _pools_of(campaign, tag)))
        if wrong:
            raise CampaignError("\n".join(wrong))
        for each in [] if dry_run else found:
            run_details.put(campaign, each.run.run, each.was, each.now, reason=reason)
    return found


def steps_of(found: Corrected) -> list[tuple[str, str, str]]:
    """Each value that is corrected: its name, what it was, and what it becomes."""
    steps = [(name, _said(found.was[name]), _said(now)) for name, now in found.now.items() if name != "costs"]
    costs, before = (each.get("costs", NO_COSTS) for each in (found.now, found.was))
    for name in [name for name in {**before, **costs} if name != CURRENCY]:
        was, now = shown_cost(name, before) or "none", shown_cost(name, costs) or "none"
        steps += [(name, was, now)] if was != now else []
    return [("pool" if name == "contributes" else name, was, now) for name, was, now in steps]


def in_words(found: Corrected) -> str:
    """A correction in a line: `bm25: team Athens → Delft; priority none → 2`."""
    steps = "; ".join(f"{name} {was} → {now}" for name, was, now in steps_of(found))
    return f"{found.run.record.tag}: {steps}"


def _said(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {text}" for name, text in value.items()) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value or "none")


def _before(campaign: Campaign, run: StoredRun) -> dict[str, Any]:
    said = run_details.details(campaign).get(run.run, run_details.NO_DETAILS)
    return {
        "team": run.record.team,
        "tag": run.record.tag,
        "priority": said.priority,
        "depth": said.depth,
        "description": dict(said.description),
        "contributes": run.record.contributes,
        "costs": dict(said.costs),
    }


def _after(
    campaign: Campaign, run: StoredRun, before: Mapping[str, Any], correction: Correction, taken: set[str]
) -> dict[str, Any]:
    team = before["team"] if correction.team is None else " ".join(correction.team.split())
    if why := wrong_team(team):
        raise CampaignError(why)
    tag = before["tag"] if correction.tag is None else correction.tag.strip()
    if tag != before["tag"]:
        _check_tag(campaign, run, tag, taken)
    return {
        "team": team,
        "tag": tag,
        "priority": _number("priority", correction.priority, before["priority"]),
        "depth": _number("depth", correction.depth, before["depth"]),
        "description": _description(campaign, before["description"], correction.description),
        "contributes": before["contributes"] if correction.contributes is None else correction.contributes,
        "costs": {
            name: value
            for name, value in {**before["costs"], **correction.costs}.items()
            if value is not None
        },
    }


def _check_tag(campaign: Campaign, run: StoredRun, tag: str, taken: set[str]) -> None:
    old = run.record.tag
    if why := wrong_tag(tag) if tag else "'' cannot be a tag: write one word":
        raise CampaignError(why)
    if old in pooled_tags(campaign):
        raise CampaignError(
            f"run {old!r} keeps its tag, since pool {listed(list(map(str, _pools_of(campaign, old))))} names it; "
            "team, priority, depth and description can be corrected. To score it under another tag, add its file once "
            "more under that tag and withdraw this run"
        )
    if tag in taken:
        raise CampaignError(f"the tag {tag!r} is taken, by a run or in the record of a pool; choose another")


def _pools_of(campaign: Campaign, tag: str) -> tuple[int, ...]:
    return tuple(pool.pool for pool in pools.all_pools(campaign) if tag in pool.record.runs)


def _number(name: str, value: int | None, before: int | None) -> int | None:
    if value is None:
        return before
    if not 0 <= value < 10**LONGEST_NUMBER:
        raise CampaignError(f"{name} {value:,} cannot be; write a number from 1, or 0 for none")
    return value or None


def _description(campaign: Campaign, before: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    fields = submission_rules.rules_of(campaign).fields
    texts = {name: text.strip() for name, text in given.items()}
    wrong = submission_rules.unknown_field(fields, texts) or submission_rules.wrong_description(
        fields, texts, complete=False
    )
    if wrong:
        raise CampaignError(wrong)
    return {name: text for name, text in {**before, **texts}.items() if text}
