"""Can we stop: one recommendation with its evidence for organisers, and JSON, also for readers of the leaderboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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

from workbench.analysis.trust import evidence, sentences
from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE, CertainPairs, PairState
from workbench.analysis.trust.decisions import ALPHA, Decision
from workbench.analysis.trust.evidence import Decided, Part, Question
from workbench.analysis.trust.found import TopicFound
from workbench.analysis.trust.intervals import IntervalsRequest, RunInterval, run_intervals
from workbench.analysis.trust.next_documents import NextDocument, next_documents
from workbench.analysis.trust.recommendation import recommend, recommendation
from workbench.analysis.trust.records import CertainHistory, Stopping
from workbench.analysis.trust.witness import Deciding, Witness, witness
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.results import content
from workbench.core.wording import counted
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import Limits, Outcome, StartedJob, Work
from workbench.methods.measures import parse_measure
from workbench.scoring.board import DEFAULT_MEASURES
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import BOARD_READERS, allow_in_campaign
from workbench.web.analysis import compare_request
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import attached, refusal
from workbench.web.requests.form_values import in_rows
from workbench.web.requests.lists import Filter, Listing, listing_of, one_of
from workbench.web.scoring.board_intervals import intervals_soon

blueprint = Blueprint("trust", __name__)

KIND = "trust"
"""The kind of this page's jobs."""
FOR_ALL_PAIRS = Limits(seconds=3_600)
TAKES_LONGER = "The answer now takes longer to compute: load this page again."
LISTED_DOCUMENTS = 100
LISTED_RUNS = 200
"""The pairs of this many runs are listed where none are named."""
Links = list[tuple[str, str]]
"""What is shown in the cells of a column, each with an address, or "" without one."""
RISKS = (0.1, 0.05, 0.01, 0.001)
Refused = (CampaignError, NotThere, UnknownName)


def _pairs_listing(kind: Any, states: Iterable[str], prefix: str) -> Listing[Any]:
    by_state: Filter[Any] = one_of("state", "State", states, lambda row: row.state, every="any")
    return listing_of(
        kind, "pair", lambda row: f"{row.run_a} {row.run_b}", "One or two runs", prefix, filters=(by_state,)
    )


CERTAIN = _pairs_listing(PairState, ("certain", "tied for certain", "open"), "certain-")
DECIDED = _pairs_listing(Decision, ("certain", "tied for certain", "decided", "open"), "decided-")
INTERVALS = listing_of(RunInterval, "run", lambda row: row.run, "Run", "interval-")
TOPICS = listing_of(TopicFound, "topic", lambda row: row.topic_id, "Topic id", "topic-")
NEXT = listing_of(
    NextDocument, "document", lambda row: f"{row.topic_id} {row.document_id}", "Topic or document", "next-"
)


@blueprint.get("/c/<campaign>/stop")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """The recommendation by `?measure=` at the risk `?alpha=`, and its evidence; with `one` and `two` the documents
    that would swap these runs, with `table` and `format` one table as a file.

    What takes seconds becomes a job; so does the history along the log with `?history=1`.
    """
    shown: dict[str, Any] = {}
    problem = ""
    try:
        question, said = _question()
        slow = evidence.slow_parts(g.campaign, question, "pairs", "decided")
        if "history" in request.args:
            slow += evidence.slow_parts(g.campaign, question, "history")
        if slow:
            part = "history" if "history" in slow else None
            return campaign_jobs.answer(
                _begin(question, slow), lambda found: redirect(_address(found.question, part), 303)
            )
        if "format" in request.args:
            return _file(question)
        shown = {"said": said, **_shown(question)}
    except Refused as error:
        problem = str(error)
    measures = list(dict.fromkeys([DEFAULT_MEASURE, "P@10", "nDCG@10", *DEFAULT_MEASURES]))
    page = render_template(
        "analysis/trust/page.html", name=campaign, args=request.args, measures=measures, problem=problem, found=shown,
        risks=RISKS,
    )  # fmt: skip
    return make_response(page, 422 if problem else 200)


@blueprint.get("/c/<campaign>/api/stop")
@allow_in_campaign("organiser")
def numbers(campaign: str) -> ResponseReturnValue:
    """The recommendation with what draws decide, as JSON; 202 with a job while it is computed."""
    return _answered(("pairs", "decided"), _stopping)


@blueprint.get("/c/<campaign>/api/stop/answer")
@allow_in_campaign("organiser")
def answer(campaign: str) -> ResponseReturnValue:
    """The recommendation alone, as JSON, or 304 when nothing happened since the ETag that the browser knows.

    It begins no job: 202 where it takes longer.
    """
    try:
        question, _ = _question()
        head = log.head_at(g.campaign, question.as_of)
        known_as = f"{head.seq}-{head.hash.hex()[:16]}"
        if request.if_none_match.contains(known_as):
            response = Response(status=304)
        elif evidence.slow_parts(g.campaign, question, "pairs", "decided"):
            return jsonify(message=TAKES_LONGER), 202
        else:
            response = jsonify(content(recommend(g.campaign, question)))
    except Refused as error:
        return refusal(422, "cannot be answered", str(error))
    response.set_etag(known_as)
    return response


