"""The leaderboard: every run scored against the judgments as they come in.

The page asks for news every second. The ETag of an answer names the last row of the log and the measures, so
that a question without news costs one small read and is answered with 304.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from flask import Blueprint, Response, g, jsonify, render_template, request, url_for

from workbench.campaign import log, pools, settings
from workbench.errors import UnknownName
from workbench.measures import MEASURES, BoundMeasure, Measure, parse_measure
from workbench.scoring import DEFAULT_MEASURES, ScoreTable, board_of
from workbench.scoring.rendering import printed
from workbench.web.access import allow_in_campaign
from workbench.web.answers import refusal

blueprint = Blueprint("board", __name__)

SHOWN_MEASURES = ("nDCG@10", "AP", "P@10")
"""What the board shows to somebody who has not chosen."""

MOST_MEASURES = 20
JUDGED = "Judged"
USUAL_CUTOFF = 10


Shares = Mapping[str, Sequence[float]]
"""For each measure of judged shares its value for every run, in the order of the table's rows."""


class Choice(NamedTuple):
    """A measure in the menu; those that are neither `usual` nor chosen are folded away."""

    name: str
    summary: str
    chosen: bool
    usual: bool


@blueprint.get("/c/<campaign>/board")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """The leaderboard with the measures of `?m=`; one that does not exist stays in the menu's text field."""
    names, wrong = _known(_asked())
    table, shares = _scores(names or SHOWN_MEASURES)
    board = _board(table, shares)
    return render_template(
        "board/page.html",
        data={"api": url_for(".news", campaign=campaign), "board": board},
        choices=choices([str(measure) for measure in table.measures]),
        other=" ".join(wrong),
        settings=settings.read(g.campaign),
        pooled=board["pooled"],
    )


@blueprint.get("/c/<campaign>/api/board")
@allow_in_campaign("organiser")
def news(campaign: str) -> Response:
    """The leaderboard as JSON, or 304 when nothing happened since the ETag that the browser knows."""
    names = _asked() or SHOWN_MEASURES
    known = _etag(log.head(g.campaign), names)
    if request.if_none_match.contains(known):
        response = Response(status=304)
        response.set_etag(known)
        return response
    try:
        table, shares = _scores(names)
    except UnknownName as error:
        return refusal(422, "unknown measure", str(error))
    response = jsonify(_board(table, shares))
    response.set_etag(_etag(table.head, names))
    response.headers["Cache-Control"] = "no-cache"
    return response


def choices(chosen: Sequence[str]) -> list[Choice]:
    """The menu: the usual measures, then the others of the registry, then what else was chosen."""
    usual = [parse_measure(name) for name in (*SHOWN_MEASURES, *DEFAULT_MEASURES)]
    at_hand = {*map(str, usual), *chosen}
    families = {measure.name for measure in usual}
    others = [
        _usual(entry) for entry in MEASURES.values() if is_offered(entry) and entry.name not in families
    ]
    names = dict.fromkeys([*(str(measure) for measure in [*usual, *others]), *chosen])
    return [
        Choice(name, parse_measure(name).measure.summary, name in chosen, name in at_hand) for name in names
    ]


def sentence(table: ScoreTable, pooled: int) -> str:
    """Where the campaign stands, in one sentence; `pooled` is the number of pooled pairs."""
    if not table.rows:
        return "No run has been added yet."
    if table.judgments == 0:
        waiting = f" {pooled:,} documents wait to be judged." if pooled else ""
        return f"Nothing is judged yet, so every score is 0.{waiting}"
    judged = pooled - table.waiting
    beyond = table.judgments - judged
    done = f"{judged:,} of {pooled:,} pooled pairs judged" if pooled else f"{table.judgments:,} pairs judged"
    if pooled and beyond:
        done += f" and {beyond:,} beyond the pool"
    topics = "1 topic" if table.topics == 1 else f"{table.topics:,} topics"
    return f"{done}, scores over {topics}; {_best(table)}."


