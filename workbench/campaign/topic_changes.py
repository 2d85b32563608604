"""Correcting the text of a topic, taking topics out of a campaign, and putting them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.records import Topic
from workbench.core.wording import listed, none_such
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topic_withdrawals, topics
from workbench.storage.campaign.collection.topics import StoredTopic

LONGEST_TITLE, LONGEST_TEXT = 1_000, 100_000
"""Characters of a title, and of any other text of a topic that is typed; files may hold longer ones."""


class TopicChanged(CampaignError):
    """Another organiser changed the topic meanwhile; nothing was stored. `stored` is what it is now."""

    def __init__(self, stored: StoredTopic) -> None:
        self.stored = stored
        super().__init__(
            f"topic {stored.topic.topic_id} was changed since the page was opened (log row {stored.version}); "
            "nothing was stored. Compare both and save again"
        )


def correct_topic(
    campaign: Campaign, topic_id: str, texts: Mapping[str, str], *, version: int | None = None
) -> int | None:
    """Give a topic another text: a new version, which judgments name from then on.

    `texts` are title, description, narrative, and further fields that it has, by their names; those left out stay.
    `version` is the one that was corrected, None for the newest. Returns the log row of the new version, None where
    nothing is another than before.

    Raises:
        NotThere: there is no such topic, or it has no such field.
        TopicChanged: it has another version by now.
        CampaignError: a text is too long, or neither title nor description nor narrative remains.
    """
    with campaign.write():
        stored = topics.find(campaign, topic_id)
        if stored is None:
            raise NotThere(none_such("topic", topic_id, topics.topic_ids(campaign), of=campaign.name))
        corrected = _corrected(stored.topic, texts)
        if corrected == stored.topic:
            return None
        if version is not None and version != stored.version:
            raise TopicChanged(stored)
        return topics.put(campaign, [corrected], files=[])


def _corrected(topic: Topic, texts: Mapping[str, str]) -> Topic:
    named = {"title": topic.title, "description": topic.description, "narrative": topic.narrative}
    fields = dict(topic.fields)
    for name, text in texts.items():
        plain = text.replace("\r\n", "\n").strip()
        longest = LONGEST_TITLE if name == "title" else LONGEST_TEXT
        if name in named:
            named[name] = " ".join(plain.split()) if name == "title" else plain
        elif name in fields:
            fields[name] = plain
        else:
            message = f"topic {topic.topic_id} has no field {name!r}; it has {listed([*named, *fields])}"
            raise NotThere(message)
        if len(plain) > longest:
            raise CampaignError(f"{name}: {len(plain):,} characters, at most {longest:,}; shorten it")
    if not any(named.values()):
        message = (
            f"topic {topic.topic_id} needs a title, a description or a narrative; to take it out, withdraw it"
        )
        raise CampaignError(message)
    return Topic(topic.topic_id, **named, fields=MappingProxyType(fields))


def withdraw_topics(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Take topics out of scores, pools and assignments; all of them or none. Returns the event's `seq`.

    Their judgments stay in the log, and scores as of an earlier row have them.

    Raises:
        NotThere: a topic does not exist.
        AlreadyDone: a topic is withdrawn already.
    """
    with campaign.write():
        chosen, out = _known(campaign, topic_ids), topic_withdrawals.withdrawn(campaign)
        for topic_id in chosen:
            if topic_id in out:
                raise AlreadyDone(f"topic {topic_id!r} is withdrawn already, since log row {out[topic_id]}")
        return topic_withdrawals.withdraw(campaign, chosen, reason=reason)


def restore_topics(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Put withdrawn topics back with their pairs and labels; arguments and errors as in `withdraw_topics`."""
    with campaign.write():
        chosen, out = _known(campaign, topic_ids), topic_withdrawals.withdrawn(campaign)
        for topic_id in chosen:
            if topic_id not in out:
                raise AlreadyDone(f"topic {topic_id!r} is not withdrawn")
        return topic_withdrawals.restore(campaign, chosen, reason=reason)


def delete_topics(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Delete topics that nothing refers to, such as the header line of a file; all or none. Returns the event's `seq`.

    The log keeps their texts.

    Raises:
        NotThere: a topic does not exist.
        CampaignError: a run, a pool, an assignment or anything else refers to one of them.
    """
    with campaign.write():
        return topics.remove(campaign, _known(campaign, topic_ids), reason=reason)


def _known(campaign: Campaign, topic_ids: Sequence[str]) -> list[str]:
    """The topics, each once; NotThere names those that do not exist."""
    known = topics.topic_ids(campaign)
    there = set(known)
    unknown = [topic_id for topic_id in topic_ids if topic_id not in there]
    if unknown:
        raise NotThere(none_such("topic", unknown, known, of=campaign.name))
    return list(dict.fromkeys(topic_ids))