@blueprint.get("/c/<campaign>/api/certain")
@allow_in_campaign(*BOARD_READERS)
def pairs(campaign: str) -> ResponseReturnValue:
    """The certain pairs as JSON; 202 with a job while they are computed. Of more than 200 runs the best are listed."""
    return _answered(
        ("pairs",),
        lambda question: evidence.pairs_now(g.campaign, question).listing(LISTED_RUNS),
    )


@blueprint.get("/c/<campaign>/api/certain/history")
@allow_in_campaign(*BOARD_READERS)
def history(campaign: str) -> ResponseReturnValue:
    """How many pairs were certain after rows of the log, as JSON; 202 with a job while that is computed."""
    return _answered(("history",), _history)


@blueprint.get("/c/<campaign>/api/certain/witness")
@allow_in_campaign("organiser")
def swap(campaign: str) -> ResponseReturnValue:
    """The documents that would swap the runs `one` and `two`, as JSON."""
    return _answered((), _witness)


def _answered(parts: Sequence[Part], find: Callable[[Question], Any]) -> ResponseReturnValue:
    """What `find` gives as JSON, after a job where a part takes long."""
    try:
        question, _ = _question(request.args.getlist("run"))
        if slow := evidence.slow_parts(g.campaign, question, *parts):
            return campaign_jobs.answer(
                _begin(question, slow), lambda found: jsonify(content(find(found.question)))
            )
        return jsonify(content(find(question)))
    except Refused as error:
        return refusal(422, "cannot be answered", str(error))


def _question(runs: Sequence[str] = ()) -> tuple[Question, list[str]]:
    """What the address asks for, and how its moment was read; UnknownName where it cannot be read."""
    args, said = in_rows(request.args, "as-of")
    text = args.get("alpha", "").strip() or str(ALPHA)
    try:
        alpha = float(text)
    except ValueError:
        message = f"the risk must be a number above 0 and below 1, such as 0.05, not {text[:40]!r}"
        raise UnknownName(message) from None
    as_of = compare_request.row(args)
    measure = args.get("measure", "")[: compare_request.LONGEST].strip()
    tags = tuple(tag[: compare_request.LONGEST] for tag in runs)
    return Question(measure or evidence.usual_measure(g.campaign, as_of), alpha, as_of, tags), said


def _begin(question: Question, parts: tuple[Part, ...]) -> StartedJob:
    """The job that finds what takes long, once for all who ask."""
    path, to_page = g.campaign.path, _address(question._replace(as_of=None))
    anchor = "#history" if "history" in parts else ""

    def outcome_of(found: evidence.Found) -> Outcome:
        evidence.keep(path, found)
        address = f"{to_page}&as-of={found.seq}{anchor}"
        return Outcome(f"As of log row {found.seq:,}.", address, "Show the result")

    return campaign_jobs.begin(
        f"Can we stop: {question.measure}, risk {question.alpha:g}",
        KIND,
        Work(evidence.found_in_file, (path, question, parts), reports=True),
        key=(question, parts),
        limits=FOR_ALL_PAIRS,
        outcome_of=outcome_of,
        user_errors=Refused,
    )


def _address(question: Question, part: str | None = None, **more: Any) -> str:
    fields: dict[str, Any] = {"measure": question.measure, "alpha": question.alpha, "as-of": question.as_of}
    return url_for("trust.page", campaign=g.campaign.name, **fields, **more, _anchor=part)


def _stopping(question: Question) -> Stopping:
    decided = evidence.cached_decided(g.campaign, question)
    return Stopping(recommend(g.campaign, question), decided.decisions, decided.topics)


def _history(question: Question) -> CertainHistory:
    seq = log.head_at(g.campaign, question.as_of).seq
    points = evidence.cached_history(g.campaign, question._replace(as_of=seq))
    return CertainHistory(seq, parse_measure(question.measure), tuple(points))


def _witness(question: Question) -> Witness:
    one, two = (request.args.get(name, "")[: compare_request.LONGEST] for name in ("one", "two"))
    return witness(g.campaign, one, two, question.measure, as_of=question.as_of)


def _evidence(
    question: Question, certain: CertainPairs, decided: Decided
) -> dict[str, tuple[Listing[Any], Sequence[Any]]]:
    """The tables that there are, by name: the list and its rows."""
    pairs = decided.decisions.pairs if decided.decisions else ()
    sure = intervals_soon(IntervalsRequest((question.measure,)), question.as_of)
    is_known = sure is not None and sure.head == certain.head
    found: dict[str, tuple[Listing[Any], Sequence[Any]]] = {
        "certain": (CERTAIN, sorted(certain.among(certain.tags[:LISTED_RUNS]).rows(), key=_nearest)),
        "decided": (DECIDED, sorted(pairs, key=_open_first)),
        "intervals": (INTERVALS, run_intervals(sure) if sure and is_known else ()),
        "topics": (TOPICS, sorted(decided.topics or (), key=_least_found)),
        "next": (NEXT, _next(question)),
    }
    return {name: each for name, each in found.items() if each[1]}