def _best(table: ScoreTable) -> str:
    measure = table.measures[0]
    choose = min if measure.best == "lowest" else max
    value, tag = choose((row.values[0], row.tag) for row in table.rows)
    word = "highest" if measure.best == "none" else "best"
    return f"{word} {measure} so far: {printed(measure, value)} ({tag})"


def _asked() -> list[str]:
    return [name.strip() for name in request.args.getlist("m") if name.strip()][:MOST_MEASURES]


def _known(names: Sequence[str]) -> tuple[list[str], list[str]]:
    known: list[str] = []
    wrong: list[str] = []
    for name in names:
        try:
            fits = parse_measure(name).measure.of == "judgments"
        except UnknownName:
            fits = False
        (known if fits else wrong).append(name)
    return known, wrong


def is_offered(entry: Measure) -> bool:
    """Whether the menu has it: it needs no judgments of subtopics, and no parameter but a cutoff must be given."""
    needed = {parameter.name for parameter in entry.parameters if parameter.required}
    return entry.of == "judgments" and needed <= {"cutoff"}


def _usual(entry: Measure) -> BoundMeasure:
    needs_cutoff = any(parameter.required for parameter in entry.parameters)
    return parse_measure(f"{entry.name}@{USUAL_CUTOFF}" if needs_cutoff else entry.name)


def _etag(head: log.Head, names: Sequence[str]) -> str:
    measures = sha256("\n".join(names).encode()).hexdigest()[:8]
    return f"{head.seq}-{head.hash.hex()[:16]}-{measures}"


def _scores(names: Sequence[str]) -> tuple[ScoreTable, Shares]:
    """The table of these measures, and beside it the judged shares, both as of the same row of the log."""
    board = board_of(g.campaign)
    measures = board.table(g.campaign, names).measures
    wanted = sorted({name for measure in measures if (name := judged_beside(measure))})
    both = board.table(g.campaign, [*names, *wanted])
    shown = len(measures)
    shares = {name: [row.values[shown + at] for row in both.rows] for at, name in enumerate(wanted)}
    rows = tuple(row._replace(values=row.values[:shown]) for row in both.rows)
    return both._replace(names=both.names[:shown], measures=both.measures[:shown], rows=rows), shares


def _board(table: ScoreTable, shares: Shares) -> dict[str, Any]:
    pooled = sum(pool.pairs for pool in pools.all_pools(g.campaign))
    return {
        "seq": table.seq,
        "sentence": sentence(table, pooled),
        "pooled": pooled,
        "columns": [_column(measure) for measure in table.measures],
        "rows": [
            {
                "run": row.tag,
                "team": row.team,
                "cells": [
                    _cell(measure, value, shares[judged_name][index] if judged_name else None)
                    for measure, value in zip(table.measures, row.values, strict=True)
                    for judged_name in [judged_beside(measure)]
                ],
            }
            for index, row in enumerate(table.rows)
        ],
    }


def judged_beside(measure: BoundMeasure) -> str | None:
    """The measure that says how much of a score rests on judged documents: Judged at the score's own cutoff.

    Without a cutoff it is Judged@10; counts, and Judged itself, have none.
    """
    if measure.is_count or measure.name == JUDGED:
        return None
    return f"{JUDGED}@{dict(measure.values).get('cutoff') or USUAL_CUTOFF}"


def _column(measure: BoundMeasure) -> dict[str, Any]:
    return {
        "name": str(measure),
        "summary": measure.measure.summary,
        "judged": judged_beside(measure),
        "low": measure.measure.lowest,
        "high": None if measure.is_count else measure.measure.highest,
    }


def _cell(measure: BoundMeasure, value: float, judged: float | None) -> dict[str, Any]:
    return {
        "value": value,
        "text": printed(measure, value),
        "judged": judged,
        "judged_text": "" if judged is None else percent(judged),
    }


def percent(share: float) -> str:
    """A share as whole percent; only nothing is 0 %, and only all is 100 %."""
    if 0 < share < 1:
        share = min(max(share, 0.01), 0.99)
    return f"{100 * share:.0f} %"
