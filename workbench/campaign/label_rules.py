"""The rule by which several judgments of a pair make one label, and whose labels count: what would change, choosing."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.errors import UnknownName
from workbench.methods.statistics.dawid_skene import TooFewLabels, refuse_few
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts import publication
from workbench.storage.campaign.grades import labels, sources
from workbench.storage.campaign.grades.label_rules import (
    DAWID_SKENE,
    LABEL_RULES,
    NEWEST,
    Material,
    Settled,
    modelled,
)
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.organising import settings


class Option(NamedTuple):
    """What can be chosen: what it does, and how many labels would be others than now; or why it cannot be chosen."""

    rule: str
    says: str
    changed: int
    refused: str


class RuleState(NamedTuple):
    """Which rule holds as of the row `head` of the log, and what others would change.

    Attributes:
        rule: the rule in force.
        labels: how many pairs have a label.
        several: how many of them have several judgments that count, of assessors or an adjudicator.
        not_modelled: by the model of Dawid and Skene, how many pairs have too few grades for it, so that the majority
            labels them; 0 by other rules.
        options: every rule.
        sources: how many pairs were imported, and labelled by models.
        imported_labels, model_labels: the choices in force, and for each of the two settings all there are.
    """

    head: log.Head
    rule: str
    labels: int
    several: int
    not_modelled: int
    options: tuple[Option, ...]
    sources: publication.SourceCounts
    imported_labels: str
    model_labels: str
    import_options: tuple[Option, ...]
    model_options: tuple[Option, ...]


_states: Cache[RuleState] = Cache(of_one=1)


def choose_rule(campaign: Campaign, name: str) -> bool:
    """Make a rule the campaign's, as an event of its log; False when it was that already.

    Raises:
        UnknownName: no rule is called so, see `rule_named`.
        TooFewLabels: the model of Dawid and Skene, and a pair has fewer than three grades.
    """
    rule = rule_named(name)
    with campaign.write():
        if labels.rule_at(campaign) == rule:
            return False
        if rule == DAWID_SKENE:
            number = len(labels.qrels(campaign, rule=NEWEST))
            refuse_few(number - len(modelled(labels.material(campaign))), number)
        settings.change(campaign, {"label_rule": rule})
    return True


def choose_sources(
    campaign: Campaign, *, imported_labels: str | None = None, model_labels: str | None = None
) -> bool:
    """Choose how imported labels and those of models count, as an event of the log; False when it was so already.

    The choices are those of sources.IMPORTED_LABELS and MODEL_LABELS, None leaves one as it is; UnknownName for others.
    """
    wanted = {"imported_labels": imported_labels, "model_labels": model_labels}
    for name, known in (("imported_labels", sources.IMPORTED_LABELS), ("model_labels", sources.MODEL_LABELS)):
        if wanted[name] is not None and wanted[name] not in known:
            message = f"there is no choice {wanted[name]!r} for {name.replace('_', ' ')}; there are {', '.join(known)}"
            raise UnknownName(message)
    with campaign.write():
        there = settings.said(campaign)
        current = {name: there[name][0] for name in wanted if name in there}
        changes = {name: value for name, value in wanted.items() if value not in (None, current.get(name))}
        if changes.get("model_labels") == sources.NEVER and "model_labels" not in current:
            del changes["model_labels"]
        if changes:
            settings.change(campaign, changes)
    return bool(changes)


def rule_named(name: str) -> str:
    """The rule of that name, in any case, with hyphens or blanks."""
    bare = " ".join(name.replace("-", " ").split()).lower()
    spelled = {rule.replace("-", " ").lower(): rule for rule in LABEL_RULES}
    return LABEL_RULES.find(spelled.get(bare, name)).name


def rule_state(campaign: Campaign, number: int | None = None) -> RuleState:
    """The rule in force and what others would change, once per row of the log; `number` of labels, if counted."""
    return _states.now(campaign, None, lambda: _state(campaign, number))


def _state(campaign: Campaign, number: int | None) -> RuleState:
    with campaign.snapshot():
        rule, head = labels.rule_at(campaign), log.head(campaign)
        chosen, number_of = settings.read(campaign), publication.source_counts(campaign)
        seen = labels.material(campaign)
        if number is None:
            settled = sum(all(vote.adjudicated for vote in given) for given in seen.votes.values())
            number = labels.graded_alone(campaign) + settled
    lacking = number - len(modelled(seen))
    now = LABEL_RULES[rule].settle(seen)
    # All rules that look at one pair at a time give a pair the one grade that all gave it.
    disputed = {pair: given for pair, given in seen.votes.items() if len({vote.grade for vote in given}) > 1}
    single = seen if LABEL_RULES[rule].of_all else seen._replace(votes=disputed)

    def moved(imported_labels: str) -> int:
        """How many labels would be others if these counted so."""
        order = sources.precedence(imported_labels, chosen.model_labels)
        found = LABEL_RULES[rule].settle(single._replace(precedence=order))
        return sum(label.grade != now[pair].grade for pair, label in found.items())

    now_count = chosen.model_labels == sources.GAPS
    return RuleState(
        head=head,
        rule=rule,
        labels=number,
        several=len(seen.votes),
        not_modelled=lacking if rule == DAWID_SKENE else 0,
        options=tuple(
            Option(name, each.says, *_changes(seen if each.of_all else single, name, now, lacking, number))
            for name, each in LABEL_RULES.items()
        ),
        sources=number_of,
        imported_labels=chosen.imported_labels,
        model_labels=chosen.model_labels,
        import_options=tuple(
            Option(name, says, moved(name), "") for name, says in sources.IMPORTED_LABELS.items()
        ),
        model_options=tuple(
            Option(name, says, number_of.only_models if (name == sources.GAPS) is not now_count else 0, "")
            for name, says in sources.MODEL_LABELS.items()
        ),
    )


def _changes(seen: Material, rule: str, now: Settled, lacking: int, number: int) -> tuple[int, str]:
    """How many labels a rule would change, and why it cannot be chosen ("" if it can)."""
    if rule == DAWID_SKENE:
        try:
            refuse_few(lacking, number)
        except TooFewLabels as error:
            return 0, str(error)
    found = LABEL_RULES[rule].settle(seen)
    return sum(label.grade != now[pair].grade for pair, label in found.items()), ""
