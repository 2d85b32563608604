"""Who sent a run and what they said of it, and the place that it takes among the runs of a campaign."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

from workbench.campaign import submission_rules
from workbench.campaign.submission_rules import Field, described
from workbench.core.findings import Wrong
from workbench.core.normal_forms import is_printable
from workbench.core.run_costs import NO_COSTS, Costs
from workbench.core.values import LONGEST_NAME
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, rounds, run_details, runs, withdrawals
from workbench.storage.campaign.collection.rounds import FIRST, Round
from workbench.storage.campaign.collection.run_details import NO_DETAILS, NO_TEXTS, RunDetails
from workbench.storage.campaign.collection.runs import RunRepair, StoredRun
from workbench.storage.campaign.log.log import timestamp
from workbench.storage.campaign.organising.settings import Settings

NO_ROUND = Round(1, FIRST, 0)
"""The one round of a campaign that has no other, or of none at all."""


class Sender(NamedTuple):
    """Who sent a run, whether pools take documents from it unless told otherwise, and what else was said of it.

    `tag` is "" where the file names the run. `replaces` asks that it takes the place of the run of that name. A run
    with `received` is a team's own submission, to which the rules of the campaign apply: see `submission_rules`.
    `costs` are those that its file gives. Of a run that comes out of another campaign `sha256` is the checksum of the
    file that was sent there, and `repairs` what was repaired there.
    """

    team: str = ""
    contributes: bool = True
    sha256: str = ""
    repairs: tuple[RunRepair, ...] = ()
    tag: str = ""
    priority: int | None = None
    depth: int | None = None
    description: Mapping[str, str] = NO_TEXTS
    replaces: bool = False
    received: datetime | None = None
    costs: Costs = NO_COSTS

    def of_team(self, named: str) -> Sender:
        """With the team that a file names, where nothing else says whose it is."""
        is_open = not (self.team or self.sha256 or self.replaces or self.received)
        return self._replace(team=named) if is_open else self


@dataclass(frozen=True)
class Place:
    """Where a new run goes.

    Attributes:
        tag: its name.
        sender: who sent it; what was not said is taken over from the run that it replaces.
        replaced: the run whose place it takes, which is withdrawn.
        renamed: the name that this one has from then on; "" where it keeps its own.
        asked: the name that was asked for, where a run of the team from an earlier round has it; "" for none.
    """

    tag: str
    sender: Sender
    replaced: StoredRun | None = None
    renamed: str = ""
    asked: str = ""


class Register(NamedTuple):
    """What decides on the place of a new run: the rules, the runs by their names, and the names that pools name."""

    campaign: Campaign | None = None
    fields: Sequence[Field] = ()
    by_name: Mapping[str, StoredRun] = MappingProxyType({})
    pooled: Collection[str] = frozenset()
    said: Mapping[int, RunDetails] = MappingProxyType({})
    now: Round = NO_ROUND

    @classmethod
    def of(cls, campaign: Campaign, current: Settings) -> Register:
        """That of a campaign with these settings now."""
        by_name = {run.record.tag: run for run in runs.all_runs(campaign)}
        fields = submission_rules.rules_in(current).fields
        last = rounds.all_rounds(campaign)[-1]
        return cls(campaign, fields, by_name, pooled_tags(campaign), run_details.details(campaign), last)

    def place(self, name: str, sender: Sender, header: str) -> tuple[Place, list[Wrong]]:
        """The place of a run of this name with these comments above it, and what is in the way."""
        sender = sender._replace(description=described(self.fields, header, sender.description))
        # A team's own run is taken or not, whatever its name.
        if sender.received is not None and self.campaign is not None:
            rules = submission_rules.rules_of(self.campaign)
            if why := submission_rules.refusal_now(rules, sender.team, sender.received):
                return Place(name, sender), [Wrong("not-taken", why)]
        try:
            place = self._place(name, sender)
        except ValueError as error:
            return Place(name, sender), [Wrong("name-taken", str(error))]
        names = () if sender.sha256 else (wrong_tag(sender.tag), wrong_team(sender.team))
        wrong = [Wrong("name", why) for why in names if why]
        if sender.received is not None and self.campaign is not None:
            why = submission_rules.refusal(
                self.campaign, sender.team, sender.received, replaces=place.replaced
            )
            wrong += [Wrong("not-taken", why)] if why else []
        description, is_own = place.sender.description, sender.received is not None
        if why := submission_rules.wrong_description(self.fields, description, complete=is_own):
            wrong.append(Wrong("description", why))
        return place, wrong

    def _place(self, name: str, sender: Sender) -> Place:
        """The place of a run of this name; ValueError with what is in the way.

        In each round a team may use the same tags: what it sent in an earlier one stays, and among the runs of all
        rounds the new one is called by the round too.
        """
        own, old = sender.received is not None, self.by_name.get(name)
        if old is not None and old.record.team == sender.team and not self.now.has(old):
            there = [run for run in self.by_name.values() if run.sent == name and self.now.has(run)]
            if own or there or not sender.replaces:
                return replace(self._place(self._in_round(name, there), sender), asked=name)
        if own and old is not None and old.record.team != sender.team:
            raise ValueError(f"the name {name!r} is taken by a run that is not your team's; change the tag")
        if old is None and sender.replaces:
            raise ValueError(
                f"there is no run {name!r}, so nothing is replaced; correct the tag, or add it without replacing"
            )
        if old is None or not (own or sender.replaces):
            return Place(name, sender)
        if own and self._said(old).received == timestamp(sender.received):
            message = f"another file of this upload has the name {name!r} and is submitted; change the tag of this one"
            raise ValueError(message)
        old = self._newest(old)
        tag = old.record.tag
        if sender.team not in ("", old.record.team):
            raise ValueError(
                f"run {tag!r} is of team {old.record.team or 'none'!r}, not of {sender.team!r}; leave out the team, or "
                f"correct it first: workbench task correct"
            )
        taken, sender = {*self.by_name, *self.pooled}, self._taking_over(sender, old)
        if tag not in self.pooled:
            return Place(tag, sender, old, free_name(f"{tag}.replaced", taken, first=1))
        if own:
            raise ValueError(
                f"run {tag!r} is pooled already, and its documents are being judged: only an organiser can replace it; "
                "send them the file"
            )
        return Place(free_name(name, taken), sender, old)

    def _in_round(self, name: str, there: Sequence[StoredRun]) -> str:
        """What a run is called whose tag an earlier round has: the name sent in this round, or a new one."""
        new = f"{name}.{self.now.name}"
        taken = {*self.by_name, *self.pooled}
        return there[-1].record.tag if there else free_name(new, taken) if new in taken else new

    def _newest(self, old: StoredRun) -> StoredRun:
        """The run that took the place of a run that is withdrawn, and so on."""
        while old.withdrawn is not None:
            newer = [run for run in self.by_name.values() if self._said(run).replaces == old.run]
            if not newer:
                break
            old = newer[-1]
        return old

    def _said(self, run: StoredRun) -> RunDetails:
        return self.said.get(run.run, NO_DETAILS)

    def _taking_over(self, sender: Sender, old: StoredRun) -> Sender:
        before = self._said(old)
        return sender._replace(
            team=old.record.team,
            contributes=sender.contributes and old.record.contributes,
            priority=before.priority if sender.priority is None else sender.priority,
            depth=before.depth if sender.depth is None else sender.depth,
            description={**before.description, **sender.description},
        )


def wrong_tag(tag: str) -> str:
    """Why a name that someone gives a run cannot be one, "" where it can, or where none is given."""
    if len(tag) <= LONGEST_NAME and tag == "".join(tag.split()) and is_printable(tag):
        return ""
    way_out = f"write one word of at most {LONGEST_NAME} characters that can be printed"
    return f"{tag[:LONGEST_NAME]!r} cannot be a tag: {way_out}"


def wrong_team(team: str) -> str:
    """Why a name cannot be a team's, "" where it can."""
    if len(team) <= LONGEST_NAME and is_printable(team):
        return ""
    way_out = f"write at most {LONGEST_NAME} characters, all of which can be printed"
    return f"{team[:LONGEST_NAME]!r} cannot be the name of a team: {way_out}"


