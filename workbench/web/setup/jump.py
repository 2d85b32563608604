"""The jump field: what a person may open in a campaign, by the beginning of its name, or a part of it.

Assessors and adjudicators are offered pages and their topics, never a run, a team or a person; participants pages and
their own runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from flask import Blueprint, Response, g, jsonify, request, url_for

from workbench.campaign import assessing
from workbench.core.natural_order import natural
from workbench.storage.campaign.collection import pools, runs, topics
from workbench.storage.campaign.people import members
from workbench.web.access.rules import JUDGES, ROLES, allow_in_campaign
from workbench.web.places import PLACES, may_open

blueprint = Blueprint("jump", __name__)

MOST, MOST_OF_A_KIND = 20, 6
LONGEST = 200  # letters of what is typed that are read
MISSED = 2


class Target(NamedTuple):
    """Something to open: what kind of thing it is, its name and what else names it, and its address."""

    kind: str
    name: str
    note: str
    address: str


@blueprint.get("/c/<campaign>/jump")
@allow_in_campaign(*ROLES)
def find(campaign: str) -> Response:
    """What `?q=` begins, then what it is a part of, each in natural order; the pages alone where nothing is typed."""
    wanted = request.args.get("q", "")[:LONGEST].strip().casefold()
    if not wanted:
        return jsonify(targets=[each._asdict() for each in _pages()][:MOST])
    found = []
    for kind in (_pages(), _topics(), _runs(), _people(), _documents(request.args["q"][:LONGEST].strip())):
        ranked = sorted((_rank(each, wanted), natural(each.name.casefold()), each) for each in kind)
        found += [each for each in ranked if each[0] < MISSED][:MOST_OF_A_KIND]
    return jsonify(targets=[each._asdict() for *_, each in sorted(found, key=lambda each: each[0])[:MOST]])


def _rank(target: Target, wanted: str) -> int:
    names = (target.name.casefold(), target.note.casefold())
    return 0 if any(map(str.startswith, names, 2 * [wanted])) else 1 if wanted in "\n".join(names) else MISSED


def _pages() -> Iterator[Target]:
    for place in PLACES:
        if may_open(place) and not place.about:
            yield Target("page", place.name, place.group, place.address)


def _topics() -> Iterator[Target]:
    if g.role == "organiser":
        for topic_id, title in topics.titles(g.campaign).items():
            yield _target("topic", topic_id, title, "topics.topic", topic=topic_id)
    elif g.role in JUDGES:
        for row in assessing.topic_progress(g.campaign, g.member):
            yield _target("topic", row.topic_id, row.title, "judge.page", topic=row.topic_id)


def _runs() -> Iterator[Target]:
    for run in runs.all_runs(g.campaign) if g.role in ("organiser", "participant") else ():
        if g.role == "organiser":
            yield _target("run", run.record.tag, run.record.team, "runs.run", run=run.record.tag)
        elif g.team and run.record.team == g.team:
            yield _target("run", run.record.tag, g.team, "own_team.page")


def _people() -> Iterator[Target]:
    if g.role == "organiser":
        for name, role in members.all_members(g.campaign).items():
            page, field = ("assessors.one", "name") if role in JUDGES else ("people.page", "q")
            yield _target("person", name, role, page, **{field: name})


def _documents(beginning: str) -> Iterator[Target]:
    if g.role == "organiser":
        for topic_id, document_id in pools.pairs_from(g.campaign, beginning, MOST_OF_A_KIND):
            where = {"topic": topic_id, "document": document_id}
            yield _target("document", document_id, f"topic {topic_id}", "pairs.page", **where)


def _target(kind: str, shown: str, note: str, endpoint: str, **values: Any) -> Target:
    return Target(kind, shown, note, url_for(endpoint, campaign=g.campaign.name, **values))
