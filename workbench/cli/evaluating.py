"""Scores of run files against a file of judgments, without a campaign."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import click

from workbench.cli.campaigns import say_sources, show_warnings
from workbench.cli.options import argument, command, option
from workbench.cli.repair_options import encoding_option, own_documents_option
from workbench.cli.tables import grid_of, show_grid
from workbench.cli.workers import workers_options

if TYPE_CHECKING:
    from workbench.jobs.cluster import Workers
    from workbench.scoring.evaluation.evaluate import Evaluation, Options
    from workbench.scoring.evaluation.from_files import Evaluated

Function = TypeVar("Function", bound=Callable[..., Any])

VERSIONS = ("trec_eval-10", "trec_eval-9")
"""The profiles of workbench.scoring.evaluation.selection, which is imported when it is used."""

atexit.register(gc.freeze)  # at the end all memory goes: nothing is searched for garbage before

MOST_COLUMNS = 12
"""With more measures than this the table has a row for each measure and a column for each run."""


class Asked(NamedTuple):
    """What to score, by which measures, and how; flags mean what the reference program's mean."""

    qrels: str = argument()
    runs: tuple[str, ...] = argument("RUN...", required=True)
    measures: tuple[str, ...] = option(
        "nDCG@10, AP(rel=2) or ndcg_cut.10, map, official, all_trec, set; may be repeated.  [default: official]",
        "-m",
        "--measure",
        metavar="MEASURE",
    )
    per_topic: bool = option("Print the values of each topic too.", "-q")
    no_summary: bool = option("Omit the values over all topics.", "-n")
    complete: bool = option(
        "Every judged topic counts; one that a run lacks scores as an empty ranking. Without it the table marks the "
        "best run over the topics that all runs have.",
        "-c",
    )
    level: int = option(
        "The smallest grade that counts as relevant.", "-l", default=1, least=0, metavar="GRADE"
    )
    judged_only: bool = option("Remove unjudged documents from the rankings.", "-J")
    depth: int | None = option("Evaluate only the first ranks.", "-M", least=0, metavar="RANKS")
    collection: int | None = option(
        "Number of documents in the collection; some measures need it.", "-N", least=1, metavar="SIZE"
    )
    zscores: str | None = option(
        "Print z-scores; FILE has lines of topic, measure, mean, standard deviation.", "-Z", metavar="FILE"
    )
    profile: str = option(
        "The version of trec_eval to follow where versions differ.",
        default=VERSIONS[0],
        type=click.Choice(VERSIONS),
    )
    lenient: bool = option("Read numbers as trec_eval does: the score abc is 0, the grade 0.5 is 0.")
    own_documents: str | None = own_documents_option
    encoding: str = encoding_option
    workers: Workers | None = workers_options("read and score", " Runs are paths or addresses there.")
    kind: Literal["trec", "table", "csv", "json", "latex"] | None = option(
        "How the scores are written; csv and json have full precision.  [default: trec for one run, else table]",
        "--format",
    )

    @property
    def options(self) -> Options:
        """The flags of the reference program, after the file of z-scores was read."""
        from workbench.scoring.evaluation.evaluate import Options
        from workbench.scoring.evaluation.selection import PROFILES

        zscores = None
        if self.zscores is not None:
            from workbench.formats.zscores import read_zscores

            zscores = read_zscores(self.zscores)
        return Options(
            complete=self.complete,
            depth=self.depth,
            judged_only=self.judged_only,
            zscores=zscores,
            own_documents=self.own_documents is None,
            encoding=self.encoding,
            lenient=self.lenient,
            profile=PROFILES[self.profile],
        )


def _accepted(flag: str, name: str, known: str) -> Callable[[Function], Function]:
    """An option of the reference program that names a format: one is read, the others are refused."""

    def check(context: click.Context, parameter: click.Parameter, value: str) -> None:
        if value != known:
            message = f"the format {value!r} (preferences, judgment groups) is not read here, only {known!r}"
            raise click.BadParameter(message)

    says = f"Accepted for trec_eval's sake; only {known} is read."
    more: dict[str, Any] = {"expose_value": False, "hidden": True}
    return click.option(flag, name, default=known, callback=check, help=says, **more)


@command("eval")
@_accepted("-R", "relevance_format", "qrels")
@_accepted("-T", "run_format", "trec_results")
def evaluate(asked: Asked) -> None:
    """Score run files against QRELS, as trec_eval does.

    The output for one run equals trec_eval's, byte for byte; its flags have the same meaning. A topic counts
    if it has judgments and the run contains it; with -c every judged topic counts. - is standard input.
    Files may be addresses such as s3://bucket/bm25.run.gz or https://host/qrels.txt, see docs/run/scale.md;
    QRELS may be an id of ir_datasets such as irds:msmarco-passage/trec-dl-2019/judged.

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

        score = _scoring(asked.workers)
    usual = {"rel": asked.level, **({} if asked.collection is None else {"collection": asked.collection})}
    chosen = choose(asked.measures, PROFILES[asked.profile], usual)
    runs = asked.runs
    if any("://" in run for run in runs):
        from workbench.formats.text.content import expanded

        runs = tuple(expanded(runs))
    evaluation, warnings = score(asked.qrels, runs, chosen, asked.options)
    say_sources(each.measure for each in chosen if each.measure is not None)
    kind = asked.kind or ("table" if len(runs) > 1 else "trec")
    show_warnings([*warnings, *(undefined_means(evaluation) if kind == "trec" else ())])
    if kind == "table":
        _show(evaluation, asked.per_topic, not asked.no_summary)
    else:
        lines = RENDERINGS[kind](evaluation, asked.per_topic, not asked.no_summary)
        click.echo("".join(lines), nl=False)


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
    if workers is None:
        from workbench.scoring.evaluation.from_files import evaluate_files

        return evaluate_files
    from functools import partial

    from workbench.scoring.evaluation.on_cluster import evaluate_on

    return partial(evaluate_on, workers)


def _show(evaluation: Evaluation, per_topic: bool, summary: bool) -> None:
    """A table: the best value of each measure (and topic) in bold, in a pipe with a star before it.

    Over all topics runs are compared on the topics that all of them have.
    """
    from workbench.formats.tables.sheets import aligned
    from workbench.scoring.evaluation.tables import sheet_of

    grid = grid_of(sheet_of(evaluation, per_topic, summary, topic_column=False))
    if len(grid[0]) - 1 > MOST_COLUMNS >= len(grid) - 1:
        grid = [list(line) for line in zip(*grid, strict=True)]
    if sys.stdout.isatty() or os.environ.get("FORCE_COLOR"):
        show_grid(grid, [place == 0 for place in range(len(grid[0]))])
    else:
        lines = aligned([["*" * is_best + text for text, is_best in line] for line in grid])
        click.echo("".join(lines), nl=False)
