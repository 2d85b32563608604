"""Judges against truths as one HTML page, for a track to publish."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.formats.tables.sheets import Sheet, printed_rows


def judges_page(sheet: Sheet, remarks: Sequence[str]) -> str:
    """The rows of a sheet, with its style inside; names are data, which the template escapes."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(
        Path(__file__).with_name("judges_page.html.jinja").read_text(encoding="utf-8")
    )
    return template.render(columns=sheet.columns, rows=printed_rows(sheet), remarks=remarks)