def _nearest(pair: PairState) -> tuple[bool, float]:
    """Open pairs first, those that are nearest to certainty first of all."""
    return pair.state != "open", min(-pair.lower, pair.upper)


def _open_first(pair: Decision) -> tuple[bool, float]:
    """Open pairs first, those that are nearest to a decision first of all."""
    return pair.state != "open", pair.risk


def _least_found(topic: TopicFound) -> tuple[bool, float]:
    """Topics without a limit come last, those of which least is found first."""
    return topic.missing is None, 1.0 if topic.recall is None else topic.recall


def _next(question: Question) -> list[NextDocument]:
    """The documents that decide most; none by a measure that says nothing of it."""
    try:
        request = question.pairs
        return next_documents(g.campaign, request.measure, as_of=request.as_of, most_steps=request.most_steps)
    except UnknownName:
        return []


def _file(question: Question) -> Response:
    """One table as a file."""
    certain, decided = evidence.pairs_now(g.campaign, question), evidence.cached_decided(g.campaign, question)
    name, kind = request.args.get("table", ""), request.args["format"]
    listing, rows = _evidence(question, certain, decided).get(name, (None, ()))
    if listing is None or kind not in ("csv", "json"):
        abort(404, "There is no such table, or no such format.")
    if kind == "json":
        return attached(json_text(content(rows)), f"{g.campaign.name}.{name}.json", "application/json")
    text = "".join(as_csv(sheet_of(listing.kind, rows)))
    return attached(text, f"{g.campaign.name}.{name}.csv", "text/csv; charset=utf-8")


def _shown(question: Question) -> dict[str, Any]:
    """What the page shows: the recommendation, and each table with its view of the address."""
    certain, decided = evidence.pairs_now(g.campaign, question), evidence.cached_decided(g.campaign, question)
    kept = {"measure": question.measure, "alpha": question.alpha, "as-of": question.as_of}
    views = {
        name: listing.view(rows, request.args, "trust.page", campaign=g.campaign.name, _anchor=name, **kept)
        for name, (listing, rows) in _evidence(question, certain, decided).items()
        if certain.n_topics
    }
    shown: dict[str, Any] = {
        "address": kept,
        "answer": recommendation(certain, decided, question.alpha, g.campaign.command_name),
        "certain": certain,
        "decisions": decided.decisions,
        "views": views,
        "moment": {} if question.as_of is None else {"as_of": question.as_of},
        "words": _words(certain, decided, question),
        "listed_runs": LISTED_RUNS,
        "linked": {},
    }
    if "certain" in views:
        shown["linked"]["certain"] = {"state": _states(question, certain, views["certain"].rows)}
        shown["slow_history"] = bool(evidence.slow_parts(g.campaign, question, "history"))
        shown["history_pairs"] = _fewer_pairs_in_history(certain, question)
    if "next" in views:
        shown["linked"]["next"] = _documents(views["next"].rows)
    if request.args.get("one") and request.args.get("two"):
        shown |= _swapped(_witness(question), question)
    return shown


def _words(certain: CertainPairs, decided: Decided, question: Question) -> dict[str, list[str]]:
    """What is said of each table."""
    words = {"certain": [sentences.certain_sentence(certain), *sentences.notes_on_certain(certain)]}
    if (order := decided.decisions) is not None and order.pooled < order.documents:
        words["certain"].append(sentences.not_drawn(order))
    if decided.decisions is not None:
        notes = sentences.notes_on_decided(decided.decisions, g.campaign.command_name)
        words["decided"] = [sentences.decided_sentence(decided.decisions), *notes]
    if decided.topics is not None:
        words["topics"] = [sentences.found_summary(decided.topics, question.alpha)]
    return words


def _states(question: Question, certain: CertainPairs, rows: Sequence[PairState]) -> Links:
    """What can become of each pair, and where the documents are that would swap it, if it is open."""
    return [
        (
            sentences.what_can_become(certain, row),
            _address(question, "swap", one=row.run_a, two=row.run_b) if row.state == "open" else "",
        )
        for row in rows
    ]


def _swapped(found: Witness, question: Question) -> dict[str, Any]:
    """The witness that is asked for, and its first documents."""
    grades = {grade.grade: grade.name for grade in settings.read(g.campaign, question.as_of).grades}
    listed = found.documents[:LISTED_DOCUMENTS]
    names = {"grade": [(grades.get(each.grade, str(each.grade)), "") for each in listed]}
    return {"witness": found, "swap": sheet_of(Deciding, listed), "swap_links": _documents(listed) | names}


def _fewer_pairs_in_history(certain: CertainPairs, question: Question) -> str | None:
    """How many pairs the history that a job has found is of at last, where these are not all."""
    points = evidence.known_history(g.campaign, question)
    if not points or points[-1].pairs >= len(certain.tags) * (len(certain.tags) - 1) // 2:
        return None
    return counted(points[-1].pairs, "pair")


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
