"""Making a pool with the texts it lacks, and retiring one, whose pairs are then no longer judged: what a worker process
does for the server, and the terminal itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.campaign.ingest import fetch_missing_texts
from workbench.campaign.ingest.documents import MissingTexts
from workbench.campaign.near_duplicates import OnTopic, find_near_duplicates, near_duplicate_steps
from workbench.campaign.pools.making import add_pool, ask_for_texts
from workbench.campaign.pools.plan import plan_pool
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.wording import counted, none_such
from workbench.jobs.processes import OnStep, counting
from workbench.methods.pooling import STRATEGIES, in_words
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.collection import documents, near_duplicates, pools
from workbench.storage.campaign.grades import judgments

CHANGED = (
    "The campaign has changed since these numbers were shown. Check the new numbers; no pool was created."
)


def make_pool_of(
    campaign: Campaign, planned: Mapping[str, Any], rest: Mapping[str, Any], expected: int, *, on_step: OnStep
) -> pools.StoredPool:
    """Make a pool, and read the texts that it lacks from the recorded sources.

    The pool is there, whole, before the first text is read, unless its strategy uses texts. `planned` are the
    arguments that `plan_pool` shares with `add_pool`, and `rest` its others; `expected` is how many new pairs it has to
    have, else nothing is made (CampaignError).
    """
    on_step(0, None, "Pooling")
    if plan_pool(campaign, **planned).at_depth.new != expected:
        raise CampaignError(CHANGED)
    fetch_texts_first(campaign, planned, on_step=on_step)
    made = add_pool(campaign, **planned, **rest, on_topic=near_duplicate_steps(on_step))
    fetch_texts(campaign, on_step=on_step)
    return made.pool


def make_pairs_of(
    campaign: Campaign, strategy: str, parameters: Mapping[str, Any], *, on_step: OnStep
) -> pools.StoredPool:
    """Make a pool of a question about pairs; errors as in `add_pool`."""
    on_step(0, None, "Choosing pairs")
    return add_pool(campaign, strategy=strategy, **parameters).pool


def retire_pool_of(campaign: Campaign, number: int, reason: str, *, on_step: OnStep) -> pools.StoredPool:
    """Retire a pool, then look for near duplicates among what is left; errors as in `retire_pool`."""
    on_step(0, None, "Retiring")
    return retire_pool(campaign, number, reason=reason, on_topic=near_duplicate_steps(on_step))[0]


def fetch_texts_first(
    campaign: Campaign, planned: Mapping[str, Any], *, on_step: OnStep
) -> MissingTexts | None:
    """Read the texts of a pool's candidates from the recorded sources where its strategy goes by them, else None."""
    if not STRATEGIES.find(planned["strategy"]).uses_texts:
        return None
    ask_for_texts(campaign, **planned)
    return fetch_texts(campaign, on_step=on_step, every=True)


def fetch_texts(campaign: Campaign, *, on_step: OnStep, every: bool = False) -> MissingTexts:
    """Read texts that are lacking, as `setup.ingest.fetch_missing_texts` does, and report how far it is."""
    total = sum(source.file.size for source in documents.sources(campaign))
    reading = counting(on_step, "Reading texts of pooled documents", total)
    return fetch_missing_texts(
        campaign, every=every, on_bytes=reading, on_topic=near_duplicate_steps(on_step)
    )


def pool_name(strategy: str, parameters: Mapping[str, Any]) -> str:
    """What making a pool is called in the browser and on the terminal: `Pool by rrf: a budget of 50 pairs`."""
    words = in_words(strategy, parameters)
    return f"Pool by {strategy}" + (f": {words}" if words else "")


def retire_pool(
    campaign: Campaign, number: int, *, reason: str = "", on_topic: OnTopic | None = None
) -> tuple[pools.StoredPool, int]:
    """Take a pool out: its pairs leave queues, progress and plans; judgments stay in the log, qrels and scores.

    Returns the pool, and how many of its pairs are judged.

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
    return pool._replace(retired=seq), judged


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
