"""Checking run files before they are added: check."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.campaigns import instance_option, open_named, path_of
from workbench.cli.options import argument, declared_options, option
from workbench.cli.repair_options import (
    OF_RUNS,
    changes_option,
    encoding_option,
    repair_options,
    show_changes,
)
from workbench.cli.tables import format_option_of

if TYPE_CHECKING:
    from workbench.formats.run_repairs import Repairs


class Asked(NamedTuple):
    """What to check, how the files are read, and where the report goes."""

    campaign: str | None = option("Check against this campaign's topics, documents and runs too.")
    name: Literal["tag", "file"] = option("As in add runs.", default="tag")
    repairs: Repairs = repair_options(OF_RUNS)
    shows_changes: bool = changes_option
    encoding: str = encoding_option
    page: str | None = option("Also write the report as an HTML page to send to the team.", metavar="FILE")
    instance: str | None = instance_option


@click.command()
@declared_options
def check(
    asked: Asked,
    files: Sequence[str] = argument("FILE...", required=True),
    kind: str = format_option_of("text", "json", says="The report for people, or for programs"),
) -> None:
    """Validate run files without adding them; exit status 1 if one would be refused.

    Each file is fine, warned (it would be added) or refused. With repairs, as add runs has them, the report says what
    would be left to do. The page says of each file what is wrong, where and how to mend it, and names no other run.

    \b
    Example:
      workbench check bm25.run
      workbench check runs/*.gz --campaign robust --duplicates first
      workbench check glasgow/*.gz --campaign robust --page glasgow.html
      workbench check runs/*.gz --format json
    """
    from workbench.campaign.ingest import check_runs
    from workbench.campaign.ingest.runs import changed_lines
    from workbench.cli.run_reports import show_checks, write_page
    from workbench.storage.campaign.organising import settings

    if asked.campaign is None:
        _refuse_campaigns(files, asked.instance)
    checking = partial(
        check_runs, name=asked.name, repairs=asked.repairs, all_or_nothing=False, encoding=asked.encoding
    )
    with (
        nullcontext()
        if asked.campaign is None
        else open_named(path_of(asked.campaign, asked.instance)) as opened
    ):
        checked = checking(files, opened)
        title = "" if opened is None else settings.read(opened).title
        if asked.shows_changes:
            show_changes(changed_lines(files, opened, repairs=asked.repairs, encoding=asked.encoding))
    if asked.page is not None:
        write_page(asked.page, checked.checks, title)
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
