"""Scores of files about answers."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from workbench.cli.campaigns import show_warnings
from workbench.cli.options import argument, declared_options, option
from workbench.cli.tables import format_option_of


@click.command("eval-answers")
@declared_options
def eval_answers(
    files: Sequence[str] = argument("FILE...", required=True),
    complete: bool = option("A topic that a run lacks counts as 0, of all topics in the files.", "-c"),
    kind: str = format_option_of("jsonl", "csv"),
) -> None:
    """Score answers by the nuggets assigned to them, as nuggetizer does.

    FILE has assigned answers, one JSON record each: qid, run_id, nuggets with importance and assignment. Printed is a
    record for each answer and a last one, all, of the means; with several runs each begins with its run_id. An
    assignment that could not be read (failed) earns nothing and counts. - is standard input.

    \b
    Example:
      workbench eval-answers assigned.jsonl > scores.jsonl
      workbench eval-answers runs/*.jsonl.gz --complete --format csv > scores.csv
    """
    from workbench.formats.tables.csv_cells import csv_lines
    from workbench.scoring.answers.forms import score_answers

    scored = score_answers(files, complete=complete)
    show_warnings(scored.warnings)
    named = len(scored.runs) > 1
    records = [
        {**({"run_id": run.run} if named else {}), **record}
        for run in scored.runs
        for record in run.records()
    ]
    if kind == "csv":
        names = list(dict.fromkeys(name for record in records for name in record))
        lines = csv_lines([names, *([record.get(name, "") for name in names] for record in records)])
    else:
        lines = (f"{json.dumps(record)}\n" for record in records)
    click.echo("".join(lines), nl=False)
