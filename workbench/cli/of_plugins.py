"""Commands of what plugins add: an analysis is one of `workbench analyse`, an export one of `workbench export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.analyses import write_answer
from workbench.cli.campaigns import Seen, Then
from workbench.cli.exporting import output_option, write
from workbench.cli.options import command, option
from workbench.cli.tables import format_option_of

if TYPE_CHECKING:
    from workbench.analysis.registry import Analysis
    from workbench.release.export import Export


def commands_of(group: str) -> dict[str, click.Command]:
    """The commands that plugins add to a group, by name."""
    if group == "export":
        from workbench.release.export import EXPORTS

        return {name: _export(name, entry) for name, entry in EXPORTS.of_plugins().items()}
    from workbench.analysis.registry import ANALYSES

    return {name: _analysis(entry) for name, entry in ANALYSES.of_plugins().items()}


def _analysis(entry: Analysis) -> click.Command:
    def ask(
        campaign: Seen,
        given: tuple[str, ...] = option("A parameter; may be repeated.", "--set", metavar="NAME=VALUE"),
        kind: str = format_option_of("table", "csv", "json", "latex"),
    ) -> None:
        write_answer(entry, campaign, kind, **entry.read_assignments(given))

    parameters = "".join(f"\n\n{one.usage} {one.help}." for one in entry.parameters)
    ask.__doc__ = f"{entry.prose}{parameters}\n\nExample:\n  workbench analyse {entry.name} robust"
    return command(entry.name)(ask)


def _export(name: str, entry: Export) -> click.Command:
    def put(campaign: Then, output: str = output_option) -> None:
        write(output, entry.lines(campaign))

    put.__doc__ = f"{entry.words}\n\nExample:\n  workbench export {name} robust -o robust.{entry.ending}"
    return command(name)(put)
