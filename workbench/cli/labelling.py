"""The rule by which several judgments of a pair make one label."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, counted, open_named, say

if TYPE_CHECKING:
    from workbench.labelling import RuleState


@click.command()
@campaign_argument
@click.argument("name", required=False)
def rule(path: Path, name: str | None) -> None:
    """Show or choose the rule that makes one grade of several.

    Where several assessors judged a pair, one grade counts: in qrels, in scores and in all counts. Which one is a
    choice of the campaign, and stands in its log; scores as of an earlier row follow the rule of that row. Without a
    NAME the rules are listed, with the number of pairs whose grade each would change.

    \b
    Example:
      workbench rule robust
      workbench rule robust majority
      workbench rule robust "adjudicated first"
    """
    from workbench.labelling import choose_rule, rule_called, rule_state

    with open_named(path) as campaign:
        if name is None:
            _show(rule_state(campaign))
            return
        changed = choose_rule(campaign, name, actor=actor())
        chosen = rule_called(name)
    say(f"The rule is {chosen} now." if changed else f"The rule is {chosen} already.")


def _show(state: RuleState) -> None:
    click.echo(
        f"{state.several:,} of {counted(state.labels, 'pair')} judged by several, or adjudicated; "
        f"the rule is {state.rule}."
    )
    if state.not_modelled:
        click.echo(
            f"{counted(state.not_modelled, 'pair')} with fewer than three grades: there the majority counts."
        )
    for option in state.options:
        mark = "*" if option.rule == state.rule else " "
        would = "in force" if mark == "*" else "refused" if option.refused else f"{option.changed:,} changed"
        click.echo(f"{mark} {option.rule:<18} {would:>14}  {option.says}")