def make_room(campaign: Campaign, place: Place) -> None:
    """Withdraw the run whose place is taken, and let it have another name; inside the open write transaction."""
    old = place.replaced
    if old is None:
        return
    tag, reason = old.record.tag, f"replaced by a new run {place.tag}"
    if place.renamed:
        before = {"tag": tag}
        run_details.put(campaign, old.run, before, {"tag": place.renamed}, reason=reason)
    if old.withdrawn is None:
        withdrawals.withdraw(campaign, old.run, place.renamed or tag, reason=reason)


def put_details(campaign: Campaign, run: int, place: Place) -> None:
    """Record what was said of a run that was just added, where something was; inside the open write transaction."""
    sender, replaced = place.sender, place.replaced
    said = {
        "priority": sender.priority,
        "depth": sender.depth,
        "description": dict(sender.description),
        "costs": dict(sender.costs),
        "replaces": None if replaced is None else replaced.run,
        "received": None if sender.received is None else timestamp(sender.received),
        "sent": place.asked or None,
    }
    if changes := {name: value for name, value in said.items() if value not in (None, {})}:
        was: dict[str, object] = {name: {} if name in run_details.OBJECTS else None for name in changes}
        run_details.put(campaign, run, was, changes)


def pooled_tags(campaign: Campaign) -> set[str]:
    """The tags of runs that a pool names, retired pools too."""
    return {tag for pool in pools.all_pools(campaign) for tag in pool.record.runs}


def free_name(tag: str, taken: Collection[str], first: int = 2) -> str:
    """The first of TAG.2, TAG.3, ... that is not taken."""
    return next(name for number in count(first) if (name := f"{tag}.{number}") not in taken)


def replaced_words(place: Place) -> str:
    """A sentence on what becomes of the run that was replaced; "" for none."""
    if place.replaced is None:
        return (
            place.asked
            and f"a run of an earlier round has this tag too: where all rounds are shown, this one is {place.tag!r}"
        )
    if place.renamed:
        return f"it replaces the run of that name, which is withdrawn and now called {place.renamed!r}"
    return (
        f"it replaces run {place.replaced.record.tag!r}, which is withdrawn and keeps its name, since a pool names it; "
        f"pools and judgments stay, and the new run is called {place.tag!r}"
    )
