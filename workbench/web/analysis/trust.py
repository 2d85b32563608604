"""Can we stop: one recommendation with its evidence for organisers, and JSON, also for readers of the leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from flask import Response, abort, g, jsonify, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.trust import sentences
from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE, CertainPairs, PairState
from workbench.analysis.trust.decisions import Decision
from workbench.analysis.trust.evidence import CERTAIN, HISTORY, IN_A_JOB, LISTED_RUNS, STOP, SWAP, Stopping
from workbench.analysis.trust.found import TopicFound
from workbench.analysis.trust.intervals import IntervalsRequest, RunInterval, run_intervals
from workbench.analysis.trust.next_documents import NextDocument, next_documents
from workbench.analysis.trust.witness import Deciding
from workbench.core.errors import REFUSED, UnknownName
from workbench.core.results import content
from workbench.core.wording import counted
from workbench.formats.tables.sheets import sheet_of
from workbench.scoring.board import DEFAULT_MEASURES
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import BOARD_READERS, ORGANISERS, Pages
from workbench.web.analysis.result_pages import ResultRequest, Served, serve_numbers, table_file
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import refusal
from workbench.web.requests.lists import Filter, Listing, listing_of, one_of
from workbench.web.scoring.board_intervals import intervals_soon

blueprint = Pages("trust", __name__)

TAKES_LONGER = "The answer now takes longer to compute: load this page again."
LISTED_DOCUMENTS = 100
Links = list[tuple[str, str]]
"""What is shown in the cells of a column, each with an address, or "" without one."""
RISKS = (0.1, 0.05, 0.01, 0.001)

ANSWER = Served(STOP, "trust.page")
OVER_TIME = Served(HISTORY, "trust.page", "history")
SWAPPED = Served(SWAP, "trust.page", "swap")
serve_numbers(blueprint, ANSWER)
serve_numbers(blueprint, Served(CERTAIN, "trust.page"), roles=BOARD_READERS)
serve_numbers(blueprint, OVER_TIME, "/certain/history", BOARD_READERS)
serve_numbers(blueprint, SWAPPED, "/certain/witness")


def _pairs_listing(kind: Any, states: Iterable[str], prefix: str) -> Listing[Any]:
    by_state: Filter[Any] = one_of("state", "State", states, lambda row: row.state, every="any")
    return listing_of(
        kind, "pair", lambda row: f"{row.run_a} {row.run_b}", "One or two runs", prefix, filters=(by_state,)
    )


CERTAIN_PAIRS = _pairs_listing(PairState, ("certain", "tied for certain", "open"), "certain-")
DECIDED = _pairs_listing(Decision, ("certain", "tied for certain", "decided", "open"), "decided-")
INTERVALS = listing_of(RunInterval, "run", lambda row: row.run, "Run", "interval-")
TOPICS = listing_of(TopicFound, "topic", lambda row: row.topic_id, "Topic id", "topic-")
NEXT = listing_of(
    NextDocument, "document", lambda row: f"{row.topic_id} {row.document_id}", "Topic or document", "next-"
)


@blueprint.get("/c/<campaign>/stop", allow=ORGANISERS)
def page(campaign: str) -> ResponseReturnValue:
    """The recommendation by `?measure=` at the risk `?alpha=`, and its evidence; with `one` and `two` the documents
    that would swap these runs, with `table` and `format` one table as a file.

    What takes seconds becomes a job; so does the history along the log with `?history=1`.
    """
    shown: dict[str, Any] = {}
    problem = ""
    try:
        asked = ANSWER.read()
        for served in (ANSWER, *([OVER_TIME] if "history" in request.args else [])):
            wanted, shown_at = served.read(), ANSWER._replace(anchor=served.anchor)
            if wanted.takes_long():
                return campaign_jobs.answer(served.begin(wanted), partial(shown_at.redirect, asked))
        if "format" in request.args:
            return _file(asked)
        shown = _shown(asked)
    except REFUSED as error:
        problem = str(error)
    measures = list(dict.fromkeys([DEFAULT_MEASURE, "P@10", "nDCG@10", *DEFAULT_MEASURES]))
    page = render_template(
        "analysis/trust/page.html", args=request.args, measures=measures, problem=problem, found=shown,
        risks=RISKS,
    )  # fmt: skip
    return make_response(page, 422 if problem else 200)


@blueprint.get("/c/<campaign>/api/stop/answer", allow=ORGANISERS)
def answer(campaign: str) -> ResponseReturnValue:
    """Whether judging can stop: the answer alone, or 304 when nothing happened since the ETag that the browser knows.

    It begins no job: 202 where it takes longer.
    """
    try:
        asked = ANSWER.read()
        head = log.head(asked.campaign)
        known_as = f"{head.seq}-{head.hash.hex()[:16]}"
        if request.if_none_match.contains(known_as):
            response = Response(status=304)
        elif asked.takes_long():
            return jsonify(message=TAKES_LONGER), 202
        else:
            response = jsonify(content(asked.answer().recommendation))
    except REFUSED as error:
        return refusal(422, "cannot be computed", str(error))
    response.set_etag(known_as)
    return response


def _evidence(asked: ResultRequest, found: Stopping) -> dict[str, tuple[Listing[Any], Sequence[Any]]]:
    """The tables that there are, by name: the list and its rows."""
    certain, pairs = found.certain, found.decisions.pairs if found.decisions else ()
    intervals = intervals_soon(asked.campaign, IntervalsRequest((asked.values["measure"],)))
    is_known = intervals is not None and intervals.head == certain.head
    tables: dict[str, tuple[Listing[Any], Sequence[Any]]] = {
        "certain": (CERTAIN_PAIRS, sorted(certain.among(certain.tags[:LISTED_RUNS]).rows(), key=_nearest)),
        "decided": (DECIDED, sorted(pairs, key=_open_first)),
        "intervals": (INTERVALS, run_intervals(intervals) if intervals and is_known else ()),
        "topics": (TOPICS, sorted(found.topics or (), key=_least_found)),
        "next": (NEXT, _next(asked)),
    }
    return {name: each for name, each in tables.items() if each[1]}


def _nearest(pair: PairState) -> tuple[bool, float]:
    """Open pairs first, those that are nearest to certainty first of all."""
    return pair.state != "open", min(-pair.lower, pair.upper)


def _open_first(pair: Decision) -> tuple[bool, float]:
    """Open pairs first, those that are nearest to a decision first of all."""
    return pair.state != "open", pair.risk


def _least_found(topic: TopicFound) -> tuple[bool, float]:
    """Topics without a limit come last, those of which least is found first."""
    return topic.missing is None, 1.0 if topic.recall is None else topic.recall


def _next(asked: ResultRequest) -> list[NextDocument]:
    """The documents that decide most; none by a measure that says nothing of it."""
    try:
        return next_documents(asked.campaign, asked.values["measure"], most_steps=IN_A_JOB)
    except UnknownName:
        return []


def _file(asked: ResultRequest) -> Response:
    """One table as a file."""
    name = request.args.get("table", "")
    listing, rows = _evidence(asked, asked.answer()).get(name, (None, ()))
    if listing is None:
        abort(404, "There is no such table.")
    return table_file(name, sheet_of(listing.kind, rows), rows)


def _shown(asked: ResultRequest) -> dict[str, Any]:
    """What the page shows: the recommendation, and each table with its view of the address."""
    found: Stopping = asked.answer()
    certain, kept = found.certain, asked.fields()
    views = {
        name: listing.view(rows, request.args, "trust.page", campaign=g.campaign.name, _anchor=name, **kept)
        for name, (listing, rows) in _evidence(asked, found).items()
        if certain.n_topics
    }
    shown: dict[str, Any] = {
        "address": kept,
        "answer": found.recommendation,
        "said": asked.said,
        "certain": certain,
        "decisions": found.decisions,
        "views": views,
        "moment": {} if asked.as_of is None else {"as_of": asked.as_of},
        "words": _words(found),
        "listed_runs": LISTED_RUNS,
        "linked": {},
    }
    if "certain" in views:
        history = OVER_TIME.read()
        shown["linked"]["certain"] = {"state": _states(asked, certain, views["certain"].rows)}
        shown["slow_history"] = history.takes_long()
        shown["history_pairs"] = _fewer_pairs_in_history(certain, history)
    if "next" in views:
        shown["linked"]["next"] = _documents(views["next"].rows)
    if request.args.get("one") and request.args.get("two"):
        shown |= _swapped(SWAPPED.read())
    return shown


def _words(found: Stopping) -> dict[str, list[str]]:
    """What is said of each table."""
    certain, order, alpha = found.certain, found.decisions, found.recommendation.alpha
    words = {"certain": [sentences.certain_sentence(certain), *sentences.notes_on_certain(certain)]}
    if order is not None:
        if order.pooled < order.documents:
            words["certain"].append(sentences.not_drawn(order))
        notes = sentences.notes_on_decided(order, g.campaign.command_name)
        words["decided"] = [sentences.decided_sentence(order), *notes]
    if found.topics is not None:
        words["topics"] = [sentences.found_summary(found.topics, alpha)]
    return words


def _states(asked: ResultRequest, certain: CertainPairs, rows: Sequence[PairState]) -> Links:
    """What can become of each pair, and where the documents are that would swap it, if it is open."""
    address = ANSWER._replace(anchor="swap").address
    return [
        (
            sentences.what_can_become(certain, row),
            address(asked, one=row.run_a, two=row.run_b) if row.state == "open" else "",
        )
        for row in rows
    ]


def _swapped(asked: ResultRequest) -> dict[str, Any]:
    """The witness that is asked for, and its first documents."""
    found = asked.answer()
    grades = {grade.grade: grade.name for grade in settings.read(asked.campaign).grades}
    listed = found.documents[:LISTED_DOCUMENTS]
    names = {"grade": [(grades.get(each.grade, str(each.grade)), "") for each in listed]}
    return {"witness": found, "swap": sheet_of(Deciding, listed), "swap_links": _documents(listed) | names}


def _fewer_pairs_in_history(certain: CertainPairs, asked: ResultRequest) -> str | None:
    """How many pairs the history that a job has found is of at last, where these are not all."""
    found = HISTORY.known(asked.campaign, asked.values)
    last = found.points[-1].pairs if found and found.points else None
    if last is None or last >= len(certain.tags) * (len(certain.tags) - 1) // 2:
        return None
    return counted(last, "pair")


def _documents(rows: Sequence[Any]) -> dict[str, Links]:
    """The pages of documents and of their topics; a document is called by its title, where it has one, and its id."""
    name, titles = g.campaign.name, documents.titles(g.campaign, [row.document_id for row in rows])
    return {
        "document_id": [
            (
                " ".join(filter(None, (titles.get(row.document_id, "")[:80], row.document_id))),
                url_for("pairs.page", campaign=name, topic=row.topic_id, document=row.document_id),
            )
            for row in rows
        ],
        "topic_id": [
            (row.topic_id, url_for("topics.topic", campaign=name, topic=row.topic_id)) for row in rows
        ],
    }
