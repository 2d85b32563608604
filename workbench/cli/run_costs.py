"""Commands about what runs cost."""

from __future__ import annotations

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, command, option
from workbench.core.wording import counted


@command("run-costs")
def add_run_costs(
    campaign: Opened,
    file: str = argument(),
    reason: str = option("The reason, for the log.", default=""),
    dry_run: bool = option("Show what would change, and change nothing."),
) -> None:
    """Say what runs cost: time, energy, money, memory, size, documents and age of the index, hardware.

    FILE is CSV, TSV or JSON lines with the column run, and query_time, query_time_p95, run_time, indexing_time (us,
    ms, s, min, h), energy (J, kJ, MJ, Wh, kWh), money (EUR and other currencies), memory, index_size (kB, MB, GB,
    MiB, ...), documents_indexed, index_date or index_age_days, hardware. The unit is in the name of the column, such
    as query_time_ms, or in each cell. An empty cell changes nothing, none takes a figure away; later files replace
    what earlier ones and the ir_metadata of run files said.

    Example:
      workbench add run-costs robust costs.csv --dry-run
      workbench add run-costs robust costs.jsonl --reason "measured again on one machine"
    """
    from workbench.campaign.submissions.correcting import correct_runs, in_words
    from workbench.campaign.submissions.run_costs import costs_of_table
    from workbench.formats.text.content import load

    corrections = costs_of_table(campaign, load(file))
    found = correct_runs(campaign, corrections, reason=reason, dry_run=dry_run)
    for each in found:
        click.echo(in_words(each))
    would = "would change; nothing was changed" if dry_run else "changed"
    say(f"Costs of {counted(len(found), 'run')} of {len(corrections):,} {would}.")
