"""The pool builder: what a pool would hold and cost before it is made; making it; and how it has grown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, NamedTuple

from flask import Blueprint, Response, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import pools, runs, topics
from workbench.errors import CampaignError, CampaignUnavailable, NotThere, UnknownName
from workbench.planning import MeasuredPace, PoolPlan, TopicPlan, Work, measured_pace, plan_pool
from workbench.pool_making import add_pool, named_runs
from workbench.pooling import ORDERS, STRATEGIES, TIES
from workbench.web.access import allow_in_campaign
from workbench.web.campaigns import missing_texts, next_steps
from workbench.web.natural import natural
from workbench.web.pool_asked import Asked, read_asked, usual
from workbench.web.pool_words import ASSUMED_PER_HOUR, depth_rows, words_of
from workbench.web.text_reading import AT_ONCE, readings

blueprint = Blueprint("pooling", __name__)

CHANGED = "The campaign has changed since these numbers were shown. Look at the new ones; nothing was made."
NEAR = 3
"""How many times as deep as the pool the figure goes, unless all depths are asked for."""
LEAST_DEEP = 50

Refused = (CampaignError, NotThere, UnknownName)


class Grown(NamedTuple):
    """A pool, and how many pairs were pooled in all when it had been made."""

    pool: pools.StoredPool
    total: int


@blueprint.get("/c/<campaign>/pool")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """What the pool of the address would hold, and what is pooled; `?made=` names a pool that was just made."""
    asked, wrong = read_asked(request.args, usual(g.campaign))
    return _page(asked, wrong)


@blueprint.post("/c/<campaign>/pool")
@allow_in_campaign("organiser")
def make(campaign: str) -> ResponseReturnValue:
    """Make the pool that was shown; refused when it would no longer have as many new pairs (`expected`)."""
    asked, wrong = read_asked(request.form, usual(g.campaign))
    if wrong:
        return _page(asked, wrong), 422
    try:
        if request.form.get("expected") != str(_plan(asked).at_depth.new):
            return _page(asked, [CHANGED]), 409
        made = _make(asked)
    except CampaignUnavailable:
        raise
    except Refused as error:
        return _page(asked, [str(error)]), 422
    return redirect(url_for(".page", campaign=campaign, made=made.pool, **_address(asked)), code=303)


@blueprint.get("/c/<campaign>/pool/texts")
@allow_in_campaign("organiser")
def texts(campaign: str) -> Response:
    """How far the reading of texts is: bytes `read` of at most `total`, or null for both when none is being read."""
    reading = readings().of(g.campaign.path)
    return jsonify(read=reading and reading.read, total=reading and reading.total)


def _make(asked: Asked) -> pools.StoredPool:
    """The pool; the texts of its documents are read as far as the recorded sources still have them."""
    made = add_pool(
        g.campaign,
        depth=asked.depth,
        strategy=asked.strategy,
        ties=asked.ties,
        tags=named_runs(asked.runs),
        viewing=asked.viewing,
        seed=asked.seed,
        actor=g.account,
    )
    readings().begin(g.campaign.path).wait(AT_ONCE)
    return made.pool


def _plan(asked: Asked) -> PoolPlan:
    return plan_pool(
        g.campaign,
        depth=asked.depth,
        strategy=asked.strategy,
        ties=asked.ties,
        tags=named_runs(asked.runs),
    )


def _page(asked: Asked, wrong: Sequence[str]) -> str:
    said = list(wrong)
    plan = _plan_or_words(asked, said)
    made, pace = pools.all_pools(g.campaign), measured_pace(g.campaign)
    measured = pace.per_hour if pace else None
    work = Work(asked.per_hour or measured or ASSUMED_PER_HOUR, asked.hours_per_day, asked.assessors)
    return render_template(
        "pooling/page.html",
        name=g.campaign.name,
        asked=asked,
        said=said,
        plan=plan,
        pools=_grown(made),
        newest=made[-1] if made else None,
        just_made=next((pool for pool in made if str(pool.pool) == request.args.get("made")), None),
        steps=next_steps(g.campaign),
        missing=missing_texts(g.campaign),
        reading=readings().of(g.campaign.path),
        choices={"strategies": STRATEGIES, "ties": list(TIES), "orders": list(ORDERS)},
        measured=measured,
        per_hour=work.per_hour,
        has_runs=bool(runs.in_force(g.campaign)),
        **({} if plan is None else _of_plan(asked, plan, work, pace)),
    )


def _plan_or_words(asked: Asked, said: list[str]) -> PoolPlan | None:
    """The plan, or None after the reason was added to what is said."""
    try:
        return _plan(asked)
    except CampaignUnavailable:
        raise
    except Refused as error:
        if runs.all_runs(g.campaign) and str(error) not in said:
            said.append(str(error))
        return None


def _of_plan(asked: Asked, plan: PoolPlan, work: Work, pace: MeasuredPace | None) -> dict[str, Any]:
    """What the template shows of a plan."""
    today = datetime.now(UTC).date()
    titles = {stored.topic.topic_id: stored.topic.title for stored in topics.all_topics(g.campaign)}
    parameters = {
        key: value for key, value in asked.of_pool().items() if key not in {"viewing", "seed"} and value
    }
    deepest = {} if "deep" in request.args else {"deepest": max(LEAST_DEEP, NEAR * plan.depth)}
    return {
        "words": words_of(plan, work, pace, asked.per_hour is not None, today),
        "depths": depth_rows(plan, work, today),
        "topics": [(row, titles[row.topic_id]) for row in _in_order(plan.by_topic)],
        "others": [
            (
                run,
                url_for(
                    ".page", campaign=g.campaign.name, **_address(asked) | {"runs": _with(plan, run.tag)}
                ),
            )
            for run in plan.others
        ],
        "parameters": parameters,
        "curve": {key: value for key, value in parameters.items() if key != "strategy"} | deepest,
        "all_depths": None
        if "deep" in request.args or deepest["deepest"] >= plan.deepest
        else url_for(".page", campaign=g.campaign.name, **_address(asked), deep=""),
    }


def _address(asked: Asked) -> dict[str, Any]:
    return {key: value for key, value in (asked.of_pool() | asked.of_work()).items() if value != ""}


def _with(plan: PoolPlan, tag: str) -> str:
    return ",".join([*plan.tags, tag])


def _in_order(rows: Sequence[TopicPlan]) -> list[TopicPlan]:
    return sorted(rows, key=lambda row: natural(row.topic_id))


def _grown(made: Sequence[pools.StoredPool]) -> list[Grown]:
    return [Grown(*row) for row in zip(made, accumulate(pool.pairs for pool in made), strict=True)]
