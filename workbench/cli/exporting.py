"""Exports: qrels, pool, judgments, rationales, scores, runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from workbench.cli.campaigns import campaign_argument, check_as_of, counted, open_named, say
from workbench.cli.scoring import coverage_words, measures_option
from workbench.cli.withdrawing import say_withdrawn
from workbench.errors import CampaignError


def _no_folder(_: click.Context, __: click.Parameter, output: str) -> str:
    if Path(output).is_dir():
        message = f"{output}: this is a folder; name a file in it"
        raise CampaignError(message)
    return output


output_option = click.option(
    "-o",
    "--output",
    default="-",
    show_default=True,
    callback=_no_folder,
    help="The file to write; - is standard output.",
)
as_of_option = click.option("--as-of", type=click.IntRange(min=0), help="As of this place in the log.")


@click.group()
def export() -> None:
    """Write what a campaign holds in the formats of the field. Files are written whole or not at all.

    \b
    Example:
      workbench export qrels robust -o qrels.txt
      workbench export judgments robust | jq .grade
      workbench export runs robust -o runs/
    """


@export.command("qrels")
@campaign_argument
@output_option
@as_of_option
@click.option("--special", is_flag=True, help="Write special (negative) grades too.")
@click.option(
    "--source",
    "only",
    multiple=True,
    type=click.Choice(["here", "import", "model"]),
    help="Only labels from judgments made here, from imports, or from models; repeatable.",
)
def export_qrels(path: Path, output: str, as_of: int | None, special: bool, only: tuple[str, ...]) -> None:
    """Qrels in four columns, sorted by topic and document.

    Where several assessors judged a pair, one grade counts by the campaign's rule (see workbench rule); pairs on which
    their grades differ are counted. Hidden repeats never count, and what was said in a norming session only if that was
    asked for when it was closed.

    With --source the labels are those that there would be without all other judgments; a model's count then, even if
    the campaign's settings do not let them.

    \b
    Example:
      workbench export qrels robust -o qrels.txt
      workbench export qrels robust --source model -o labels-of-models.txt
    """
    from workbench.campaign.labels import LABEL_RULES
    from workbench.export import export_qrels
    from workbench.formats.qrels import write_qrels

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        exported = export_qrels(campaign, special=special, as_of=as_of, only=only)
    write_qrels(output, exported.qrels)
    say(
        f"{counted(len(exported.qrels), 'judgment')} as of log row {exported.head.seq} "
        f"(hash {exported.head.hash.hex()[:16]})."
    )
    if exported.left_out:
        say(f"{counted(exported.left_out, 'special grade')} left out; write them with --special.")
    if exported.conflicts:
        say(
            f"{counted(exported.conflicts, 'pair')} with different grades by several assessors: "
            f"{LABEL_RULES[exported.rule]}."
        )


@export.command("pool")
@campaign_argument
@output_option
@as_of_option
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "csv"]),
    default="text",
    show_default=True,
    help="Pairs alone, or a table with their origin.",
)
def export_pool(path: Path, output: str, as_of: int | None, kind: str) -> None:
    """The pooled pairs, one a line: topic and document; as CSV also where each pair came from.

    \b
    Example:
      workbench export pool robust -o pool.txt
      workbench export pool robust --format csv -o pool.csv
    """
    from workbench.export import pool_csv, pool_lines

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        _write(output, (pool_csv if kind == "csv" else pool_lines)(campaign, as_of))
        say_withdrawn(campaign, "what was pooled from such runs stays pooled", as_of)


@export.command("judgments")
@campaign_argument
@output_option
@as_of_option
def export_judgments(path: Path, output: str, as_of: int | None) -> None:
    """The whole judgment log as JSONL, every row as it is stored, with its hash.

    The kind of a row is grade, can't tell, cleared, import, model, adjudication, repeat or norming. Hidden repeats and
    what was said in norming sessions never count; an adjudication settles a pair and is nobody's own grade. Rationales
    are a list of objects with field, start, end and text.

    \b
    Example:
      workbench export judgments robust -o judgments.jsonl
    """
    from workbench.campaign.publication import judgments_by_kind
    from workbench.export import judgment_lines

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        _write(output, judgment_lines(campaign, as_of))
        kinds = judgments_by_kind(campaign, as_of)
    if {"adjudication", "repeat", "norming", "model"} & kinds.keys():
        told = ", ".join(f"{number:,} {kind}" for kind, number in kinds.items())
        say(f"Rows by kind: {told}. Repeats and norming never count; an adjudication is nobody's own grade.")


@export.command("rationales")
@campaign_argument
@output_option
@as_of_option
def export_rationales(path: Path, output: str, as_of: int | None) -> None:
    """The pieces of documents that assessors kept as reasons, as JSONL: one rationale a line.

    Only judgments in force count. Each line has topic_id, document_id, assessor, grade (null for can't tell), field
    (title or text), start, end, text, and the judgment's seq. Offsets count code points of the field from 0, the end
    not included: of the stored text where it is plain, of the words of the page where it is HTML or Markdown.

    \b
    Example:
      workbench export rationales robust -o rationales.jsonl
    """
    from workbench.export import rationale_lines

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        _write(output, rationale_lines(campaign, as_of))


@export.command("scores")
@campaign_argument
@output_option
@as_of_option
@measures_option
def export_scores(path: Path, output: str, as_of: int | None, measures: tuple[str, ...]) -> None:
    """The scores of all runs as CSV, with all their digits.

    \b
    Example:
      workbench export scores robust -m AP -m nDCG@10 -o scores.csv
    """
    from workbench.scoring import score_campaign
    from workbench.scoring.rendering import as_csv

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        table = score_campaign(campaign, measures or None, as_of=as_of)
        _write(output, as_csv(table))
        say(coverage_words(table))
        say_withdrawn(campaign, "such runs have no scores", as_of)


@export.command("runs")
@campaign_argument
@click.option(
    "-o", "--output", help="A folder for one file per run, or a file (- for standard output) for one run."
)
@click.option(
    "--run",
    "tags",
    multiple=True,
    help="Only this run; may be given again.  [default: all but withdrawn ones]",
)
def export_runs(path: Path, output: str | None, tags: tuple[str, ...]) -> None:
    """Runs in six columns, in the order that scores use.

    \b
    Example:
      workbench export runs robust -o runs/
      workbench export runs robust --run bm25 -o - | head
    """
    from workbench.campaign import runs
    from workbench.export import export_run
    from workbench.formats.runs import write_run

    with open_named(path) as campaign:
        chosen = tuple(dict.fromkeys(tags)) or tuple(run.record.tag for run in runs.in_force(campaign))
        exported = [export_run(campaign, tag) for tag in chosen]
        for run, target in zip(exported, _targets(chosen, output), strict=True):
            write_run(target, run.header, run.rows, tag=run.tag)
        say_withdrawn(campaign, "such runs are written only when they are named with --run")
    say(f"{counted(len(chosen), 'run')} written.")


@export.command("datasette")
@campaign_argument
@click.option("-o", "--output", required=True, help="The folder to write into; it is made.")
def export_datasette(path: Path, output: str) -> None:
    """What Datasette needs to show the campaign in words: metadata, and a plugin that decodes packed rankings.

    The campaign file itself is opened as it is; while it is served, give Datasette a backup.

    \b
    Example:
      workbench export datasette robust -o robust-datasette
      datasette instance/robust.db --metadata robust-datasette/metadata.json --plugins-dir robust-datasette/plugins
    """
    from shlex import join

    from workbench.datasette_files import METADATA, PLUGIN, datasette_files
    from workbench.formats.files import write_atomically

    folder = Path(output)
    if folder.is_file():
        message = f"{output}: this is a file; name a folder"
        raise CampaignError(message)
    with open_named(path) as campaign:
        for name, text in datasette_files(campaign).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / name, [text])
    words = (
        "datasette",
        str(path),
        "--metadata",
        str(folder / METADATA),
        "--plugins-dir",
        str((folder / PLUGIN).parent),
    )
    say(f"Open it with: {join(words)}")


def _targets(tags: tuple[str, ...], output: str | None) -> list[str]:
    """Where each run goes: the file named, for one run, or a file named by its tag in a folder."""
    if output is None:
        raise click.UsageError("name a folder (or, for one run, a file) with -o")
    if len(tags) == 1 and not (Path(output).is_dir() or output.endswith("/")):
        return [output]
    if output == "-":
        raise click.UsageError(
            "standard output takes one run; choose it with --run, or name a folder with -o"
        )
    if Path(output).is_file():
        message = f"{output}: this is a file; name a folder for {counted(len(tags), 'run')}"
        raise CampaignError(message)
    if tags:
        Path(output).mkdir(parents=True, exist_ok=True)
    return [str(Path(output) / f"{_file_name(tag)}.run") for tag in tags]


def _file_name(tag: str) -> str:
    """A tag as the name of a file inside a folder: nothing in it leads out of there."""
    from urllib.parse import quote

    if not tag.strip("."):
        return tag.replace(".", "%2E")
    letters = "".join(letter for letter in tag if letter.isalnum())
    return "".join(letter if letter in letters else quote(letter, safe="+,=@~()[]") for letter in tag)


def _write(output: str, lines: Iterable[str]) -> None:
    from workbench.formats.files import write_atomically

    write_atomically(output, lines)
