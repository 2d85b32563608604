"""Sheets of results written into a folder, a file for each team."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.formats.text.writing import write_atomically
from workbench.jobs.processes import OnStep
from workbench.release.team_sheets.rendering import render_sheet
from workbench.release.team_sheets.sheets import sheet_names, sheets_of
from workbench.storage.campaign import Campaign


def write_sheets(
    campaign: Campaign,
    folder: Path,
    kind: str,
    *,
    teams: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    least_teams: int | None = None,
    on_step: OnStep | None = None,
) -> list[Path]:
    """Write a sheet for each team into a folder, which is made when missing; returns their paths.

    Arguments and errors as in `sheets_of` and `render_sheet`; `on_step` is called before each sheet.
    """
    sheets = sheets_of(campaign, teams=teams, measures=measures, least_teams=least_teams)
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for sheet, name in zip(sheets, sheet_names([sheet.name for sheet in sheets], kind), strict=True):
        if on_step is not None:
            on_step(len(written), len(sheets), sheet.name)
        write_atomically(folder / name, [render_sheet(sheet, kind)])
        written.append(folder / name)
    return written
