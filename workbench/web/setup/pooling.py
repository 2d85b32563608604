"""The pool builder: what one wants of a pool, what it would hold and cost, making it; and how it has grown."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from typing import Any

from flask import g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.changed_ids import change_ids
from workbench.campaign.pools.listing import PairsOfFile
from workbench.campaign.pools.pace import ASSUMED_PER_HOUR, MeasuredPace, Work, hours_for, measured_pace
from workbench.campaign.pools.plan import PoolPlan, PoolTopic, plan_pool
from workbench.campaign.pools.pool_job import CHANGED, make_pairs_of, make_pool_of, pool_name, retire_pool_of
from workbench.campaign.rounds import Cancellation, cancel_round, cancellation, open_round, round_counts
from workbench.campaign.uploads import read_list
from workbench.core.errors import REFUSED, SHOWN_PROBLEMS, CampaignError, InputError, NotThere
from workbench.core.natural_order import natural
from workbench.core.results import content
from workbench.core.wording import counted
from workbench.jobs.processes import Outcome, StartedJob
from workbench.methods.pooling import ORDERS, STRATEGIES, TIES, WISHES, strategies_by_wish
from workbench.storage.campaign.collection import changed_ids, pools, runs, topics
from workbench.storage.campaign.collection.pairs import is_of_pairs
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import refusal, say, wants_json
from workbench.web.requests.form_fields import Count, Reason, ShortName
from workbench.web.requests.lists import Column, Listing, request_list
from workbench.web.requests.long_work import takes_long
from workbench.web.requests.uploads import sent_files, takes_uploads, upload_limits
from workbench.web.setup.campaigns import commands_to_pool, missing_texts
from workbench.web.setup.pair_request import read_pairs
from workbench.web.setup.pool_answers import MadePool, PlannedPool, shown_pairs
from workbench.web.setup.pool_request import PAIRS, PoolRequest, read_request, usual
from workbench.web.setup.pool_words import advice, depth_rows, growth, of_pools, words_of
from workbench.web.setup.strategy_fields import OF_THE_PAGE, field_name, fields_of
from workbench.web.setup.submissions import answer_table

blueprint = Pages("pooling", __name__)

KIND, LIST = "pool", "list of pairs"
"""The kinds of this page's jobs."""
MUCH_LARGER = (
    "This pool is much larger than those before, and was not created. Tick the box beside the button."
)
NEAR = 3
"""How many times as deep as the pool the figure goes, unless all depths are asked for."""
LEAST_DEEP = 50


Problems = dict[str, str]
"""What is wrong, by the field that it is about; "" is for what is about none."""


def topics_list(titles: Mapping[str, str]) -> Listing[PoolTopic]:
    """A plan by topic: the columns of its page. Words of the address have a prefix, since pools have parameters."""
    return Listing[PoolTopic](
        noun="topic",
        columns=(
            Column("topic", "Topic", lambda row: natural(row.topic_id)),
            Column("title", "Title", lambda row: titles[row.topic_id].casefold() or None),
            Column("pooled", "Pooled now", lambda row: row.before, numeric=True),
            Column("judged", "Judged", lambda row: row.judged, numeric=True),
            Column("new", "New", lambda row: row.new, numeric=True),
            Column("left", "Left to judge", lambda row: row.to_judge, numeric=True),
        ),
        text=lambda row: f"{row.topic_id} {titles[row.topic_id]}",
        looks_in="Id or title",
        ident=lambda row: row.topic_id,
        order="topic",
        prefix="topics-",
    )


@blueprint.get("/c/<campaign>/pool", allow=ORGANISERS)
def page(campaign: str) -> ResponseReturnValue:
    """What the pool of the address would hold, and what is pooled; `?made=` names a pool that was just made."""
    return _page(*_read(request.args))


