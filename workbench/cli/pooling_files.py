"""The pool of run files, without a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import say, show_warnings
from workbench.cli.exporting import output_option, write
from workbench.cli.options import argument, declared_options, option
from workbench.cli.pooling import Size, parameters_of, ties_option
from workbench.cli.tables import format_option_of
from workbench.cli.workers import workers_options
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.jobs.cluster import Workers


class Asked(NamedTuple):
    """What to pool, and how."""

    runs: tuple[str, ...] = argument("RUN...", required=True)
    strategy: str = option("A strategy of workbench pool that looks at runs alone.", default="depth")
    size: Size = Size()
    ties: str = ties_option
    workers: Workers | None = workers_options("read and cut the runs", " Runs are paths or addresses there.")


@click.command("pool-files")
@declared_options
def pool_files(
    asked: Asked,
    kind: str = format_option_of(
        "text", "csv", says="Pairs only, or a table with best rank, runs, stratum and inclusion probability"
    ),
    output: str = output_option,
) -> None:
    """Write the pool of run files, one topic and document a line, without a campaign.

    The pairs are those that workbench pool would choose from the same runs. Of each run only the top goes on, so that
    all runs together may be larger than memory, and workers may read them. A campaign takes the pairs as a list.
    Files may be addresses such as s3://bucket/bm25.run.gz, see docs/scale.md; - is standard input.

    \b
    Example:
      workbench pool-files runs/*.gz --depth 100 -o pool.txt
      workbench pool robust --strategy list --pairs pool.txt
      workbench pool-files runs/*.gz --strategy rrf --depth 100 --budget 5000 --format csv > pool.csv
      workbench pool-files --scheduler tcp://head:8786 's3://trec/runs/*.gz' --depth 20 -o pool.txt
    """
    from workbench.campaign.pools.of_files import pool_files as pooled
    from workbench.formats.tables.csv_cells import csv_lines
    from workbench.formats.text.content import expanded
    from workbench.methods.pooling import STRATEGIES

    found = STRATEGIES.find(asked.strategy)
    parameters = parameters_of(found, asked.size, {}, {})
    files = expanded(asked.runs)
    pool = pooled(
        files, strategy=asked.strategy, ties=asked.ties, parameters=parameters, workers=asked.workers
    )
    show_warnings(pool.warnings)
    if kind == "csv":
        lines = csv_lines([pool.pairs.columns, *pool.pairs.iter_rows()])
    else:
        lines = (f"{topic_id} {document_id}\n" for topic_id, document_id, *_ in pool.pairs.iter_rows())
    write(output, lines)
    topics = pool.pairs["topic_id"].n_unique()
    say(
        f"{counted(pool.pairs.height, 'pair')} over {counted(topics, 'topic')} from {counted(len(files), 'run')}."
    )
