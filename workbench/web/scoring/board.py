"""The leaderboard: every run scored against the judgments as they come in, or as they were at any row of the log.

The page asks for news every second. The ETag of an answer names the last row of the log and what was asked, so
that a question without news costs one small read and is answered with 304. What takes longer (intervals, and marks
of runs that are not significantly different from the best) is an answer of its own, requested when the board is
idle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import NamedTuple

from flask import Response, g, jsonify, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.trust.intervals import (
    INTERVAL,
    BoardIntervals,
    IntervalsRequest,
    describe_test,
    last_intervals,
)
from workbench.analysis.trust.stability import Agreement, agreement
from workbench.campaign.adaptive_pools import adaptive_pools
from workbench.campaign.rounds import require_one_round
from workbench.core.errors import UnknownName
from workbench.core.natural_order import natural
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.latex import as_latex
from workbench.methods.measures import parse_measure
from workbench.methods.statistics.intervals import FEWEST_TOPICS
from workbench.scoring.board import ScoreTable
from workbench.scoring.board.labelling import asked_beside, kind_of
from workbench.scoring.board.of_round import round_words
from workbench.scoring.board.past_boards import table_of
from workbench.scoring.board.sample_design import NO_DESIGN, Design, design_of, estimate_of
from workbench.scoring.board.table import best_of_teams, choose, sheet_of
from workbench.storage.campaign.collection import pools, withdrawals
from workbench.storage.campaign.grades import rows_over_time
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import BOARD_READERS, Pages
from workbench.web.access.sessions import BACKGROUND
from workbench.web.requests.answers import refusal
from workbench.web.requests.languages import reader_language
from workbench.web.scoring import board_view
from workbench.web.scoring.board_intervals import BEING_COMPUTED, certain_line, intervals_soon
from workbench.web.scoring.board_request import (
    FIRST_ROWS,
    SHOWN,
    BoardRequest,
    choices,
    kept,
    known,
    read_request,
    read_shown,
)

blueprint = Pages("board", __name__)


@blueprint.get("/c/<campaign>/board", allow=BOARD_READERS)
def page(campaign: str) -> Response:
    """The leaderboard with the measures of `?m=`; one that does not exist stays in the menu's text field.

    `round=2` shows the runs of that round as of its end, `round=2-residual` without what was judged before it,
    `by=team` the best run of each team, `topics=finished` scores over the topics that are judged to the end,
    `as-of` a moment of the log, `sort` and `order` say how rows stand, `intervals=yes` puts intervals and marks into
    the page (`intervals=known` those that were found last), and `rows=all` more than the first rows. The page's
    script asks for it again and again, and takes over what has `data-live` in it.
    """
    if BACKGROUND in request.headers:
        return _followed(lambda query, board: make_response(_page(query, board)))
    query, wrong = known_request()
    return make_response(_page(query, board_shown(query, scores_of(query)), wrong))


def _page(query: BoardRequest, board: board_view.Board, wrong: Sequence[str] = ()) -> str:
    shown, is_known = read_shown(), request.args.get("intervals") == "known"
    sure = _intervals_shown(query, is_known) if request.args.get("intervals") else None
    if sure is not None:
        board = _with_intervals(board, sure)
    sort, order = request.args.get("sort", ""), request.args.get("order", "")
    asked = bool(asked_beside(query.campaign))
    rows, by = sorted_rows(board)
    found = shown.of(rows)
    return render_template(
        "scoring/board/page.html",
        board=board,
        rows=found if shown.every else found[:FIRST_ROWS],
        found=len(found),
        shown=shown,
        teams=sorted({row.team for row in rows} - {""}, key=natural),
        judged=board_view.judged_columns(board.columns),
        words={"interval": INTERVAL, "fewest": FEWEST_TOPICS, "test": describe_test(len(rows))},
        choices=choices([column.name for column in board.columns], kind_of(query.campaign), asked=asked),
        other=" ".join(wrong),
        query=query,
        kept=kept(query, shown),
        sort={"name": sort, "order": order},
        sorted_by=by._asdict(),
        pooled=board.pooled,
        certain=_certain(query, board.seq) if request.args.get("intervals") and not is_known else None,
        is_known=is_known,
        sure_at=None if sure is None else sure.head.seq,
        grows=bool(adaptive_pools(query.campaign)),
    )


@blueprint.get("/c/<campaign>/api/board", allow=BOARD_READERS)
def news(campaign: str) -> Response:
    """The leaderboard as JSON, or 304 when nothing happened since the ETag that the browser knows."""
    return _followed(lambda _, board: jsonify(content(board)))


def _followed(drawn: Callable[[BoardRequest, board_view.Board], Response]) -> Response:
    """The board for those who follow it, 304 when nothing happened since the ETag that they know, or what is wrong."""
    query = read_request()
    if query.wrong:
        return _no_row(query)
    known_as = _etag(log.head(g.campaign))
    if request.if_none_match.contains(known_as):
        response = Response(status=304)
        response.set_etag(known_as)
        return response
    try:
        board = board_shown(query, scores_of(query))
    except UnknownName as error:
        return refusal(422, "unknown measure", str(error))
    response = drawn(query, board)
    response.set_etag(_etag(log.Head(board.newest, bytes.fromhex(board.hash))))
    return response


@blueprint.get("/c/<campaign>/api/board/intervals", allow=BOARD_READERS)
def intervals(campaign: str) -> ResponseReturnValue:
    """How sure the board is: for each run and measure bounds, interval, and whether it is not significantly
    different from the best. What takes seconds is computed elsewhere: until then as of an older row, or 202.
    """
    query = read_request()
    if query.wrong:
        return _no_row(query)
    try:
        found = _intervals(query)
    except UnknownName as error:
        return refusal(422, "unknown measure", str(error))
    if found is None:
        return jsonify(message=BEING_COMPUTED), 202
    answer = board_view.IntervalsOfBoard(
        seq=found.head.seq,
        open_topics=found.topic_counts.in_the_end,
        columns=tuple(str(each.measure) for each in found.measures),
        certain=certain_line(query.campaign, query.names, found.tags),
        rows=board_view.interval_cells(found),
    )
    return jsonify(content(answer))


@blueprint.get("/c/<campaign>/board.<any(csv, tex):ending>", allow=BOARD_READERS)
def file(campaign: str, ending: str) -> Response:
    """The rows that the board of the same address shows, as CSV with all digits or as a LaTeX tabular."""
    query, _ = known_request()
    if ending == "tex":
        require_one_round(query.campaign, "A LaTeX table")
    scores = scores_of(query)
    by_tag = {row.tag: row for row in scores.table.rows}
    shown = read_shown().of(sorted_rows(board_shown(query, scores))[0])
    sheet = sheet_of(scores.table._replace(rows=tuple(by_tag[row.run] for _, row in shown)))
    if ending == "csv":
        return Response("".join(as_csv(sheet)), mimetype="text/csv")
    return Response("".join(as_latex(sheet)), mimetype="text/plain")


@blueprint.get("/c/<campaign>/board/print", allow=BOARD_READERS)
def printed(campaign: str) -> str:
    """The same as a page without controls, in numbers, for print."""
    query, _ = known_request()
    board, shown = board_shown(query, scores_of(query)), read_shown()
    return render_template(
        "scoring/board/print.html",
        board=board,
        rows=shown.of(sorted_rows(board)[0]),
        judged=board_view.judged_columns(board.columns),
        settings=settings.read(query.campaign),
    )


def _certain(query: BoardRequest, seq: int) -> board_view.CertainLine | None:
    """How many pairs of the board's runs are certain as of a row, or that this is being computed."""
    found = _intervals(query)
    if found is None or found.head.seq < seq:
        by_hand = "" if BACKGROUND in request.headers else " Reload the page in a few seconds."
        return board_view.CertainLine(BEING_COMPUTED + by_hand, None)
    return certain_line(query.campaign, query.names, found.tags)


