"""Adding run files to a campaign: as they are named, or as a table names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.campaigns import Opened, actor
from workbench.cli.options import argument, declared_options, option
from workbench.cli.repair_options import (
    OF_RUNS,
    changes_option,
    encoding_option,
    repair_options,
    show_changes,
)

if TYPE_CHECKING:
    from workbench.formats.run_repairs import Repairs


class Sent(NamedTuple):
    """The run files, who sent them, and how they are read."""

    files: Sequence[str] = argument("[FILE...]")
    team: str = option("The team that submitted these runs.", default="")
    contributes: bool = option("Whether these runs contribute to pools.", "--pool/--no-pool", default=True)
    name: Literal["tag", "file"] = option(
        "The runs' names: the tag in the file, or the file's name.", default="tag"
    )
    table: str | None = option("A CSV of files: columns file, team, tag, priority, depth.", metavar="FILE")
    replaces: bool = option("Replace the runs of the same names.")
    repairs: Repairs = repair_options(OF_RUNS)
    shows_changes: bool = changes_option
    encoding: str = encoding_option
    all_or_nothing: bool = option("Add no file if one of them is refused.")


@click.command("runs")
@declared_options
def add_runs(campaign: Opened, sent: Sent) -> None:
    """Add run files (six columns, CSV, JSON or parquet, plain or compressed, - for standard input).

    Good files are added, others are reported and the exit status is 1. Each repair is recorded with its run and
    published with it; a file that does not need a repair stays as it is.

    With --table a CSV names the files, counted from the folder it lies in. With --replaces the earlier run of each name
    is withdrawn; where a pool names it, it keeps its name, and the new run is called TAG.2: pools and judgments stay.

    \b
    Example:
      workbench add runs robust runs/*.gz
      workbench add runs robust --table runs.csv
      workbench add runs robust corrected.run --replaces
      workbench add runs robust late.run --team Glasgow --no-pool
      workbench add runs clef runs/*.gz --duplicates first --topics-as-suggested
    """
    from workbench.campaign.ingest import RunsRefused, add_runs
    from workbench.campaign.ingest.runs import changed_lines
    from workbench.campaign.ingest.senders import Sender
    from workbench.campaign.submissions.file_tables import TableOfFiles, files_of_table
    from workbench.cli.run_reports import show_added, show_refusal

    if bool(sent.files) == (sent.table is not None):
        raise click.UsageError("name the run files, or a --table that names them, and not both")
    usual = Sender(sent.team, sent.contributes, replaces=sent.replaces)
    named = TableOfFiles(tuple(sent.files), dict.fromkeys(sent.files, usual))
    if sent.table is not None:
        named = files_of_table(sent.table, usual)
    if sent.shows_changes:
        show_changes(changed_lines(named.paths, campaign, repairs=sent.repairs, encoding=sent.encoding))
    try:
        added = add_runs(
            campaign,
            named.paths,
            senders=named.senders,
            name=sent.name,
            repairs=sent.repairs,
            encoding=sent.encoding,
            all_or_nothing=sent.all_or_nothing,
            actor=actor(),
        )
    except RunsRefused as refused:
        show_refusal(refused.checks)
    show_added(added)
