"""One pooled pair as an assessor sees it."""

from __future__ import annotations

from typing import NamedTuple

from workbench.campaign.assessing import in_norming, repeats
from workbench.core.errors import NotThere
from workbench.core.records import Document, Judgment, Topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken, documents, pools, topics
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings


class Shown(NamedTuple):
    """Everything about one pair that an assessor sees, and what a judgment of it has to echo.

    `document` and `text_hash` are None when the campaign has no text of the document; `mine` is the
    assessor's own judgment in force, if there is one: the newest repeat of a pair that was judged again, None while it
    is due again. `is_broken` says that an organiser marked the text as broken, so that it waits for another.
    """

    topic: Topic
    topic_version: int
    document: Document | None
    text_hash: str | None
    pool: int
    guideline_version: int
    mine: Judgment | None
    is_broken: bool = False


def show(
    campaign: Campaign,
    topic_id: str,
    document_id: str,
    assessor: str,
    *,
    with_text: bool = True,
    norming: int | None = None,
) -> Shown:
    """One pooled pair as an assessor sees it, or all of it but the document; NotThere for a pair that is in no pool.

    In the `norming` session of a number `mine` is what they said there.
    """
    with campaign.snapshot():
        rules = settings.read(campaign)
        shown = shown_to_all(campaign, topic_id, document_id, rules, with_text=with_text)
        return shown._replace(mine=own_judgment(campaign, topic_id, document_id, assessor, norming=norming))


def shown_to_all(
    campaign: Campaign, topic_id: str, document_id: str, rules: Settings, *, with_text: bool
) -> Shown:
    """One pooled pair without any assessor's own judgment; NotThere for a pair that is in no pool."""
    pool = pools.pool_of(campaign, topic_id, document_id)
    topic = topics.find(campaign, topic_id)
    if pool is None or topic is None:
        message = f"document {document_id!r} is not pooled for topic {topic_id!r} in {campaign.name}"
        raise NotThere(message)
    stored = documents.find(campaign, document_id) if with_text else None
    return Shown(
        topic=topic.topic,
        topic_version=topic.version,
        document=stored.document if stored else None,
        text_hash=stored.text_hash if stored else documents.text_hash_of(campaign, document_id),
        pool=pool,
        guideline_version=rules.guideline_version,
        mine=None,
        is_broken=broken.is_broken(campaign, document_id),
    )


def own_judgment(
    campaign: Campaign, topic_id: str, document_id: str, assessor: str, *, norming: int | None = None
) -> Judgment | None:
    """What an assessor may see of their own judgment of a pair, or of the one they gave in a norming session."""
    if norming is not None:
        session = in_norming.session_of(campaign, norming)
        return in_norming.seen_in_session(campaign, session, document_id, assessor)
    return repeats.own_judgments_of_pair(
        campaign, topic_id, document_id, assessor, settings.read(campaign)
    ).seen
