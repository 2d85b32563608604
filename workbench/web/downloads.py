"""Files that an organiser takes away: what `workbench export`, `score` and `bundle` write, as they stand now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from flask import Blueprint, Response, abort, g

from workbench.campaign import Campaign, runs
from workbench.export import export_qrels, judgment_lines, pool_csv, rationale_lines
from workbench.formats.qrels import qrels_lines
from workbench.publishing.citation import citation_lines
from workbench.publishing.datasheet import datasheet_of
from workbench.publishing.facts import kept_facts
from workbench.publishing.latex import board_latex
from workbench.publishing.tables import runs_csv, scores_of, topic_scores_csv
from workbench.scoring import board_of
from workbench.scoring.rendering import RENDERINGS
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("downloads", __name__)


class Download(NamedTuple):
    """A file on offer: its ending in words, its media type, the function that makes its lines, and what it is."""

    title: str
    ending: str
    media_type: str
    lines: Callable[[Campaign], Iterable[str]]
    words: str = ""


def _qrels(campaign: Campaign) -> Iterable[str]:
    return qrels_lines(f"{campaign.name}.qrels.txt", export_qrels(campaign).qrels)


def _special(campaign: Campaign) -> Iterable[str]:
    return qrels_lines(f"{campaign.name}.all.qrels.txt", export_qrels(campaign, special=True).qrels)


def _scores(campaign: Campaign) -> Iterable[str]:
    return RENDERINGS["csv"](board_of(campaign).table(campaign))


DOWNLOADS = {
    "qrels": Download(
        "Qrels",
        "qrels.txt",
        "text/plain",
        _qrels,
        "The one grade that counts for every judged pair, special grades left out.",
    ),
    "special": Download(
        "Qrels with special grades",
        "all.qrels.txt",
        "text/plain",
        _special,
        "The same with the grades below 0, for programs that know what to do with them.",
    ),
    "pool": Download(
        "Pool", "pool.csv", "text/csv", pool_csv, "Every pooled pair, its best rank and how many runs had it."
    ),
    "judgments": Download(
        "Judgment log",
        "judgments.jsonl",
        "application/jsonl",
        judgment_lines,
        "Every judgment as it was stored, with the assessors’ names, comments and hashes: for the organisers.",
    ),
    "rationales": Download(
        "Rationales",
        "rationales.jsonl",
        "application/jsonl",
        rationale_lines,
        "The pieces of documents that assessors kept as reasons.",
    ),
    "runs": Download(
        "Run table",
        "runs.csv",
        "text/csv",
        lambda campaign: runs_csv(runs.all_runs(campaign)),
        "The runs as they were submitted: team, file, checksum, lines and topics.",
    ),
    "scores": Download(
        "Scores",
        "scores.csv",
        "text/csv",
        _scores,
        "The mean of every run on the usual measures, with all digits.",
    ),
    "topic-scores": Download(
        "Scores by topic",
        "topic-scores.csv",
        "text/csv",
        lambda campaign: topic_scores_csv(scores_of(campaign)),
        "The score of every run on every judged topic, with all digits.",
    ),
    "board": Download(
        "Board as LaTeX",
        "board.tex",
        "application/x-tex",
        lambda campaign: board_latex(scores_of(campaign)),
        "A booktabs table: the best of each measure in bold, a dagger on runs significantly worse than it.",
    ),
    "datasheet": Download(
        "Datasheet",
        "datasheet.md",
        "text/markdown",
        lambda campaign: datasheet_of(campaign, kept_facts(campaign)),
        "Questions about how the data came to be, answered where the campaign can; the rest is for you.",
    ),
    "citation": Download(
        "Citation",
        "CITATION.cff",
        "text/yaml",
        lambda campaign: citation_lines(kept_facts(campaign)),
        "How to cite the release, to be completed with its authors.",
    ),
}


@blueprint.get("/c/<campaign>/download/<kind>")
@allow_in_campaign("organiser")
def download(campaign: str, kind: str) -> Response:
    """One of DOWNLOADS as a file; made whole first, so that a failure is an error and not half a file."""
    offered = DOWNLOADS.get(kind)
    if offered is None:
        abort(404)
    return attached(
        "".join(offered.lines(g.campaign)),
        f"{campaign}.{offered.ending}",
        f"{offered.media_type}; charset=utf-8",
    )


def attached(content: str | bytes, name: str, content_type: str) -> Response:
    """An answer that browsers save under this name."""
    response = Response(content, content_type=content_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


@blueprint.app_context_processor
def _downloads() -> dict[str, object]:
    return {"downloads": DOWNLOADS}
