"""The jump field: what a person may open in a campaign, by the beginning of a name or a part of it; for those who judge
never a run, a team or a person, for participants their own runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from flask import Response, g, jsonify, request, url_for

from workbench.campaign import assessing
from workbench.core.natural_order import natural
from workbench.storage.campaign.collection import pools, runs, topics
from workbench.storage.campaign.people import members
from workbench.web.access.rules import JUDGES, ROLES, Pages
from workbench.web.places import PLACES, may_open
from workbench.web.requests.languages import gettext

blueprint = Pages("jump", __name__)

KINDS = ("page", "topic", "run", "person", "document")
MOST, MOST_OF_A_KIND, MISSED = 20, 6, 2
LONGEST = 200  # letters of what is typed that are read


class Target(NamedTuple):
    """Something to open: one of KINDS, its name, what else names it, and its address."""

    kind: str
    name: str
    note: str
    address: str


@blueprint.get("/c/<campaign>/jump", allow=ROLES)
def find(campaign: str) -> Response:
    """What `?q=` begins, then what it is a part of, each in natural order; the pages alone where nothing is typed."""
    typed = request.args.get("q", "")[:LONGEST].strip()
    if not typed:
        return jsonify(targets=[each._asdict() for each in _pages()][:MOST])
    found, of_kind = [], Counter[str]()
    for rank, *_, each in sorted(_ranked(each, typed.casefold()) for each in (*_pages(), *_things(typed))):
        if rank < MISSED and of_kind[each.kind] < MOST_OF_A_KIND:
            of_kind[each.kind] += 1
            found.append(each._asdict())
    return jsonify(targets=found[:MOST])


def _ranked(target: Target, wanted: str) -> tuple[int, int, Any, Target]:
    names = (target.name.casefold(), target.note.casefold())
    rank = min(0 if name.startswith(wanted) else 1 if wanted in name else MISSED for name in names)
    return rank, KINDS.index(target.kind), natural(names[0]), target


def _pages() -> Iterator[Target]:
    for place in PLACES:
        if may_open(place) and not place.about:
            yield Target("page", gettext(place.name), gettext(place.group), place.address)


def _things(beginning: str) -> Iterator[Target]:
    """What is to be opened besides pages; of documents only those whose id begins so."""
    if g.role == "organiser":
        for topic_id, title in topics.titles(g.campaign).items():
            yield _target("topic", topic_id, title, "topics.topic", topic=topic_id)
        for run in runs.all_runs(g.campaign):
            yield _target("run", run.record.tag, run.record.team, "runs.run", run=run.record.tag)
        for name, role in members.all_members(g.campaign).items():
            page, field = ("assessors.one", "name") if role in JUDGES else ("people.page", "q")
            yield _target("person", name, role, page, **{field: name})
        for topic_id, document_id in pools.pairs_from(g.campaign, beginning, MOST_OF_A_KIND):
            names = {"topic": topic_id, "document": document_id}
            yield _target("document", document_id, f"topic {topic_id}", "pairs.page", **names)
    elif g.role in JUDGES:
        for row in assessing.progress_of_all(g.campaign, g.member):
            yield _target("topic", row.topic_id, row.title, "judge.page", topic=row.topic_id)
    elif g.role == "participant" and g.team:
        for run in runs.all_runs(g.campaign):
            if run.record.team == g.team:
                yield _target("run", run.record.tag, g.team, "own_team.page")


def _target(kind: str, shown: str, note: str, endpoint: str, **values: Any) -> Target:
    return Target(kind, shown, note, url_for(endpoint, campaign=g.campaign.name, **values))
