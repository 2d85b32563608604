"""Comparing: two to five runs topic by topic, all pairs of runs, two leaderboards, and how many topics it takes.

Everything that is asked for is in the address. What cannot be compared is answered with 422, the form as it was
sent, and a sentence that says what to change.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response, g, make_response, render_template, request
from flask.typing import ResponseReturnValue

from workbench.analysis.comparing import (
    Agreement,
    AllPairs,
    Comparison,
    Scored,
    TopicDifference,
    influential_documents,
    leaderboard,
    leaderboard_by_file,
    scores_of,
    two_leaderboards,
)
from workbench.analysis.comparing.all_pairs import STEPS, cached_pairs
from workbench.analysis.comparing.planning import TOPICS, plan
from workbench.analysis.comparing.runs import compare
from workbench.analysis.figures.comparisons import CORRECTIONS, DIFFERENCES, chart_of_agreement
from workbench.analysis.figures.rankings import drawable
from workbench.analysis.trust.certain_pairs import PairsRequest
from workbench.analysis.trust.evidence import pairs_soon
from workbench.analysis.trust.sentences import what_can_become
from workbench.campaign.uploads import Sent
from workbench.core.errors import CampaignError, InputError, NotThere, UnknownName
from workbench.jobs.processes import Work
from workbench.methods.charts import FORMATS
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board import DEFAULT_MEASURES, board_of
from workbench.scoring.board.history import board_history_of
from workbench.storage.campaign.collection import documents, runs, topics, withdrawals
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import allow_in_campaign
from workbench.web.analysis import compare_request
from workbench.web.analysis import compare_words as words
from workbench.web.analysis.compare_lists import pair_rows, pairs_list, topics_list
from workbench.web.requests.form_values import in_rows
from workbench.web.requests.long_work import drawn, takes_long
from workbench.web.requests.uploads import in_worker_for_uploads, sent_files, takes_uploads, upload_limits
from workbench.web.scoring.board_rows import judged_beside, percent

blueprint = Blueprint("compare", __name__)

RESAMPLES = 200
"""Sets of topics drawn again for the interval of tau: some tenths of a second for 143 runs."""
CLOSER = 8
"""How many documents of each kind are shown on a topic."""

View = dict[str, Any]


@blueprint.get("/c/<campaign>/compare")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """Two to five runs, topic by topic, by the first of them; by default the two best."""
    return answer("runs", _compared)


@blueprint.get("/c/<campaign>/compare/pairs")
@allow_in_campaign("organiser")
def pairs(campaign: str) -> ResponseReturnValue:
    """All pairs of runs, corrected for their number."""
    return answer("pairs", _all_pairs)


@blueprint.get("/c/<campaign>/compare/boards")
@allow_in_campaign("organiser")
def boards(campaign: str) -> ResponseReturnValue:
    """Two leaderboards: two measures, or two moments."""
    return answer("boards", _two_boards)


@blueprint.post("/c/<campaign>/compare/boards")
@allow_in_campaign("organiser")
@takes_uploads
@takes_long
def boards_by_file(campaign: str) -> ResponseReturnValue:
    """The leaderboard beside the one that a file of judgments gives; the file is checked and not kept."""
    with sent_files() as files:
        return answer("boards", lambda: _boards_by(files))


@blueprint.get("/c/<campaign>/compare/topics")
@allow_in_campaign("organiser")
def topic_set(campaign: str) -> ResponseReturnValue:
    """How many topics show which difference."""
    return answer("power", _topic_plan)


def answer(name: str, find: Callable[[], View]) -> Response:
    """A page with what `find` gives, or with what is wrong with the question."""
    found: View = {}
    problems: list[str] = []
    try:
        found = find()
    except InputError as error:
        problems = [str(problem) for problem in error.problems[:25]]
    except (CampaignError, NotThere, UnknownName) as error:
        problems = [str(error)]
    page = render_template(
        f"analysis/compare/{name}.html",
        name=g.campaign.name,
        here=name,
        tags=found.get("tags") or [run.record.tag for run in runs.in_force(g.campaign)],
        measures=list(dict.fromkeys([*DEFAULT_MEASURES, "nDCG", "P@5", "nDCG@20"])),
        args=request.values,
        newest=log.newest_seq(g.campaign),
        problems=problems,
        words=words,
        found=found,
        said=found.get("said", []),
        judged=found.get("judged", True),
        withdrawn=len(withdrawals.withdrawn(g.campaign)),
        steps=STEPS,
        powers=compare_request.POWERS,
    )
    return make_response(page, 422 if problems else 200)


def _scored(measure: str, as_of: int | None) -> Scored:
    return scores_of(g.campaign.at(as_of), measure)


def _shares(measure: BoundMeasure, as_of: int | None) -> tuple[str, dict[str, str]]:
    """The measure that says how much of the scores rests on judged documents, and each run's share in percent."""
    name = judged_beside(measure)
    if name is None:
        return "", {}
    if as_of is None:
        table = board_of(g.campaign).table(g.campaign, [name])
    else:
        table = board_history_of(g.campaign).table(g.campaign, [name], as_of)
    return name, {row.tag: percent(row.values[0]) for row in table.rows}