def known_request() -> tuple[BoardRequest, list[str]]:
    """What is asked for with the measures that there are, and the names of the others."""
    query = read_request()
    kind = kind_of(query.campaign)
    asked = [each.name for each in asked_beside(query.campaign)]
    names, wrong = known(query.names, kind, sampled=bool(_design(query).sampled), asked=asked)
    return query._replace(names=tuple(names or SHOWN[kind])), wrong


def sorted_rows(board: board_view.Board) -> tuple[list[board_view.Row], board_view.SortedBy]:
    """The rows of a board in the order of `?sort=` and `order`, and what that is."""
    measures = [parse_measure(column.name) for column in board.columns]
    by = board_view.sorting(measures, request.args.get("sort", ""), request.args.get("order", ""))
    return board_view.in_order(board.rows, measures, by), by


def _no_row(query: BoardRequest) -> Response:
    return refusal(422, "no such row", f"As of: {query.wrong}")


def _etag(head: log.Head) -> str:
    asked = sha256(
        request.query_string + reader_language().encode()
    )  # the menu around the board is in that language
    return f"{head.seq}-{head.hash.hex()[:16]}-{asked.hexdigest()[:8]}"


class Scores(NamedTuple):
    """A board with the measures requested, shares and estimates, its agreement with today's, and number of runs."""

    table: ScoreTable
    shares: board_view.Shares
    estimates: tuple[board_view.Estimated | None, ...]
    agreement: Agreement | None
    runs: int


