"""How much assessors agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.campaigns import Seen, measure_option, say, steps
from workbench.cli.comparing import seed_option
from workbench.cli.options import command, option
from workbench.cli.tables import format_option, write_sheet
from workbench.core.wording import capital, counted

if TYPE_CHECKING:
    from workbench.analysis.between_assessors.coefficients import CampaignAgreement
    from workbench.analysis.between_assessors.effect import Effect
    from workbench.formats.tables.sheets import Sheet
    from workbench.storage.campaign import Campaign


class Asked(NamedTuple):
    """What to show of the agreement."""

    by: Literal["topic", "pair", "assessor"] | None = option(
        "One row for each topic, for each pair of assessors, or for each assessor's self-agreement."
    )
    measure: str | None = measure_option(
        "Show the effect of disagreement on the leaderboard by this measure.", None
    )
    draws: int = option(
        "Number of bootstrap samples for the intervals, or of random choices of an assessor per topic.",
        default=1000,
        least=1,
        metavar="B",
    )
    every: bool = option(
        "All pairs that several judged, each counted once, also where `assign double` sampled some.", "--all"
    )
    judges: bool = option(
        "Models count as assessors, like people: their labels are compared, too.", "--judges"
    )
    seed: int = seed_option


@command()
def agreement(campaign: Seen, asked: Asked, kind: str = format_option) -> None:
    """Show agreement between assessors on pairs that several judged, and its effect on the leaderboard.

    Raw agreement, overlap of the relevant, the kappas of Cohen and Fleiss, Krippendorff's alpha, Gwet's AC1 and AC2,
    with binary grades and with the full scale; a note below says why a value is not defined. Each
    assessor's own current grade counts, adjudications do not. Where `assign double` sampled pairs, only these
    count, each weighted by the inverse of its sampling rate: an estimate for all pairs they were drawn from.

    With -m: the leaderboard under each assessor's grades, their union (the highest grade) and intersection (the
    lowest) against the campaign's own, and the range of each run's score when each topic's assessor is drawn at
    random.

    Example:
      workbench judging agreement robust
      workbench judging agreement robust --by topic
      workbench judging agreement robust --by pair --format csv > pairs.csv
      workbench judging agreement robust --by assessor
      workbench judging agreement robust --all
      workbench judging agreement robust --judges --by pair
      workbench judging agreement robust -m nDCG@10
    """
    if asked.by and asked.measure:
        message = "use --by or -m, not both: the effect on the leaderboard is of the whole campaign"
        raise click.UsageError(message)
    if asked.every and (asked.measure or asked.by == "assessor"):
        raise click.UsageError(
            "--all applies to agreement between assessors: use it without -m and without --by assessor"
        )
    if asked.judges and (asked.measure or asked.by == "assessor"):
        raise click.UsageError(
            "--judges compares labels of models with other grades: leave out -m and --by assessor"
        )
    if asked.measure is None:
        _coefficients(campaign, asked, kind)
    else:
        _effect(campaign, asked.measure, asked, kind)


def _coefficients(campaign: Campaign, asked: Asked, kind: str) -> None:
    from workbench.analysis.between_assessors import sheets
    from workbench.analysis.between_assessors.declared import AGREEMENT

    pairs = "all" if asked.every else "drawn"
    question = {"by": asked.by or "campaign", "pairs": pairs, "draws": asked.draws, "seed": asked.seed}
    question["judges"] = asked.judges or None
    with steps("Agreement") as on_step:
        found = AGREEMENT.function(campaign, on_step, **AGREEMENT.question(campaign, question))
    if found.shared and asked.by != "assessor":
        say(found.about)
    if kind != "table" or found.shared:
        write_sheet(kind, sheets.sheet_of_values(found), found, shown=_shown(found) if found.shared else [])
    say(*(_remarks_on_repeats(found) if asked.by == "assessor" else _remarks_on_agreement(found)))


def _shown(found: CampaignAgreement) -> list[Sheet]:
    from workbench.analysis.between_assessors import sheets

    if found.by != "campaign":
        return [sheets.sheet_of_scopes(found)]
    scope = found.scopes[0]
    table = [] if scope.table is None else [sheets.sheet_of_table(found, scope, scope.table)]
    return [sheets.sheet_of_coefficients(scope), *table]


def _effect(campaign: Campaign, measure: str, asked: Asked, kind: str) -> None:
    from workbench.analysis.between_assessors import sheets
    from workbench.analysis.between_assessors.declared import DISAGREEMENT, scoring_steps
    from workbench.analysis.between_assessors.effect import effect_of_disagreement

    with steps(DISAGREEMENT.name_of({"measure": measure})) as on_step:
        effect = effect_of_disagreement(
            campaign, measure, choices=asked.draws, seed=asked.seed, progress=scoring_steps(on_step)
        )
    ranges = sheets.sheet_of_ranges(effect)
    write_sheet(kind, ranges, effect, shown=[sheets.sheet_of_views(effect), ranges])
    say(*_remarks_on_effect(effect))


NOTHING_SHARED = (
    "No pair has the grades of two assessors yet, so there is nothing to compare. Have some pairs judged twice, "
    "or add other qrels under a name: workbench add qrels CAMPAIGN FILE --assessor NAME. "
    "Labels of models are compared with --judges."
)


def _remarks_on_agreement(found: CampaignAgreement) -> list[str]:
    where = (
        f"{found.shared:,} of {counted(found.judged, 'judged pair')} have the grades of several assessors "
        f"({counted(len(found.assessors), 'assessor')}), as of log row {found.seq}."
    )
    if not found.shared:
        return [NOTHING_SHARED]
    return [
        where,
        f"Relevant from grade {found.relevant_from}. Intervals: pairs drawn again {found.resamples:,} times, "
        f"seed {found.seed}.",
        *_notes(found),
        "How well assessors agree with themselves: --by assessor.",
        "What disagreement does to the leaderboard: add -m MEASURE.",
    ]


NOTHING_REPEATED = (
    "No pair has been judged twice by the same assessor yet, so self-agreement is unknown. "
    "Set up hidden repeats: workbench judging repeats CAMPAIGN --share 0.03."
)


def _remarks_on_repeats(found: CampaignAgreement) -> list[str]:
    if not found.judged:
        return [NOTHING_REPEATED]
    return [
        f"{counted(found.judged, 'pair')} judged again, {found.shared:,} of them with a grade both times, as of log "
        f"row {found.seq}. The first judgment is the one that counts.",
        f"Relevant from grade {found.relevant_from}. Intervals: pairs drawn again {found.resamples:,} times, "
        f"seed {found.seed}.",
        *_notes(found),
    ]


def _notes(found: CampaignAgreement) -> list[str]:
    from workbench.analysis.between_assessors.coefficients import notes_of

    noted = [f"{capital(note)} ({'; '.join(about)})." for note, about in notes_of(found.scopes).items()]
    return [*noted, *found.scale_changes]


def _remarks_on_effect(effect: Effect) -> list[str]:
    where = f"{effect.measure} on {counted(effect.topics, 'topic')}, as of log row {effect.seq}"
    if not effect.shared_topics:
        return [f"{where}: no topic has two assessors, so there is no choice of whose grades to take."]
    value = "not defined (one run, or one side ties all runs)"
    if effect.tau_mean is not None:
        value = f"{effect.tau_mean:.3f} on average"
        if effect.tau_choices < effect.choices:
            value += f" over the {effect.tau_choices:,} for which it is defined"
    low = (
        "" if effect.tau_low is None else f", {effect.tau_low:.3f} at 2.5%, {effect.tau_lowest:.3f} at worst"
    )
    return [
        f"{where}; {effect.shared_topics:,} of them have several assessors.",
        "Grades of an assessor: against the campaign's own on the topics that the assessor judged.",
        f"Ranges: an assessor drawn for each topic {effect.choices:,} times, seed {effect.seed}; "
        f"Kendall's tau to the campaign's own order is {value}{low}.",
    ]
