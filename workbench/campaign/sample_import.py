"""Importing a sample that was drawn elsewhere: its candidates become a pool, its judgments those of one assessor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from workbench.campaign.ingest.naming import unknown_topics
from workbench.campaign.ingest.qrels import AddedQrels, store_qrels, take_topics_of
from workbench.campaign.ingest.topics import takes_topics
from workbench.campaign.near_duplicates import OnTopic
from workbench.campaign.pools.making import MadePool, asked_for, begin_judging, store_pool
from workbench.core.errors import CampaignError, InputError, Problem
from workbench.core.wording import counted, listed
from workbench.formats.samples import SampleFile, read_sample
from workbench.methods.pooling.strategies.listed import Candidate, write_candidate
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, topic_withdrawals

STRATEGY = "imported"


class AddedSample(NamedTuple):
    """What an import did, or would do.

    Attributes:
        pool: the pool that was made; None where the campaign has this very sample already.
        there: the number of the pool that has the sample.
        candidates: how many candidates the file has.
        drawn: how many of them were drawn.
        strata: whether five-column qrels have a place for the design, see `formats.samples.SampleFile`.
        qrels: what became of the judgments.
        warnings: what is odd about the file, or about how it fits the campaign.
    """

    pool: MadePool | None
    there: int
    candidates: int
    drawn: int
    strata: bool
    qrels: AddedQrels
    warnings: tuple[Problem, ...]


def add_sample(
    campaign: Campaign,
    path: str | Path | SampleFile,
    *,
    assessor: str | None = None,
    dry_run: bool = False,
    may_change_labels: bool = True,
    much_larger: bool = True,
    on_topic: OnTopic | None = None,
) -> AddedSample:
    """Import sampling qrels, prels or the table of candidates, pool and judgments together; all or nothing.

    The same file can be imported twice: the second time its pool is there.

    Args:
        campaign: one without topics takes those of the file.
        path: the file, or what was read of it.
        assessor: whose judgments these are; "imported" unless another name is given.
        dry_run: do all of it and keep nothing, to see what it would change.
        may_change_labels: whether labels in force may become others; if not, such an import is refused.
        much_larger: whether the campaign's pools may become much larger, see `campaign.pools.refusals`.

    Raises:
        InputError: the file cannot be read, or names topics that are not there.
        CampaignError: the assessor's name cannot be read, or has judgments that were made here; or a label would
            change.
        MuchLarger: the pools would become much larger, and may not.
    """
    file = path if isinstance(path, SampleFile) else read_sample(path)
    with campaign.write(keep=not dry_run):
        known = topic_withdrawals.taking_part(campaign)
        problems = (
            [] if takes_topics(campaign) else list(unknown_topics(file, known, "leave their lines out"))
        )
        if problems:
            raise InputError(problems)
        take_topics_of(campaign, file.frame, file)
        # By topic and document in byte order, so that the order of lines makes no other pool.
        columns = ("topic_id", "document_id", "stratum", "probability", "drawn")
        rows = sorted(file.frame.select(columns).iter_rows())
        candidates = [write_candidate(Candidate(*row)) for row in rows]
        parameters: dict[str, Any] = {"candidates": candidates, "strata": file.strata}
        before = pools.in_force(campaign)
        same = [pool.pool for pool in before if pool.record.parameters == parameters]
        made = None
        if not same:
            asked = asked_for(campaign, STRATEGY, "descending", None, False, parameters)
            made = store_pool(campaign, asked, much_larger=much_larger)
        qrels = store_qrels(campaign, [file.judged], assessor=assessor)
        if qrels.changed and not may_change_labels:
            first = qrels.changed[0]
            raise CampaignError(
                f"the import would change {counted(len(qrels.changed), 'current label')}, first that of topic "
                f"{first.topic_id}, document {first.document_id} from {first.before} to {first.after}; import it in a "
                f"terminal, which lists them all and asks: workbench add sample {campaign.command_name} FILE"
            )
    if made is not None and not dry_run:
        made = begin_judging(campaign, made, now=campaign.moment, on_topic=on_topic)
    others = [pool.pool for pool in before if pool.pool not in same]
    return AddedSample(
        pool=made,
        there=same[0] if made is None else made.pool.pool,
        candidates=file.frame.height,
        drawn=int(file.frame["drawn"].sum()),
        strata=file.strata,
        qrels=qrels,
        warnings=(*file.warnings, *qrels.warnings, *_beside_others(file, others)),
    )


def sample_words(added: AddedSample, *, would: bool = False) -> str:
    """What became of the sample, in sentences."""
    candidates = f"{counted(added.candidates, 'candidate')}, {added.drawn:,} of them drawn"
    if added.pool is None:
        pool = f"Pool {added.there} is this sample already ({candidates})."
    else:
        makes = "would be" if would else "is"
        pool = f"Pool {added.there} {makes} the sample: {candidates}, {added.pool.pool.pairs:,} of them new."
    return f"{pool} {'' if added.strata else NO_STRATA}".rstrip()


NO_STRATA = "Each document has a chance of its own, so estimates are those of the family of statAP."


def _beside_others(file: SampleFile, others: list[int]) -> Iterator[Problem]:
    if others:
        message = (
            f"the campaign has other pools ({listed([str(number) for number in others])}): estimates are over all "
            "pools together, and a pair belongs to the first that had it; a new campaign gives those of the file alone"
        )
        yield Problem(file.file, None, message)
