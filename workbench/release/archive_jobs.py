"""Archives, sheets and the audit of a campaign: what a worker process does for the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from workbench.jobs.processes import OnStep
from workbench.release.archive import Content, write_archive
from workbench.release.audit.checks import audit
from workbench.release.audit.findings import Finding
from workbench.release.bundle.writing import BundleOptions, bundle_name, write_bundle
from workbench.release.names import file_name
from workbench.release.team_sheets.rendering import render_sheet
from workbench.release.team_sheets.sheets import Sheet, sheet_names, sheets_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log


def make_bundle(campaign: Campaign, target: Path, options: BundleOptions, *, on_step: OnStep) -> str:
    """Write the release bundle of a campaign as of a row of its log to `target`; returns its file name."""
    with _whole(target) as stream:
        facts = write_bundle(campaign, stream, options=options, on_step=on_step)
    return f"{bundle_name(facts)}.zip"


def make_sheets(campaign: Campaign, target: Path, kind: str, *, on_step: OnStep) -> str:
    """Write an archive with the sheets of all teams, in the format `kind`, to `target`; returns its file's name."""
    folder = f"{file_name(campaign.name)}-sheets"
    on_step(0, None, "Scoring the runs")
    sheets = sheets_of(campaign)
    contents: dict[str, Content] = {
        name: partial(_rendered, sheet, kind)
        for name, sheet in zip(sheet_names([each.name for each in sheets], kind), sheets, strict=True)
    }
    with _whole(target) as stream:
        write_archive(stream, folder, contents, on_step=on_step)
    return f"{folder}.zip"


def draw_sheet(target: Path, sheet: Sheet, kind: str) -> str:
    """Write one team's sheet, in the format `kind`, to `target`; returns its file's name."""
    draft = draft_of(target)
    draft.write_bytes(render_sheet(sheet, kind))
    draft.replace(target)
    return sheet_names([sheet.name], kind)[0]


def audit_file(path: Path, *, on_step: OnStep) -> tuple[list[Finding], log.Head]:
    """Audit the campaign at `path`; what each check found, and the row that its log ends with."""
    with open_campaign(path, compare=False) as campaign:
        return audit(campaign, on_step=on_step), log.head(campaign)


def draft_of(target: Path) -> Path:
    """Where a file is written before it is whole."""
    return target.with_name(f"{target.name}.part")


@contextmanager
def _whole(target: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name when all of it is written."""
    draft = draft_of(target)
    with draft.open("wb") as stream:
        yield stream
    draft.replace(target)


def _rendered(sheet: Sheet, kind: str) -> list[str | bytes]:
    return [render_sheet(sheet, kind)]
