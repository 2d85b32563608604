"""Comparing: two to five runs topic by topic, all pairs of runs, two leaderboards, and how many topics it takes.

Everything that is asked for is in the address. What cannot be compared is answered with 422, the form as it was
sent, and a sentence that says what to change.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Response, g, make_response, render_template, request
from flask.typing import ResponseReturnValue

from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.declared import COMPARISON, PAIRS, PLAN, STEPS
from workbench.analysis.comparing.documents import TopicDifference, influential_documents
from workbench.analysis.comparing.leaderboards import (
    Agreement,
    leaderboard,
    leaderboard_by_file,
    two_leaderboards,
)
from workbench.analysis.comparing.runs import Comparison
from workbench.analysis.comparing.scores import scores_of
from workbench.analysis.figures.comparisons import CORRECTIONS, chart_of_agreement
from workbench.analysis.figures.rankings import drawable
from workbench.analysis.trust.certain_pairs import PairsRequest
from workbench.analysis.trust.evidence import pairs_soon
from workbench.analysis.trust.sentences import what_can_become
from workbench.campaign.uploads import Sent
from workbench.core.about import ONE
from workbench.core.errors import REFUSED, InputError, UnknownName
from workbench.core.extras import missing
from workbench.jobs.processes import Work
from workbench.methods.charts import FORMATS
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board.past_boards import table_of
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics, withdrawals
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.collection.rounds import taking_part
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.analysis import compare_words as words
from workbench.web.analysis.compare_words import pair_rows, pairs_list, topics_list
from workbench.web.analysis.result_pages import LONGEST, ResultRequest, Served, serve_numbers
from workbench.web.requests.form_values import found_as_of, seen_campaign
from workbench.web.requests.long_work import drawn, takes_long
from workbench.web.requests.uploads import in_worker_for_uploads, sent_files, takes_uploads, upload_limits
from workbench.web.scoring.board_view import judged_beside, percent

blueprint = Pages("compare", __name__)

RESAMPLES = 200
"""Sets of topics drawn again for the interval of tau: some tenths of a second for 143 runs."""
CLOSER = 8
"""How many documents of each kind are shown on a topic."""

POWERS = (0.7, 0.8, 0.9, 0.95)
"""Chances to detect a difference that are offered."""

RUNS = Served(COMPARISON, "compare.page")
EVERY_PAIR = Served(PAIRS, "compare.pairs")
TOPIC_SET = Served(PLAN, "compare.topic_set")
serve_numbers(blueprint, RUNS, "/compare")
serve_numbers(blueprint, EVERY_PAIR, "/compare/pairs")
serve_numbers(blueprint, TOPIC_SET, "/compare/topics")

View = dict[str, Any]


@blueprint.get("/c/<campaign>/compare", allow=ORGANISERS)
def page(campaign: str) -> ResponseReturnValue:
    """Two to five runs, topic by topic, by the first of them; by default the two best."""
    return answer("runs", lambda: _compared(RUNS.read()))


@blueprint.get("/c/<campaign>/compare/pairs", allow=ORGANISERS)
def pairs(campaign: str) -> ResponseReturnValue:
    """All pairs of runs, corrected for their number."""
    return answer("pairs", lambda: _all_pairs(EVERY_PAIR.read()))


@blueprint.get("/c/<campaign>/compare/boards", allow=ORGANISERS)
def boards(campaign: str) -> ResponseReturnValue:
    """Two leaderboards: two measures, or two moments."""
    return answer("boards", _two_boards)


@blueprint.post("/c/<campaign>/compare/boards", allow=ORGANISERS)
@takes_uploads
@takes_long
def boards_by_file(campaign: str) -> ResponseReturnValue:
    """The leaderboard beside the one that a file of judgments gives; the file is checked and not kept."""
    with sent_files() as files:
        return answer("boards", lambda: _boards_by(files))


@blueprint.get("/c/<campaign>/compare/topics", allow=ORGANISERS)
def topic_set(campaign: str) -> ResponseReturnValue:
    """How many topics show which difference."""
    return answer("power", lambda: _topic_plan(TOPIC_SET.read()))


def answer(name: str, find: Callable[[], View]) -> Response:
    """A page with what `find` gives, or with what is wrong with the question."""
    found: View = {}
    problems: list[str] = []
    try:
        found = find()
    except InputError as error:
        problems = [str(problem) for problem in error.problems[:25]]
    except REFUSED as error:
        problems = [str(error)]
    asked: ResultRequest | None = found.get("asked")
    if "format" in request.args and asked is not None:
        return asked.file()
    page = render_template(
        f"analysis/compare/{name}.html",
        tags=found.get("tags") or [run.record.tag for run in taking_part(seen_campaign())],
        measures=_usual(),
        args=request.values,
        newest=log.newest_seq(g.campaign),
        problems=problems,
        words=words,
        found=found,
        said=found.get("said", []),
        judged=found.get("judged", True),
        withdrawn=len(withdrawals.withdrawn(g.campaign)),
        steps=STEPS,
        powers=POWERS,
    )
    return make_response(page, 422 if problems else 200)


def _beginning(asked: ResultRequest) -> View:
    """What every page says of the scores of all runs; without two runs or a judged topic that is all there is."""
    scored = scores_of(asked.campaign, asked.values["measure"])
    if not scored.topic_ids or len(scored.tags) < 2:
        return {"judged": bool(scored.topic_ids)}
    moment = {} if asked.as_of is None else {"as_of": asked.as_of}
    said = [asked.said] if asked.said else []
    return {"asked": asked, "tags": scored.tags, "moment": moment, "said": said}


def _shares(campaign: Campaign, measure: BoundMeasure) -> tuple[str, dict[str, str]]:
    """The measure that says how much of the scores rests on judged documents, and each run's share in percent."""
    name = judged_beside(measure)
    if name is None:
        return "", {}
    return name, {row.tag: percent(row.values[0]) for row in table_of(campaign, [name]).rows}


