"""What is certain of pairs of runs: a page for organisers, and JSON for those who read the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, g, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from workbench.analysis.figures.certain import MOST_RUNS
from workbench.analysis.trust.certain_history import CertaintyPoint, cached_history, known_history
from workbench.analysis.trust.certain_jobs import (
    IN_A_HISTORY,
    IN_A_JOB,
    History,
    Summed,
    history_of_file,
    history_takes_long,
    keep_history,
    keep_sums,
    pairs_take_long,
    sums_of_file,
)
from workbench.analysis.trust.certain_pairs import (
    DEFAULT_MEASURE,
    CertainPairs,
    PairsRequest,
    certain_pairs,
)
from workbench.analysis.trust.certain_tables import (
    CertaintyHistory,
    certain_count,
    certain_list,
    certain_sentence,
    notes_on_certain,
    what_can_become,
)
from workbench.analysis.trust.next_documents import NextDocument, deciding_documents
from workbench.analysis.trust.witness import Witness, witness
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.results import content
from workbench.core.wording import counted
from workbench.jobs.processes import Limits, Outcome, StartedJob, Work
from workbench.methods.measures import parse_measure
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import BOARD_READERS, allow_in_campaign
from workbench.web.analysis import compare_request
from workbench.web.analysis.compare import answer
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import refusal
from workbench.web.requests.form_values import in_rows

blueprint = Blueprint("certain", __name__)

KIND = "certainty"
"""The kind of this page's jobs."""
FOR_ALL_PAIRS = Limits(seconds=3_600)
TAKES_LONGER = "What is certain now takes longer to compute: load this page again."
LISTED_PAIRS = 50
LISTED_DOCUMENTS = 100
LISTED_RUNS = 200
"""The pairs of this many runs are in the JSON where it names none."""
Refused = (CampaignError, UnknownName)


@blueprint.get("/c/<campaign>/compare/certain")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """All pairs of runs by `?measure=`; with `one` and `two` the documents that would swap these.

    What takes seconds becomes a job; so does the history along the log with `?history=1`.
    """
    try:
        asked = _request()
        if "history" in request.args and history_takes_long(g.campaign, asked.measure, asked.as_of):
            return campaign_jobs.answer(
                _begin_history(asked), lambda done: redirect(_address(asked, done.seq, "history"), 303)
            )
        if pairs_take_long(g.campaign, asked):
            return campaign_jobs.answer(_begin(asked), lambda done: redirect(_address(asked, done.seq), 303))
    except Refused:
        pass  # which the page says
    return answer("certain", _certain)


@blueprint.get("/c/<campaign>/api/certain")
@allow_in_campaign(*BOARD_READERS)
def pairs(campaign: str) -> ResponseReturnValue:
    """The pairs as JSON; 202 with a job while they are computed. Of more than 200 runs the best are listed."""
    try:
        asked = _request(request.args.getlist("run"))
        if pairs_take_long(g.campaign, asked):
            return campaign_jobs.answer(
                _begin(asked), lambda done: _pairs_as_json(asked._replace(as_of=done.seq))
            )
        return _pairs_as_json(asked)
    except Refused as error:
        return refusal(422, "cannot be answered", str(error))


def _pairs_as_json(asked: PairsRequest) -> Response:
    return jsonify(content(certain_list(certain_pairs(g.campaign, **asked._asdict()), most_runs=LISTED_RUNS)))


@blueprint.get("/c/<campaign>/api/certain/count")
@allow_in_campaign(*BOARD_READERS)
def count(campaign: str) -> ResponseReturnValue:
    """How many pairs are certain, as JSON, or 304 when nothing happened since the ETag that the browser knows.

    It begins no job: 202 where the pairs take longer.
    """
    try:
        asked = _request()
        known_as = _etag(log.head_at(g.campaign, asked.as_of))
        if request.if_none_match.contains(known_as):
            response = Response(status=304)
            response.set_etag(known_as)
            return response
        if pairs_take_long(g.campaign, asked):
            return jsonify(message=TAKES_LONGER), 202
        found = certain_pairs(g.campaign, **asked._asdict())
    except Refused as error:
        return refusal(422, "cannot be answered", str(error))
    response = jsonify(content(certain_count(found)))
    response.set_etag(_etag(found.head))
    return response


def _etag(head: log.Head) -> str:
    return f"{head.seq}-{head.hash.hex()[:16]}"


@blueprint.get("/c/<campaign>/api/certain/history")
@allow_in_campaign(*BOARD_READERS)
def history(campaign: str) -> ResponseReturnValue:
    """How many pairs were certain after rows of the log, as JSON; 202 with a job while that is computed."""
    try:
        asked = _request()
        seq = log.head_at(g.campaign, asked.as_of).seq
        if history_takes_long(g.campaign, asked.measure, asked.as_of):
            return campaign_jobs.answer(
                _begin_history(asked), lambda done: _history_as_json(asked.measure, done.seq, done.points)
            )
        points = cached_history(g.campaign, asked.measure, as_of=seq, most_steps=IN_A_HISTORY)
    except Refused as error:
        return refusal(422, "cannot be answered", str(error))
    return _history_as_json(asked.measure, seq, points)


