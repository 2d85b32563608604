"""Exports: qrels, pool, judgments, rationales, scores, runs, hours worked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote

import click

from workbench.cli import campaigns
from workbench.cli.options import Group, option
from workbench.cli.run_codes import by_codes, codes_option
from workbench.cli.scoring import measures_option, sort_option
from workbench.cli.tables import format_option_of
from workbench.cli.withdrawing import say_withdrawn
from workbench.core.errors import CampaignError
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.release.export import ExportedRun
    from workbench.storage.campaign import Campaign
    from workbench.storage.campaign.collection.rounds import Round


def _file(output: str) -> str:
    if Path(output).is_dir():
        raise CampaignError(f"{output}: this is a folder; name a file in it")
    return output


output_option = option(
    "The file to write; - is standard output.",
    "-o",
    "--output",
    default="-",
    callback=lambda _, __, output: _file(output),
)


class WrittenScores(NamedTuple):
    """Which scores to write, and where."""

    output: str = output_option
    measures: tuple[str, ...] = measures_option
    sort: str = sort_option
    codes: bool = codes_option


@click.group(cls=Group)
def export() -> None:
    """Export a campaign's data in standard formats. A file is written completely or not at all.

    Example:
      workbench export qrels robust -o qrels.txt
      workbench export judgments robust | jq .grade
      workbench export runs robust -o runs/
    """


class Qrels(NamedTuple):
    """Which labels to export, and where."""

    output: str = option(
        "The file to write, or with a round a folder for a file of the usual name; - is standard output.",
        "-o",
        default="-",
    )
    moment: str | None = campaigns.as_of_option
    question: str = campaigns.question_option
    of_round: str | None = option("Only pairs first judged in this round.", "--round", metavar="NAME")
    up_to: str | None = option("All pairs judged by the end of this round.", "--up-to-round", metavar="NAME")
    special: bool = option("Include special (negative) grades.")
    only: tuple[Literal["here", "import", "model"], ...] = option(
        "Only labels from local judgments, from imports, or from models; may be repeated.", "--source"
    )


@export.command("qrels")
def export_qrels(path: campaigns.Named, asked: Qrels) -> None:
    """Export qrels in four columns, sorted by topic and document.

    If several assessors judged a pair, the campaign's rule decides which grade counts (see workbench judging rule);
    pairs with different grades are counted. Hidden repeats never count, and norming grades only if the session was
    closed with --count.

    With --source, labels are computed as if there were no other judgments; labels of models then count too.

    The qrels of a round are as of its end. In a folder they are named as in TREC-COVID: qrels-robust_d3_j3.txt for
    what was judged in round 3, qrels-robust_d3_j1-3.txt for what was judged up to its end.

    Example:
      workbench export qrels robust -o qrels.txt
      workbench export qrels robust --source model -o labels-of-models.txt
      workbench export qrels robust --round 2 -o qrels/
      workbench export qrels robust --up-to-round 2 -o qrels/
    """
    from workbench.storage.campaign.opening.damage import LABELS, compared_beside

    with campaigns.open_named(path, compare=False) as campaign, compared_beside(campaign, LABELS) as sure:
        # Imported here, so that the comparison goes on meanwhile.
        from workbench.campaign.battles import require_graded
        from workbench.formats.qrels import write_qrels
        from workbench.release.export import StreamedQrels, layers_in
        from workbench.storage.campaign.grades.label_rules import LABEL_RULES
        from workbench.storage.campaign.organising.settings import asking

        if asked.moment is not None:
            sure()  # the row that a date means is said at once
        then = campaign.at(campaigns.row_as_of(campaign, asked.moment))
        last = _last_round(then, asked)
        alone = last if asked.up_to is None else None
        output = _file(asked.output if last is None else _in_folder(campaign, asked.output, alone, last))
        then = asking(campaign.at(last.last) if last else then, asked.question)
        require_graded(then)
        with campaign.snapshot():
            exported = StreamedQrels(then, special=asked.special, only=asked.only, of_round=alone)
            write_qrels(output, exported, sure)
            layers = layers_in(then, asked.only)
    campaigns.say(
        f"{counted(exported.written, 'judgment')} as of log row {exported.head.seq} "
        f"(hash {exported.head.hash.hex()[:16]}). {layers}"
    )
    if exported.left_out:
        campaigns.say(f"{counted(exported.left_out, 'special grade')} left out; include them with --special.")
    if exported.conflicts:
        campaigns.say(
            f"{counted(exported.conflicts, 'pair')} with different grades by several assessors: "
            f"{LABEL_RULES[exported.rule].says}."
        )


def _last_round(campaign: Campaign, asked: Qrels) -> Round | None:
    """The round up to which the qrels are; None where none is named."""
    from workbench.campaign.rounds import find_round

    named = asked.of_round if asked.up_to is None else asked.up_to
    if named is None:
        return None
    if campaign.as_of is not None or None not in (asked.of_round, asked.up_to):
        raise click.UsageError(
            "the qrels of rounds are as of a round's end; give --round or --up-to-round alone"
        )
    return find_round(campaign.now, named)


def _in_folder(campaign: Campaign, output: str, alone: Round | None, last: Round) -> str:
    """The output as it was named, or a file of the usual name where it is a folder."""
    from workbench.release.names import qrels_name
    from workbench.storage.campaign.collection.rounds import FIRST

    if not (output.endswith("/") or Path(output).is_dir()):
        return output
    Path(output).mkdir(parents=True, exist_ok=True)
    return str(Path(output) / qrels_name(campaign.name, FIRST if alone is None else alone.name, last.name))


@export.command("pool")
def export_pool(
    campaign: campaigns.Then,
    output: str = output_option,
    kind: str = format_option_of(
        "text",
        "csv",
        says="Pairs only, or a table with pool, best rank, runs, stratum and inclusion probability",
    ),
) -> None:
    """Export the pooled pairs, one per line: topic and document; as CSV also the origin of each pair.

    Example:
      workbench export pool robust -o pool.txt
      workbench export pool robust --format csv -o pool.csv
    """
    from workbench.release.export import pool_csv, pool_lines

    write(output, (pool_csv if kind == "csv" else pool_lines)(campaign))
    say_withdrawn(campaign, "pairs pooled from such runs remain pooled")


@export.command("sample")
def export_sample(
    campaign: campaigns.Then,
    output: str = output_option,
    kind: str = format_option_of(
        "qrels",
        "prels",
        "csv",
        says="Candidates with strata, judged documents with probabilities, or a table of both",
    ),
) -> None:
    """Export the sample that a pool of strata, pps or uniform drew, with its design.

    qrels has five columns, topic 0 document stratum grade, of every candidate, with the grade -1 where it is not judged
    (sample_eval). prels has topic, document, grade, method and probability of what is judged (statAP). csv has every
    candidate with stratum, inclusion probability, whether it was drawn, and its grade. workbench eval reads two.

    Example:
      workbench export sample robust -o sample.qrels.txt
      workbench export sample robust --format prels -o prels.txt
    """
    from workbench.release.export import prels, sample_csv, sampling_qrels

    write(output, {"qrels": sampling_qrels, "prels": prels, "csv": sample_csv}[kind](campaign))


@export.command("judgments")
def export_judgments(
    campaign: campaigns.Then,
    output: str = output_option,
    kind: str = format_option_of(
        "jsonl",
        *("quepid", "label-studio", "argilla"),
        says="The log, or the judgments in force for another tool",
    ),
    names: bool = option("Name people in the files of other tools, where they are assessor-1 and so on."),
) -> None:
    """Export the judgment log as JSONL, every row as stored, with its hash, or what is in force for other tools.

    The kind of a row is grade, can't tell, cleared, import, model, adjudication, repeat, second look or norming.
    Hidden repeats, second looks and norming grades never count; an adjudication decides a pair and is not an
    assessor's own grade. Rationales are a list of objects with field, start, end and text.

    A book of Quepid, tasks of Label Studio and records of Argilla have the grades and comments of each person, also
    imported ones, with the texts that are stored. Quepid has no place for labels of models, Argilla none for can't
    tell, and none of them for rationales.

    Example:
      workbench export judgments robust -o judgments.jsonl
      workbench export judgments robust --format label-studio -o tasks.json
    """
    if kind != "jsonl":
        from workbench.release.judged_records import judged_lines

        write(output, judged_lines(campaign, kind, names=names))
        return
    from workbench.release.export import judgment_lines
    from workbench.storage.campaign.counts.publication import judgments_by_kind

    write(output, judgment_lines(campaign))
    kinds = judgments_by_kind(campaign)
    if {"adjudication", "repeat", "second look", "norming", "model"} & kinds.keys():
        counts = ", ".join(f"{number:,} {kind}" for kind, number in kinds.items())
        campaigns.say(
            f"Rows by kind: {counts}. Repeats, second looks and norming grades never count; "
            "an adjudication is not an assessor's own grade."
        )


@export.command("rationales")
def export_rationales(campaign: campaigns.Then, output: str = output_option) -> None:
    """Export the rationales that assessors marked in documents, as JSONL: one per line.

    Only current judgments count. Each line has topic_id, document_id, assessor, grade (null for can't tell), field
    (title or text), start, end, text, the judgment's seq, and grade_name, as it was given. Offsets count code points of
    the field from 0, the end not included: of the stored text if it is plain, of the page's visible text if it is HTML
    or Markdown.

    Example:
      workbench export rationales robust -o rationales.jsonl
    """
    from workbench.release.export import rationale_lines

    write(output, rationale_lines(campaign))


@export.command("runs")
def export_runs(
    campaign: campaigns.Opened,
    output: str | None = option(
        "A folder for one file per run, or a file (- for standard output) for one run.", "-o"
    ),
    tags: tuple[str, ...] = option(
        "Only this run; may be repeated.  [default: all but withdrawn ones]", "--run"
    ),
    codes: bool = codes_option,
) -> None:
    """Export runs in six columns, in the order used in scoring; runs of answers as they were sent.

    Example:
      workbench export runs robust -o runs/
      workbench export runs robust --run bm25 -o - | head
    """
    from workbench.formats.text.writing import write_atomically
    from workbench.jobs.observing import observed
    from workbench.release.export import export_run, vocabularies_once
    from workbench.storage.campaign.collection import runs

    campaign = by_codes(campaign, codes)
    chosen = tuple(dict.fromkeys(tags)) or tuple(run.record.tag for run in runs.in_force(campaign))
    if not tags:
        runs.require_rankings(campaign)  # run by run it would read the ids of every topic for each run
    vocabulary_of = vocabularies_once(campaign)
    exported = [export_run(campaign, tag, vocabulary_of) for tag in chosen]
    targets = list(zip(exported, _targets(exported, output), strict=True))
    for run, target in observed(targets, "Writing runs"):
        write_atomically(target, run.text(target))
    say_withdrawn(campaign, "name such runs with --run to export them")
    campaigns.say(f"{counted(len(chosen), 'run')} written.")


def _targets(exported: Sequence[ExportedRun], output: str | None) -> list[str]:
    """Where each run goes: the file named, for one run, or a file named by its tag in a folder."""
    if output is None:
        raise click.UsageError("name a folder (or, for one run, a file) with -o")
    if len(exported) == 1 and not (Path(output).is_dir() or output.endswith("/")):
        return [output]
    if output == "-":
        raise click.UsageError(
            "only one run can be written to standard output; choose it with --run, or name a folder with -o"
        )
    if Path(output).is_file():
        raise CampaignError(f"{output}: this is a file; name a folder for {counted(len(exported), 'run')}")
    if exported:
        Path(output).mkdir(parents=True, exist_ok=True)
    return [str(Path(output) / f"{_file_name(run.tag)}{run.ending}") for run in exported]


def _file_name(tag: str) -> str:
    """A tag as the name of a file inside a folder: nothing in it leads out of there."""
    if not tag.strip("."):
        return tag.replace(".", "%2E")
    letters = "".join(letter for letter in tag if letter.isalnum())
    return "".join(letter if letter in letters else quote(letter, safe="+,=@~()[]") for letter in tag)


def write(output: str, lines: Iterable[str]) -> None:
    """Write lines to a file, completely or not at all, or to standard output."""
    from workbench.formats.text.writing import write_atomically

    write_atomically(output, lines)


def say_layers(campaign: Campaign) -> None:
    """Name the layers of labels that an export rests on."""
    from workbench.release.export import layers_in

    campaigns.say(layers_in(campaign))


class Hours(NamedTuple):
    """What counts as work, and where it is written."""

    output: str = output_option
    gap: int = option(
        "Minutes: a longer gap between two judgments is a break and does not count.",
        default=5,
        least=1,
        most=240,
    )
    zone: str = option("Where a day begins and ends.", "--time-zone", default="UTC", metavar="ZONE")


@export.command("hours")
def export_hours(
    campaign: campaigns.Then,
    asked: Hours,
    kind: str = format_option_of("csv", "json", says="A table, or an object with the definition of an hour"),
) -> None:
    """Export the hours worked per assessor and day, for pay.

    A judgment counts with the time since the assessor's judgment before it if that is at most --gap minutes. After a
    longer gap, and for the first judgment, the active time counts that the page measured for it, at most --gap minutes.
    A judgment was given at the time that the assessor's browser says, but never later than the server received it.
    Judgments that were changed, hidden repeats, norming grades and adjudications are work too; imports are not. The
    practice set, reading the guidelines and work in other campaigns are not included.

    Example:
      workbench export hours robust -o hours.csv
      workbench export hours robust --gap 10 --time-zone Europe/Vienna --format json
    """
    from zoneinfo import ZoneInfo

    from workbench.campaign.working_time import WorkDay, hours_worked
    from workbench.core.results import content
    from workbench.formats.tables.csv_cells import as_csv
    from workbench.formats.tables.json_text import json_text
    from workbench.formats.tables.sheets import sheet_of

    try:
        where = ZoneInfo(asked.zone)
    except (KeyError, ValueError, OSError):  # no such zone, no such name, a folder of zones
        message = (
            f"--time-zone: {asked.zone[:60]!r} is not a time zone; write one such as UTC or Europe/Vienna"
        )
        raise CampaignError(message) from None
    found = hours_worked(campaign, gap=asked.gap, zone=where)
    write(
        asked.output, as_csv(sheet_of(WorkDay, found.days)) if kind == "csv" else [json_text(content(found))]
    )
