"""The rule by which several judgments of a pair make one label: what each rule would change, and choosing one."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from workbench.campaign import Campaign, labels, log, settings
from workbench.campaign.labels import DAWID_SKENE, LABEL_RULES, Material, Settled
from workbench.errors import UnknownName
from workbench.statistics.dawid_skene import TooFewLabels, refuse_few


class Option(NamedTuple):
    """A rule that can be chosen: what it does, and how many labels would be others than now; or why it cannot be."""

    rule: str
    says: str
    changed: int
    refused: str


class RuleState(NamedTuple):
    """Which rule holds as of the row `head` of the log, and what others would change.

    Attributes:
        rule: the rule in force.
        labels: how many pairs have a label.
        several: on how many of them several had a say, assessors or an adjudicator.
        not_modelled: by the model of Dawid and Skene, how many pairs have too few grades for it, so that the majority
            labels them; 0 by other rules.
        options: every rule.
    """

    head: log.Head
    rule: str
    labels: int
    several: int
    not_modelled: int
    options: tuple[Option, ...]


_kept: dict[Path, RuleState] = {}
_lock = Lock()


def choose_rule(campaign: Campaign, name: str, *, actor: str, now: datetime | None = None) -> bool:
    """Make a rule the campaign's, as an event of its log; False when it was that already.

    Args:
        campaign: an open campaign.
        name: one of LABEL_RULES; case does not matter, and hyphens may stand for blanks.
        actor: who does it, for the log.
        now: the time to record.

    Raises:
        UnknownName: no rule is called so.
        TooFewLabels: the model of Dawid and Skene, and a pair has fewer than three grades.
    """
    rule = rule_called(name)
    with campaign.write():
        if labels.rule_at(campaign) == rule:
            return False
        if rule == DAWID_SKENE:
            number = len(labels.qrels(campaign, rule=labels.NEWEST))
            refuse_few(number - len(labels.modelled(labels.material(campaign))), number)
        settings.change(campaign, {"label_rule": rule}, actor=actor, now=now)
    return True


def rule_called(name: str) -> str:
    """The rule that a name stands for, whatever its case, with hyphens or blanks."""
    bare = " ".join(name.replace("-", " ").split()).lower()
    for rule in LABEL_RULES:
        if rule.replace("-", " ").lower() == bare:
            return rule
    message = f"there is no rule {name!r}; the rules are {', '.join(LABEL_RULES)}"
    raise UnknownName(message)


def rule_state(campaign: Campaign, number: int | None = None) -> RuleState:
    """The rule in force and what others would change, worked out once for each row of the log.

    `number` is how many pairs have a label, if that was counted already.
    """
    key = campaign.path.resolve()
    with _lock:
        known = _kept.get(key)
    if known is not None and known.head == log.head(campaign):
        return known
    found = _state(campaign, number)
    with _lock:
        _kept[key] = found
    return found


def _state(campaign: Campaign, number: int | None) -> RuleState:
    with campaign.snapshot():
        rule, head = labels.rule_at(campaign), log.head(campaign)
        seen = labels.material(campaign)
        if number is None:
            settled = sum(all(vote.adjudicated for vote in given) for given in seen.votes.values())
            number = labels.graded_alone(campaign) + settled
    lacking = number - len(labels.modelled(seen))
    now = labels.settle(seen, rule)
    single = seen if rule == DAWID_SKENE else _disputed(seen)
    return RuleState(
        head=head,
        rule=rule,
        labels=number,
        several=len(seen.votes),
        not_modelled=lacking if rule == DAWID_SKENE else 0,
        options=tuple(
            Option(name, says, *_changes(seen if name == DAWID_SKENE else single, name, now, lacking, number))
            for name, says in LABEL_RULES.items()
        ),
    )


def _disputed(seen: Material) -> Material:
    """Without the pairs to which all gave one grade, which they have by every rule that looks at one pair at a time."""
    votes = {pair: given for pair, given in seen.votes.items() if len({vote.grade for vote in given}) > 1}
    return seen._replace(votes=votes)


def _changes(seen: Material, rule: str, now: Settled, lacking: int, number: int) -> tuple[int, str]:
    """How many labels a rule would change, and why it cannot be chosen ("" if it can)."""
    if rule == DAWID_SKENE:
        try:
            refuse_few(lacking, number)
        except TooFewLabels as error:
            return 0, str(error)
    found = labels.settle(seen, rule)
    return sum(label.grade != now[pair].grade for pair, label in found.items()), ""
