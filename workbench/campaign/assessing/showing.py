"""One pooled pair as an assessor sees it, and their own judgments of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.campaign.assessing import repeats
from workbench.core.errors import NotThere
from workbench.core.records import SAID_LATER, Document, Judgment, Topic
from workbench.core.values import declared
from workbench.methods.pairing import left_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.collection.pairs import is_of_pairs
from workbench.storage.campaign.collection.pools import side_seed
from workbench.storage.campaign.collection.question_topics import topic_of
from workbench.storage.campaign.collection.topics import StoredTopic
from workbench.storage.campaign.grades import chosen_labels, judgments, off_record, shown_labels
from workbench.storage.campaign.grades.scales import Scales
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

SHOWN = tuple(field.name for field in declared(Judgment) if field.given.part == "shown")
"""The fields of a judgment that prove what was shown."""
VERSIONS = tuple(name for name in SHOWN if name not in ("text_hash", "left"))
"""Those of them that are the same for all documents of a topic."""


class Versions(NamedTuple):
    """The versions of what an assessor reads: the topic, and the guidelines; 0 where there are none."""

    topic: int = 0
    guidelines: int = 0

    @classmethod
    def of(cls, campaign: Campaign, topic: StoredTopic | None, rules: Settings) -> Versions:
        """Those of a topic, None for one that does not exist, under the settings in force."""
        shown = chosen_labels.version(campaign, topic.topic.topic_id, topic.version) if topic else 0
        return cls(shown, rules.guideline_version)

    @property
    def proof(self) -> dict[str, int]:
        """What a judgment has to prove that they were shown."""
        return dict(zip(VERSIONS, self, strict=True))


class Shown(NamedTuple):
    """Everything about one pair that an assessor sees, and what a judgment of it has to echo.

    `document` and `text_hash` are None when the campaign has no text of the document; `mine` is the
    assessor's own judgment in force, if there is one: the newest repeat of a pair that was judged again, None while it
    is due again. `is_broken` says that an organiser marked the text as broken, so that it waits for another.
    `left` says which thing of a pair of things stands on the left for this assessor, first or second.
    """

    topic: Topic
    topic_version: int
    document: Document | None
    text_hash: str | None
    pool: int
    guideline_version: int
    mine: Judgment | None
    is_broken: bool = False
    left: str | None = None

    @property
    def proof(self) -> dict[str, Any]:
        """What a judgment of the pair has to prove that it was shown."""
        return {name: getattr(self, name) for name in SHOWN}

    @property
    def title(self) -> str:
        """That of the document, "" without one."""
        return self.document.title if self.document else ""

    @property
    def versions(self) -> Versions:
        """Those in force."""
        return Versions(self.topic_version, self.guideline_version)

    def judged(self, document_id: str, **said: Any) -> Judgment:
        """A judgment of the pair, with the proof of what was shown, and what is said of it."""
        return Judgment(
            topic_id=self.topic.topic_id, document_id=document_id, pool=self.pool, **self.proof, **said
        )


def show(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> Shown:
    """One pooled pair as an assessor sees it; NotThere for a pair that is in no pool."""
    with campaign.snapshot():
        shown = shown_to_all(campaign, topic_id, document_id)
        left = left_for(campaign, shown, document_id, assessor)
        return shown._replace(mine=own_judgments(campaign, topic_id, document_id, assessor).seen, left=left)


def left_for(campaign: Campaign, shown: Shown, document_id: str, assessor: str) -> str | None:
    """Which thing of a pair is on the left for an assessor, drawn by its pool's seed; None without things."""
    topic_id = shown.topic.topic_id
    seed = side_seed(campaign, shown.pool) if is_of_pairs(campaign, topic_id) else None
    return None if seed is None else left_of(seed, assessor, topic_of(campaign, topic_id), document_id)


def shown_to_all(campaign: Campaign, topic_id: str, document_id: str, *, with_text: bool = True) -> Shown:
    """One pooled pair without any assessor's own judgment, or all of it but the document; errors as of `show`."""
    pair = topics.of_pair(campaign, topic_id, document_id)
    if pair is None:
        raise NotThere(f"document {document_id!r} is not pooled for topic {topic_id!r} in {campaign.name}")
    stored = documents.find(campaign, document_id) if with_text else None
    return Shown(
        topic=pair.topic.topic,
        topic_version=chosen_labels.version(campaign, topic_id, pair.topic.version),
        document=stored.document if stored else None,
        text_hash=pair.text_hash,
        pool=pair.pool,
        guideline_version=settings.read(campaign).guideline_version,
        mine=None,
        is_broken=pair.is_broken,
    )


def show_unpooled(campaign: Campaign, stored: StoredTopic, document_id: str) -> Shown:
    """A pair as it would be shown, with the number 0 in the place of its pool."""
    found = documents.find(campaign, document_id)
    return Shown(
        topic=stored.topic,
        topic_version=stored.version,
        document=found.document if found else None,
        text_hash=found.text_hash if found else None,
        pool=0,
        guideline_version=settings.read(campaign).guideline_version,
        mine=None,
    )


def never_shown(campaign: Campaign, row: Judgment, shown: Shown) -> str:
    """Why what a judgment names was never shown, or means something else now; "" where all is well."""
    topic, guidelines = row.topic_version, row.guideline_version
    had = topics.had_version(campaign, row.topic_id, topic) if topic != shown.topic_version else True
    if not had and (not topic or chosen_labels.version(campaign.at(topic), row.topic_id) != topic):
        return "the topic was never shown in this version"
    if guidelines != shown.guideline_version and not settings.had_version(campaign, guidelines):
        return "the guidelines were never shown in this version"
    if row.grade is None or guidelines is None or guidelines >= settings.read(campaign).scale_version:
        return ""
    scales = Scales(campaign)
    if scales.now(row.grade, guidelines) == row.grade:
        return ""
    name = scales.at(guidelines).called(row.grade)
    return f"the scale changed after it was shown, and “{name}” means something else now; judge it by the new scale"


class OwnJudgments(NamedTuple):
    """An assessor's own judgments of a pair.

    Attributes:
        seen: what they may see of them, as they gave it: the newest repeat or second look, else the one that counts;
            None while the pair is due again.
        counting: the one that counts, due again or not.
        has_repeat: whether they judged the pair again.
        is_shown: whether a model's label of it was shown to them.
    """

    seen: Judgment | None = None
    counting: Judgment | None = None
    has_repeat: bool = False
    is_shown: bool = False


def own_judgments(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> OwnJudgments:
    """An assessor's own judgments of a pair now."""
    pair = topic_id, document_id
    newest = judgments.newest(campaign, *pair, assessor)
    if newest is None:
        return OwnJudgments()
    is_shown = shown_labels.find(campaign, *pair, assessor) is not None
    has_repeat = off_record.has_repeat(campaign, *pair, assessor)
    if newest.kind in SAID_LATER:
        counting = judgments.current(campaign, *pair, assessor)
        return OwnJudgments(newest.as_given(), counting, has_repeat, is_shown)
    is_due = repeats.is_due(campaign, assessor, pair)
    return OwnJudgments(None if is_due else newest.as_given(), newest, has_repeat, is_shown)
