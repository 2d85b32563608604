"""Commands of declared analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cli.campaigns import row_as_of, steps
from workbench.cli.rounds import say_rounds
from workbench.cli.tables import write_sheet

if TYPE_CHECKING:
    from workbench.analysis.registry import Analysis
    from workbench.storage.campaign import Campaign


def write_answer(analysis: Analysis, campaign: Campaign, moment: str | None, kind: str, **asked: Any) -> Any:
    """Ask an analysis of a campaign as of a moment, write its answer in a format, and return it."""
    as_of = row_as_of(campaign, moment)
    values = analysis.question(campaign, as_of, asked)
    say_rounds(campaign, as_of, kind=kind)
    with steps(analysis.name_of(values)) as on_step:
        found = analysis.function(campaign, as_of, on_step, **values)
    people = analysis.for_people(found)
    write_sheet(kind, analysis.sheet(found) if kind == "csv" else people, found, shown=[people])
    return found
