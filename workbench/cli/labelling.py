"""The rule by which several judgments of a pair make one label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_sheet
from workbench.core.wording import as_sentence, counted

if TYPE_CHECKING:
    from workbench.campaign.label_rules import Option, RuleState
    from workbench.formats.tables.sheets import Sheet


@command()
def rule(
    campaign: Opened,
    name: str | None = argument(),
    imports: Literal["gaps", "equal"] | None = option(
        "Imported labels count only for pairs without a local grade (gaps), or like local grades (equal)."
    ),
    models: Literal["never", "gaps", "forbidden"] | None = option(
        "Labels of models never count, count only for pairs without a human label (gaps), or are not taken (forbidden)."
    ),
    kind: str = format_option,
) -> None:
    """Show or set the rule that resolves multiple grades, and which labels count.

    If several assessors judged a pair, one grade counts in qrels, scores and all counts. The campaign's rule decides
    which, and is recorded in its log; scores as of an earlier row use the rule as of that row. Without a NAME the
    command lists the rules, with the number of pairs whose grade each would change.

    Of two different grades, majority, median and strictest choose the lower, most lenient the higher: if only some
    pairs are judged twice, these become stricter (or more lenient) than the others. Owner does not, so choose it
    where topics are assigned; nor does newest if second assessors are as strict as the first.

    Example:
      workbench judging rule robust
      workbench judging rule robust owner
      workbench judging rule robust "adjudicated first"
      workbench judging rule robust --models gaps
    """
    from workbench.campaign.label_rules import choose_rule, choose_sources, rule_named, rule_state
    from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS
    from workbench.storage.campaign.organising import settings

    if name is None and imports is None and models is None:
        _show(rule_state(campaign), kind)
        return
    if name is not None:
        changed = choose_rule(campaign, name)
        say(f"The rule is {rule_named(name)} {'now' if changed else 'already'}.")
    if imports is not None or models is not None:
        choose_sources(campaign, imported_labels=imports, model_labels=models)
        chosen = settings.read(campaign)
        rules = IMPORTED_LABELS[chosen.imported_labels], MODEL_LABELS[chosen.model_labels]
        say(" ".join(map(as_sentence, rules)))


def _show(state: RuleState, kind: str) -> None:
    rules = _sheet_of("Rule", state.options, state.rule)
    imports = _sheet_of("Imported labels", state.import_options, state.imported_labels)
    models = _sheet_of("Labels of models", state.model_options, state.model_labels)
    write_sheet(kind, rules, state, shown=[rules, imports, models], wrap=True)
    say(
        f"{state.several:,} of {counted(state.labels, 'pair')} judged by several, or adjudicated; "
        f"the rule is {state.rule}."
    )
    if state.not_modelled:
        say(f"{counted(state.not_modelled, 'pair')} with fewer than three grades: these use the majority.")
    say(
        f"Imported labels ({counted(state.sources.imports, 'pair')}): --imports. "
        f"Labels of models ({counted(state.sources.models, 'pair')}, {state.sources.only_models:,} with no other): "
        "--models."
    )


def _sheet_of(what: str, options: Sequence[Option], in_force: str) -> Sheet:
    heads = (what, "In force", "Labels changed", "What it does")
    return text_sheet(heads, (_row(option, in_force) for option in options))


def _row(option: Option, in_force: str) -> tuple[str, str, int | None, str]:
    if option.rule == in_force:
        return option.rule, "yes", None, option.says
    if option.refused:
        return option.rule, "refused", None, option.says
    return option.rule, "no", option.changed, option.says
