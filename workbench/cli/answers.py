"""Scores of files about answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import click

from workbench.cli.campaigns import Then, say, show_warnings
from workbench.cli.exporting import output_option, write
from workbench.cli.options import argument, command, option
from workbench.cli.run_codes import by_codes, codes_option
from workbench.cli.tables import format_option_of, layout_option


@command("eval-answers")
def eval_answers(
    files: Sequence[str] = argument("FILE...", required=True),
    complete: bool = option("A topic that a run lacks counts as 0, of all topics in the files.", "-c"),
    most_citations: int | None = option(
        "Of a sentence so many citations count, 0: all.  [default: 3]", least=0
    ),
    layout: str | None = layout_option,
    kind: str = format_option_of("jsonl", "csv"),
) -> None:
    """Score judged answers by the nuggets they hold, by rubrics, or by what supports their citations.

    FILE has, told by its fields: assigned nuggets of nuggetizer; judged support of TREC RAG or BioGen, for pairs also
    the runs of answers; judged reports of ARGUE with nugget banks; labels of DRAGUN with its rubrics, and which
    questions are compound. Printed is a record for each answer and a last one, all, of the means; with several runs
    each begins with its run_id. What could not be read (failed, null) earns nothing and counts. - is standard input.

    With --layout each score is a line, in columns of programs that compare leaderboards; the topic all has the means.

    Example:
      workbench eval-answers assigned.jsonl > scores.jsonl
      workbench eval-answers runs/*.jsonl.gz --complete --format csv > scores.csv
      workbench eval-answers judged.jsonl runs/*.jsonl --most-citations 0
      workbench eval-answers assigned/*.jsonl --layout ir_measures > x.eval.txt
      workbench eval-answers judgments.jsonl nuggets/*.json
      workbench eval-answers report_assessments.csv rubrics/*.json
    """
    from workbench.formats.tables.csv_cells import csv_lines
    from workbench.formats.tables.score_layouts import score_lines
    from workbench.scoring.answers.forms import score_answers

    if layout is not None and kind != "jsonl":
        raise click.UsageError("--layout says how scores are written; leave out --format")
    scored = score_answers(files, complete=complete, most_citations=most_citations)
    show_warnings(scored.warnings)
    if layout is not None:
        scores = (score for run in scored.runs for score in run.scores())
        click.echo("".join(score_lines(scores, layout)), nl=False)
        return
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


class Wanted(NamedTuple):
    """Which judgments to write, and how."""

    form: str = option("nuggetizer, rag24, rag25, biogen25-labels or argue.", metavar="FORM")
    output: str = output_option
    tags: tuple[str, ...] = option(
        "Only this run; may be repeated.  [default: all but withdrawn ones]", "--run"
    )
    questions: tuple[str, ...] = option(
        "The question that counts, where several are about the same; may be repeated.",
        "--question",
        metavar="NAME",
    )
    codes: bool = codes_option
    unjudged: str = option(
        "What nuggetizer's form has for what is not judged.  [default: not_support]",
        default="",
        metavar="failed",
    )


@command("judged-answers")
def export_judged(campaign: Then, asked: Wanted) -> None:
    """Export how answers were judged, in the form of a program that scores them; workbench eval-answers does, too.

    nuggetizer has assigned answers; rag24, rag25 (one run a file) and biogen25-labels the support of citations; argue
    judged reports, for whose scores workbench eval-answers needs the nugget banks too. A pair counts by its label, as
    in qrels. Pairs without one are counted; only nuggetizer's form needs a word for them.

    A campaign does not say in which sentence a nugget is held: argue has it at the first one. There a nugget is held
    whole or not at all, and a document is relevant or not by the judgments of relevance.

    Example:
      workbench export judged-answers rag --form nuggetizer -o assigned.jsonl
      workbench export judged-answers rag --form rag25 --run best -o best.jsonl
      workbench export judged-answers ragtime --form argue -o judgments.jsonl
    """
    from workbench.release.judged_answers import judged_lines

    lines, said = judged_lines(
        by_codes(campaign, asked.codes),
        asked.form,
        tags=asked.tags,
        names=asked.questions,
        unjudged=asked.unjudged,
    )
    write(asked.output, lines)
    say(said)
