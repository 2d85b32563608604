"""Scores of a campaign's runs, and the table of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import Seen, say, say_sources
from workbench.cli.options import command, option
from workbench.cli.tables import format_option, write_sheet
from workbench.cli.withdrawing import say_withdrawn
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.core.parameters import Parameter
    from workbench.scoring.board import ScoreTable

measures_option = option(
    "A measure such as nDCG@10 or map; may be repeated.  [default: the leaderboard's]",
    "-m",
    "--measure",
    metavar="MEASURE",
)
sort_option = option(
    "A measure of the table (the best run first), run, team or added.  [default: the first measure]",
    "--sort",
    default="",
    metavar="COLUMN",
)


class _Formats(click.Choice[str]):
    """The formats of scores, with those of plugins."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The names."""
        from workbench.scoring.board.table import RENDERINGS

        return ("table", *RENDERINGS)

    @choices.setter
    def choices(self, _: object) -> None: ...


class Asked(NamedTuple):
    """Which scores to show."""

    measures: tuple[str, ...] = measures_option
    sort: str = sort_option
    only_finished: bool = option("Only topics whose pooled documents are all judged.", "--finished-topics")


@command()
def score(
    campaign: Seen,
    asked: Asked,
    kind: str = option(
        "Output format; csv and json have full precision.", "--format", type=_Formats(()), default="table"
    ),
) -> None:
    """Score every run against the judgments so far; unjudged documents count as non-relevant.

    Means are over the topics with judgments; a topic missing from a run scores 0. Bounds, such as AP(bound=upper),
    are bounds of the final mean, when every pooled pair has a grade, over all topics that count in it.

    Example:
      workbench score robust
      workbench score robust -m AP -m nDCG@10 --format csv > scores.csv
      workbench score robust -m AP -m nDCG@10 --sort nDCG@10
      workbench score robust -m map --as-of 1200
      workbench score robust --finished-topics
      workbench score robust --round 2-residual
    """
    from workbench.campaign.adaptive_pools import adaptive_pools
    from workbench.campaign.rounds import require_one_round
    from workbench.scoring.board import score_campaign
    from workbench.scoring.board.of_round import round_words
    from workbench.scoring.board.table import RENDERINGS, ordered, sheet_of
    from workbench.storage.campaign.collection import withdrawals

    with campaign.snapshot():
        if kind == "latex":
            require_one_round(campaign, "A LaTeX table")
        table = ordered(
            score_campaign(campaign, asked.measures or None, only_finished=asked.only_finished), asked.sort
        )
        if campaign.part is not None:
            say(round_words(campaign, len(table.rows)))
        say_withdrawn(campaign, "such runs have no scores")
        withdrawn = withdrawals.withdrawn(campaign)
        grows = any("bound" in name for name in asked.measures) and bool(adaptive_pools(campaign))
    if kind == "table":
        sheet = sheet_of(table, with_teams=any(row.team for row in table.rows))
        write_sheet("table", sheet)
    else:
        for line in RENDERINGS[kind](table):
            click.echo(line, nl=False)
    say_sources(table.measures)
    say(coverage_words(table))
    if grows:
        say(
            "An adaptive pool can take in further documents: bounds hold for the pool as it is, and later means can "
            "lie outside them."
        )
    if not table.rows and not withdrawn:
        when = "yet" if campaign.as_of is None else f"as of log row {campaign.as_of}"
        say(f"There are no runs {when}. Add some: workbench add runs {campaign.command_name} FILE...")
    elif table.rows and not table.judgments:
        say(
            "Nothing is judged yet, so every score is 0. Judge in the browser: workbench serve, or import qrels."
        )


def coverage_words(table: ScoreTable) -> str:
    """How much is judged, and over how many topics of how many the scores are means."""
    topics = table.topic_counts
    of = topics.in_the_end
    text = f"{counted(table.judgments, 'judged pair')} in {counted(topics.judged, 'topic')}, as of log row {table.seq}."
    if table.only_finished:
        text += f" Scores are over the {table.topics:,} of {counted(of, 'topic')} that are finished."
    elif 0 < table.topics < of:
        text += f" Scores are over the {table.topics:,} of {counted(of, 'topic')} with judgments."
    if of != table.topics and any(measure.modifier("bound") for measure in table.measures):
        text += f" Bounds are over all {of:,}."
    return text


@command()
def measures(kind: str = format_option) -> None:
    """List the measures, with their parameters and the reference program's names.

    Example:
      workbench analyse measures
      workbench analyse measures --format json
    """
    from workbench.core.results import Column
    from workbench.formats.tables.sheets import Sheet
    from workbench.methods.measures import MEASURES

    heads = (
        ("Measure", "name"),
        ("Parameters", "parameters"),
        ("trec_eval", "trec_eval"),
        ("Description", "description"),
    )
    rows = tuple(
        (
            measure.name,
            ", ".join(map(_described, measure.parameters)),
            ", ".join(name.template for name in measure.trec_eval),
            measure.summary,
        )
        for measure in sorted(MEASURES.values(), key=lambda measure: measure.name.lower())
    )
    columns = tuple(Column(head, name, "text") for head, name in heads)
    write_sheet(kind, Sheet(columns, rows), wrap=True)


def _described(parameter: Parameter) -> str:
    if parameter.required:
        return parameter.name
    return f"{parameter.name}={parameter.default}" if parameter.default is not None else f"[{parameter.name}]"
