"""The registry of pooling strategies on the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import table_console
from workbench.core.parameters import KINDS

if TYPE_CHECKING:
    from workbench.methods.pooling import Strategy


@click.command()
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How the list is written; json has limits, defaults and the whole help.",
)
def strategies(kind: str) -> None:
    """The pooling strategies, with their parameters.

    \b
    Example:
      workbench strategies
      workbench strategies --format json
    """
    from workbench.methods.pooling import strategies_by_kind

    if kind == "json":
        click.echo(json.dumps(list(map(_as_json, strategies_by_kind())), ensure_ascii=False, indent=2))
    else:
        _show_strategies(strategies_by_kind())


def _show_strategies(entries: Iterable[Strategy]) -> None:
    from rich.table import Table
    from rich.text import Text

    from workbench.core.wording import listed

    shown = Table("Strategy", "Kind", "What it pools", "Parameters", box=None)
    used_by: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        for one in entry.parameters:
            meaning = f"{one.help}; required" if one.required else one.help
            used_by.setdefault((one.name, meaning), []).append(entry.name)
        what = f"{entry.summary} Purpose: {entry.purpose}." if entry.purpose else entry.summary
        names = " ".join(one.name for one in entry.parameters)
        shown.add_row(entry.name, entry.kind, Text(what), Text(names or "none"))
    meanings = Table("Parameter", "Meaning", "Strategies", box=None)
    for (name, meaning), names_of in used_by.items():
        meanings.add_row(name, Text(meaning), Text(listed(names_of, 4)))
    console = table_console(wrap=True)
    console.print(shown, "", meanings, sep="\n")


def _as_json(entry: Strategy) -> dict[str, Any]:
    parameters = [
        {
            "name": one.name,
            "kind": KINDS[one.kind].name,
            "required": one.required,
            "default": one.default,
            "several": one.repeated,
            "choices": one.limits.choices,
            "limits": str(one.limits),
            "help": one.limits.help,
        }
        for one in entry.parameters
    ]
    return {
        "name": entry.name,
        "kind": entry.kind,
        "purpose": entry.purpose,
        "summary": entry.summary,
        "help": entry.prose,
        "parameters": parameters,
    }
