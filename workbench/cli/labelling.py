"""The rule by which several judgments of a pair make one label."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, counted, open_named, say

if TYPE_CHECKING:
    from workbench.labelling import Option, RuleState


@click.command()
@campaign_argument
@click.argument("name", required=False)
@click.option(
    "--imports",
    type=click.Choice(["gaps", "equal"]),
    help="Imported labels count only for pairs without a grade given here, or like grades given here.",
)
@click.option(
    "--models",
    type=click.Choice(["never", "gaps"]),
    help="Labels of models never count, or for pairs without a label of a person.",
)
def rule(path: Path, name: str | None, imports: str | None, models: str | None) -> None:
    """Show or choose the rule that makes one grade of several, and whose labels count.

    Where several assessors judged a pair, one grade counts: in qrels, in scores and in all counts. Which one is a
    choice of the campaign, and stands in its log; scores as of an earlier row follow the rule of that row. Without a
    NAME the rules are listed, with the number of pairs whose grade each would change.

    Of two grades that differ majority, median and strictest take the lower one, most lenient takes the higher one: if
    only some pairs are judged twice, these become stricter (more lenient) than all others. Owner does not, and is the
    rule to choose where topics are assigned; nor does newest where second assessors are as strict as the first.

    \b
    Example:
      workbench rule robust
      workbench rule robust owner
      workbench rule robust "adjudicated first"
      workbench rule robust --models gaps
    """
    from workbench.campaign import settings
    from workbench.campaign.sources import IMPORTED_LABELS, MODEL_LABELS
    from workbench.labelling import choose_rule, choose_sources, rule_called, rule_state

    with open_named(path) as campaign:
        if name is None and imports is None and models is None:
            _show(rule_state(campaign))
            return
        if name is not None:
            changed = choose_rule(campaign, name, actor=actor())
            say(f"The rule is {rule_called(name)} {'now' if changed else 'already'}.")
        if imports is not None or models is not None:
            choose_sources(campaign, imported_labels=imports, model_labels=models, actor=actor())
            told = settings.read(campaign)
            say(
                f"{_sentence(IMPORTED_LABELS[told.imported_labels])} {_sentence(MODEL_LABELS[told.model_labels])}"
            )


def _sentence(says: str) -> str:
    return f"{says[0].upper()}{says[1:]}."


def _show(state: RuleState) -> None:
    click.echo(
        f"{state.several:,} of {counted(state.labels, 'pair')} judged by several, or adjudicated; "
        f"the rule is {state.rule}."
    )
    if state.not_modelled:
        click.echo(
            f"{counted(state.not_modelled, 'pair')} with fewer than three grades: there the majority counts."
        )
    _list(state.options, state.rule)
    click.echo(f"\nImported labels ({counted(state.sources.imports, 'pair')}), --imports:")
    _list(state.import_options, state.imported_labels)
    click.echo(
        f"\nLabels of models ({counted(state.sources.models, 'pair')}, {state.sources.only_models:,} with no other), "
        "--models:"
    )
    _list(state.model_options, state.model_labels)


def _list(options: Sequence[Option], in_force: str) -> None:
    for option in options:
        mark = "*" if option.rule == in_force else " "
        would = "in force" if mark == "*" else "refused" if option.refused else f"{option.changed:,} changed"
        click.echo(f"{mark} {option.rule:<18} {would:>14}  {option.says}")