@blueprint.post("/c/<campaign>/pool", allow=ORGANISERS)
def make(campaign: str) -> ResponseReturnValue:
    """Make the pool that was shown; refused when it would no longer have as many new pairs (`expected`).

    A program that was shown none may leave `expected` out.
    """
    query, wrong = _read(request.form)
    if is_of_pairs(g.campaign):
        return _make_pairs(query)
    if wrong:
        return _refused(query, wrong)
    try:
        plan = plan_pool(g.campaign, **query.planned())
        if shown_pairs(plan) != str(plan.at_depth.new):
            return _refused(query, {"": CHANGED}, 409)
        if plan.refused:
            return _refused(query, {"": plan.refused} if wants_json() else {})
        if plan.growth.is_much_larger and "sure" not in request.form:
            return _refused(query, {"": MUCH_LARGER})
        name, expected = pool_name(query.strategy, query.parameters), plan.at_depth.new
        viewing = {"viewing": query.viewing, "viewing_seed": query.viewing_seed}
        begun = _begin(name, _created(**_address(query)), make_pool_of, query.planned(), viewing, expected)
        return campaign_jobs.answer(begun, partial(_answered, **_address(query)))
    except REFUSED as error:
        return _refused(query, {"": str(error)})


@blueprint.get("/c/<campaign>/api/pool", allow=ORGANISERS)
def plan(campaign: str) -> ResponseReturnValue:
    """What the pool of the address would hold and cost, and the page on which a person creates it; makes nothing."""
    query, wrong = _read(request.args)
    taken = {*OF_THE_PAGE, "residual", "question", *map(field_name, query.known())}
    wrong |= {name: f"{query.strategy} has no {name}" for name in request.args if name not in taken}
    if wrong:
        return _refused(query, wrong)
    try:
        found = plan_pool(g.campaign, **query.planned())
    except REFUSED as error:
        return _refused(query, {_field_of(query, error): str(error)})
    question, pace = g.campaign.question or None, measured_pace(g.campaign)
    page = url_for(".page", campaign=campaign, question=question, **_address(query), _external=True)
    per_hour = query.per_hour or (pace.per_hour if pace else ASSUMED_PER_HOUR)
    return jsonify(content(PlannedPool(found, hours_for(found.at_depth.to_judge, per_hour), page)))


def _answered(made: pools.StoredPool, **fields: Any) -> ResponseReturnValue:
    """The way to the page that shows the pool; for programs what it is."""
    return jsonify(MadePool.of(made)._asdict()) if wants_json() else _shown(made=made.pool, **fields)


def _refused(query: PoolRequest, wrong: Problems, status: int = 422) -> ResponseReturnValue:
    """The page that says what is wrong; for programs the first of it."""
    if wants_json():
        return refusal(status, "bad value", next(iter(wrong.values())), field=next(iter(wrong)))
    return _page(query, wrong), status


def _make_pairs(query: PoolRequest) -> ResponseReturnValue:
    """Make the pool of pairs of the form, as a job."""
    asked = read_pairs(request.form)
    if asked.wrong:
        return _refused(query, asked.wrong)
    try:
        name = asked.entry.name
        begun = _begin(f"Pool by {name}", _created(), make_pairs_of, name, asked.values)
        return campaign_jobs.answer(begun, _answered)
    except REFUSED as error:
        return _refused(query, {"": str(error)})


def _created(**fields: Any) -> Callable[[pools.StoredPool], Outcome]:
    """The outcome of a pool that is made, with a link to this page with these fields in its address."""
    address = url_for(".page", campaign=g.campaign.name, **fields)
    return lambda made: MadePool.of(made).outcome(address)


def _begin(
    name: str,
    outcome_of: Callable[[pools.StoredPool], Outcome],
    function: Callable[..., Any],
    *arguments: Any,
) -> StartedJob:
    """A job of this page: a function of the campaign with these arguments, which gives a pool."""
    work = work_on(g.campaign, function, *arguments)
    return campaign_jobs.begin(name, KIND, work, outcome_of=outcome_of, user_errors=REFUSED)


@blueprint.post("/c/<campaign>/pool/list", allow=ORGANISERS)
@takes_uploads
@takes_long
def take_list(campaign: str) -> ResponseReturnValue:
    """Read a list of pairs that was sent as a file, and show what a pool of it would hold."""
    query, _ = read_request({"strategy": "list"}, usual(g.campaign))
    with ExitStack() as received:
        files = received.enter_context(sent_files())
        if len(files) != 1:
            return _page(query, {"files": "Choose one file of pairs."}), 422
        limits, token = upload_limits(), secrets.token_hex(8)
        address = url_for(".page", campaign=campaign, strategy="list", list=token)

        def outcome_of(found: PairsOfFile) -> Outcome:
            detail = {"list": token, "name": files[0].name, "pairs": found.pairs}
            detail["warnings"] = [str(each) for each in found.warnings[:SHOWN_PROBLEMS]]
            return Outcome(f"{counted(len(found.pairs), 'pair')} read.", address, "Preview the pool", detail)

        begun = campaign_jobs.begin(
            f"Read {files[0].name}",
            LIST,
            work_on(g.campaign, read_list, files[0], limits.expanded),
            outcome_of=outcome_of,
            limits=limits.reading,
            afterwards=received.pop_all().close,
        )
    try:
        return campaign_jobs.answer(begun, lambda _: redirect(address, 303))
    except InputError as error:
        return _page(query, {"files": str(error)}), 422


