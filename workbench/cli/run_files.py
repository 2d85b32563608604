"""Run files: checking them, adding them, and what is reported of them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

import click

from workbench.cli.campaigns import Opened, instance_option, open_named, path_of, say, show_warnings
from workbench.cli.options import argument, command, option
from workbench.cli.repair_options import changes_option, encoding_option, repairs_of_runs, show_changes
from workbench.cli.tables import format_option_of, until_closed
from workbench.core.findings import REPAIRED
from workbench.core.wording import counted, listed

if TYPE_CHECKING:
    from workbench.campaign.ingest import AddedRuns, RunOptions
    from workbench.campaign.ingest.file_checks import FileCheck
    from workbench.campaign.ingest.runs import AddedRun
    from workbench.formats.run_repairs import Repairs


class Read(NamedTuple):
    """How the files are read."""

    repairs: Repairs = repairs_of_runs
    shows_changes: bool = changes_option
    encoding: str = encoding_option


class Asked(NamedTuple):
    """What to check, how the files are read, and where the report goes."""

    campaign: str | None = option("Check against this campaign's topics, documents and runs too.")
    name: Literal["tag", "file"] = option("As in add runs.", default="tag")
    read: Read = Read()
    page: str | None = option("Also write the report as an HTML page to send to the team.", metavar="FILE")
    form: str | None = option(
        "The form of files of answers, such as rag26; without it their fields tell.", metavar="NAME"
    )
    instance: str | None = instance_option


@command()
def check(
    asked: Asked,
    files: Sequence[str] = argument("FILE...", required=True),
    kind: str = format_option_of("text", "json", says="The report for people, or for programs"),
) -> None:
    """Validate files of runs or of answers without adding them; exit status 1 if one would be refused.

    Each file is fine, warned (it would be added) or refused. With repairs, as add runs has them, the report says what
    would be left to do. The page says of each file what is wrong, where and how to mend it, and names no other run.

    Example:
      workbench check bm25.run
      workbench check runs/*.gz --campaign robust --duplicates first
      workbench check glasgow.zip --campaign robust
      workbench check glasgow/*.gz --campaign robust --page glasgow.html
      workbench check answers.jsonl --form ragtime26
      workbench check runs/*.gz --format json
    """
    from workbench.campaign.ingest import RunOptions, check_runs
    from workbench.campaign.ingest.runs import changed_lines
    from workbench.storage.campaign.organising import settings

    read = asked.read
    if asked.campaign is None:
        _refuse_campaigns(files, asked.instance)
    options = RunOptions(
        asked.name, repairs=read.repairs, all_or_nothing=False, encoding=read.encoding, form=asked.form
    )
    with (
        nullcontext()
        if asked.campaign is None
        else open_named(path_of(asked.campaign, asked.instance)) as opened
    ):
        checked = check_runs(files, opened, options=options)
        title = "" if opened is None else settings.read(opened).title
        if read.shows_changes:
            show_changes(changed_lines(files, opened, options=options))
    if asked.page is not None:
        write_page(asked.page, checked.checks, title)
    show_warnings(checked.passed)
    show_checks(checked.checks, kind)


def _refuse_campaigns(files: Sequence[str], instance: str | None) -> None:
    """Say how a campaign is named where one stands among the files."""
    for file in files:
        there = path_of(file, instance)
        if there.suffix == ".db" and there.is_file() and (Path(file) == there or not Path(file).exists()):
            message = (
                f"{file} is a campaign, not a run file; to check against it: --campaign {shlex.quote(file)}"
            )
            raise click.UsageError(message)


class Sent(NamedTuple):
    """The files, who sent them, and how their runs are named."""

    files: Sequence[str] = argument("[FILE...]")
    team: str = option("The team that submitted these runs.", default="")
    contributes: bool = option("Whether these runs contribute to pools.", "--pool/--no-pool", default=True)
    name: Literal["tag", "file"] = option(
        "The runs' names: the tag in the file, or the file's name.", default="tag"
    )
    table: str | None = option("A CSV of files: columns file, team, tag, priority, depth.", metavar="FILE")
    replaces: bool = option("Replace the runs of the same names.")
    all_or_nothing: bool = option("Add no file if one of them is refused.")
    dry_run: bool = option("Say what would be added, refused and warned of, and change nothing.")


@command("runs")
def add_runs(campaign: Opened, sent: Sent, read: Read) -> None:
    """Add run files: six columns, CSV, JSON or parquet, compressed or in an archive; - is standard input.

    Good files are added, others are reported and the exit status is 1. Each repair is recorded with its run and
    published with it; a file that does not need a repair stays as it is.

    With --table a CSV names the files, counted from the folder it lies in. With --replaces the earlier run of each name
    is withdrawn; where a pool names it, it keeps its name, and the new run is called TAG.2: pools and judgments stay.

    Example:
      workbench add runs robust runs/*.gz
      workbench add runs robust glasgow.zip --team Glasgow
      workbench add runs robust --table runs.csv
      workbench add runs robust late.run --team Glasgow --no-pool
      workbench add runs clef runs/*.gz --duplicates first --topics-as-suggested
    """
    from workbench.campaign.ingest import RunOptions

    _add(
        campaign,
        sent,
        RunOptions(repairs=read.repairs, encoding=read.encoding),
        shows_changes=read.shows_changes,
    )


@command("answers")
def add_answers(
    campaign: Opened,
    sent: Sent,
    form: str = option(
        "The form of the files, such as rag26.  [default: told by their fields]", default="", metavar="NAME"
    ),
) -> None:
    """Add runs of answers: one JSON record a topic, in the form of a task, as workbench check reads them.

    Such a run has all that a run of documents has. Its ranking of a topic is the documents that its answer cites, in
    the order of references where the form has that list, else of their first citations. Each record is kept as it was
    sent. Without --team, the team is the one that the file names.

    Good files are added, others are reported and the exit status is 1. - is standard input; --table and --replaces are
    those of workbench add runs, which takes files of answers too.

    Example:
      workbench add answers rag answers/*.jsonl.gz
      workbench add answers ragtime glasgow.jsonl --form ragtime26 --team Glasgow
      workbench add answers rag --table runs.csv --dry-run
    """
    from workbench.campaign.ingest import RunOptions

    _add(campaign, sent, RunOptions(form=form), shows_changes=False)


def _add(campaign: Opened, sent: Sent, options: RunOptions, *, shows_changes: bool) -> None:
    from workbench.campaign.ingest import RunsRefused, add_runs, check_runs
    from workbench.campaign.ingest.runs import changed_lines
    from workbench.campaign.ingest.senders import Sender
    from workbench.campaign.submissions.file_tables import files_of_table

    if bool(sent.files) == (sent.table is not None):
        raise click.UsageError("name the run files, or a --table that names them, and not both")
    usual = Sender(sent.team, sent.contributes, replaces=sent.replaces)
    senders = dict.fromkeys(sent.files, usual) if sent.table is None else files_of_table(sent.table, usual)
    paths = sent.files or tuple(senders)
    options = options._replace(name=sent.name, senders=senders, all_or_nothing=sent.all_or_nothing)
    if shows_changes:
        show_changes(changed_lines(paths, campaign, options=options))
    try:
        if sent.dry_run:
            added = check_runs(paths, campaign, options=options)
        else:
            added = add_runs(campaign, paths, options=options)
    except RunsRefused as refused:
        show_refusal(refused.checks)
    show_added(added, would_be="would be " * sent.dry_run)


def show_checks(checks: Sequence[FileCheck], form: str) -> None:
    """The report of a check; exit status 1 if a file is refused.

    What is said of refused files goes to standard error, as all errors do, and JSON as a whole to standard output.
    """
    from workbench.campaign.ingest.check_report import as_json, report_lines
    from workbench.formats.tables.json_text import json_text

    with until_closed():
        if form == "json":
            click.echo(json_text(as_json(checks)), nl=False)
        else:
            for line, refuses in report_lines(checks):
                click.echo(line, err=refuses)
    if any(check.verdict == "refused" for check in checks):
        raise SystemExit(1)


def write_page(path: str, checks: Sequence[FileCheck], title: str) -> None:
    """The report as a page, whole or not at all; files go by their names without folders."""
    from workbench.formats.text.writing import write_atomically
    from workbench.release.campaign_summary import base_name
    from workbench.release.check_page import check_page

    named = [check._replace(file=base_name(check.file)) for check in checks]
    write_atomically(path, [check_page(named, title=title)])
    say(f"Wrote {path}.")


def show_refusal(checks: Sequence[FileCheck]) -> NoReturn:
    """The report on files of which none was added."""
    refused = _show_refused([check for check in checks if check.verdict == "refused"])
    say(f"Nothing was added: {counted(len(refused), 'file is', 'files are')} refused.")
    raise SystemExit(1)


def show_added(added: AddedRuns, would_be: str = "") -> None:
    """What was added and what was not, or `would_be`; exit status 1 if a file is refused."""
    show_warnings([*added.passed, *(warning for warning in added.warnings if warning.kind != REPAIRED)])
    for check in added.checks:
        for repair in check.repairs:
            say(f"{'Would be repaired' if would_be else 'Repaired'}: {check.file}: {repair.message}")
    if added.topics_taken:
        took = f"{'would take' if would_be else 'took'} {counted(len(added.topics_taken), 'topic id')}"
        say(f"The campaign has no topic file yet: {took} from the runs.")
    for run in added.runs:
        if run.replaced:
            say(f"{run.tag}: {run.replaced}.")
    refused = _show_refused(added.refused) if added.refused else []
    say(f"{counted(len(added.runs), 'run')} {would_be}added ({_size(added.runs)}).")
    if refused:
        say(f"{counted(len(refused), 'file')} {would_be}refused and not added: {listed(refused)}.")
        raise SystemExit(1)


def _size(added: Sequence[AddedRun]) -> str:
    """How many lines runs of documents have, and how many sentences those of answers."""
    lines = sum(run.lines for run in added if not run.form)
    sentences = sum(run.lines for run in added if run.form)
    parts = [counted(lines, "line")] * (not sentences or lines > 0) + [counted(sentences, "sentence")] * (
        sentences > 0
    )
    return ", ".join(parts)


def _show_refused(refused: Sequence[FileCheck]) -> list[str]:
    from workbench.campaign.ingest.check_report import report_lines

    for line, _ in report_lines(refused, refusing_only=True):
        say(line)
    return [check.file for check in refused]
