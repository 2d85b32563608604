"""Strengths of runs from battles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import Then, instance_option, open_named, path_of, say, show_warnings
from workbench.cli.exporting import output_option
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option_of, write_sentences, write_sheet
from workbench.core.battles import CLASSES, Battle
from workbench.core.errors import about
from workbench.core.seed import SEED
from workbench.core.wording import counted, listed

if TYPE_CHECKING:
    from workbench.analysis.battles.report import BattleReport
    from workbench.formats.tables.sheets import Sheet


class Wanted(NamedTuple):
    """What is asked of battles."""

    files: tuple[str, ...] = argument("[FILE...]", required=False)
    campaign: str = option(
        "Battles of this campaign: the answers to a question about pairs.", default="", metavar="CAMPAIGN"
    )
    question: str = option("Which question.  [default: the first]", default="", metavar="NAME")
    instance: str | None = instance_option
    no_position: bool = option("Fit no position effect.", default=False)
    classes: tuple[str, ...] = option(
        "Only battles of this class of assessors; may be repeated.  [default: all]",
        "--class",
        type=click.Choice(CLASSES),
    )
    criterion: str = option("The winner by this criterion.", default="", metavar="NAME")
    precision: float | None = option(
        "Say how many battles it takes until each strength is known to ± W.", least=0.001, metavar="W"
    )
    seed: int = option("Random seed of the draws that ranks rest on.", default=SEED, least=0)


@command("battles")
def battles(asked: Wanted, kind: str = format_option_of("table", "csv", "json")) -> None:
    """Order runs by battles: side-by-side comparisons with a winner.

    FILE has a record for each battle, as JSON lines or CSV: battle_id, topic_id, left_run, right_run, winner (left,
    right, tie or both bad), and if known assessor, assessor_class (person, model or agent), side_seed, seconds,
    criteria and reason; or question_id, model_a, model_b, winner and judge, as arenas have them. - is standard input.

    Strengths are log-odds with mean 0, by Bradley and Terry's model with ties (Davidson) and an effect of the left
    side. Low and high are an interval over topics. A run that lost to no other has no finite strength: inf in CSV,
    and -inf for one that beat no other; the others are compared without it.

    Example:
      workbench battles battles.jsonl --format csv > strengths.csv
      workbench battles *.jsonl.gz --class person --precision 0.1
      workbench battles battles.csv --criterion accuracy --no-position
      workbench battles --campaign robust --question better-answers
    """
    from workbench.analysis.battles import report as reports

    if bool(asked.files) == bool(asked.campaign):
        raise click.UsageError("name files of battles, or a --campaign")
    with about(asked.campaign or listed(asked.files)):
        found = reports.report(
            _asked_for(asked),
            position=not asked.no_position,
            classes=asked.classes,
            criterion=asked.criterion,
            precision=asked.precision,
            seed=asked.seed,
        )
    first, *others = reports.sheets_of(found)
    write_sheet(kind, strengths_sheet(found) if kind == "csv" else first, found, shown=[first, *others])
    write_sentences(kind, reports.sentences(found))


def _asked_for(asked: Wanted) -> Sequence[Battle]:
    from workbench.analysis.battles.board import asked_of
    from workbench.formats.battles import read_battles

    if asked.campaign:
        with open_named(path_of(asked.campaign, asked.instance)) as campaign:
            return asked_of(campaign, asked.question)
    read = read_battles(asked.files)
    show_warnings(read.warnings)
    return read.battles


def strengths_sheet(found: BattleReport) -> Sheet:
    """The columns that programs read; a strength that is not finite is inf or -inf."""
    from workbench.analysis.battles.strengths import SHOWN, RunStrength
    from workbench.formats.tables.sheets import sheet_of

    runs = found.strengths.runs
    sheet = sheet_of(RunStrength, runs, SHOWN)
    rows = (
        (row[0], float(run.limit), *row[2:]) if run.limit else row
        for run, row in zip(runs, sheet.rows, strict=True)
    )
    return sheet._replace(rows=tuple(rows))


@command("grades")
def export_grades(
    campaign: Then,
    question: str = option("The question about pairs of documents.", metavar="NAME"),
    most: int | None = option("At most so many grades above 0; the lowest merge.", "--most-grades", least=1),
    output: str = output_option,
) -> None:
    """Export people's preferences between documents as graded qrels.

    A document's grade is the longest chain of preferences down from it. Of each pair counts what was said most often.
    Documents on a cycle share a grade; so do tied ones, unless preferences contradict the ties. Those preferred to no
    other have 0 if they, or better ones, were called both bad, else 1. Grades are levels within a topic.

    Example:
      workbench export grades robust --question better-document -o grades.qrels.txt
    """
    from workbench.campaign.battles import document_grades
    from workbench.formats.qrels import write_qrels

    topics, unlike = document_grades(campaign, question, most)
    write_qrels(output, topics)
    say(f"{counted(sum(len(each.grades) for each in topics), 'grade')} in {counted(len(topics), 'topic')}.")
    if unlike:
        say(f"{counted(unlike, 'pair')} graded otherwise: cycles, contradicted ties or merged levels.")