def _address(as_of: int | None) -> View:
    """What the addresses of figures say of the moment."""
    return {} if as_of is None else {"as_of": as_of}


def _compared() -> View:
    args, said = in_rows(request.args, "as-of")
    wanted = compare_request.runs(args)
    scored = _scored(wanted.measure, wanted.as_of)
    if not scored.topic_ids or len(scored.tags) < 2:
        return {"judged": bool(scored.topic_ids)}
    lowest = scored.measure.best == "lowest"
    tags = wanted.tags or compare_request.best_two(scored.tags, scored.means.tolist(), lowest=lowest)[::-1]
    if len(tags) < 2:
        message = f"choose a second run to compare {tags[0]} with"
        raise UnknownName(message)
    found = compare(scored.of_runs(tags))
    judged_by, shares = _shares(found.measure, wanted.as_of)
    return {
        "tags": scored.tags,
        "moment": _address(wanted.as_of),
        "said": said,
        "judged_by": judged_by,
        "shares": shares,
        "comparison": found,
        "chosen": tags,
        "is_default": not wanted.tags,
        "list": topics_list(found).view(
            words.topic_rows(found),
            request.args,
            "compare.page",
            campaign=g.campaign.name,
            run=list(tags),
            measure=str(found.measure),
            **_moment(wanted.as_of),
        ),
        "closer": _closer(found, wanted),
        "certain": _certain(tags, wanted),
    }


def _certain(tags: Sequence[str], wanted: compare_request.Runs) -> dict[str, str]:
    """By run what judging the rest of the pool can do to its difference from the first; empty where none is known."""
    try:
        found = pairs_soon(g.campaign.at(wanted.as_of), PairsRequest(wanted.measure, tuple(tags)))
    except UnknownName:
        return {}
    if found is None:
        return {}
    words_of = {frozenset(row[:2]): what_can_become(found, row) for row in found.rows()}
    return {tag: words_of[frozenset((tags[0], tag))] for tag in tags[1:]}


def _closer(found: Comparison, wanted: compare_request.Runs) -> View:
    """A topic with the documents that make the difference: the one asked for, else that of the largest difference."""
    run = wanted.closer or found.tags[1]
    if run not in found.tags[1:]:
        message = f"run {run} is not among those compared with {found.baseline}"
        raise UnknownName(message)
    column = found.tags.index(run)
    largest = max(found.values.tolist(), key=lambda row: abs(row[column] - row[0]))
    topic_id = wanted.topic or found.topic_ids[found.values.tolist().index(largest)]
    if topic_id not in found.topic_ids:
        message = f"topic {topic_id!r} has no judgments, or does not exist"
        raise UnknownName(message)
    difference = influential_documents(
        g.campaign.at(wanted.as_of),
        run,
        found.baseline,
        topic_id,
        measure=wanted.measure,
        limit=CLOSER,
    )
    topic = topics.find(g.campaign, topic_id)
    return {
        "difference": difference,
        "title": topic.topic.title if topic else "",
        "drawable": drawable(g.campaign.at(wanted.as_of), topic_id, found.tags),
        **_named(difference, wanted.as_of),
    }


def _named(difference: TopicDifference, as_of: int | None) -> View:
    """What the documents of a topic are called, and the grades."""
    shown = [each.document_id for each in (*difference.judged, *difference.unjudged)]
    stored = {document_id: documents.find(g.campaign, document_id) for document_id in shown}
    return {
        "titles": {key: each.document.title if each else "" for key, each in stored.items()},
        "grades": {grade.grade: grade.name for grade in settings.read(g.campaign.at(as_of)).grades},
    }


