"""Scores of run files against a file of judgments, without a campaign."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import show_warnings
from workbench.cli.repair_options import encoding_option, own_documents_option
from workbench.cli.tables import grid_of, show_grid
from workbench.cli.workers import workers_options

if TYPE_CHECKING:
    from workbench.jobs.cluster import Workers
    from workbench.methods.measures.parameters import Value
    from workbench.scoring.evaluation.evaluate import Evaluation, Options
    from workbench.scoring.evaluation.from_files import Evaluated

VERSIONS = ("trec_eval-10", "trec_eval-9")
"""The profiles of workbench.scoring.evaluation.selection, which is imported when it is used."""

atexit.register(gc.freeze)  # at the end all memory goes: nothing is searched for garbage before

MOST_COLUMNS = 12
"""With more measures than this the table has a row for each measure and a column for each run."""


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
@click.option("-q", "--per-topic", is_flag=True, help="Print the values of each topic too.")
@click.option("-n", "--no-summary", is_flag=True, help="Omit the values over all topics.")
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help=(
        "Every judged topic counts; one that a run lacks scores as an empty ranking. Without it the table marks the "
        "best run over the topics that all runs have."
    ),
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
@click.option("-J", "--judged-only", is_flag=True, help="Remove unjudged documents from the rankings.")
@click.option(
    "-M", "--depth", type=click.IntRange(min=0), metavar="RANKS", help="Evaluate only the first ranks."
)
@click.option(
    "-N",
    "--collection",
    type=click.IntRange(min=1),
    metavar="SIZE",
    help="Number of documents in the collection; some measures need it.",
)
@click.option(
    "-Z",
    "--zscores",
    metavar="FILE",
    help="Print z-scores; FILE has lines of topic, measure, mean, standard deviation.",
)
@click.option(
    "-R",
    "relevance_format",
    default="qrels",
    callback=_only("qrels"),
    expose_value=False,
    hidden=True,
    help="Accepted for trec_eval's sake; only qrels is read.",
)
@click.option(
    "-T",
    "run_format",
    default="trec_results",
    callback=_only("trec_results"),
    help="Accepted for trec_eval's sake; only trec_results is read.",
    expose_value=False,
    hidden=True,
)
@click.option(
    "--profile",
    type=click.Choice(VERSIONS),
    default=VERSIONS[0],
    show_default=True,
    help="The version of trec_eval to follow where versions differ.",
)
@click.option(
    "--lenient", is_flag=True, help="Read numbers as trec_eval does: the score abc is 0, the grade 0.5 is 0."
)
@own_documents_option
@encoding_option
@workers_options("read and score", " Runs are paths or addresses there.")
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
    workers: Workers | None,
    kind: str | None,
    **flags: Any,
) -> None:
    """Score run files against QRELS, as trec_eval does.

    The output for one run equals trec_eval's, byte for byte; its flags have the same meaning. A topic counts
    if it has judgments and the run contains it; with -c every judged topic counts. - is standard input.
    Files may be addresses such as s3://bucket/bm25.run.gz or https://host/qrels.txt, see docs/scale.md;
    QRELS may be an id of ir_datasets such as irds:msmarco-passage/trec-dl-2019/judged.

    \b
    Example:
      workbench eval qrels.txt bm25.run
      workbench eval -q -c -m all_trec qrels.txt bm25.run
      workbench eval -l 2 -m P.5,10 -m nDCG@10 -m 'RBP(p=0.8)' qrels.txt bm25.run.gz
      workbench eval -c -m AP -m nDCG@10 qrels.txt runs/*.gz
      workbench eval -m AP --per-topic --format csv qrels.txt bm25.run dense.run > scores.csv
    """
    with _few_collections():
        from workbench.scoring.evaluation.reference_output import undefined_means
        from workbench.scoring.evaluation.selection import PROFILES, choose
        from workbench.scoring.evaluation.tables import RENDERINGS

        score = _scoring(workers)
    followed = PROFILES[profile]
    chosen = choose(measures, followed, _defaults(level, collection))
    if any("://" in run for run in runs):
        from workbench.formats.text.content import expanded

        runs = tuple(expanded(runs))
    evaluation, warnings = score(qrels, runs, chosen, followed, _options(**flags), lenient=lenient)
    kind = kind or ("table" if len(runs) > 1 else "trec")
    show_warnings([*warnings, *(undefined_means(evaluation) if kind == "trec" else ())])
    if kind == "table":
        _show(evaluation, per_topic, not no_summary)
    else:
        click.echo("".join(RENDERINGS[kind](evaluation, per_topic, not no_summary)), nl=False)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage seldom: modules that are imported make many objects and hardly any garbage."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _scoring(workers: Workers | None) -> Callable[..., Evaluated]:
    """What scores the files: this process, or others."""
    if workers is None:
        from workbench.scoring.evaluation.from_files import evaluate_files

        return evaluate_files
    from functools import partial

    from workbench.scoring.evaluation.on_cluster import evaluate_on

    return partial(evaluate_on, workers)


def _options(zscores: str | None, own_documents: str | None, **flags: Any) -> Options:
    from workbench.scoring.evaluation.evaluate import Options

    if zscores is not None:
        from workbench.formats.zscores import read_zscores

        flags["zscores"] = read_zscores(zscores)
    return Options(own_documents=own_documents is None, **flags)


def _defaults(level: int, collection: int | None) -> dict[str, Value]:
    return {"rel": level} if collection is None else {"rel": level, "collection": collection}


def _show(evaluation: Evaluation, per_topic: bool, summary: bool) -> None:
    """A table: the best value of each measure (and topic) in bold, in a pipe with a star before it.

    Over all topics runs are compared on the topics that all of them have.
    """
    from workbench.formats.tables.aligned_text import aligned
    from workbench.scoring.evaluation.tables import sheet_of

    grid = grid_of(sheet_of(evaluation, per_topic, summary, topic_column=False))
    if len(grid[0]) - 1 > MOST_COLUMNS >= len(grid) - 1:
        grid = [list(line) for line in zip(*grid, strict=True)]
    if sys.stdout.isatty() or os.environ.get("FORCE_COLOR"):
        show_grid(grid, [place == 0 for place in range(len(grid[0]))])
    else:
        lines = aligned([["*" * is_best + text for text, is_best in line] for line in grid])
        click.echo("".join(lines), nl=False)