def _compared(asked: ResultRequest) -> View:
    shown = _beginning(asked)
    if "asked" not in shown:
        return shown
    found: Comparison = asked.answer()
    judged_by, shares = _shares(asked.campaign, found.measure)
    kept = asked.fields(run=list(found.tags), baseline=None, measure=str(found.measure))
    return shown | {
        "judged_by": judged_by,
        "shares": shares,
        "comparison": found,
        "chosen": found.tags,
        "is_default": not (asked.values["run"] or asked.values["baseline"]),
        "list": topics_list(found).view(
            words.topic_rows(found), request.args, "compare.page", campaign=g.campaign.name, **kept
        ),
        "closer": _closer(found, asked),
        "certain": _certain(found.tags, asked),
    }


def _certain(tags: Sequence[str], asked: ResultRequest) -> dict[str, str]:
    """By run what judging the rest of the pool can do to its difference from the first; empty where none is known."""
    try:
        found = pairs_soon(asked.campaign, PairsRequest(asked.values["measure"], tuple(tags)))
    except UnknownName:
        return {}
    if found is None:
        return {}
    words_of = {frozenset(row[:2]): what_can_become(found, row) for row in found.rows()}
    return {tag: words_of[frozenset((tags[0], tag))] for tag in tags[1:]}


def _closer(found: Comparison, asked: ResultRequest) -> View:
    """A topic with the documents that make the difference: the one asked for, else that of the largest difference."""
    topic, closer = (request.args.get(name, "")[:LONGEST] for name in ("topic", "closer"))
    run = closer or found.tags[1]
    if run not in found.tags[1:]:
        raise UnknownName(f"run {run} is not among those compared with {found.baseline}")
    column = found.tags.index(run)
    largest = max(found.values.tolist(), key=lambda row: abs(row[column] - row[0]))
    topic_id = topic or found.topic_ids[found.values.tolist().index(largest)]
    if topic_id not in found.topic_ids:
        raise UnknownName(f"topic {topic_id!r} has no judgments, or does not exist")
    difference = influential_documents(
        asked.campaign, run, found.baseline, topic_id, measure=asked.values["measure"], limit=CLOSER
    )
    stored = topics.find(g.campaign, topic_id)
    return {
        "difference": difference,
        "title": stored.topic.title if stored else "",
        "drawable": drawable(asked.campaign, topic_id, found.tags),
        **_named(difference, asked.campaign),
    }


def _named(difference: TopicDifference, campaign: Campaign) -> View:
    """What the documents of a topic are called, and the grades."""
    shown = [each.document_id for each in (*difference.judged, *difference.unjudged)]
    stored = {document_id: documents.find(g.campaign, document_id) for document_id in shown}
    return {
        "one": ONE[about(campaign)],
        "titles": {key: each.document.title if each else "" for key, each in stored.items()},
        "grades": {grade.grade: grade.name for grade in settings.read(campaign).grades},
    }