def scores_of(query: BoardRequest) -> Scores:
    """What is asked for, scored in one go, so that all of it is as of the same row of the log."""
    relevant_from = settings.read(query.campaign).relevant_from
    measures = [measure for _, measure in choose(query.names, relevant_from)]
    design = _design(query)
    estimates = [estimate_of(measure, design) for measure in measures]
    shares_of = {name for measure in measures if (name := board_view.judged_beside(measure))}
    beside = sorted(shares_of | {str(estimate) for estimate in estimates if estimate is not None})
    names = [*query.names, *beside]
    both, found = _table(query, names), None
    if query.as_of is not None and both.rows and both.topics:
        found = agreement(_table(query._replace(as_of=None), names), both)
    runs = len(both.rows)
    if query.by_team:
        both = best_of_teams(both)
    shown = len(measures)
    others = {name: [row.values[shown + at] for row in both.rows] for at, name in enumerate(beside)}
    rows = tuple(row._replace(values=row.values[:shown]) for row in both.rows)
    table = both._replace(names=both.names[:shown], measures=both.measures[:shown], rows=rows)
    columns = (
        None if each is None else board_view.estimated_by(each, others[str(each)]) for each in estimates
    )
    return Scores(table, others, tuple(columns), found, runs)


def _design(query: BoardRequest) -> Design:
    """How pairs were chosen; there are no estimates without what was judged before a round."""
    return NO_DESIGN if query.takes_out else design_of(query.campaign)


def _table(query: BoardRequest, names: Sequence[str]) -> ScoreTable:
    return table_of(query.campaign, names, only_finished=query.only_finished)


def _intervals(query: BoardRequest) -> BoardIntervals | None:
    return intervals_soon(query.campaign, _sure_of(query))


def _sure_of(query: BoardRequest) -> IntervalsRequest:
    return IntervalsRequest(tuple(query.names), query.by_team, query.only_finished)


def _intervals_shown(query: BoardRequest, is_known: bool) -> BoardIntervals | None:
    """How sure the board is; with `is_known` what was found last of the present one, which takes no time."""
    if not is_known:
        return _intervals(query)
    return last_intervals(query.campaign, _sure_of(query)) if query.row is None else None


def board_shown(query: BoardRequest, scores: Scores) -> board_view.Board:
    """A board as pages and programs see it."""
    table = scores.table
    newest = table.head if query.row is None else log.head(g.campaign)
    pooled = sum(pools.pooled_by_topic(query.campaign).values())
    out = len(withdrawals.withdrawn(query.campaign))
    return board_view.Board(
        seq=table.seq,
        newest=newest.seq,
        hash=newest.hash.hex(),
        first=rows_over_time.first_judgment(g.campaign),
        live=query.as_of is None,
        moment=_as_of_words(query, scores, newest.seq),
        compared=_compared(query, scores),
        sentence=board_view.sentence(table, 0 if query.takes_out else pooled, out),
        pooled=pooled,
        topics=board_view.topics(table),
        columns=board_view.columns(table, scores.estimates),
        rows=board_view.rows(table, scores.shares, scores.estimates, _run_page),
    )


def _as_of_words(query: BoardRequest, scores: Scores, newest: int) -> str:
    """Which moment of the log the board is of, and how its order compares with today's; nothing of the present."""
    of_round = "" if query.part is None else f"{round_words(query.campaign, scores.runs)} "
    if query.wrong:
        when = "now" if query.row is None else "the round’s end"
        return f"{of_round}As of: {query.wrong}. This is the leaderboard as of {when}."
    if query.row is None:
        return of_round.rstrip()
    seq = scores.table.seq
    words = of_round + board_view.as_of_words(seq, newest, rows_over_time.time_of(g.campaign.at(seq)))
    if query.said:
        words = f"{query.said} {words}"
    if scores.agreement is None:
        return words
    return f"{words} {board_view.agreement_words(scores.agreement, scores.table.measures[0])}"


def _compared(query: BoardRequest, scores: Scores) -> str | None:
    """Where the moment is compared with today, run by run; None where there is nothing to compare."""
    has_page = g.role == "organiser" and not query.only_finished  # Compare has no such restriction
    if query.as_of is None or query.part is not None or scores.agreement is None or not has_page:
        return None
    name = str(scores.table.measures[0])
    two_at = scores.table.seq
    return url_for("compare.boards", campaign=g.campaign.name, one=name, two=name, two_at=two_at)


def _run_page(tag: str) -> str | None:
    return url_for("runs.run", campaign=g.campaign.name, run=tag) if g.role == "organiser" else None


def _with_intervals(board: board_view.Board, found: BoardIntervals) -> board_view.Board:
    """The board with intervals and marks in its cells; a run that they do not know has none."""
    intervals = board_view.interval_cells(found)
    rows = []
    for row in board.rows:
        both = zip(row.cells, intervals.get(row.run) or [None] * len(row.cells), strict=True)
        rows.append(row._replace(cells=tuple(cell._replace(intervals=each) for cell, each in both)))
    return board._replace(rows=tuple(rows))
