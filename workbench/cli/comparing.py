"""Comparisons of runs, of all pairs of runs, and of leaderboards."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from workbench.cli.campaigns import as_of_option, campaign_argument, open_named, progress, row_as_of, say
from workbench.cli.rounds import say_rounds
from workbench.cli.tables import format_option_of, write_sheet
from workbench.cli.workers import workers_options
from workbench.core.seed import SEED
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.analysis.comparing import Agreement, AllPairs, Comparison, TopicDifference, TopicPlan
    from workbench.formats.tables.sheets import Sheet
    from workbench.jobs.cluster import Workers
    from workbench.storage.campaign import Campaign


class _Options(NamedTuple):
    """The options common to all kinds of comparison."""

    measure: str
    baseline: str | None
    as_of: int | None
    seed: int
    permutations: int
    workers: Workers | None = None


class _Result(NamedTuple):
    """A comparison as a table for the terminal, rows for CSV, what was found, and the notes printed below it."""

    sheet: Sheet
    rows: Sheet
    found: Any
    remarks: list[str]


seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=SEED,
    show_default=True,
    help="Random seed: the same seed gives the same values.",
)


@click.command()
@campaign_argument
@click.argument("tags", metavar="[RUN]...", nargs=-1)
@click.option("-m", "--measure", default="AP", show_default=True, metavar="MEASURE", help="The measure.")
@click.option("--baseline", metavar="RUN", help="The run to compare the others with.  [default: the first]")
@as_of_option
@click.option(
    "--topic", metavar="TOPIC", help="Show the documents behind the difference of two runs on this topic."
)
@click.option("--all", "every_pair", is_flag=True, help="Compare all pairs of these runs, or of all runs.")
@click.option(
    "--against-measure", metavar="MEASURE", help="Compare the leaderboard with one by another measure."
)
@click.option("--against-qrels", metavar="FILE", help="Compare the leaderboard with one by other judgments.")
@click.option(
    "--against-as-of",
    metavar="ROW|TIME",
    help="Compare the leaderboard with the one as of this log row or time.",
)
@click.option("--plan", is_flag=True, help="Show how many topics it takes to detect a difference.")
@click.option(
    "--permutations",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="B",
    help="Number of random permutations.",
)
@seed_option
@workers_options("do the permutations of --all")
@format_option_of("table", "csv", "json", "latex", full_precision=True)
def compare(
    path: Path,
    tags: tuple[str, ...],
    topic: str | None,
    every_pair: bool,
    against_measure: str | None,
    against_qrels: str | None,
    against_as_of: str | None,
    moment: str | None,
    plan: bool,
    kind: str,
    **given: Any,
) -> None:
    """Compare runs on the same topics: differences, significance tests, intervals, groups.

    With two or more runs: each against the first (or --baseline), by paired t-test, randomisation test, Wilcoxon's
    and sign test, with a t interval and the effect size. With --all: every pair, by randomised Tukey
    HSD; runs that share a letter do not differ significantly at .05. With --against-...: agreement of two
    leaderboards by Kendall's tau, AP correlation and rank-biased overlap.

    \b
    Example:
      workbench compare robust mine baseline
      workbench compare robust mine yours theirs --baseline baseline -m nDCG@10
      workbench compare robust mine baseline --topic 303
      workbench compare robust --all -m AP --format csv > pairs.csv
      workbench compare robust -m AP --against-measure nDCG@10
      workbench compare robust --against-as-of 1200
      workbench compare robust --plan -m P@10
    """
    against: dict[str, Any] = {"measure": against_measure, "qrels": against_qrels, "as_of": against_as_of}
    two_boards = any(value is not None for value in against.values())
    _check_usage(tags, [topic is not None, every_pair, two_boards, plan])
    if given["workers"] is not None and not every_pair:
        raise click.UsageError("--workers and --scheduler do the permutations of --all; give --all too")
    with open_named(path) as campaign:
        options = _Options(as_of=row_as_of(campaign, moment), **given)
        say_rounds(campaign, options.as_of, kind=kind)
        against["as_of"] = row_as_of(campaign, against_as_of, "--against-as-of")
        if two_boards:
            shown = _two_boards(campaign, options, against)
        elif plan:
            shown = _plan(campaign, options)
        elif topic is not None:
            shown = _documents(campaign, tags, topic, options)
        else:
            shown = (_pairs if every_pair else _runs)(campaign, tags, options)
    _write(shown, kind)


def _check_usage(tags: tuple[str, ...], kinds: Sequence[bool]) -> None:
    """Refuse contradictory options: one kind of comparison at a time, and runs where it is about runs."""
    topic, _, two_boards, plan = kinds
    message = None
    if sum(kinds) > 1:
        message = "use one of --topic, --all, --against-... and --plan at a time"
    elif tags and (two_boards or plan):
        message = "--against-... and --plan use all runs; remove the names of runs"
    elif not tags and (topic or not any(kinds)):
        message = "name the runs to compare, or use --all, --against-measure, --against-as-of or --plan"
    if message is not None:
        raise click.UsageError(message)


def _runs(campaign: Campaign, tags: tuple[str, ...], options: _Options) -> _Result:
    from workbench.analysis.comparing import compare_runs, sheets

    found = compare_runs(
        campaign,
        tags,
        measure=options.measure,
        baseline=options.baseline,
        as_of=options.as_of,
        seed=options.seed,
        permutations=options.permutations,
    )
    sheet = sheets.sheet_of_runs(found)
    return _Result(sheet, sheet, found, _remarks_on_runs(found))


def _documents(campaign: Campaign, tags: tuple[str, ...], topic_id: str, options: _Options) -> _Result:
    from workbench.analysis.comparing import influential_documents
    from workbench.analysis.comparing.documents import InfluentialDocument
    from workbench.analysis.comparing.runs import chosen
    from workbench.formats.tables.sheets import sheet_of

    runs = chosen(tags, options.baseline)
    if len(runs) > 2:
        message = "--topic needs two runs"
        raise click.UsageError(message)
    found = influential_documents(
        campaign, runs[1], runs[0], topic_id, measure=options.measure, as_of=options.as_of
    )
    sheet = sheet_of(InfluentialDocument, (*found.judged, *found.unjudged))
    return _Result(sheet, sheet, found, _remarks_on_documents(found))


def _pairs(campaign: Campaign, tags: tuple[str, ...], options: _Options) -> _Result:
    from workbench.analysis.comparing import all_pairs, sheets
    from workbench.core.errors import CampaignError

    with progress("Shuffling scores over runs", options.permutations) as advance:
        found = all_pairs(
            campaign,
            options.measure,
            tags=tags or None,
            baseline=options.baseline,
            as_of=options.as_of,
            seed=options.seed,
            permutations=options.permutations,
            progress=advance,
            workers=options.workers,
        )
    if not found.tags:
        message = f"{campaign.name} has no active runs, so there are no pairs to compare"
        raise CampaignError(message)
    groups, pairs = sheets.sheet_of_groups(found), sheets.sheet_of_pairs(found)
    return _Result(groups, pairs, found, _remarks_on_pairs(found))


def _two_boards(campaign: Campaign, options: _Options, against: dict[str, Any]) -> _Result:
    from workbench.analysis.comparing import leaderboard, two_leaderboards
    from workbench.analysis.comparing.leaderboards import Position
    from workbench.formats.tables.sheets import sheet_of

    other_measure = against["measure"] or options.measure
    other_seq = options.as_of if against["as_of"] is None else against["as_of"]
    one = leaderboard(campaign, options.measure, as_of=options.as_of)
    other = leaderboard(campaign, other_measure, as_of=other_seq, qrels=against["qrels"])
    found = two_leaderboards(one, other, seed=options.seed)
    heads = {"score": found.one, "other_score": found.other}
    sheet = sheet_of(Position, found.positions, heads=heads)
    return _Result(sheet, sheet, found, _remarks_on_boards(found))


def _plan(campaign: Campaign, options: _Options) -> _Result:
    from workbench.analysis.comparing import plan_topics
    from workbench.analysis.comparing.planning import Needed
    from workbench.formats.tables.sheets import sheet_of

    found = plan_topics(campaign, options.measure, as_of=options.as_of)
    sheet = sheet_of(Needed, found.needed)
    return _Result(sheet, sheet, found, _remarks_on_plan(found))


def _remarks_on_runs(found: Comparison) -> list[str]:
    where = f"{found.measure} on {counted(len(found.topic_ids), 'topic')}, as of log row {found.seq}"
    notes = {f"{test.name}: {test.note}" for each in found.differences for test in each.tests}
    undefined = sorted(note for note in notes if "not defined" in note)
    chance = f"Randomisation: {found.permutations:,} rounds, seed {found.seed}."
    return [f"{where}; differences from {found.baseline}.", chance, *undefined, *_nothing(found.topic_ids)]


def _remarks_on_documents(found: TopicDifference) -> list[str]:
    return [
        f"Topic {found.topic_id}, {found.measure}: {found.run} {found.score:.4f}, "
        f"{found.baseline} {found.baseline_score:.4f}, difference {found.difference:+.4f}.",
        "Effect: the decrease of the difference if the document were not relevant; for an unjudged one (no grade), "
        "what it would gain if it were.",
    ]


def _remarks_on_pairs(found: AllPairs) -> list[str]:
    counts = [
        ("randomised Tukey HSD", found.randomised_tukey),
        ("paired t", found.paired_t),
        ("paired t with Holm", found.holm),
        ("paired t with Benjamini-Hochberg", found.benjamini_hochberg),
    ]
    sentence = ", ".join(f"{found.significant(p):,} by {name}" for name, p in counts)
    return [
        f"{found.measure} on {counted(found.topics, 'topic')}, as of log row {found.seq}; "
        f"runs that share a letter do not differ significantly at {found.alpha:g}.",
        f"Of {counted(found.pairs, 'pair')} differ: {sentence}.",
        "Groups are by randomised Tukey HSD; p to best is by max-T over all pairs, as for ≈ on the leaderboard.",
        f"B = {found.permutations:,}, seed {found.seed}.",
        *_nothing(found.values),
    ]


def _nothing(topics: Sized) -> list[str]:
    """What to do where no topic is judged yet."""
    sentence = (
        "Nothing is judged yet, so no scores differ. Judge in the browser: workbench serve, or import qrels."
    )
    return [] if len(topics) else [sentence]


def _remarks_on_boards(found: Agreement) -> list[str]:
    draws = found.tau_b_draws
    between = (
        ""
        if draws is None
        else f" ({draws.low:.3f} to {draws.high:.3f} in 95% of the draws when topics are drawn again)"
    )
    overlap = None if found.rbo is None else found.rbo.ext
    alone = [*found.only_one, *found.only_other]
    return [
        f"{counted(found.runs, 'run')}: {found.one} against {found.other}.",
        f"Kendall's tau {_number(found.tau_b)}{between}, AP correlation {_number(found.tau_ap)} "
        f"(symmetric {_number(found.tau_ap_b)}), rank-biased overlap {_number(overlap)} at p = {found.p:g}.",
        *([f"Left out, since only one side has them: {', '.join(alone)}."] if alone else []),
    ]


def _remarks_on_plan(found: TopicPlan) -> list[str]:
    return [
        f"{found.measure}, {counted(found.runs, 'run')} on {counted(found.topics, 'topic')}, "
        f"as of log row {found.seq}.",
        f"The difference of two runs has standard deviation {found.sd:.4f} over topics (median of all pairs; "
        f"quartiles {found.sd_low:.4f} and {found.sd_high:.4f}).",
        f"Power {found.power:g}, two-sided paired t-test at {found.alpha:g} of one pair (noncentral t).",
        *(["That is 0, so the number of topics needed cannot be estimated."] if found.tells_nothing else []),
    ]


def _number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def _write(shown: _Result, kind: str) -> None:
    from workbench.core.results import content

    write_sheet(kind, lambda: shown.rows if kind == "csv" else shown.sheet, lambda: content(shown.found))
    for remark in shown.remarks:
        say(remark)
