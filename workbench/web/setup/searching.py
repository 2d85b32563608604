"""Searching the texts for a topic, and pooling what is chosen of what is found: organisers, and assessors who may."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import searching
from workbench.campaign.pools.making import MadePool
from workbench.core.errors import REFUSED
from workbench.core.natural_order import natural
from workbench.core.wording import counted
from workbench.jobs.processes import Outcome, Record
from workbench.methods.text.passage import Piece
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.web.access.rules import SEARCHERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.form_fields import Count, Text, Ticked, TopicId
from workbench.web.requests.languages import gettext

blueprint = Pages("searching", __name__)

KIND, POOLED = "search", "pool found by search"
"""The kinds of this page's jobs."""

SHOWN = 20
"""How many documents a search shows at first."""


@blueprint.get("/c/<campaign>/search", allow=SEARCHERS)
def page(campaign: str) -> str:
    """The form, and what the search that `?job=` names has found; `?pool=` is a pool that was just made of it."""
    if "job" not in request.args:
        return _page(searching.Query(request.args.get("topic", ""), "", False, SHOWN), None, [])
    record = campaign_jobs.finished(request.args["job"], KIND)
    return _page(_request_of(record), record, [])


@blueprint.post("/c/<campaign>/search", allow=SEARCHERS)
def begin(
    campaign: str, *, topic: TopicId = "", query: Text = "", any_: bool = False, limit: Count = 0
) -> ResponseReturnValue:
    """Begin a search; 422 where it cannot be done. With `any` a text has one of the words, else all."""
    wanted = searching.Query(topic, query, any_, limit)
    try:
        begun = campaign_jobs.begin(
            f"Search for topic {wanted.topic_id}: {textwrap.shorten(wanted.words, 60, placeholder=' …')}",
            KIND,
            work_on(g.campaign, searching.search_texts, wanted),
            outcome_of=partial(_outcome, wanted, url_for(".page", campaign=campaign)),
            user_errors=REFUSED,
        )
        return campaign_jobs.answer(
            begun, lambda _: redirect(url_for(".page", campaign=campaign, job=begun.id), 303)
        )
    except REFUSED as error:
        return _page(wanted, None, [str(error)]), 422


@blueprint.post("/c/<campaign>/search/pool", allow=SEARCHERS)
def pool(campaign: str, *, job: Text, document: Ticked = ()) -> ResponseReturnValue:
    """Put the documents that are ticked into the pool, as found by the search of the form's `job`."""
    record = campaign_jobs.finished(job, KIND)
    wanted, chosen = _request_of(record), list(document)
    if not chosen:
        return _page(wanted, record, [gettext("Tick the documents to add.")]), 422
    address = partial(url_for, ".page", campaign=campaign, job=record.id)
    try:
        begun = campaign_jobs.begin(
            f"Pool: {counted(len(chosen), 'document')} found by search for topic {wanted.topic_id}",
            POOLED,
            work_on(g.campaign, searching.pool_found, _result(record), chosen),
            outcome_of=partial(_pooled, address()),
            user_errors=REFUSED,
        )
        return campaign_jobs.answer(begun, lambda made: redirect(address(pool=made.pool.pool), 303))
    except REFUSED as error:
        return _page(wanted, record, [str(error)]), 422


def _outcome(wanted: searching.Query, page: str, search: searching.Search) -> Outcome:
    ids = [each.document_id for each in search.found]
    said = f"{counted(len(ids), 'document')} found in {counted(search.texts, 'text')}."
    excerpts = {each.document_id: each.excerpt for each in search.found}
    detail = wanted._asdict() | {"document_ids": ids, "texts": search.texts, "excerpts": excerpts}
    return Outcome(said, page, "Show what was found", detail)


def _pooled(page: str, made: MadePool) -> Outcome:
    said = f"Pool {made.pool.pool} created: {counted(made.pool.pairs, 'new pair')}."
    return Outcome(said, page, "Show the search")


def _request_of(record: Record) -> searching.Query:
    detail: Mapping[str, Any] = record.outcome.detail
    return searching.Query(*(detail[name] for name in searching.Query._fields))


def _result(record: Record) -> searching.Search:
    detail: Mapping[str, Any] = record.outcome.detail
    excerpts = {id_: tuple(Piece(*each) for each in pieces) for id_, pieces in detail["excerpts"].items()}
    found = searching.described(g.campaign, detail["topic_id"], detail["document_ids"], excerpts)
    return searching.Search(detail["topic_id"], found, detail["texts"])


def _page(wanted: searching.Query, record: Record | None, said: Sequence[str]) -> str:
    offered = sorted(
        (each.topic for each in topics.all_topics(g.campaign)), key=lambda each: natural(each.topic_id)
    )
    return render_template(
        "setup/search/page.html",
        wanted=wanted,
        topics=offered,
        record=record,
        search=None if record is None else _result(record),
        said=said,
        made=request.args.get("pool", ""),
        longest=searching.LONGEST_QUERY,
        most=searching.MOST_FOUND,
        jobs=[job for job in campaign_jobs.listed(KIND, POOLED) if record is None or job.id != record.id],
    )