@blueprint.post("/c/<campaign>/pool/retire", allow=ORGANISERS)
def retire(campaign: str, *, pool: Count, reason: Reason = "") -> ResponseReturnValue:
    """Retire the pool that the form names."""
    query, _ = read_request({}, usual(g.campaign))
    address = url_for(".page", campaign=campaign, retired="")

    def outcome_of(found: pools.StoredPool) -> Outcome:
        return Outcome(f"Pool {pool} retired.", f"{address}{found.retired}", "Show the pools")

    try:
        begun = _begin(f"Retire pool {pool}", outcome_of, retire_pool_of, pool, reason)
        return campaign_jobs.answer(begun, lambda found: _shown(retired=found.retired))
    except REFUSED as error:
        return _page(query, {"": str(error)}), 422


@blueprint.post("/c/<campaign>/pool/round", allow=ORGANISERS)
def next_round(campaign: str, *, round_: ShortName = "", cancel: ShortName = "") -> ResponseReturnValue:
    """Open the next `round` under its name, or cancel the open one, whose name is in `cancel`."""
    query, _ = read_request({}, usual(g.campaign))
    try:
        cancel_round(g.campaign, cancel) if cancel else open_round(g.campaign, round_)
    except REFUSED as error:
        return _page(query, {"": str(error)}), 422
    say(f"Round {cancel} cancelled." if cancel else f"Round {round_} opened.")
    return _shown(_anchor="rounds")


@blueprint.post("/c/<campaign>/pool/ids", allow=ORGANISERS)
def change_document_ids(campaign: str) -> ResponseReturnValue:
    """Show what a table of old and new ids of documents would change or, with a field `do`, put it in force."""
    return answer_table(
        "setup/pooling/changed_ids.html",
        lambda table, is_shown: {"found": change_ids(g.campaign, table, dry_run=is_shown)},
        lambda _: url_for(".page", campaign=campaign, _anchor="rounds"),
        lambda _: "The ids of documents are changed.",
    )


def _cancelling(name: str) -> Cancellation | None:
    """What cancelling the open round does; None where it cannot be."""
    try:
        return cancellation(g.campaign, name)
    except CampaignError:
        return None


def _shown(**fields: Any) -> ResponseReturnValue:
    """The way to this page with these fields in its address."""
    return redirect(url_for(".page", campaign=g.campaign.name, **fields), code=303)


def _read(given: Mapping[str, str]) -> tuple[PoolRequest, Problems]:
    """What a form or an address asks for, with the pairs of the list that it names, and what is wrong with it."""
    query, wrong = read_request(given, usual(g.campaign))
    if not (token := given.get("list", "")) or query.strategy != "list":
        return query, wrong
    if (detail := _list_of(token)) is None:
        return query, wrong | {"files": "This list is no longer kept; send the file again."}
    return query._replace(listed=token, parameters=query.parameters | {PAIRS: detail[PAIRS]}), wrong


def _list_of(token: str) -> dict[str, Any] | None:
    """The list that was sent under this token, where it is kept."""
    details = (job.outcome.detail for job in campaign_jobs.listed(LIST) if job.state == "done")
    return next((detail for detail in details if detail["list"] == token), None)