def _history_as_json(measure: str, seq: int, points: list[CertaintyPoint]) -> Response:
    return jsonify(content(CertaintyHistory(seq, parse_measure(measure), tuple(points))))


@blueprint.get("/c/<campaign>/api/certain/witness")
@allow_in_campaign("organiser")
def swap(campaign: str) -> Response:
    """The documents that would swap the runs `one` and `two`, as JSON."""
    try:
        args, _ = in_rows(request.args, "as-of")
        found = _witness(args)
    except (CampaignError, UnknownName) as error:
        return refusal(422, "cannot be answered", str(error))
    return jsonify(content(found))


def _request(runs: Sequence[str] = ()) -> PairsRequest:
    """What the address asks for; UnknownName where it cannot be read."""
    args, _ = in_rows(request.args, "as-of")
    tags = tuple(tag[: compare_request.LONGEST] for tag in runs)
    return PairsRequest(_measure(args), tags, compare_request.row(args), most_steps=IN_A_JOB)


def _begin(asked: PairsRequest) -> StartedJob:
    """The job that sums up all pairs, once for all who ask."""
    path, to_page = g.campaign.path, _address(asked, None)

    def outcome_of(found: Summed) -> Outcome:
        keep_sums(path, found)
        return Outcome(f"As of log row {found.seq:,}.", f"{to_page}&as-of={found.seq}", "Show the result")

    return campaign_jobs.begin(
        f"What is certain: {asked.measure}",
        KIND,
        Work(sums_of_file, (path, asked), reports=True),
        key=asked,
        limits=FOR_ALL_PAIRS,
        outcome_of=outcome_of,
        user_errors=Refused,
    )


def _begin_history(asked: PairsRequest) -> StartedJob:
    """The job that finds how many pairs were certain along the log."""
    path, to_page = g.campaign.path, _address(asked, None)

    def outcome_of(found: History) -> Outcome:
        keep_history(path, found)
        address = f"{to_page}&as-of={found.seq}#history"
        return Outcome(f"Up to log row {found.seq:,}.", address, "Show the result")

    return campaign_jobs.begin(
        f"Certainty over time: {asked.measure}",
        KIND,
        Work(history_of_file, (path, asked.measure, asked.as_of), reports=True),
        key=("history", asked.measure, asked.as_of),
        limits=FOR_ALL_PAIRS,
        outcome_of=outcome_of,
        user_errors=Refused,
    )


def _address(asked: PairsRequest, seq: int | None, part: str | None = None) -> str:
    fields: dict[str, Any] = {"measure": asked.measure, "as-of": seq}
    return url_for(".page", campaign=g.campaign.name, **fields, _anchor=part)


def _measure(args: MultiDict[str, str]) -> str:
    return args.get("measure", "")[: compare_request.LONGEST].strip() or DEFAULT_MEASURE


def _witness(args: MultiDict[str, str]) -> Witness:
    one, two = (args.get(name, "")[: compare_request.LONGEST] for name in ("one", "two"))
    return witness(g.campaign, one, two, _measure(args), as_of=compare_request.row(args))


def _certain() -> dict[str, Any]:
    asked = _request()
    args, said = in_rows(request.args, "as-of")
    found = certain_pairs(g.campaign, **asked._asdict())
    open_ = found.nearest_open(LISTED_PAIRS)
    shown: dict[str, Any] = {
        "said": said,
        "moment": {} if asked.as_of is None else {"as_of": asked.as_of},
        "certain": found,
        "default_measure": DEFAULT_MEASURE,
        "sentence": certain_sentence(found),
        "notes": notes_on_certain(found),
        "drawn": MOST_RUNS,
        "open": open_,
        "n_open": found.number("open"),
        "more": {row: what_can_become(found, row) for row in open_},
        "next": _next(asked),
        "history_takes_long": history_takes_long(g.campaign, asked.measure, asked.as_of),
        "history_pairs": _fewer_pairs_in_history(found, asked),
        "grades": {grade.grade: grade.name for grade in settings.read(g.campaign, asked.as_of).grades},
    }
    if args.get("one") and args.get("two"):
        shown["witness"] = _witness(args)
        shown["listed"] = shown["witness"].documents[:LISTED_DOCUMENTS]
    listed = [(each.topic_id, each.document_id) for each in (*shown["next"], *shown.get("listed", ()))]
    return shown | {"titles": _titles(listed)}


def _fewer_pairs_in_history(found: CertainPairs, asked: PairsRequest) -> str | None:
    """How many pairs the history that a job has found is of at last, where these are not all."""
    points = known_history(g.campaign, asked.measure, as_of=asked.as_of)
    if not points or points[-1].pairs >= len(found.tags) * (len(found.tags) - 1) // 2:
        return None
    return counted(points[-1].pairs, "pair")


def _next(asked: PairsRequest) -> list[NextDocument]:
    """The documents that decide most; none by a measure that says nothing of it."""
    try:
        return deciding_documents(g.campaign, asked.measure, as_of=asked.as_of, most_steps=asked.most_steps)
    except UnknownName:
        return []


def _titles(pairs_listed: list[tuple[str, str]]) -> dict[str, str]:
    """The title of each of these documents, "" where there is none."""
    known = documents.titles(g.campaign, [document_id for _, document_id in pairs_listed])
    return {document_id: known.get(document_id, "") for _, document_id in pairs_listed}
