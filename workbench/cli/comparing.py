"""Comparisons of runs, of all pairs of runs, and of leaderboards."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from workbench.cli.campaigns import Seen, measure_of, measure_option, progress, row_as_of, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option_of, write_sheet
from workbench.cli.workers import workers_options
from workbench.core.seed import SEED
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.analysis.comparing.all_pairs import AllPairs
    from workbench.analysis.comparing.documents import TopicDifference
    from workbench.analysis.comparing.leaderboards import Agreement
    from workbench.analysis.comparing.planning import TopicPlan
    from workbench.analysis.comparing.runs import Comparison
    from workbench.formats.tables.sheets import Sheet
    from workbench.jobs.cluster import Workers
    from workbench.storage.campaign import Campaign


class _Result(NamedTuple):
    """A comparison as a table for the terminal, rows for CSV, what was found, and the notes printed below it."""

    sheet: Sheet
    rows: Sheet
    found: Any
    remarks: list[str]


seed_option = option("Random seed: the same seed gives the same values.", "--seed", default=SEED, least=0)


class Asked(NamedTuple):
    """What to compare, and how."""

    tags: tuple[str, ...] = argument("[RUN]...")
    measure: str = measure_option()
    baseline: str | None = option("The run to compare the others with.  [default: the first]", metavar="RUN")
    topic: str | None = option(
        "Show the documents behind the difference of two runs on this topic.", metavar="TOPIC"
    )
    every_pair: bool = option("Compare all pairs of these runs, or of all runs.", "--all")
    against_measure: str | None = option(
        "Compare the leaderboard with one by another measure.", metavar="MEASURE"
    )
    against_qrels: str | None = option("Compare the leaderboard with one by other judgments.", metavar="FILE")
    against_as_of: str | None = option(
        "Compare the leaderboard with the one as of this log row or time.", metavar="ROW|TIME"
    )
    plan: bool = option("Show how many topics it takes to detect a difference.")
    permutations: int = option("Number of random permutations.", default=10_000, least=1, metavar="B")
    seed: int = seed_option
    workers: Workers | None = workers_options("do the permutations of --all")

    @property
    def two_boards(self) -> bool:
        """Whether two leaderboards are compared."""
        return (self.against_measure, self.against_qrels, self.against_as_of) != (None, None, None)

    def check(self) -> None:
        """Refuse contradictory options: one kind of comparison at a time, and runs where it is about runs."""
        kinds = [self.topic is not None, self.every_pair, self.two_boards, self.plan]
        message = None
        if sum(kinds) > 1:
            message = "use one of --topic, --all, --against-... and --plan at a time"
        elif self.tags and (self.two_boards or self.plan):
            message = "--against-... and --plan use all runs; remove the names of runs"
        elif not self.tags and (self.topic is not None or not any(kinds)):
            message = "name the runs to compare, or use --all, --against-measure, --against-as-of or --plan"
        elif self.workers is not None and not self.every_pair:
            message = "--workers and --scheduler do the permutations of --all; give --all too"
        if message is not None:
            raise click.UsageError(message)


@command()
def compare(
    campaign: Seen,
    asked: Asked,
    kind: str = format_option_of("table", "csv", "json", "latex", full_precision=True),
) -> None:
    """Compare runs on the same topics: differences, significance tests, intervals, groups.

    With two or more runs: each against the first (or --baseline), by paired t-test, randomisation test, Wilcoxon's
    and sign test, with a t interval and the effect size. With --all: every pair, by randomised Tukey
    HSD; runs that share a letter do not differ significantly at .05. With --against-...: agreement of two
    leaderboards by Kendall's tau, AP correlation and rank-biased overlap.

    Example:
      workbench analyse compare robust mine baseline
      workbench analyse compare robust mine yours theirs --baseline baseline -m nDCG@10
      workbench analyse compare robust mine baseline --topic 303
      workbench analyse compare robust --all -m AP --format csv > pairs.csv
      workbench analyse compare robust -m AP --against-measure nDCG@10
      workbench analyse compare robust --against-as-of 1200
      workbench analyse compare robust --plan -m P@10
    """
    from workbench.campaign.rounds import require_one_round

    asked.check()
    asked = asked._replace(measure=measure_of(campaign, asked.measure))
    if kind == "latex":
        require_one_round(campaign, "A LaTeX table")
    if asked.two_boards:
        shown = _two_boards(campaign, asked)
    elif asked.plan:
        shown = _plan(campaign, asked)
    elif asked.topic is not None:
        shown = _documents(campaign, asked, asked.topic)
    else:
        shown = (_pairs if asked.every_pair else _runs)(campaign, asked)
    write_sheet(kind, shown.rows if kind == "csv" else shown.sheet, shown.found)
    say(*shown.remarks)


def _runs(campaign: Campaign, asked: Asked) -> _Result:
    from workbench.analysis.comparing import sheets
    from workbench.analysis.comparing.runs import compare_runs

    found = compare_runs(
        campaign,
        asked.tags,
        measure=asked.measure,
        baseline=asked.baseline,
        seed=asked.seed,
        permutations=asked.permutations,
    )
    sheet = sheets.sheet_of_runs(found)
    return _Result(sheet, sheet, found, _remarks_on_runs(found))


def _documents(campaign: Campaign, asked: Asked, topic_id: str) -> _Result:
    from workbench.analysis.comparing.documents import InfluentialDocument, influential_documents
    from workbench.analysis.comparing.runs import chosen
    from workbench.formats.tables.sheets import sheet_of

    runs = chosen(asked.tags, asked.baseline)
    if len(runs) > 2:
        raise click.UsageError("--topic needs two runs")
    found = influential_documents(campaign, runs[1], runs[0], topic_id, measure=asked.measure)
    sheet = sheet_of(InfluentialDocument, (*found.judged, *found.unjudged))
    return _Result(sheet, sheet, found, _remarks_on_documents(found))


def _pairs(campaign: Campaign, asked: Asked) -> _Result:
    from workbench.analysis.comparing import sheets
    from workbench.analysis.comparing.all_pairs import all_pairs
    from workbench.core.errors import CampaignError

    with progress("Shuffling scores over runs", asked.permutations) as advance:
        found = all_pairs(
            campaign,
            asked.measure,
            tags=asked.tags or None,
            baseline=asked.baseline,
            seed=asked.seed,
            permutations=asked.permutations,
            progress=advance,
            workers=asked.workers,
        )
    if not found.tags:
        raise CampaignError(f"{campaign.name} has no active runs, so there are no pairs to compare")
    groups, pairs = sheets.sheet_of_groups(found), sheets.sheet_of_pairs(found)
    return _Result(groups, pairs, found, _remarks_on_pairs(found))


def _two_boards(campaign: Campaign, asked: Asked) -> _Result:
    from workbench.analysis.comparing.leaderboards import Position, leaderboard, two_leaderboards
    from workbench.formats.tables.sheets import sheet_of

    other_seq = row_as_of(campaign, asked.against_as_of, "--against-as-of")
    other_seq = campaign.as_of if other_seq is None else other_seq
    one = leaderboard(campaign, asked.measure)
    other = leaderboard(
        campaign.at(other_seq), asked.against_measure or asked.measure, qrels=asked.against_qrels
    )
    found = two_leaderboards(one, other, seed=asked.seed)
    heads = {"score": found.one, "other_score": found.other}
    sheet = sheet_of(Position, found.positions, heads=heads)
    return _Result(sheet, sheet, found, _remarks_on_boards(found))


def _plan(campaign: Campaign, asked: Asked) -> _Result:
    from workbench.analysis.comparing.planning import Needed, plan_topics
    from workbench.analysis.comparing.scores import scores_of
    from workbench.formats.tables.sheets import sheet_of

    found = plan_topics(scores_of(campaign, asked.measure))
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