def _page(query: PoolRequest, wrong: Problems) -> str:
    problems = dict(wrong)
    pairing = read_pairs(request.values) if is_of_pairs(g.campaign) else None
    plan = _plan_or_words(query, problems) if pairing is None else None
    strategy = STRATEGIES.get(query.strategy)
    parameters = query.parameters if not query.listed else query.parameters | {PAIRS: []}
    made, pace = pools.all_pools(g.campaign), measured_pace(g.campaign)
    measured = pace.per_hour if pace else None
    work = Work(query.per_hour or measured or ASSUMED_PER_HOUR, query.hours_per_day, query.assessors)
    return render_template(
        "setup/pooling/page.html",
        query=query,
        pairing=pairing,
        fields=fields_of(strategy, parameters) if strategy else [],
        strategy=strategy,
        sent_list=_list_of(query.listed) if query.listed else None,
        problems=problems,
        typed={name: request.values.get(name, "") for name in wrong},
        wishes=WISHES,
        own={name: value for name, value in _address(query).items() if name not in query.of_strategy()},
        plan=plan,
        pools=growth(made),
        of_pools=of_pools(made),
        newest=next((pool for pool in reversed(made) if pool.retired is None), None),
        retirements={step.content["pool"]: step for step in pools.retirements(g.campaign)},
        just_made=next((pool for pool in made if str(pool.pool) == request.args.get("made")), None),
        just_retired=next((pool for pool in made if str(pool.retired) == request.args.get("retired")), None),
        steps=[] if plan is not None else commands_to_pool(g.campaign),
        missing=missing_texts(g.campaign),
        jobs=campaign_jobs.listed(KIND, LIST),
        choices={
            "strategies": strategies_by_wish()[strategy.wish] if strategy else [],
            "ties": list(TIES),
            "orders": list(ORDERS),
        },
        measured=measured,
        per_hour=work.per_hour,
        has_runs=bool(runs.in_force(g.campaign)),
        rounds=(counts := round_counts(g.campaign)),
        cancelling=_cancelling(counts[-1].round.name),
        changed_ids=list(map(len, changed_ids.id_tables(g.campaign))),
        **({"advice": {}} if plan is None else _of_plan(query, plan, work, pace)),
    )


def _plan_or_words(query: PoolRequest, problems: Problems) -> PoolPlan | None:
    """The plan, or None where a field is wrong or not filled in yet, or after the reason was added to the problems."""
    is_open = any(one.required and one.name not in query.parameters for one in query.known())
    if any(problems) or (is_open and request.method == "GET"):
        return None
    try:
        plan = plan_pool(g.campaign, **query.planned())
    except REFUSED as error:
        if problems.get("") == str(error):
            del problems[""]
        if runs.all_runs(g.campaign):
            problems[_field_of(query, error)] = str(error)
        return None
    if plan.refused:
        problems[""] = f"This pool would be refused: {plan.refused}."
    return plan


def _field_of(query: PoolRequest, error: Exception) -> str:
    """The field that a refusal is about: the runs, or the parameter that it names first; "" where it is about none."""
    if isinstance(error, NotThere):
        return "runs"
    places = ((re.search(rf"\b{one.name}\b", str(error)), field_name(one)) for one in query.known())
    return min(((found.start(), field) for found, field in places if found), default=(0, ""))[1]


def _of_plan(query: PoolRequest, plan: PoolPlan, work: Work, pace: MeasuredPace | None) -> dict[str, Any]:
    today = datetime.now(UTC).date()
    titles, address = topics.titles(g.campaign), partial(url_for, ".page", campaign=g.campaign.name)
    drawn = {"ties": query.ties} | ({"runs": query.runs} if query.runs else {})
    drawn |= {"residual": "true"} if query.residual else {}
    parameters = drawn | {"strategy": query.strategy, "parameter": query.assignments()}
    return {
        "words": words_of(plan, work, pace if query.per_hour is None else None, today),
        "advice": advice(plan, work if pace or query.per_hour else None),
        "depths": depth_rows(plan, work, today),
        "list": topics_list(titles).view(
            plan.by_topic, request_list(), ".page", campaign=g.campaign.name, **_address(query)
        ),
        "titles": titles,
        "others": [
            (run, address(**_address(query) | {"runs": ",".join([*plan.tags, run.tag])}))
            for run in plan.others
        ],
        "parameters": parameters,
        **({} if plan.depth is None else _of_depths(query, plan, plan.depth, drawn)),
    }


def _of_depths(query: PoolRequest, plan: PoolPlan, depth: int, drawn: dict[str, str]) -> dict[str, Any]:
    deepest = max(LEAST_DEEP, NEAR * depth)
    if "deep" in request.args or deepest >= plan.deepest:
        address = None
    else:
        address = url_for(".page", campaign=g.campaign.name, **_address(query), deep="")
    limit = {} if "deep" in request.args else {"deepest": deepest}
    return {"curve": {"depth": depth} | drawn | limit, "all_depths": address}


def _address(query: PoolRequest) -> dict[str, Any]:
    return {key: value for key, value in (query.of_pool() | query.of_work()).items() if value != ""}
