"""Campaigns from above: which there are, how far each one is, and what it is made of."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from flask import current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.dashboard.task_steps import STEP, steps_of
from workbench.campaign import assessing, assessor_settings, training
from workbench.campaign.assessing import TopicProgress
from workbench.campaign.working_time import today
from workbench.core.natural_order import natural
from workbench.core.wording import translatable as _
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people.members import PARTICIPANT
from workbench.web.access import rules
from workbench.web.requests.lists import Choice, Column, Filter, Listing

blueprint = rules.Pages("campaigns", __name__)

FIRST_PAGES = {"organiser": "dashboard.page", "participant": "own_team.page", "observer": "board.page"}
"""Where a campaign begins for those who are not there to judge."""

SHOWN_MISSING = 10
"""How many documents without a text are named; the rest are counted."""


class MissingTexts(NamedTuple):
    """How many pooled documents have no text, and the first of them by id, each with its topics."""

    documents: int
    first: list[tuple[str, list[str]]]


@blueprint.app_template_filter("shell")
def shell(name: object) -> str:
    """A name as one word of a command line."""
    return shlex.quote(str(name))


@blueprint.get("/", allow=rules.SIGNED_IN)
def index() -> ResponseReturnValue:
    """The campaigns in which the viewer has a role; a single one is opened at once."""
    mine = rules.my_campaigns()
    if len(mine) == 1:
        return redirect(url_for(".home", campaign=mine[0][0].name))
    rows = []
    for opened, role in mine:
        with rules.left_out(opened.path):
            rows.append(_summary(opened, role))
    return render_template(
        "setup/campaigns/index.html", rows=rows, is_local=g.viewer.local, may_make=rules.may_make_campaigns()
    )


TOPICS = Listing[TopicProgress](
    noun="topic",
    columns=(
        Column("topic", _("Topic"), lambda row: natural(row.topic_id)),
        Column("title", _("Title"), lambda row: row.title.casefold() or None),
        Column("open", _("To judge"), lambda row: row.open, numeric=True),
        Column("judged", _("Judged"), lambda row: row.judged, numeric=True),
    ),
    filters=(
        Filter(
            "state",
            _("Judgments"),
            {
                "open": Choice(_("to judge"), lambda row: bool(row.waits)),
                "mine": Choice(_("some by you"), lambda row: row.mine > 0),
                "done": Choice(_("none to judge"), lambda row: not row.waits),
            },
        ),
    ),
    text=lambda row: f"{row.topic_id} {row.title}",
    looks_in=_("Id or title"),
    ident=lambda row: row.topic_id,
    order="topic",
)
"""A member's topics; shown as a list with a search only where they fill more than one page."""

FREE_TOPICS = replace(TOPICS, filters=(), prefix="free-")
"""Topics that can be claimed."""


@blueprint.get("/c/<campaign>/", allow=rules.ROLES)
def home(campaign: str) -> ResponseReturnValue:
    """Where a campaign begins: the dashboard for organisers, their topics for assessors and adjudicators.

    Participants and observers are led to what they may see. Who visits the demo comes to judge.
    """
    if g.role in FIRST_PAGES and not current_app.config["DEMO"]:
        return redirect(url_for(FIRST_PAGES[g.role], campaign=campaign))
    return own_topics(campaign)


@blueprint.get("/c/<campaign>/own-topics", allow=rules.JUDGES)
def own_topics(campaign: str) -> str:
    """One's own topics with their progress, and the way to the judging page."""
    everything = assessing.progress_of_all(g.campaign, g.member)
    rows = [row for row in everything if not row.can_be_taken]
    live = [row for row in rows if not row.refusal] or rows
    postponed = assessor_settings.postponed_topics(g.campaign, g.member)
    is_pooled = bool(everything) or bool(pools.in_force(g.campaign.asking(EVERY)))
    return render_template(
        "setup/campaigns/home.html",
        topics=TOPICS.view(rows, request.args, ".own_topics", campaign=campaign, **FREE_TOPICS.back()),
        free=FREE_TOPICS.view(
            [row for row in everything if row.can_be_taken],
            request.args,
            ".own_topics",
            campaign=campaign,
            **TOPICS.back(),
        ),
        is_pooled=is_pooled,
        live=live,
        total=total_of(live),
        steps=[] if is_pooled or g.role != "organiser" else commands_to_pool(g.campaign),
        missing=missing_texts(g.campaign) if g.role == "organiser" else None,
        today=today(g.campaign, g.member),
        first=training.first_step(g.campaign, g.member),
        can_practise=g.role == "assessor" and training.practice(g.campaign, g.member).following is not None,
        following=assessing.topic_to_go_on(g.campaign, g.member, rows, postponed),
        postponed=postponed,
    )


def commands_to_pool(campaign: Campaign) -> list[str]:
    """The commands that a campaign still needs until there is something to judge, in their order."""
    steps = steps_of(campaign).steps[: list(STEP).index("pool") + 1]
    return [step.command for step in steps if step.state in ("now", "later")]


def missing_texts(campaign: Campaign) -> MissingTexts | None:
    """What is held back from assessors for want of a text; None when nothing is."""
    count = len(documents.without_text(campaign))
    return MissingTexts(count, documents.topics_without_text(campaign, SHOWN_MISSING)) if count else None


def total_of(rows: Sequence[TopicProgress]) -> dict[str, int]:
    """Pairs of all topics: pooled, judged by any assessor, by this one, and skipped by this one."""
    return {
        name: sum(getattr(row, name) for row in rows) for name in ("pooled", "judged", "mine", "cannot_tell")
    }


def _summary(campaign: Campaign, role: str) -> dict[str, object]:
    """A campaign as the first page lists it; how far the judging is, is not for participants."""
    progress = assessing.whole_progress if role in rules.BOARD_READERS else assessing.topic_progress
    total = None if role == PARTICIPANT else total_of(progress(campaign, g.member))
    return {
        "name": campaign.name,
        "title": settings.read(campaign).title,
        "role": role,
        "total": total,
        "is_pooled": bool(pools.in_force(campaign)),
    }
