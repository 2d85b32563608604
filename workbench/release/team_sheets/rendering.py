"""Sheets as files: one HTML file that needs nothing else, and PDF.

What campaigns and teams wrote is data to both: the HTML template escapes it, and the PDF's gets it as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from workbench.core.about import DOCUMENTS
from workbench.core.errors import CampaignError
from workbench.core.extras import needed
from workbench.core.registry import Registry
from workbench.core.wording import counted
from workbench.formats.text.writing import write_atomically
from workbench.jobs.processes import OnStep
from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.arrays import signs_of
from workbench.release.campaign_summary import base_name
from workbench.release.markdown import html_page
from workbench.release.team_sheets.sheets import Mean, RunPart, Sheet, TopicLine, sheet_names, sheets_of
from workbench.scoring.board.table import printed
from workbench.storage.campaign import Campaign

HERE = Path(__file__).resolve().parent

SHEET_FORMATS: Registry[Callable[[Sheet], bytes]] = Registry("format of sheets", "formats of sheets")


def render_sheet(sheet: Sheet, kind: str) -> bytes:
    """A sheet as a file of one of the SHEET_FORMATS; the same sheet gives the same bytes.

    Raises UnknownName for another format.
    """
    return SHEET_FORMATS.find(kind)(sheet)


@SHEET_FORMATS.register("html")
def as_html(sheet: Sheet) -> bytes:
    """One page with its style inside, to be sent and opened anywhere."""
    return html_page(HERE / "sheet.html.jinja", **content_of(sheet)).encode()


@SHEET_FORMATS.register("pdf")
def as_pdf(sheet: Sheet) -> bytes:
    """Pages of A4, made without a network. Characters that no available font has are shown as empty boxes.

    CampaignError where the typesetter fails, or is not installed.
    """
    with needed():
        import typst

    data = json.dumps(content_of(sheet), ensure_ascii=False)
    moment = datetime.fromisoformat(sheet.at).replace(microsecond=0) if sheet.at else None
    try:
        return typst.compile(
            (HERE / "sheet.typ").read_bytes(), format="pdf", sys_inputs={"data": data}, timestamp=moment
        )
    except typst.TypstError as error:
        raise CampaignError(f"the PDF cannot be made ({error.message}); ask for HTML instead") from error


def content_of(sheet: Sheet) -> dict[str, Any]:
    """A sheet as text and printed numbers, as both templates show it; positions on a line go from 0 to 1."""
    return {
        "title": sheet.title,
        "team": sheet.name,
        "lead": lead(sheet),
        "waiting": _waiting(sheet),
        "measure": str(sheet.measure),
        "has_best": sheet.measure.best in {"highest", "lowest"},
        "with_others": not sheet.least_teams,
        "alone": _alone(sheet),
        "scale": [f"{edge:g}" for edge in sheet.scale],
        "runs": [_run(part, sheet) for part in sheet.parts],
        "row": sheet.head.seq,
        "hash": sheet.head.hash.hex()[:16],
        "day": sheet.at[:10],
    }


def lead(sheet: Sheet) -> str:
    """The sheet's one sentence."""
    return (
        f"{counted(len(sheet.parts), 'run')} of {sheet.others:,}, scored on {sheet.over} "
        f"with {counted(sheet.judgments, 'judged pair')}."
    )


def _waiting(sheet: Sheet) -> str:
    if not sheet.waiting:
        return "Every pooled pair is judged."
    are = "has" if sheet.waiting == 1 else "have"
    counts = " and count as not relevant" if sheet.about == DOCUMENTS else ""
    return f"{counted(sheet.waiting, 'pooled pair')} {are} no grade yet{counts}."


def _alone(sheet: Sheet) -> str:
    if not sheet.least_teams:
        return ""
    return f"Median, best and place are shown once runs of {counted(sheet.least_teams, 'team')} take part."


def _run(part: RunPart, sheet: Sheet) -> dict[str, Any]:
    record = part.run.record
    return {
        "tag": record.tag,
        "file": base_name(record.file),
        "sha256": record.sha256,
        "submitted": f"{record.counted_lines} for {counted(record.topics, 'topic')}",
        "against_median": "" if sheet.least_teams else _against_median(part.lines),
        "means": [_mean(mean, sheet.others) for mean in part.means],
        "topics": [_line(line, sheet) for line in part.lines],
    }


def _against_median(lines: Sequence[TopicLine]) -> str:
    signs = signs_of([line.value - line.median for line in lines if line.median is not None])
    better, worse = int((signs > 0).sum()), int((signs < 0).sum())
    return f": above the median on {better:,}, below it on {worse:,} of {len(lines):,}"


def _printed(measure: BoundMeasure, value: float | None) -> str:
    return "" if value is None else printed(measure, value)


def _mean(mean: Mean, others: int) -> dict[str, str]:
    return {
        "measure": str(mean.measure),
        "value": printed(mean.measure, mean.value),
        "median": _printed(mean.measure, mean.median),
        "best": _printed(mean.measure, mean.best),
        "place": "" if mean.place is None else f"{mean.place} of {others}",
    }


def _line(line: TopicLine, sheet: Sheet) -> dict[str, Any]:
    low, high = sheet.scale
    values = {"value": line.value, "median": line.median, "best": line.best}
    return {
        "topic_id": line.topic_id,
        "title": line.title,
        **{name: _printed(sheet.measure, value) for name, value in values.items()},
        "at": {
            name: None if value is None else round((value - low) / (high - low), 4)
            for name, value in values.items()
        },
    }


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
