"""Judges against truths as one HTML page, for a track to publish."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.formats.tables.sheets import Sheet, printed_rows
from workbench.release.markdown import html_page


def judges_page(sheet: Sheet, remarks: Sequence[str]) -> str:
    """The rows of a sheet, with its style inside; names are data, which the template escapes."""
    template = Path(__file__).with_name("judges_page.html.jinja")
    return html_page(template, columns=sheet.columns, rows=printed_rows(sheet), remarks=remarks)