def _all_pairs(asked: ResultRequest) -> View:
    correction = request.args.get("correction") or "tukey"
    if correction not in CORRECTIONS:
        raise UnknownName(f"the correction must be one of {', '.join(CORRECTIONS)}, not {correction[:40]!r}")
    shown = _beginning(asked)
    if "asked" not in shown:
        return shown
    found: AllPairs = asked.answer()
    kept = asked.fields(correction=correction)
    return shown | {
        "pairs": found,
        "list": pairs_list(found).view(
            pair_rows(found, CORRECTIONS[correction].values(found)),
            request.args,
            "compare.pairs",
            campaign=g.campaign.name,
            **kept,
        ),
        "corrections": CORRECTIONS,
        "correction": correction,
        "teams": {run.record.tag: run.record.team for run in taking_part(asked.campaign)},
        "ways": _ways(found),
        "ahead": _beaten(found.randomised_tukey <= found.alpha),
    }


def _ways(found: AllPairs) -> list[tuple[str, int, float]]:
    """Tests from the mildest to the strictest: name, pairs that differ, their share of all pairs."""
    ways = (
        ("Paired t, not corrected", found.paired_t),
        ("Paired t, Benjamini-Hochberg", found.benjamini_hochberg),
        ("Paired t, Holm", found.holm),
        ("Randomised Tukey HSD", found.randomised_tukey),
    )
    return [(way, found.significant(p), found.discriminative_power(p)) for way, p in ways]


def _beaten(differs: Any) -> list[tuple[int, int]]:
    """For each run from the top: how many of those below it, and of those above it, differ from it."""
    return [(int(row[place + 1 :].sum()), int(row[:place].sum())) for place, row in enumerate(differs)]


def _two_boards() -> View:
    found = [found_as_of(request.args.get(name, "")) for name in ("one_at", "two_at")]
    one_at, two_at = (None if each is None else each.seq for each in found)
    one = _measure(request.args.get("one", ""))
    two = _measure(request.args.get("two", ""), int(one_at is two_at is None))
    asked = {"one": one, "two": two, "one_at": one_at, "two_at": two_at}
    boards = [leaderboard(seen_campaign(at), name) for name, at in ((one, one_at), (two, two_at))]
    for board, at in zip(boards, (one_at, two_at), strict=True):
        if at is not None and not (board.scored.topic_ids and board.scored.tags):
            raise UnknownName(f"as of row {at:,} no run had been judged yet; name a later row")
    judged = all(board.scored.topic_ids for board in boards)
    if not judged or len(boards[0].scored.tags) < 2:
        return {"judged": judged, "request": asked}
    return {
        "agreement": two_leaderboards(*boards, resamples=RESAMPLES),
        "resamples": RESAMPLES,
        "request": asked,
        "file": None,
        "said": [str(each) for each in found if each is not None and str(each)],
        "parameters": {key: value for key, value in asked.items() if value is not None},
    }


def _usual() -> list[str]:
    """The measures that are offered; the first two where two leaderboards name none."""
    return list(dict.fromkeys([*usual_measures(g.campaign), "nDCG", "P@5", "nDCG@20"]))


def _measure(text: str, place: int = 0) -> str:
    return text.strip()[:LONGEST] or _usual()[place]


def _boards_by(files: list[Sent]) -> View:
    measure = _measure(request.form.get("measure", ""))
    if len(files) != 1:
        raise UnknownName("choose one file of judgments (qrels)")
    (sent,) = files
    limit = upload_limits().expanded
    seen = seen_campaign()
    read = partial(leaderboard_by_file, called=sent.name, largest=limit, part=seen.part)
    theirs = in_worker_for_uploads()(Work(read, (g.campaign.path, measure, sent.path)))
    agreement = two_leaderboards(
        leaderboard(seen, measure, name=f"{measure} by the campaign"), theirs, resamples=RESAMPLES
    )
    return {
        "agreement": agreement,
        "resamples": RESAMPLES,
        "request": None,
        "file": sent.name,
        "picture": _picture(agreement),
    }


def _picture(agreement: Agreement) -> str:
    """The slope chart as an address of its own, since there is no file on the server to draw it from later; "" without
    what draws it.
    """
    if missing("vl_convert"):
        return ""
    svg = drawn(FORMATS["svg"].write, chart_of_agreement(agreement))
    return f"data:image/svg+xml;base64,{b64encode(svg).decode()}"


def _topic_plan(asked: ResultRequest) -> View:
    shown = _beginning(asked)
    if "asked" not in shown:
        return shown
    made = asked.answer()
    plan = {"plan": made, "needed": sorted(made.needed), "detected": sorted(made.detected)}
    return shown | plan | {"request": asked.values}
