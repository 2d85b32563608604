"""Commands about what runs cost."""

from __future__ import annotations

import click

from workbench.cli.analyses import write_answer
from workbench.cli.campaigns import Opened, Seen, measure_of, measure_option, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option_of, write_results, write_sentences, write_sheet
from workbench.core.errors import CampaignError
from workbench.core.wording import counted


@command("run-costs")
def add_run_costs(
    campaign: Opened,
    files: tuple[str, ...] = argument("FILE...", required=True),
    times: bool = option(
        "The files are logs of the times of queries, as workbench analyse latency reads them."
    ),
    reason: str = option("The reason, for the log.", default=""),
    dry_run: bool = option("Show what would change, and change nothing."),
) -> None:
    """Say what runs cost: time, energy, money, memory, size, documents and age of the index, hardware.

    FILE is CSV, TSV or JSON lines with the column run, and query_time, query_time_p95, run_time, indexing_time (us,
    ms, s, min, h), energy (mJ, J, kJ, MJ, Wh, kWh), money (EUR and other currencies), memory, index_size (kB, MB,
    GB, MiB, ...), documents_indexed, index_date or index_age_days, hardware. The unit is in the name of the column,
    such as query_time_ms, or in each cell. An empty cell changes nothing, none takes a figure away; later files
    replace what earlier ones and the ir_metadata of run files said.

    Example:
      workbench add run-costs robust costs.csv --dry-run
      workbench add run-costs robust costs.jsonl --reason "measured again on one machine"
      workbench add run-costs robust times.csv --times
    """
    from workbench.campaign.submissions.correcting import correct_runs, in_words
    from workbench.campaign.submissions.run_costs import costs_of_tables, costs_of_times
    from workbench.formats.text.content import load

    corrections = (costs_of_times if times else costs_of_tables)(campaign, map(load, files))
    found = correct_runs(campaign, corrections, reason=reason, dry_run=dry_run)
    for each in found:
        click.echo(in_words(each))
    would = "would change; nothing was changed" if dry_run else "changed"
    say(f"Costs of {counted(len(found), 'run')} of {len(corrections):,} {would}.")


@command()
def costs(
    campaign: Seen,
    measure: str = measure_option(),
    cost: str | None = option(
        "query_time, query_time_p95, run_time, indexing_time, energy, money, memory, index_size, documents_indexed or "
        "index_age.  [default: the one that most runs have]",
        metavar="FIGURE",
    ),
    kind: str = format_option_of("table", "csv", "json", "latex"),
) -> None:
    """List the scores of runs beside what they cost, and which no other run beats on both.

    The front is that of the observed scores: a run is on it if no other is as good on both and better on one. Runs
    without the figure are listed, and are not on it. The p-value is that of the difference to the next run of the front
    that costs less, by a randomisation test for all pairs (max-T); above 0.05 the step could be noise.

    Example:
      workbench analyse costs robust -m nDCG@10 --cost query_time
      workbench analyse costs robust --cost energy --format csv
    """
    from workbench.analysis.costs.declared import COSTS, sentences

    asked = {} if cost is None else {"cost": cost}
    found = write_answer(COSTS, campaign, kind, measure=measure_of(campaign, measure), **asked)
    write_sentences(kind, sentences(found))


@command()
def latency(
    files: tuple[str, ...] = argument("FILE...", required=True),
    kind: str = format_option_of("table", "csv", "json", "latex"),
) -> None:
    """List the mean, percentiles and longest of the times of queries, by run.

    FILE is CSV, TSV or JSON lines with a line for each query: run, topic, and seconds or ms; or start and end, moments
    in seconds. A file without the column run is of the run that it is called after. Percentiles are interpolated
    between order statistics (Hyndman and Fan, type 7); their 95 % intervals hold for independent times, whatever the
    distribution, and are left out where there are too few (p95 needs 72 times, p99 368).

    Example:
      workbench analyse latency times.csv
      workbench analyse latency bm25.jsonl dense.jsonl --format csv
    """
    from workbench.analysis.costs.latency import Latency, latencies
    from workbench.formats.run_costs import read_time_logs
    from workbench.formats.text.content import load

    write_results(kind, Latency, list(latencies(read_time_logs(map(load, files)))))


@command()
def freshness(
    campaign: Seen,
    field: str | None = option(
        "The field of documents with dates such as 2026-03-01.  [default: the first that has one]",
        metavar="NAME",
    ),
    on: str = option(
        "The day from which ages count.  [default: that on which the newest run was added]",
        default="",
        metavar="DATE",
    ),
    within: int = option(
        "Up to how many days old a document is recent.", default=30, least=0, metavar="DAYS"
    ),
    cutoff: int = option("How many first documents of each ranking count.", default=10, least=1, metavar="K"),
    kind: str = format_option_of("table", "csv", "json", "latex"),
) -> None:
    """List how recent the first documents of each run are, and how soon new ones are found.

    In the mean over topics: the share of recent documents among the first K that have a date, 1 / the rank of the first
    recent one (0 without one), and the median age in days. Dates are known of documents whose texts are stored, which
    are those in pools unless they were added with --all; what share of the first K has a date is listed too.

    A second table says how soon each team's runs found what was new: relevant documents dated after its first run. A
    run is of the day of its index (workbench add run-costs), else of that on which it was added; in JSON as `teams`.

    Example:
      workbench analyse freshness robust --field date --within 7
      workbench analyse freshness robust --field published --on 2026-03-01 --cutoff 20 --format csv
    """
    from workbench.analysis.costs.freshness import FRESHNESS, TeamDelay, sentences
    from workbench.formats.tables.sheets import sheet_of

    asked = {"on": on, "within": within, "cutoff": cutoff} | ({} if field is None else {"field": field})
    found = FRESHNESS.answer(campaign, asked)
    if found.reason:
        raise CampaignError(found.reason)
    sheets = [FRESHNESS.sheet(found), sheet_of(TeamDelay, found.teams)]
    write_sheet(kind, sheets[0], found, shown=sheets)
    write_sentences(kind, sentences(found))