def _all_pairs() -> View:
    args, said = in_rows(request.args, "as-of")
    wanted = compare_request.pairs(args)
    scored = _scored(wanted.measure, wanted.as_of)
    if not scored.topic_ids or len(scored.tags) < 2:
        return {"judged": bool(scored.topic_ids)}
    found = cached_pairs(
        g.campaign.at(wanted.as_of),
        wanted.measure,
        baseline=wanted.baseline,
        permutations=wanted.permutations,
        seed=wanted.seed,
    )
    teams = {run.record.tag: run.record.team for run in runs.in_force(g.campaign.at(wanted.as_of))}
    return {
        "tags": scored.tags,
        "moment": _address(wanted.as_of),
        "said": said,
        "pairs": found,
        "list": pairs_list(found).view(
            pair_rows(found, CORRECTIONS[wanted.correction].values(found)),
            request.args,
            "compare.pairs",
            campaign=g.campaign.name,
            **_pairs_address(wanted),
        ),
        "corrections": CORRECTIONS,
        "correction": wanted.correction,
        "teams": teams,
        "ways": _ways(found),
        "ahead": _beaten(found.randomised_tukey <= found.alpha),
    }


def _moment(as_of: int | None) -> dict[str, Any]:
    """The moment as the pages' own addresses have it."""
    return {} if as_of is None else {"as-of": as_of}


def _pairs_address(wanted: compare_request.Pairs) -> dict[str, Any]:
    """What the page of all pairs was asked for, as its address has it."""
    asked = ("measure", "baseline", "permutations", "seed", "correction")
    return {word: request.args[word] for word in asked if request.args.get(word)} | _moment(wanted.as_of)


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
    args, said = in_rows(request.args, "one_at", "two_at")
    wanted = compare_request.boards(args)
    boards = [
        leaderboard(g.campaign.at(at), measure)
        for measure, at in ((wanted.one, wanted.one_at), (wanted.two, wanted.two_at))
    ]
    for board, at in zip(boards, (wanted.one_at, wanted.two_at), strict=True):
        if at is not None and not (board.scored.topic_ids and board.scored.tags):
            message = f"as of row {at:,} no run was judged yet; name a later one"
            raise UnknownName(message)
    judged = all(board.scored.topic_ids for board in boards)
    if not judged or len(boards[0].scored.tags) < 2:
        return {"judged": judged, "request": wanted}
    return {
        "agreement": two_leaderboards(*boards, resamples=RESAMPLES),
        "resamples": RESAMPLES,
        "request": wanted,
        "file": None,
        "said": said,
        "parameters": {key: value for key, value in wanted._asdict().items() if value is not None},
    }


def _boards_by(files: list[Sent]) -> View:
    measure = compare_request.measure(request.form)
    if len(files) != 1:
        message = "choose one file of judgments (qrels)"
        raise UnknownName(message)
    (sent,) = files
    limit = upload_limits().expanded
    read = partial(leaderboard_by_file, called=sent.name, largest=limit)
    theirs = in_worker_for_uploads()(Work(read, (g.campaign.path, measure, sent.path)))
    agreement = two_leaderboards(
        leaderboard(g.campaign, measure, name=f"{measure} by the campaign"), theirs, resamples=RESAMPLES
    )
    return {
        "agreement": agreement,
        "resamples": RESAMPLES,
        "request": None,
        "file": sent.name,
        "picture": _picture(agreement),
    }


def _picture(agreement: Agreement) -> str:
    """The slope chart as an address of its own, since there is no file on the server to draw it from later."""
    svg = drawn(FORMATS["svg"].write, chart_of_agreement(agreement))
    return f"data:image/svg+xml;base64,{b64encode(svg).decode()}"


def _topic_plan() -> View:
    args, said = in_rows(request.args, "as-of")
    wanted = compare_request.plan(args)
    scored = _scored(wanted.measure, wanted.as_of)
    if not scored.topic_ids or len(scored.tags) < 2:
        return {"judged": bool(scored.topic_ids)}
    now = len(scored.topic_ids)
    differences = dict.fromkeys([wanted.difference, *DIFFERENCES])
    numbers = dict.fromkeys([now, *TOPICS])
    made = plan(scored, differences=list(differences), topics=list(numbers), power=wanted.power)
    return {
        "plan": made,
        "moment": _address(wanted.as_of),
        "said": said,
        "needed": sorted(made.needed),
        "detected": sorted(made.detected),
        "request": wanted,
    }
