"""What judgments decide about the whole pool, at which risk, for the organisers: a page, files and JSON."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, g, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.trust import report
from workbench.analysis.trust.cached import (
    Answer,
    Question,
    answer_of_file,
    cached_answer,
    keep_answer,
    takes_long,
)
from workbench.analysis.trust.decisions import ALPHA, Decision, Decisions
from workbench.analysis.trust.found import TopicFound
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import Outcome, StartedJob, Work
from workbench.web.access.rules import allow_in_campaign
from workbench.web.analysis import compare_request
from workbench.web.analysis.compare import answer
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import attached, refusal
from workbench.web.requests.form_values import in_rows

blueprint = Blueprint("stopping", __name__)

KIND = "stop"
"""The kind of this page's jobs."""
LISTED_PAIRS = 50
LISTED_TOPICS = 100
RISKS = (0.1, 0.05, 0.01, 0.001)


@blueprint.get("/c/<campaign>/compare/stop")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """All pairs of runs by `?measure=` at the risk `?alpha=`; what takes seconds becomes a job."""
    try:
        question, as_of = _question()
        if takes_long(g.campaign, question, as_of):
            return campaign_jobs.answer(
                _begin(question, as_of), lambda found: redirect(_address(question, found), 303)
            )
        if "format" in request.args:
            return _file(cached_answer(g.campaign, question, as_of=as_of))
    except (CampaignError, UnknownName):
        pass  # which the page says
    return answer("stop", _shown)


@blueprint.get("/c/<campaign>/api/stop")
@allow_in_campaign("organiser")
def numbers(campaign: str) -> ResponseReturnValue:
    """The same as JSON, by the same fields; 202 with a job while the numbers are computed."""
    try:
        question, as_of = _question()
        if takes_long(g.campaign, question, as_of):
            return campaign_jobs.answer(_begin(question, as_of), _as_json)
        found = cached_answer(g.campaign, question, as_of=as_of)
    except (CampaignError, UnknownName) as error:
        return refusal(422, "cannot be answered", str(error))
    return _as_json(found)


def _as_json(found: Answer) -> Response:
    return jsonify(content(report.stopping(found.decisions, found.topics)))


def _question() -> tuple[Question, int | None]:
    """What the address asks for, and the row of the log; UnknownName where it cannot be read."""
    args, _ = in_rows(request.args, "as-of")
    text = args.get("alpha", "").strip() or str(ALPHA)
    try:
        alpha = float(text)
    except ValueError:
        message = f"the risk must be a number above 0 and below 1, such as 0.05, not {text[:40]!r}"
        raise UnknownName(message) from None
    return Question(args.get("measure", "")[: compare_request.LONGEST].strip(), alpha), compare_request.row(
        args
    )


def _begin(question: Question, as_of: int | None) -> StartedJob:
    """The job that computes the answer once for all who ask."""
    path, name = g.campaign.path, g.campaign.name
    page = url_for(".page", campaign=name, measure=question.measure, alpha=question.alpha)

    def outcome_of(found: Answer) -> Outcome:
        keep_answer(path, question, found)
        return Outcome(f"As of log row {found.seq:,}.", f"{page}&as-of={found.seq}", "Show the result")

    return campaign_jobs.begin(
        question.name,
        KIND,
        Work(answer_of_file, (path, question, as_of)),
        key=(question, as_of),
        outcome_of=outcome_of,
        user_errors=(CampaignError, UnknownName),
    )


def _address(question: Question, found: Answer) -> str:
    fields: dict[str, Any] = {"measure": question.measure, "alpha": question.alpha, "as-of": found.seq}
    return url_for(".page", campaign=g.campaign.name, **fields)


def _file(found: Answer) -> Response:
    name, kind = f"{g.campaign.name}.stop", request.args["format"]
    if kind == "json":
        everything = report.stopping(found.decisions, found.topics)
        return attached(json_text(content(everything)), f"{name}.json", "application/json")
    if kind != "csv":
        abort(404, "Available formats: CSV and JSON.")
    if found.decisions is None:
        abort(404, "No pool was drawn in a random order, so there are no pairs to write.")
    return attached(
        "".join(as_csv(sheet_of(Decision, found.decisions.pairs))), f"{name}.csv", "text/csv; charset=utf-8"
    )


def _shown() -> dict[str, Any]:
    question, as_of = _question()
    _, said = in_rows(request.args, "as-of")
    found = cached_answer(g.campaign, question, as_of=as_of)
    shown: dict[str, Any] = {"said": said, "question": question, "risks": RISKS, "seq": found.seq}
    if found.decisions is not None:
        shown |= _pairs(found.decisions)
    if found.topics is not None:
        shown |= {
            "topics": sheet_of(TopicFound, sorted(found.topics, key=_least_found)[:LISTED_TOPICS]),
            "n_topics": len(found.topics),
            "found": report.found_summary(found.topics, question.alpha),
        }
    return shown


def _least_found(topic: Any) -> tuple[bool, float]:
    """Topics without a limit come last, those of which least is found first."""
    return topic.missing is None, 1.0 if topic.recall is None else topic.recall


def _pairs(found: Decisions) -> dict[str, Any]:
    listed = sorted(found.pairs, key=_open_first)[:LISTED_PAIRS]
    return {
        "decisions": found,
        "summary": report.summary(found),
        "notes": report.notes(found, g.campaign.command_name),
        "pairs": sheet_of(Decision, listed),
    }


def _open_first(pair: Decision) -> tuple[bool, float]:
    """Open pairs first, those that are nearest to a decision first of all."""
    return pair.state != "open", pair.risk
