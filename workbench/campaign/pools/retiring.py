"""Taking pools out of a campaign: what they brought in is no longer judged, and existing judgments stay."""

from __future__ import annotations

from typing import NamedTuple

from workbench.campaign.near_duplicates import OnTopic, find_near_duplicates
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.wording import counted, none_such
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.collection import near_duplicates, pools
from workbench.storage.campaign.grades import judgments


class RetiredPool(NamedTuple):
    """A pool that was retired, and how many of its pairs are judged: these judgments stay."""

    pool: pools.StoredPool
    judged: int


def retire_pool(
    campaign: Campaign, number: int, *, reason: str = "", on_topic: OnTopic | None = None
) -> RetiredPool:
    """Take a pool out: its pairs leave queues, progress and plans; judgments stay in the log, qrels and scores.

    A later pool may bring the same pairs in again. Earlier points of the log keep the pool.

    The reason may be empty while nothing of the pool is judged.

    Raises:
        NotThere: there is no such pool.
        AlreadyDone: it is retired already.
        CampaignError: a reason is missing, or a norming session is open on documents of the pool.
    """
    with campaign.write():
        pool = _in_force(campaign, number)
        pairs = [pair.pooled[:2] for pair in pools.each_pair(campaign) if pair.pool == number]
        judged = len(set(judgments.judged_pairs(campaign)).intersection(pairs))
        if judged and not reason.strip():
            are = "is" if judged == 1 else "are"
            message = f"{counted(judged, 'pair')} of pool {number} {are} judged; say why it is retired (--reason TEXT)"
            raise CampaignError(message)
        _refuse_in_norming(campaign, pairs)
        topic_ids = sorted({topic_id for topic_id, _ in pairs})
        seq = pools.retire(campaign, number, reason=reason.strip())
        near_duplicates.forget(campaign, topic_ids)
    find_near_duplicates(campaign, topic_ids, on_topic=on_topic)
    return RetiredPool(pool._replace(retired=seq), judged)


def _in_force(campaign: Campaign, number: int) -> pools.StoredPool:
    found = {pool.pool: pool for pool in pools.all_pools(campaign)}
    if number not in found:
        raise NotThere(none_such("pool", str(number), [str(each) for each in found], of=campaign.name))
    if found[number].retired is not None:
        raise AlreadyDone(f"pool {number} is retired already, since log row {found[number].retired}")
    return found[number]


def _refuse_in_norming(campaign: Campaign, pairs: list[tuple[str, str]]) -> None:
    session = norming.open_session(campaign)
    if session and {(session.topic_id, each) for each in session.documents}.intersection(pairs):
        message = f"norming session {session.norming} is open on documents of this pool; close it first, then retire it"
        raise CampaignError(message)
