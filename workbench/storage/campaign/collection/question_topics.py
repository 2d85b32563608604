"""Where the answers to a campaign's further questions are kept: each topic has a topic of its own for each question.

The answers to the question `readability` about topic 17 are judgments of the topic `17!readability`: so everything that
topics have (assignments, judging again, agreement, labels, history) holds for them by the same code. The events that
make such topics name their question, so that an id that looks like one is none. A view of the campaign shows the topics
of one question, `Campaign.asking`; that of relevance those without any.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

from workbench.core.about import DOCUMENTS
from workbench.storage.campaign.file.connection import EVERY, Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event
from workbench.storage.campaign.log.state import part
from workbench.storage.campaign.organising import settings

MARK = "!"
"""Between a topic and a question: before all characters that ids have, so that these topics are in the order of theirs.
"""

OF_QUESTION = "topic NOT IN (SELECT value FROM json_each(:others))"
"""Rows of the question by which the campaign is seen; `seen` gives the parameters of such a statement."""


def key_of(topic_id: str, question: str) -> str:
    """The topic that has the answers to a question about a topic; "" for relevance, which is the topic itself.

    >>> key_of("17", "readability")
    '17!readability'
    """
    return f"{topic_id}{MARK}{question}" if question not in ("", EVERY) else topic_id


@part(kinds.TOPICS, start=dict)
def questions(found: dict[str, str], event: Event) -> None:
    """The question of each topic that has one."""
    if name := event.content.get("question"):
        found.update((content["topic_id"], name) for content in event.content["topics"])
    for topic_id in event.content.get("removed", ()):
        found.pop(topic_id, None)


def question_of(campaign: Campaign, topic_id: str) -> str:
    """The question that judgments of a topic answer, "" for relevance."""
    return questions(campaign.now).get(topic_id, "") if MARK in topic_id else ""


def about(campaign: Campaign, topic_id: str | None = None) -> str:
    """What is judged of a topic, or of those that the campaign shows as it is seen: one of core.about.ABOUT."""
    name = campaign.question if topic_id is None else question_of(campaign, topic_id)
    if name in ("", EVERY):
        return DOCUMENTS
    known = settings.read(campaign.asking("")).questions
    return next((each.about for each in known if each.name == name), DOCUMENTS)


def topic_of(campaign: Campaign, key: str) -> str:
    """The topic itself, of one that has the answers to a question about it."""
    question = question_of(campaign, key)
    return key.removesuffix(f"{MARK}{question}") if question else key


def keys_of(campaign: Campaign, topic_ids: Iterable[str]) -> list[str]:
    """The topics that have answers to questions about these topics, in byte order."""
    chosen, known = set(topic_ids), questions(campaign.now)
    return sorted(key for key, name in known.items() if key.removesuffix(f"{MARK}{name}") in chosen)


def asked(campaign: Campaign, topic_ids: Iterable[str]) -> list[str]:
    """Those of these topics that the campaign shows as it is seen, in their order."""
    if campaign.question == EVERY:
        return list(topic_ids)
    known = questions(campaign.now)
    return [each for each in topic_ids if known.get(each, "") == campaign.question]


def others(campaign: Campaign) -> Collection[str]:
    """The topics that the campaign does not show as it is seen."""
    known = questions(campaign.now)
    if campaign.question in ("", EVERY):
        return () if campaign.question else known.keys()
    every = campaign.column("SELECT topic FROM topic ORDER BY topic")
    return [each for each in every if known.get(each) != campaign.question]


def seen(campaign: Campaign, **more: Any) -> dict[str, Any]:
    """The parameters of a statement with OF_QUESTION about rows up to `:as_of`, with `more` of its own."""
    return {"others": json.dumps(list(others(campaign))), "as_of": campaign.up_to, **more}
