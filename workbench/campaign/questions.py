"""Further questions about documents: declaring them, and pooling the documents about which they are asked."""

from __future__ import annotations

import re

from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.pools.making import MadePool, add_pool
from workbench.core.errors import AlreadyDone
from workbench.core.records import Question
from workbench.core.wording import counted, listed
from workbench.formats.scale import ScaleError, checked_scale
from workbench.methods.pooling.strategies.listed import write_pair
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, topic_withdrawals, topics
from workbench.storage.campaign.collection.question_topics import key_of, questions, topic_of
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.organising import settings

NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")


def declare(campaign: Campaign, question: Question) -> int:
    """Ask a question from now on, or change the title, scale or guideline of one; returns the event's `seq`.

    Raises SettingRefused for a name, a scale or an `asked_from` that makes no sense, a scale without a grade that was
    given, or a topic whose id is that of a question's topic.
    """
    with campaign.write():
        current = settings.read(campaign)
        known = {each.name: each for each in current.questions}
        _check(campaign, question, current)
        if question.name in known:
            _check_given(campaign, question)
        else:
            _check_topics(campaign, question.name)
        known[question.name] = question
        content = [
            {**each._asdict(), "grades": [list(grade) for grade in each.grades]} for each in known.values()
        ]
        if not _has_topics(campaign, question.name):
            every = [stored.topic for stored in topics.all_topics(campaign)]
            topics.put_question(campaign, question.name, every)
            if out := topic_withdrawals.withdrawn(campaign):
                gone = [key_of(each, question.name) for each in out if each not in questions(campaign)]
                topic_withdrawals.withdraw(campaign, gone, reason="withdrawn before the question was asked")
        return settings.change(campaign, {"questions": content})


def due(campaign: Campaign, name: str) -> list[str]:
    """The pairs about which a question is to be asked and which are in no pool of its own yet, as pools list them.

    These are the pooled ones, or those of them with a label of `asked_from` or higher; in byte order.
    """
    asked_from = settings.read(campaign).question(name).asked_from
    seen, own = campaign.asking(""), campaign.asking(name)
    there = {
        (topic_of(campaign, pair.pooled.topic_id), pair.pooled.document_id) for pair in pools.each_pair(own)
    }
    pairs = [pair.pooled[:2] for pair in pools.each_pair(seen) if pair.pooled[:2] not in there]
    if asked_from is not None:
        good = {label.pair for label in labels.qrels(seen) if label.grade >= asked_from}
        pairs = [pair for pair in pairs if pair in good]
    return [write_pair(key_of(topic_id, name), document_id) for topic_id, document_id in pairs]


def ask(campaign: Campaign, name: str) -> MadePool:
    """Pool the pairs that are due; AlreadyDone when there is none, UnknownName for a question that is not asked."""
    pairs = due(campaign, name)
    if not pairs:
        least = settings.read(campaign).question(name).asked_from
        what = "no document is pooled" if least is None else f"no pooled document has a label from {least} on"
        raise AlreadyDone(f"{what} that {name} is not asked about already")
    return add_pool(campaign.asking(name), strategy="list", pairs=pairs, found_by="question")


def _check(campaign: Campaign, question: Question, current: settings.Settings) -> None:
    if not NAME.fullmatch(question.name):
        raise SettingRefused(
            f"{question.name!r} names no question: take up to 31 of a to z, 0 to 9 and -, with a letter first"
        )
    try:
        checked_scale(question.grades, question.relevant_from)
    except ScaleError as error:
        raise SettingRefused(f"question {question.name}: {error}") from None
    scale = [grade.grade for grade in current.grades]
    if question.asked_from is not None and question.asked_from not in scale:
        raise SettingRefused(
            f"question {question.name}: no document gets the grade {question.asked_from}, from which on it is to be "
            f"asked; the scale of {campaign.name} is {listed(list(map(str, scale)))}"
        )


def _check_given(campaign: Campaign, question: Question) -> None:
    given = judgments.times_given(campaign.asking(question.name))
    gone = given.keys() - {grade.grade for grade in question.grades}
    if gone:
        said = listed([f"{grade} ({counted(given[grade], 'time')})" for grade in sorted(gone)])
        raise SettingRefused(f"question {question.name}: grades that were given stay on its scale: {said}")


def _check_topics(campaign: Campaign, name: str) -> None:
    known = set(topics.topic_ids(campaign))
    taken = [each for each in known if key_of(each, name) in known]
    if taken:
        raise SettingRefused(
            f"topic {key_of(taken[0], name)} is there already, and would hold the answers to {name} about topic "
            f"{taken[0]}; choose another name"
        )


def _has_topics(campaign: Campaign, name: str) -> bool:
    return name in questions(campaign).values()
