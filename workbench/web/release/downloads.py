"""Files that an organiser takes away: what `workbench export`, `score` and `bundle` write, as they stand now."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response, abort, g

from workbench.campaign.rounds import require_one_round
from workbench.campaign.working_time import WorkDay, working_days
from workbench.formats.qrels import qrels_lines
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.sheets import sheet_of
from workbench.release.bundle.datasheet import datasheet_of
from workbench.release.bundle.readme import citation_lines
from workbench.release.campaign_summary import cached_summary
from workbench.release.export import (
    EXPORTS,
    Export,
    export_qrels,
    judgment_lines,
    pool_csv,
    prels,
    rationale_lines,
    sample_csv,
    sampling_qrels,
)
from workbench.release.latex import board_latex
from workbench.release.round_files import qrels_of_rounds
from workbench.release.tables import runs_csv, scores_of, topic_scores_csv
from workbench.scoring.board.sample_design import design_of
from workbench.scoring.board.table import RENDERINGS
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import run_details, runs
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests.answers import attached
from workbench.web.requests.form_values import seen_campaign
from workbench.web.scoring.over_rounds import OF_SCORES

blueprint = Pages("downloads", __name__)


MEDIA_TYPES = {
    "csv": "text/csv", "jsonl": "application/jsonl", "tex": "application/x-tex",
    "md": "text/markdown", "cff": "text/yaml",
}  # fmt: skip
"""By what names of files end in; all others are plain text."""


def _board_latex(campaign: Campaign) -> Iterable[str]:
    require_one_round(campaign, "A LaTeX table")
    return board_latex(scores_of(campaign))


EXPORTS |= {
    "qrels": Export(
        "Qrels", "qrels.txt",
        lambda campaign: qrels_lines(f"{campaign.name}.qrels.txt", export_qrels(campaign).topics),
        "The resolved grade of every judged pair, without special grades."),
    "special": Export(
        "Qrels with special grades", "all.qrels.txt",
        lambda campaign: qrels_lines(f"{campaign.name}.all.qrels.txt", export_qrels(campaign, special=True).topics),
        "As above, with grades below 0, for programs that support them."),
    "pool": Export("Pool", "pool.csv", pool_csv, "Every pooled pair, its best rank and its number of runs."),
    "judgments": Export(
        "Judgment log", "judgments.jsonl", judgment_lines,
        "Every judgment as stored, with assessors’ names, notes and hashes; for organisers."),
    "rationales": Export(
        "Rationales", "rationales.jsonl", rationale_lines, "The passages that assessors marked as rationale."),
    "hours": Export(
        "Hours worked", "hours.csv", lambda campaign: as_csv(sheet_of(WorkDay, working_days(campaign))),
        "Per assessor and day (UTC), for pay; gaps of more than 5 minutes between judgments do not count."),
    "runs": Export(
        "Run table", "runs.csv", lambda campaign: runs_csv(runs.all_runs(campaign), run_details.details(campaign)),
        "The runs as submitted: team, file, checksum, lines and topics."),
    "scores": Export(
        "Scores", "scores.csv", lambda campaign: RENDERINGS["csv"](scores_of(campaign).board),
        "The mean of every run on the default measures, in full precision."),
    "topic-scores": Export(
        "Scores by topic", "topic-scores.csv", lambda campaign: topic_scores_csv(scores_of(campaign)),
        "The score of every run on every judged topic, in full precision."),
    "board": Export(
        "Leaderboard as LaTeX", "board.tex", _board_latex,
        "A booktabs table: the best of each measure in bold, a dagger on runs significantly worse than the best."),
    "datasheet": Export(
        "Datasheet", "datasheet.md", lambda campaign: datasheet_of(campaign, cached_summary(campaign)),
        "Questions about how the data was created, answered as far as the campaign can; complete the rest."),
    "citation": Export(
        "Citation", "CITATION.cff", lambda campaign: citation_lines(cached_summary(campaign)),
        "How to cite the release; add its authors."),
}  # fmt: skip

OF_SAMPLES = {
    "sample": Export(
        "Sampling qrels", "sample.qrels.txt", sampling_qrels,
        "Every candidate of the sample with its stratum, and -1 where it is not judged, for sample_eval."),
    "prels": Export(
        "Prels", "prels.txt", prels, "Every judged document of the sample with its probability, for statAP."),
    "sample-table": Export(
        "Sample", "sample.csv", sample_csv,
        "Every candidate with its stratum, its inclusion probability, whether it was drawn, and its grade."),
}  # fmt: skip
"""What a campaign whose pool is a sample offers besides."""


def offered_by(campaign: Campaign) -> dict[str, Export]:
    """The files a campaign offers, also those of a sample, of its strata, and of its rounds where it has them."""
    design = design_of(campaign)
    fitting = {kind: file for kind, file in OF_SAMPLES.items() if kind != "sample" or design.has_strata}
    return {**EXPORTS} | (fitting if design.sampled else {}) | _of_rounds(campaign)


def _of_rounds(campaign: Campaign) -> dict[str, Export]:
    """The qrels of each round, and of all up to it; none in the first round."""
    return {
        f"{'round' if each.alone else 'rounds-to'}-{each.round.name}": Export(
            f"Qrels {'of' if each.alone else 'up to'} round {each.round.name}",
            "txt",
            each.lines,
            f"The pairs first judged in round {each.round.name}."
            if each.alone
            else f"All pairs judged by the end of round {each.round.name}.",
            each.name,
        )
        for each in qrels_of_rounds(campaign)
    }


@blueprint.get("/c/<campaign>/download/<kind>", allow=ORGANISERS)
def download(campaign: str, kind: str) -> Response:
    """One of the files on offer; made whole first, so that a failure is an error and not half a file."""
    offered = offered_by(g.campaign).get(kind)
    if offered is None:
        abort(404)
    return attached(
        "".join(offered.lines(seen_campaign() if kind in OF_SCORES else g.campaign)),
        offered.name or f"{campaign}.{offered.ending}",
        f"{MEDIA_TYPES.get(offered.ending.rpartition('.')[2], 'text/plain')}; charset=utf-8",
    )


@blueprint.app_context_processor
def _downloads() -> dict[str, object]:
    return {"downloads_of": offered_by}
