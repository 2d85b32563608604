"""Commands of declared analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from workbench.cli.campaigns import Seen, measure_of, measure_option, steps
from workbench.cli.options import command, option
from workbench.cli.tables import format_option_of, write_sentences, write_sheet

if TYPE_CHECKING:
    import click

    from workbench.analysis.registry import Analysis
    from workbench.storage.campaign import Campaign


def commands_of_plugins() -> dict[str, click.Command]:
    """The commands of the analyses that plugins add, by name."""
    from workbench.analysis.registry import ANALYSES

    return {name: _command_of(entry) for name, entry in ANALYSES.of_plugins().items()}


def _command_of(entry: Analysis) -> click.Command:
    def ask(
        campaign: Seen,
        given: tuple[str, ...] = option("A parameter; may be repeated.", "--set", metavar="NAME=VALUE"),
        kind: str = format_option_of("table", "csv", "json", "latex"),
    ) -> None:
        write_answer(entry, campaign, kind, **entry.read_assignments(given))

    parameters = "".join(f"\n\n{one.usage} {one.help}." for one in entry.parameters)
    ask.__doc__ = f"{entry.prose}{parameters}\n\nExample:\n  workbench analyse {entry.name} robust"
    return command(entry.name)(ask)


def write_answer(analysis: Analysis, campaign: Campaign, kind: str, **asked: Any) -> Any:
    """Ask an analysis of a campaign, write its answer in a format, and return it."""
    from workbench.campaign.rounds import require_one_round

    if kind == "latex":
        require_one_round(campaign, "A LaTeX table")
    values = analysis.question(campaign, asked)
    with steps(analysis.name_of(values)) as on_step:
        found = analysis.function(campaign, on_step, **values)
    people = analysis.for_people(found)
    write_sheet(kind, analysis.sheet(found) if kind == "csv" else people, found, shown=[people])
    return found


@command()
def reuse(
    campaign: Seen,
    by: Literal["team", "run"] = option(
        "Leave out all runs of a team together, or each run by itself.", default="team"
    ),
    measure: str = measure_option(),
    depth: int | None = option(
        "As if the contributing runs had been pooled to this depth, and nothing else judged.  "
        "[default: the campaign's pools]",
        least=1,
        metavar="K",
    ),
    kind: str = format_option_of("table", "csv", "json", "latex"),
) -> None:
    """Leave out each team or run, and say whether others can reuse the judgments.

    The documents that only the left-out runs put into the pools lose their judgments, and all runs are scored again:
    what a run loses without its own documents is what a run that did not take part may miss. A run without a team
    is a team of its own. Unjudged documents count as not relevant.

    The verdict is red where a run loses more than 10 % of its score or 3 ranks, or less than 90 % of its first
    documents are judged (down to the measure's cutoff, else 10); amber from 5 % and 95 % on, and where topics show
    that relevant documents are left. The reasons follow the table; with csv, json and latex they go to standard
    error.

    Example:
      workbench analyse reuse robust
      workbench analyse reuse robust --by run -m nDCG@10
      workbench analyse reuse robust --depth 10 --format csv > reuse.csv
    """
    from workbench.analysis.reuse.declared import REUSE, summary

    found = write_answer(REUSE, campaign, kind, measure=measure_of(campaign, measure), by=by, depth=depth)
    write_sentences(kind, summary(found))
