"""How much assessors agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import campaign_argument, check_as_of, counted, open_named, progress, say
from workbench.cli.comparing import seed_option, show_sheet
from workbench.cli.listing import as_of_option, format_option

if TYPE_CHECKING:
    from workbench.agreeing import CampaignAgreement, Effect
    from workbench.campaign import Campaign


@click.command()
@campaign_argument
@click.option(
    "--by",
    type=click.Choice(["topic", "pair", "assessor"]),
    help="A row for each topic, or pair of assessors; or for each assessor, who judged some pairs twice.",
)
@click.option(
    "-m", "--measure", metavar="MEASURE", help="What disagreement does to the leaderboard by this measure."
)
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="B",
    help="How often pairs are drawn again for the intervals, or an assessor for each topic.",
)
@click.option(
    "--drawn",
    is_flag=True,
    help="Only pairs drawn by `assign double`, each counted as often as it stands for others.",
)
@seed_option
@as_of_option
@format_option
def agreement(
    path: Path, by: str | None, measure: str | None, drawn: bool, as_of: int | None, kind: str, **told: Any
) -> None:
    """How much assessors agree on the pairs that several of them judged, and what disagreement does to the result.

    Raw agreement, overlap of the relevant, the kappas of Cohen and Fleiss, Krippendorff's alpha, Gwet's AC1 and AC2,
    with grades taken as relevant or not, and as they are; n.d. is not defined, and a line below says why. Each
    assessor's own grade in force counts, adjudications do not.

    With -m the leaderboard under each assessor's grades, their union (the highest grade) and intersection (the
    lowest) against the campaign's own, and how far each run's score moves when each topic's assessor is drawn by
    chance.

    \b
    Example:
      workbench agreement robust
      workbench agreement robust --by topic
      workbench agreement robust --by pair --format csv > pairs.csv
      workbench agreement robust --by assessor
      workbench agreement robust --drawn
      workbench agreement robust -m nDCG@10
    """
    if by and measure:
        message = "ask for --by or for -m: the effect on the leaderboard is of the whole campaign"
        raise click.UsageError(message)
    if drawn and (measure or by == "assessor"):
        raise click.UsageError(
            "--drawn is about agreement between assessors: without -m, and not --by assessor"
        )
    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        if measure is None:
            _coefficients(campaign, by or "campaign", as_of, kind, drawn=drawn, **told)
        else:
            _effect(campaign, measure, as_of, kind, **told)


def _coefficients(
    campaign: Campaign, by: Any, as_of: int | None, kind: str, *, drawn: bool, draws: int, seed: int
) -> None:
    from workbench.agreeing import agreement as agreement_of
    from workbench.agreeing import as_json, self_agreement, sheets
    from workbench.agreeing.drawn import drawn_sample
    from workbench.comparing.as_json import json_text
    from workbench.comparing.sheets import as_csv

    with progress("Comparing grades", None) as advance:
        if by == "assessor":
            found = self_agreement(campaign, as_of=as_of, resamples=draws, seed=seed, progress=advance)
        else:
            sample = drawn_sample(campaign, as_of) if drawn else None
            found = agreement_of(
                campaign, by, as_of=as_of, resamples=draws, seed=seed, sample=sample, progress=advance
            )
    if kind == "json":
        click.echo(json_text(as_json.coefficients_content(found)), nl=False)
    elif kind == "csv":
        click.echo("".join(as_csv(sheets.sheet_of_values(found))), nl=False)
    elif found.shared:
        _show_agreement(found)
    for remark in _remarks_on_repeats(found) if by == "assessor" else _remarks_on_agreement(found):
        say(remark)


def _show_agreement(found: CampaignAgreement) -> None:
    from workbench.agreeing import sheets

    if found.by != "campaign":
        show_sheet(sheets.sheet_of_scopes(found))
        return
    scope = found.scopes[0]
    show_sheet(sheets.sheet_of_coefficients(scope))
    if scope.table is not None:
        click.echo()
        show_sheet(sheets.sheet_of_table(found, scope, scope.table))


def _effect(campaign: Campaign, measure: str, as_of: int | None, kind: str, *, draws: int, seed: int) -> None:
    from workbench.agreeing import as_json, effect_of_disagreement, sheets
    from workbench.comparing.as_json import json_text
    from workbench.comparing.sheets import as_csv

    with progress("Scoring by each assessor", None) as advance:
        effect = effect_of_disagreement(
            campaign, measure, as_of=as_of, choices=draws, seed=seed, progress=advance
        )
    if kind == "json":
        click.echo(json_text(as_json.effect_content(effect)), nl=False)
    elif kind == "csv":
        click.echo("".join(as_csv(sheets.sheet_of_ranges(effect))), nl=False)
    else:
        show_sheet(sheets.sheet_of_views(effect))
        click.echo()
        show_sheet(sheets.sheet_of_ranges(effect))
    for remark in _remarks_on_effect(effect):
        say(remark)


NOTHING_SHARED = (
    "No pair has the grades of two assessors yet, so there is nothing to compare. Have some pairs judged twice, "
    "or add other qrels under a name: workbench add qrels CAMPAIGN FILE --assessor NAME."
)


NOTHING_DRAWN = (
    "No pair that was drawn for a second judgment has the grades of two assessors yet. Pairs are drawn by: workbench "
    "assign double CAMPAIGN --share 0.1 --seed 1; without --drawn all pairs that several judged count."
)


def _remarks_on_agreement(found: CampaignAgreement) -> list[str]:
    where = (
        f"{found.shared:,} of {counted(found.judged, 'judged pair')} have the grades of several assessors "
        f"({counted(len(found.assessors), 'assessor')}), as of log row {found.seq}."
    )
    if not found.shared:
        return [NOTHING_DRAWN if found.weighted else NOTHING_SHARED]
    if found.weighted:
        where += " Only pairs drawn for a second judgment count, each by how many it stands for."
    return [
        where,
        f"Relevant from grade {found.relevant_from}. Intervals: pairs drawn again {found.resamples:,} times, "
        f"seed {found.seed}.",
        *_notes(found),
        "How well assessors agree with themselves: --by assessor.",
        "What disagreement does to the leaderboard: add -m MEASURE.",
    ]


NOTHING_REPEATED = (
    "Nobody has judged a pair again yet, so nobody is known to agree with themself. Have a share of the pairs come "
    "again, hidden among the others: workbench repeats CAMPAIGN --share 0.03."
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
    """Each reason why something has no value or no interval, with the coefficients it was told of."""
    names: dict[str, dict[str, None]] = {}
    for scope in found.scopes:
        for each in (*scope.binary, *scope.graded):
            if each.note:
                names.setdefault(each.note, {})[each.name] = None
    return [f"{note[0].upper()}{note[1:]} ({'; '.join(about)})." for note, about in names.items()]


def _remarks_on_effect(effect: Effect) -> list[str]:
    where = f"{effect.measure} on {counted(effect.topics, 'topic')}, as of log row {effect.seq}"
    if not effect.shared_topics:
        return [f"{where}: no topic has two assessors, so there is no choice of whose grades to take."]
    told = "not defined (one run, or one side ties all runs)"
    if effect.tau_mean is not None:
        told = f"{effect.tau_mean:.3f} on average"
        if effect.tau_choices < effect.choices:
            told += f" over the {effect.tau_choices:,} for which it is defined"
    low = (
        "" if effect.tau_low is None else f", {effect.tau_low:.3f} at 2.5%, {effect.tau_lowest:.3f} at worst"
    )
    return [
        f"{where}; {effect.shared_topics:,} of them have several assessors.",
        "Grades of an assessor: against the campaign's own on the topics that the assessor judged.",
        f"Ranges: an assessor drawn for each topic {effect.choices:,} times, seed {effect.seed}; "
        f"Kendall's tau to the campaign's own order is {told}{low}.",
    ]
