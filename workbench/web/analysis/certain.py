"""What is certain of pairs of runs: a page for organisers, and JSON for those who read the leaderboard."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from workbench.core.errors import CampaignError, CampaignUnavailable, UnknownName
from workbench.methods.certainty.pairs import SMALLEST
from workbench.scoring.board.certain_pairs import DEFAULT_MEASURE, CertainPairs, PairState, certain_pairs
from workbench.scoring.board.certainty_tables import (
    certain_content,
    certain_sentence,
    notes_on_certain,
    witness_content,
)
from workbench.scoring.board.deciding import NextDocument, deciding_documents
from workbench.scoring.board.witness import Witness, witness
from workbench.storage.campaign.collection import documents, pools, settings
from workbench.web.access.rules import BOARD_READERS, allow_in_campaign
from workbench.web.analysis import compare_request
from workbench.web.analysis.compare import answer
from workbench.web.requests.answers import refusal
from workbench.web.requests.as_of import in_rows

blueprint = Blueprint("certain", __name__)

LISTED_PAIRS = 50
LISTED_DOCUMENTS = 100
PAGE_STEPS = 1e9
"""About so many steps of arithmetic for a page: one or two seconds when it is first opened."""


@blueprint.get("/c/<campaign>/compare/certain")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """All pairs of runs by `?measure=`; with `one` and `two` the documents that would swap these."""
    return answer("certain", _certain)


@blueprint.get("/c/<campaign>/api/certain")
@allow_in_campaign(*BOARD_READERS)
def pairs(campaign: str) -> Response:
    """The pairs as JSON."""
    try:
        args, _ = in_rows(request.args, "as-of")
        runs = [tag[: compare_request.LONGEST] for tag in args.getlist("run")]
        found = certain_pairs(
            g.campaign, _measure(args), runs=runs, as_of=compare_request.row(args), most_steps=PAGE_STEPS
        )
    except CampaignUnavailable:
        raise
    except (CampaignError, UnknownName) as error:
        return refusal(422, "cannot be answered", str(error))
    return jsonify(certain_content(found))


@blueprint.get("/c/<campaign>/api/certain/witness")
@allow_in_campaign("organiser")
def swap(campaign: str) -> Response:
    """The documents that would swap the runs `one` and `two`, as JSON."""
    try:
        args, _ = in_rows(request.args, "as-of")
        found = _witness(args)
    except CampaignUnavailable:
        raise
    except (CampaignError, UnknownName) as error:
        return refusal(422, "cannot be answered", str(error))
    return jsonify(witness_content(found))


def _measure(args: MultiDict[str, str]) -> str:
    return args.get("measure", "")[: compare_request.LONGEST].strip() or DEFAULT_MEASURE


def _witness(args: MultiDict[str, str]) -> Witness:
    one, two = (args.get(name, "")[: compare_request.LONGEST] for name in ("one", "two"))
    return witness(g.campaign, one, two, _measure(args), as_of=compare_request.row(args))


def _certain() -> dict[str, Any]:
    args, said = in_rows(request.args, "as-of")
    as_of = compare_request.row(args)
    found = certain_pairs(g.campaign, _measure(args), as_of=as_of, most_steps=PAGE_STEPS)
    rows = found.rows()
    shown: dict[str, Any] = {
        "said": said,
        "moment": {} if as_of is None else {"as_of": as_of},
        "certain": found,
        "default_measure": DEFAULT_MEASURE,
        "sentence": certain_sentence(found),
        "notes": notes_on_certain(found),
        "open": _open(rows),
        "n_open": found.number("open"),
        "more": {row: _can(found, row) for row in _open(rows)},
        "next": _next(found, as_of),
        "grades": {grade.grade: grade.name for grade in settings.read(g.campaign, as_of).grades},
    }
    if args.get("one") and args.get("two"):
        shown["witness"] = _witness(args)
        shown["listed"] = shown["witness"].documents[:LISTED_DOCUMENTS]
    listed = [(each.topic_id, each.document_id) for each in (*shown["next"], *shown.get("listed", ()))]
    return shown | _links(listed)


def _open(rows: list[PairState]) -> list[PairState]:
    """The open pairs, those that are nearest to a decision first."""
    open_ = [row for row in rows if row.state == "open"]
    return sorted(open_, key=lambda row: min(-row.lower, row.upper))[:LISTED_PAIRS]


def _can(found: CertainPairs, row: PairState) -> str:
    """What can become of an open pair."""
    if not found.exact:
        return "open"
    return "can swap" if row.lower < -SMALLEST and row.upper > SMALLEST else "can become level"


def _next(found: CertainPairs, as_of: int | None) -> list[NextDocument]:
    """The documents that decide most; none by a measure that says nothing of it."""
    try:
        return deciding_documents(g.campaign, str(found.measure), as_of=as_of, most_steps=PAGE_STEPS)
    except UnknownName:
        return []


def _links(pairs_listed: list[tuple[str, str]]) -> dict[str, Any]:
    """Titles of documents, and which of them can be opened on the judging page."""
    topics = {topic_id for topic_id, _ in pairs_listed}
    shown = {
        topic_id: set(pools.pooled_of_topic(g.campaign, topic_id))
        - documents.held_back_for(g.campaign, topic_id)
        for topic_id in topics
    }
    titles = {}
    for _, document_id in pairs_listed:
        stored = documents.find(g.campaign, document_id)
        titles[document_id] = stored.document.title if stored else ""
    return {"shown": shown, "titles": titles}
