"""Correcting a topic's text, taking a topic out of a campaign, putting it back, and deleting it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import content_changes
from workbench.core.errors import REFUSED, CampaignError
from workbench.core.records import Topic
from workbench.storage.campaign.collection import topic_withdrawals, topics
from workbench.storage.campaign.collection.references import referred_to
from workbench.storage.campaign.collection.topics import StoredTopic
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import Reason, TopicId

blueprint = Pages("topic_changes", __name__)

FIELD = "field:"
"""What is before the name of a further field in the form."""


@blueprint.get("/c/<campaign>/topic/edit", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The form that corrects the text of `?topic=`, its versions, and the form that withdraws or deletes it."""
    stored = topics.named(g.campaign, request.args.get("topic", ""))
    return _page(stored, _texts(stored.topic))


@blueprint.post("/c/<campaign>/topic/edit", allow=ORGANISERS)
def save(campaign: str) -> ResponseReturnValue:
    """Correct the topic; where another organiser did so meanwhile, both texts are shown and nothing is stored."""
    stored = topics.named(g.campaign, request.form.get("topic", ""))
    typed = {name: request.form.get(name, text) for name, text in _texts(stored.topic).items()}
    texts = {name.removeprefix(FIELD): text for name, text in typed.items()}
    version = request.form.get("version", type=int)
    try:
        content_changes.correct_topic(g.campaign, stored.topic.topic_id, texts, version=version)
    except content_changes.TopicChanged as error:
        return _page(error.stored, typed, str(error), theirs=_texts(error.stored.topic)), 409
    except REFUSED as error:
        return _page(stored, typed, str(error)), 422
    return redirect(url_for("topics.topic", campaign=campaign, topic=stored.topic.topic_id), 303)


@blueprint.post("/c/<campaign>/topic/withdraw", allow=ORGANISERS)
def withdraw(
    campaign: str, *, topic: TopicId, do: Literal["withdraw", "restore"] = "withdraw", reason: Reason = ""
) -> ResponseReturnValue:
    """Withdraw the topic, or restore it with `do=restore`."""
    stored, restores = topics.named(g.campaign, topic), do == "restore"
    try:
        (content_changes.restore_topics if restores else content_changes.withdraw_topics)(
            g.campaign, [topic], reason=reason
        )
    except CampaignError as error:
        return _page(stored, _texts(stored.topic), str(error)), 409
    say(f"Topic {topic} {'restored' if restores else 'withdrawn'}.")
    return redirect(url_for("topics.topic", campaign=campaign, topic=topic), 303)


def _texts(topic: Topic) -> dict[str, str]:
    """The texts of a topic by the names of the form's fields."""
    fields = {f"{FIELD}{name}": text for name, text in topic.fields.items()}
    return {"title": topic.title, "description": topic.description, "narrative": topic.narrative, **fields}


def _page(
    stored: StoredTopic, typed: Mapping[str, str], message: str = "", theirs: Mapping[str, str] | None = None
) -> str:
    topic_id = stored.topic.topic_id
    return render_template(
        "setup/topic_changes/page.html",
        topic=stored.topic,
        version=stored.version,
        typed=typed,
        theirs=theirs or {},
        field=FIELD,
        message=message,
        versions=topics.versions(g.campaign, topic_id),
        out=topic_withdrawals.withdrawn(g.campaign).get(topic_id),
        deletable=topic_id not in referred_to(g.campaign, "topic"),
        longest_title=content_changes.LONGEST_TITLE,
        longest=content_changes.LONGEST_TEXT,
        longest_reason=LONGEST_REASON,
    )
