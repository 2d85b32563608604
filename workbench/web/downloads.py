"""Files that an organiser takes away: what `workbench export` and `score` write, as they stand now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from flask import Blueprint, Response, abort, g

from workbench.campaign import Campaign
from workbench.export import export_qrels, judgment_lines, pool_csv, rationale_lines
from workbench.formats.qrels import qrels_lines
from workbench.scoring import board_of
from workbench.scoring.rendering import RENDERINGS
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("downloads", __name__)


class Download(NamedTuple):
    """A file on offer: its ending in words, its media type, and the function that makes its lines."""

    title: str
    ending: str
    media_type: str
    lines: Callable[[Campaign], Iterable[str]]


def _qrels(campaign: Campaign) -> Iterable[str]:
    return qrels_lines(f"{campaign.name}.qrels.txt", export_qrels(campaign).qrels)


def _scores(campaign: Campaign) -> Iterable[str]:
    return RENDERINGS["csv"](board_of(campaign).table(campaign))


DOWNLOADS = {
    "qrels": Download("Qrels", "qrels.txt", "text/plain", _qrels),
    "scores": Download("Scores", "scores.csv", "text/csv", _scores),
    "pool": Download("Pool", "pool.csv", "text/csv", pool_csv),
    "judgments": Download("Judgment log", "judgments.jsonl", "application/jsonl", judgment_lines),
    "rationales": Download("Rationales", "rationales.jsonl", "application/jsonl", rationale_lines),
}


@blueprint.get("/c/<campaign>/download/<kind>")
@allow_in_campaign("organiser")
def download(campaign: str, kind: str) -> Response:
    """One of DOWNLOADS as a file; made whole first, so that a failure is an error and not half a file."""
    offered = DOWNLOADS.get(kind)
    if offered is None:
        abort(404)
    response = Response(
        "".join(offered.lines(g.campaign)), content_type=f"{offered.media_type}; charset=utf-8"
    )
    name = f"{campaign}.{offered.ending}"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


@blueprint.app_context_processor
def _downloads() -> dict[str, object]:
    return {"downloads": DOWNLOADS}
