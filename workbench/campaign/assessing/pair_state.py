"""What a campaign holds that decides whether a judgment of a pair is taken, read once."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from workbench.campaign.assessing import in_norming, repeats
from workbench.campaign.assessing import rate_limit as pace
from workbench.campaign.assessing.permission import Permit, permit_of
from workbench.campaign.assessing.repeats import OwnJudgments
from workbench.campaign.assessing.showing import Shown, shown_to_all
from workbench.campaign.assessing.submissions import Submission
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.collection import pools, topics
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings


class PairState(NamedTuple):
    """The state of a pair for one submission of one assessor.

    Attributes:
        rules: the campaign's settings.
        shown: the pair as it is shown, with its document only where the submission quotes it.
        own: the assessor's own judgments of it; in a norming session those given there.
        had_topic_version, had_guideline_version: whether the submission's versions are or were in force.
        twin_is_pooled: whether the document whose grade is taken over is another pooled one of the topic.
        earlier: when the row came in that bounds the pace (`pace.earlier_row`).
        session: the norming session of the submission; None outside of them.
        permit: what decides whether the assessor may judge the pair; None in a norming session.
    """

    rules: Settings
    shown: Shown
    own: OwnJudgments
    had_topic_version: bool
    had_guideline_version: bool
    twin_is_pooled: bool
    earlier: str | None
    session: Session | None
    permit: Permit | None


def load(campaign: Campaign, submission: Submission, assessor: str, *, now: datetime) -> PairState:
    """The state of the submission's pair, inside the transaction that writes its judgment.

    Raises NotThere for a pair that is in no pool, and for a norming session that does not exist.
    """
    pair = submission.topic_id, submission.document_id
    rules = settings.read(campaign)
    shown = shown_to_all(campaign, *pair, rules, with_text=bool(submission.rationales))
    session = None if submission.norming is None else in_norming.session_of(campaign, submission.norming)
    return PairState(
        rules=rules,
        shown=shown,
        own=_own(campaign, pair, assessor, rules, session),
        had_topic_version=submission.topic_version == shown.topic_version
        or topics.had_version(campaign, submission.topic_id, submission.topic_version),
        had_guideline_version=submission.guideline_version == shown.guideline_version
        or settings.had_version(campaign, submission.guideline_version),
        twin_is_pooled=_is_pooled_twin(campaign, submission),
        earlier=pace.earlier_row(campaign, *pair, assessor),
        session=session,
        permit=None if session else permit_of(campaign, pair, assessor, rules, now),
    )


def _own(
    campaign: Campaign, pair: tuple[str, str], assessor: str, rules: Settings, session: Session | None
) -> OwnJudgments:
    if session is None:
        return repeats.own_judgments_of_pair(campaign, *pair, assessor, rules)
    return OwnJudgments(in_norming.seen_in_session(campaign, session, pair[1], assessor))


def _is_pooled_twin(campaign: Campaign, submission: Submission) -> bool:
    twin = submission.same_as
    if twin is None or twin == submission.document_id:
        return False
    return pools.pool_of(campaign, submission.topic_id, twin) is not None
