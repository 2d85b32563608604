"""Scores of run files against a file of judgments, without a campaign."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import progress, show_warnings, table_console

if TYPE_CHECKING:
    from workbench.evaluation.evaluate import Evaluation, Options
    from workbench.formats.score_tables import Column, Row
    from workbench.measures.parameters import Value

VERSIONS = ("trec_eval-10", "trec_eval-9")
"""The profiles of workbench.evaluation.profiles, which is imported when it is used."""

Cell = tuple[str, bool]
"""What stands in a cell of a table, and whether it is the best of its column."""

MOST_COLUMNS = 12
"""More measures than this stand below one another, and the runs beside one another."""


def _only(known: str) -> Callable[[click.Context, click.Parameter, str], None]:
    """A check for the reference program's options -R and -T: one format is read, the others are refused."""

    def check(context: click.Context, parameter: click.Parameter, value: str) -> None:
        if value != known:
            message = f"the format {value!r} (preferences, judgment groups) is not read here, only {known!r}"
            raise click.BadParameter(message)

    return check


@click.command(name="eval")
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help=(
        "nDCG@10, AP(rel=2) or ndcg_cut.10, map, official, all_trec, set; may be repeated.  [default: official]"
    ),
)
@click.option("-q", "--per-topic", is_flag=True, help="Also the values of each topic.")
@click.option("-n", "--no-summary", is_flag=True, help="No values over all topics.")
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help=("Every judged topic counts; one that a run lacks scores as an empty ranking."),
)
@click.option(
    "-l",
    "--level",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="GRADE",
    help="The smallest grade that counts as relevant.",
)
@click.option(
    "-J", "--judged-only", is_flag=True, help="Take documents without a judgment out of the rankings."
)
@click.option(
    "-M", "--depth", type=click.IntRange(min=0), metavar="RANKS", help="Look at the first ranks only."
)
@click.option(
    "-N",
    "--collection",
    type=click.IntRange(min=1),
    metavar="SIZE",
    help="How many documents the collection has; some measures need it.",
)
@click.option(
    "-Z",
    "--zscores",
    metavar="FILE",
    help="Distances in standard deviations from what is usual; FILE has lines of topic, measure, mean, deviation.",
)
@click.option(
    "-R",
    "relevance_format",
    default="qrels",
    callback=_only("qrels"),
    expose_value=False,
    hidden=True,
    help="The format of QRELS; qrels is the one that is read.",
)
@click.option(
    "-T",
    "run_format",
    default="trec_results",
    callback=_only("trec_results"),
    help="The format of runs; trec_results is the one that is read.",
    expose_value=False,
    hidden=True,
)
@click.option(
    "--profile",
    type=click.Choice(VERSIONS),
    default=VERSIONS[0],
    show_default=True,
    help="Which version of trec_eval is followed where its versions disagree.",
)
@click.option(
    "--lenient", is_flag=True, help="Read numbers as trec_eval does: the score abc is 0, the grade 0.5 is 0."
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["trec", "table", "csv", "json", "latex"]),
    help="How the scores are written; csv and json have full precision.  [default: trec for one run, else table]",
)
def evaluate(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    no_summary: bool,
    level: int,
    collection: int | None,
    profile: str,
    lenient: bool,
    kind: str | None,
    **flags: Any,
) -> None:
    """Score run files against QRELS, as trec_eval does.

    The output for one run is that of trec_eval, byte for byte; its flags mean the same here. A topic counts
    when it has judgments and the run has it; with -c every judged topic counts. - is standard input.

    \b
    Example:
      workbench eval qrels.txt bm25.run
      workbench eval -q -c -m all_trec qrels.txt bm25.run
      workbench eval -l 2 -m P.5,10 -m nDCG@10 -m 'RBP(p=0.8)' qrels.txt bm25.run.gz
      workbench eval -c -m AP -m nDCG@10 qrels.txt runs/*.gz
      workbench eval -m AP --per-topic --format csv qrels.txt bm25.run dense.run > scores.csv
    """
    from workbench.evaluation.asking import choose
    from workbench.evaluation.from_files import evaluate_files
    from workbench.evaluation.profiles import PROFILES
    from workbench.evaluation.tables import RENDERINGS
    from workbench.evaluation.undefined import undefined_means

    followed = PROFILES[profile]
    asked = choose(measures, followed, _defaults(level, collection))
    with progress("Reading", 1 + len(runs)) as advance:
        evaluation, warnings = evaluate_files(
            qrels,
            runs,
            asked,
            followed,
            _options(**flags),
            lenient=lenient,
            on_read=lambda _: advance(1),
        )
    kind = kind or ("table" if len(runs) > 1 else "trec")
    show_warnings([*warnings, *(undefined_means(evaluation) if kind == "trec" else ())])
    if kind == "table":
        _show(evaluation, per_topic, not no_summary)
    else:
        click.echo("".join(RENDERINGS[kind](evaluation, per_topic, not no_summary)), nl=False)


def _options(complete: bool, depth: int | None, judged_only: bool, zscores: str | None) -> Options:
    from workbench.evaluation.evaluate import Options
    from workbench.formats.zscores import read_zscores

    return Options(complete, depth, judged_only, None if zscores is None else read_zscores(zscores))


def _defaults(level: int, collection: int | None) -> dict[str, Value]:
    return {"rel": level} if collection is None else {"rel": level, "collection": collection}


def _show(evaluation: Evaluation, per_topic: bool, summary: bool) -> None:
    """A table: the best value of each measure (and topic) in bold, in a pipe with a star before it."""
    from workbench.evaluation.tables import columns_of, rows_of

    columns, rows = columns_of(evaluation), list(rows_of(evaluation, per_topic, summary))
    grid = _grid(columns, rows)
    if len(columns) > MOST_COLUMNS >= len(rows):
        grid = [list(line) for line in zip(*grid, strict=True)]
    if sys.stdout.isatty() or os.environ.get("FORCE_COLOR"):
        _show_with_styles(grid)
    else:
        _show_plain(grid)


def _grid(columns: Sequence[Column], rows: Sequence[Row]) -> list[list[Cell]]:
    """The cells of a table with a line for each run (and topic) below its heads."""
    from workbench.formats.score_tables import best_rows, printed

    grid = [[(name, False) for name in ("Run", *(column.name for column in columns))]]
    for row, marks in zip(rows, best_rows(columns, rows), strict=True):
        numbers = [printed(value, column) for column, value in zip(columns, row.values, strict=True)]
        grid.append([(f"{row.tag} {row.topic_id}".rstrip(), False), *zip(numbers, marks, strict=True)])
    return grid


def _show_plain(grid: list[list[Cell]]) -> None:
    from workbench.formats.aligned_text import aligned

    lines = aligned([["*" * is_best + text for text, is_best in line] for line in grid])
    click.echo("".join(lines), nl=False)


def _show_with_styles(grid: list[list[Cell]]) -> None:
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=None)
    for place, (head, _) in enumerate(grid[0]):
        shown.add_column(Text(head), justify="right" if place else "left", no_wrap=True)
    for line in grid[1:]:
        shown.add_row(*(Text(text, style="bold" if is_best else "") for text, is_best in line))
    table_console().print(shown)
