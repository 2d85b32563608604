"""The registry of pooling strategies on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.cli.options import command
from workbench.cli.tables import format_option, text_sheet, write_sheet
from workbench.core.parameters import KINDS

if TYPE_CHECKING:
    from workbench.formats.tables.sheets import Sheet
    from workbench.methods.pairing import Pairing
    from workbench.methods.pooling import Strategy


@command()
def strategies(kind: str = format_option) -> None:
    """The pooling strategies, and those that choose pairs; json has limits, defaults and the help.

    Example:
      workbench pooling strategies
      workbench pooling strategies --format json
    """
    from workbench.methods.pairing import PAIRINGS
    from workbench.methods.pooling import strategies_by_wish

    entries = [one for of_wish in strategies_by_wish().values() for one in of_wish] + [*PAIRINGS.values()]
    write_sheet(
        kind,
        _sheet_of(entries),
        list(map(_as_json, entries)),
        shown=[_sheet_of(entries), _sheet_of_parameters(entries)],
        wrap=True,
    )


def _sheet_of(entries: Sequence[Strategy | Pairing]) -> Sheet:
    from workbench.methods.pooling import WISHES

    rows = (
        (
            WISHES[entry.wish].title if entry.wish in WISHES else "compare two at a time (--question)",
            entry.name,
            entry.kind,
            entry.summary,
            " ".join(one.name for one in entry.parameters) or "none",
        )
        for entry in entries
    )
    return text_sheet(("You want to", "Strategy", "Kind", "What it pools", "Parameters"), rows)


def _sheet_of_parameters(entries: Sequence[Strategy | Pairing]) -> Sheet:
    from workbench.core.wording import listed

    used_by: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        for one in entry.parameters:
            meaning = f"{one.help}; required" if one.required else one.help
            used_by.setdefault((one.name, meaning), []).append(entry.name)
    rows = ((name, meaning, listed(names, 4)) for (name, meaning), names in used_by.items())
    return text_sheet(("Parameter", "Meaning", "Strategies"), rows)


def _as_json(entry: Strategy | Pairing) -> dict[str, Any]:
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
        "wish": entry.wish,
        "summary": entry.summary,
        "help": entry.prose,
        "parameters": parameters,
    }
