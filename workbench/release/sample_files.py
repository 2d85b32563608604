"""The sample behind a campaign's judgments as files: candidates with strata, or what is judged with probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from workbench.core.errors import CampaignError
from workbench.formats.sampled_qrels import SampledPair, probability_lines, strata_lines
from workbench.formats.tables.csv_cells import csv_lines
from workbench.methods.measures.registry import NO_SAMPLE
from workbench.methods.measures.sampled_rankings import OUTSIDE
from workbench.scoring.board.loading import Scoring, load_scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs


def sampling_qrels(campaign: Campaign) -> Iterator[str]:
    """Sampling qrels of five columns: every candidate with its stratum, and -1 where it is not judged.

    Raises:
        CampaignError: the pools are no sample, or not one of strata in which each candidate had the same chance.
    """
    scoring = _sampled(campaign)
    if scoring.sample is not None and not scoring.sample.has_strata:
        raise CampaignError(
            f"each document of {campaign.name} had a chance of its own, which five columns have no place for; "
            "export prels: --format prels"
        )
    return strata_lines(f"{campaign.name}.sample.txt", _pairs(campaign, scoring))


def prels(campaign: Campaign) -> Iterator[str]:
    """Prels: what is judged of the sample, with the probability of being judged by now; errors where there is none."""
    scoring = _sampled(campaign)
    return probability_lines(f"{campaign.name}.prels.txt", _pairs(campaign, scoring, by_now=True))


def sample_csv(campaign: Campaign) -> Iterator[str]:
    """A table of all candidates with stratum, inclusion probability and grade; errors where there is no sample."""
    scoring = _sampled(campaign)
    header = ("topic_id", "document_id", "stratum", "inclusion_probability", "drawn", "grade")
    drawn = {pair[:2] for pair in _pairs(campaign, scoring, only_drawn=True)}
    rows: Iterable[tuple[object, ...]] = (
        (*pair[:4], int(pair[:2] in drawn), "" if pair.grade is None else pair.grade)
        for pair in _pairs(campaign, scoring)
    )
    return csv_lines([header, *rows])


def _sampled(campaign: Campaign) -> Scoring:
    scoring = load_scoring(campaign)
    if scoring.sample is None:
        reason = scoring.why_no_sample or NO_SAMPLE.partition("; ")[2]
        raise CampaignError(f"{campaign.name} has no sample to export: {reason}")
    return scoring


def _pairs(
    campaign: Campaign, scoring: Scoring, *, by_now: bool = False, only_drawn: bool = False
) -> Iterator[SampledPair]:
    """The candidates by topic and document in byte order; `by_now` has the probability of being judged by now."""
    sample, n_topics = scoring.sample, len(scoring.topic_ids)
    if sample is None:
        return
    for topic in range(n_topics):
        topic_id, one = scoring.topic_ids[topic], scoring.sampled(topic, topic + 1).labels
        names = dict(enumerate(runs.vocabulary(campaign, topic_id)))
        names |= {number: name for name, number in scoring.numbers.get(topic_id, {}).items()}
        chance = one.chance if by_now else one.probability
        kept = one.drawn if only_drawn else one.stratum != OUTSIDE
        found = (
            SampledPair(
                topic_id,
                names[number],
                int(one.stratum[number]) + 1,
                float(chance[number]),
                int(one.grade[number]) if one.grade[number] >= 0 else None,
            )
            for number in np.flatnonzero(kept).tolist()
        )
        yield from sorted(found, key=lambda pair: pair.document_id)
