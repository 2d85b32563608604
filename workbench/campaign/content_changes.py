"""Changes of what a campaign holds: corrected, withdrawn and restored topics and runs, broken and deleted documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.records import Topic
from workbench.core.wording import listed, none_such
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import (
    broken,
    documents,
    pooled_units,
    rounds,
    runs,
    topic_withdrawals,
    topics,
    withdrawals,
)
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.collection.topics import StoredTopic
from workbench.storage.campaign.log.kinds import LONGEST_REASON

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
        stored = topics.named(campaign, topic_id)
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
        raise CampaignError(
            f"topic {topic.topic_id} needs a title, a description or a narrative; to take it out, withdraw it"
        )
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
        row = topic_withdrawals.restore(campaign, chosen, reason=reason)
        pooled_units.settle(campaign, chosen)
        return row


def _known(campaign: Campaign, topic_ids: Sequence[str]) -> list[str]:
    """The topics, each once; NotThere names those that do not exist."""
    known = topics.topic_ids(campaign)
    there = set(known)
    unknown = [topic_id for topic_id in topic_ids if topic_id not in there]
    if unknown:
        raise NotThere(none_such("topic", unknown, known, of=campaign.name))
    return list(dict.fromkeys(topic_ids))


def mark_broken(campaign: Campaign, document_ids: Sequence[str], *, reason: str) -> None:
    """Mark the stored texts of documents as broken; all of them or none.

    Their pairs leave every queue until the text is replaced or the mark is taken back. Judgments stay, and so does
    every label and score; what was judged on a broken text can be overruled or judged again.

    Raises:
        NotThere: the campaign has no text of a document.
        AlreadyDone: a document is marked already.
        CampaignError: no reason is given.
    """
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise CampaignError(f"say what is broken, in 1 to {LONGEST_REASON:,} characters")
    _mark(campaign, document_ids, is_broken=True, reason=reason)


def mark_not_broken(campaign: Campaign, document_ids: Sequence[str], *, reason: str = "") -> None:
    """Take marks back; all of them or none. AlreadyDone for a document that is not marked."""
    _mark(campaign, document_ids, is_broken=False, reason=reason)


def _mark(campaign: Campaign, document_ids: Sequence[str], *, is_broken: bool, reason: str) -> None:
    with campaign.write():
        there = broken.marked(campaign)
        for document_id in dict.fromkeys(document_ids):
            mark = there.get(document_id)
            if (mark is not None) == is_broken:
                state = (
                    "not marked as broken" if mark is None else f"marked as broken already, by {mark.actor}"
                )
                raise AlreadyDone(f"document {document_id!r} is {state}")
            text_hash = documents.text_hash_of(campaign, document_id)
            if text_hash is None:
                raise NotThere(
                    f"{campaign.name} has no text of document {document_id!r}, so it waits for one as it is"
                )
            broken.put(campaign, document_id, text_hash, is_broken=is_broken, reason=reason.strip())


def withdraw_runs(campaign: Campaign, tags: Sequence[str], *, reason: str = "") -> list[StoredRun]:
    """Take runs out of the board and of every pool that is made from now on; all of them or none.

    They stay in the file, and what was pooled from them stays pooled.

    Raises:
        NotThere: a run does not exist.
        AlreadyDone: a run is withdrawn already.
    """
    with campaign.write():
        for run in runs_named(campaign, tags):
            if run.withdrawn is not None:
                message = f"run {run.record.tag!r} is withdrawn already, since log row {run.withdrawn}"
                raise AlreadyDone(message)
            withdrawals.withdraw(campaign, run.run, run.record.tag, reason=reason)
        pooled_units.settle(campaign)
        return runs_named(campaign, tags)


def restore_runs(campaign: Campaign, tags: Sequence[str], *, reason: str = "") -> list[StoredRun]:
    """Put withdrawn runs back; arguments and errors as in `withdraw_runs`."""
    with campaign.write():
        for run in runs_named(campaign, tags):
            if run.withdrawn is None:
                raise AlreadyDone(f"run {run.record.tag!r} is not withdrawn")
            withdrawals.restore(campaign, run.run, run.record.tag, reason=reason)
        pooled_units.settle(campaign)
        return runs_named(campaign, tags)


def runs_named(campaign: Campaign, tags: Sequence[str]) -> list[StoredRun]:
    """The runs of these tags, each once, withdrawn ones too; NotThere names those that do not exist."""
    found = rounds.by_name(campaign)
    unknown = [tag for tag in tags if tag not in found]
    if unknown:
        raise NotThere(none_such("run", unknown, list(found), of=campaign.name))
    return [found[tag] for tag in dict.fromkeys(tags)]


def withdrawn_tags(campaign: Campaign) -> list[str]:
    """The tags of the runs that are out now, or were as of a place in the log."""
    return [run.record.tag for run in runs.all_runs(campaign) if run.withdrawn is not None]
