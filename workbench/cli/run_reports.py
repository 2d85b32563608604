"""What add runs and check say of the files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import click

from workbench.campaign.ingest import AddedRuns
from workbench.campaign.ingest.check_report import as_json, report_lines
from workbench.campaign.ingest.run_checks import FileCheck
from workbench.cli.campaigns import say, show_warnings
from workbench.cli.tables import until_closed
from workbench.core.findings import REPAIRED
from workbench.core.wording import counted, listed


def show_checks(checks: Sequence[FileCheck], form: str) -> None:
    """The report of a check; exit status 1 if a file is refused.

    What is said of refused files goes to standard error, as all errors do, and JSON as a whole to standard output.
    """
    from workbench.formats.tables.json_text import json_text

    with until_closed():
        if form == "json":
            click.echo(json_text(as_json(checks)), nl=False)
        else:
            for line in report_lines(checks):
                click.echo(line.text, err=line.refuses)
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


def show_added(added: AddedRuns) -> None:
    """What was added and what was not; exit status 1 if a file is refused."""
    show_warnings([warning for warning in added.warnings if warning.kind != REPAIRED])
    for check in added.checks:
        for repair in check.repairs:
            say(f"Repaired: {check.file}: {repair.message}")
    if added.topics_taken:
        say(
            f"The campaign has no topic file yet: took {counted(len(added.topics_taken), 'topic id')} from the runs."
        )
    for run in added.runs:
        if run.replaced:
            say(f"{run.tag}: {run.replaced}.")
    refused = _show_refused(added.refused) if added.refused else []
    lines = sum(run.lines for run in added.runs)
    say(f"{counted(len(added.runs), 'run')} added ({counted(lines, 'line')}).")
    if refused:
        say(f"{counted(len(refused), 'file')} refused and not added: {listed(refused)}.")
        raise SystemExit(1)


def _show_refused(refused: Sequence[FileCheck]) -> list[str]:
    for line in report_lines(refused, refusing_only=True):
        say(line.text)
    return [check.file for check in refused]
