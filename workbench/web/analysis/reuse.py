"""Whether others can reuse the judgments, for the organisers: teams and runs left out, with a verdict."""

from __future__ import annotations

from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from workbench.analysis.reuse import Reuse
from workbench.analysis.reuse.cached import (
    Question,
    cached_reuse,
    keep_reuse,
    known_reuse,
    reuse_of_file,
    reuse_takes_long,
)
from workbench.analysis.reuse.preserved import TEST
from workbench.analysis.reuse.sheets import sheet_for_people, sheet_of, sheet_of_pairs
from workbench.analysis.reuse.verdict import level_of
from workbench.analysis.reuse.words import LEVELS, summary
from workbench.core.errors import UnknownName
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.latex import as_latex
from workbench.formats.tables.sheets import printed_rows
from workbench.jobs.processes import Outcome, StartedJob, Work
from workbench.methods.measures import parse_measure
from workbench.scoring.board import DEFAULT_MEASURES
from workbench.storage.campaign.collection.runs import LARGEST_DEPTH
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import allow_in_campaign
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import refusal
from workbench.web.requests.attached import attached
from workbench.web.requests.form_values import natural_number

blueprint = Blueprint("reuse", __name__)

KIND = "reuse"
"""The kind of this page's jobs."""

LONGEST_MEASURE = 200
SHOWN_TOPICS = 10
"""This many topics are listed, those of which least is judged."""

WAYS = {"team": "Teams", "run": "Runs"}


@blueprint.get("/c/<campaign>/reuse")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """What leaving out each team does, or each run (`?by=run`), by the measure `?m=`, with pools to `?depth=`.

    With `?format=` csv, json or latex the numbers come as a file. What takes seconds becomes a job.
    """
    problem, question = "", Question()
    try:
        question = _question()
        found = _found(question)
    except UnknownName as error:
        problem, question = f"{error}.", Question()
        found = _found(question)
    if not isinstance(found, Reuse):
        return found
    if "format" in request.args and not problem:
        return _file(found)
    return make_response(_page(found, question, problem), 422 if problem else 200)


@blueprint.get("/c/<campaign>/api/reuse")
@allow_in_campaign("organiser")
def numbers(campaign: str) -> ResponseReturnValue:
    """The same as JSON, by the same fields; 202 with a job while the numbers are computed."""
    try:
        question = _question()
        found = _known(question)
        if found is None and reuse_takes_long(g.campaign, question):
            return campaign_jobs.answer(_begin(question), lambda done: jsonify(content(done)))
        return jsonify(content(found or cached_reuse(g.campaign, question)))
    except UnknownName as error:
        return refusal(422, "cannot be computed", str(error))


def _question() -> Question:
    """What the address asks for; UnknownName where it cannot be read."""
    by = request.args.get("by", "team")
    if by not in WAYS:
        message = f"by must be team or run, not {by[:40]!r}"
        raise UnknownName(message)
    measure = request.args.get("m", "").strip()[:LONGEST_MEASURE] or Question().measure
    parse_measure(measure)
    return Question(measure, "run" if by == "run" else "team", _depth(request.args.get("depth", "").strip()))


def _depth(text: str) -> int | None:
    if not text:
        return None
    depth = natural_number(text) or 0
    if not 1 <= depth <= LARGEST_DEPTH:
        message = f"the depth must be a whole number from 1 to {LARGEST_DEPTH:,}, not {text[:40]!r}"
        raise UnknownName(message)
    return depth


def _found(question: Question) -> Reuse | ResponseReturnValue:
    """The numbers, or the way to the job that computes them."""
    found = _known(question)
    if found is None and "format" not in request.args and reuse_takes_long(g.campaign, question):
        return campaign_jobs.answer(_begin(question), lambda done: redirect(_address(question, done), 303))
    return found or cached_reuse(g.campaign, question)


def _known(question: Question) -> Reuse | None:
    """What a job found as of the row that the address names, where it is still known."""
    row = natural_number(request.args.get("as_of", ""))
    return None if row is None else known_reuse(g.campaign, question, row)


def _begin(question: Question) -> StartedJob:
    """The job that computes the numbers once for all who ask."""
    path, page = g.campaign.path, url_for(".page", campaign=g.campaign.name, **_fields(question))

    def outcome_of(found: Reuse) -> Outcome:
        keep_reuse(path, question, found)
        row = found.head.seq
        return Outcome(f"As of log row {row:,}.", f"{page}&as_of={row}", "Show the result")

    return campaign_jobs.begin(
        question.name,
        KIND,
        Work(reuse_of_file, (path, question), reports=True),
        key=question,
        outcome_of=outcome_of,
        user_errors=(UnknownName,),
    )


def _address(question: Question, found: Reuse) -> str:
    return url_for(".page", campaign=g.campaign.name, as_of=found.head.seq, **_fields(question))


def _fields(question: Question) -> dict[str, Any]:
    """The fields of the address that ask the question."""
    fields: dict[str, Any] = {"m": question.measure, "by": question.by}
    return fields if question.depth is None else fields | {"depth": question.depth}


def _file(found: Reuse) -> Response:
    name = f"{g.campaign.name}.reuse"
    kind = request.args["format"]
    if kind == "json":
        return attached(json_text(content(found)), f"{name}.json", "application/json")
    if kind == "latex":
        return attached(
            "".join(as_latex(sheet_for_people(found))), f"{name}.tex", "text/plain; charset=utf-8"
        )
    if kind != "csv":
        abort(404, "Available formats: CSV, JSON and LaTeX.")
    return attached("".join(as_csv(sheet_of(found))), f"{name}.csv", "text/csv; charset=utf-8")


def _page(found: Reuse, question: Question, problem: str) -> str:
    sheet = sheet_for_people(found)
    lowest = found.measure.best == "lowest"
    levels = [level_of(row, lowest_is_best=lowest) for row in found.rows for _ in row.runs]
    return render_template(
        "analysis/reuse/page.html",
        name=g.campaign.name,
        settings=settings.read(g.campaign),
        found=found,
        question=question,
        fields=_fields(question),
        problem=problem,
        lead=LEVELS[found.verdict.level],
        sentences=summary(found)[1 + len(found.verdict.reasons) :],
        sheet=sheet,
        rows=list(zip(levels, printed_rows(sheet), strict=True)),
        kept=sheet_of_pairs(found),
        least=sorted(found.coverage.by_topic, key=lambda one: one[1])[:SHOWN_TOPICS],
        by_run=sorted(found.coverage.by_run, key=lambda one: one[1])[:SHOWN_TOPICS],
        ways=WAYS,
        measures=DEFAULT_MEASURES,
        test=TEST,
    )
