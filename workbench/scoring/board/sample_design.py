"""The sample behind a campaign's judgments: which candidates its pools were drawn from, and with which chance.

A pool keeps what was drawn; what was not drawn is found by making the pool again from its record and the runs as they
were then, so that a run that is withdrawn later changes nothing. Each pair belongs to the first pool that considered
it. So what was pooled whole before a sample is judged whole; and a pair that a sample left out, and that came into a
later pool, still counts as not drawn, which keeps the estimates right on average.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.campaign.pools.made_again import frame_of
from workbench.core.errors import UnknownName
from workbench.core.ranking import UNJUDGED, FloatArray, IntArray, Labels, starts_of
from workbench.core.wording import listed
from workbench.methods.measures import MEASURES, BoundMeasure, parse_measure
from workbench.methods.measures.gains import LINEAR
from workbench.methods.measures.parameters import MODIFIERS
from workbench.methods.measures.sampled_rankings import OUTSIDE, SampleLabels
from workbench.methods.pooling import STRATEGIES
from workbench.methods.pooling.strategies.listed import Candidate
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

SAMPLED, ADAPTIVE = "sampled", "adaptive"


class Candidates(NamedTuple):
    """The candidates of one pool; all arrays have shape (n,).

    `number` are the documents' numbers within their topics, `stratum` counts from 1 as the pool has it.
    """

    topic: IntArray
    number: IntArray
    stratum: IntArray
    probability: FloatArray
    drawn: NDArray[np.bool_]


class Design(NamedTuple):
    """How the pairs of a campaign were chosen, where a pool of it is a sample.

    Attributes:
        sampled: the candidates of the sampled pools, by number of the pool, and the topic ids that they count through.
        named: the candidates of the samples that were drawn elsewhere, likewise, whether or not a run has them.
        whole: the pairs (topic id, document id) of the other pools, by number of the pool.
        has_strata: whether all samples are of strata in which each candidate had the same chance.
        why_none: why nothing can be estimated from it, "" where it can.
    """

    sampled: Mapping[int, tuple[Sequence[str], Candidates]]
    named: Mapping[int, Sequence[Candidate]]
    whole: Mapping[int, Sequence[tuple[str, str]]]
    has_strata: bool
    why_none: str = ""


NO_DESIGN = Design({}, {}, {}, has_strata=False)

_designs: Cache[Design] = Cache(of_one=4)


def design_of(campaign: Campaign) -> Design:
    """How pairs were chosen by the pools of now, or of a row of the log; NO_DESIGN where none is a sample."""
    every = pools.all_pools(campaign)
    made = [pool for pool in every if pool.retired is None]
    kinds = {pool.pool: _kind(pool) for pool in made}
    if adaptive := [pool.record.strategy for pool in made if kinds[pool.pool] == ADAPTIVE]:
        by = listed(sorted(set(adaptive)))
        return NO_DESIGN._replace(
            why_none=f"pairs were chosen by earlier judgments ({by}), which is not a sample"
        )
    if SAMPLED not in kinds.values():
        return NO_DESIGN
    if judged := pools.retired_with_judgments(campaign):
        return NO_DESIGN._replace(
            why_none=f"pool {listed([str(number) for number in judged])} was retired after pairs of it were judged; "
            "these judgments stay, and are not part of a sample"
        )
    head = log.head(campaign.at(max(max(pool.seq, pool.retired or 0) for pool in every)))
    return _designs.at(campaign, head, "design", lambda: _read(campaign.now, made, kinds))


def _kind(pool: pools.StoredPool) -> str:
    entry = STRATEGIES.get(pool.record.strategy)
    return "static" if entry is None else entry.kind


def _read(campaign: Campaign, made: Sequence[pools.StoredPool], kinds: Mapping[int, str]) -> Design:
    sampled: dict[int, tuple[Sequence[str], Candidates]] = {}
    named: dict[int, Sequence[Candidate]] = {}
    has_strata = True
    for pool in made:
        if kinds[pool.pool] == SAMPLED:
            try:
                if (candidates := _named_candidates(pool)) is not None:
                    named[pool.pool] = candidates
                    has_strata &= bool(pool.record.parameters.get("strata", True))
                    continue
                there = {run.record.tag for run in runs.all_runs(campaign)}
                if missing := sorted(set(pool.record.runs) - there):
                    from_runs = f"was drawn from runs that this file does not have ({listed(missing)})"
                    return NO_DESIGN._replace(why_none=f"pool {pool.pool} {from_runs}")
                frame, topic_ids = frame_of(campaign, pool)
            except UnknownName as error:
                return NO_DESIGN._replace(why_none=f"pool {pool.pool} cannot be reconstructed: {error}")
            has_strata &= frame.has_strata
            sampled[pool.pool] = (
                topic_ids,
                Candidates(
                    frame.pairs.topic.astype(np.int64),
                    frame.pairs.document.astype(np.int64),
                    frame.pairs.stratum.astype(np.int64),
                    frame.pairs.inclusion_probability,
                    frame.drawn,
                ),
            )
    whole: dict[int, list[tuple[str, str]]] = {
        pool.pool: [] for pool in made if pool.pool not in sampled | named
    }
    for pair in pools.each_pair(campaign.at(made[-1].seq)):
        if pair.pool in whole:
            whole[pair.pool].append(pair.pooled[:2])
    return Design(sampled, named, whole, has_strata)


def _named_candidates(pool: pools.StoredPool) -> Sequence[Candidate] | None:
    """The candidates of a sample that was drawn elsewhere; None for all other pools. UnknownName where a file from
    elsewhere has parameters that are none.
    """
    entry = STRATEGIES.get(pool.record.strategy)
    if entry is None or entry.design is None:
        return None
    found: list[Candidate] = entry.design(**entry.check(pool.record.parameters))
    return found


def left_out(campaign: Campaign) -> set[tuple[str, str]]:
    """The candidates that were not drawn by the first pool that considered them: what was drawn stands for them."""
    design, considered, found = design_of(campaign), set[tuple[str, str]](), set[tuple[str, str]]()
    for pool in sorted({*design.sampled, *design.named, *design.whole}):
        pairs = dict.fromkeys(design.whole.get(pool, ()), True)
        pairs |= {each[:2]: each.drawn for each in design.named.get(pool, ())}
        if pool in design.sampled:
            topic_ids, drawn_from = design.sampled[pool]
            ids = runs.vocabularies(campaign)
            columns = (each.tolist() for each in (drawn_from.topic, drawn_from.number, drawn_from.drawn))
            for topic, number, drawn in zip(*columns, strict=True):
                topic_id = topic_ids[topic]
                pairs[topic_id, ids[topic_id][number]] = drawn
        found |= {pair for pair, drawn in pairs.items() if not drawn and pair not in considered}
        considered |= pairs.keys()
    return found


def named_documents(campaign: Campaign) -> dict[str, set[str]]:
    """The documents of each topic that are candidates of samples drawn elsewhere, also of pools that are retired."""
    found: dict[str, set[str]] = {}
    for pool in pools.all_pools(campaign):
        with suppress(UnknownName):  # then the design says that nothing can be estimated from it
            for each in _named_candidates(pool) or ():
                found.setdefault(each.topic_id, set()).add(each.document_id)
    return found


def sample_labels(
    design: Design, topic_ids: Sequence[str], labels: Labels, numbers: Mapping[str, Mapping[str, int]]
) -> SampleLabels | None:
    """The sample with the grades that are in force; None where there is none.

    `labels` are of these topics, in byte order; `numbers` are the numbers of documents by topic id and document id, at
    least of all pooled pairs and of `named_documents`.
    """
    if not design.sampled and not design.named:
        return None
    place = {topic_id: topic for topic, topic_id in enumerate(topic_ids)}
    columns = [
        _columns(design, pool, place, numbers)
        for pool in sorted({*design.sampled, *design.named, *design.whole})
    ]
    sizes = np.diff(labels.topic_start)
    for each in columns:
        np.maximum.at(sizes, each.topic, each.number + 1)
    start, offset = starts_of(sizes), 0
    stratum = np.full(int(start[-1]), OUTSIDE)
    probability, drawn = np.zeros(len(stratum)), np.zeros(len(stratum), np.bool_)
    met = np.ones(len(stratum))
    for each in columns:
        cell = start[each.topic] + each.number
        new = stratum[cell] == OUTSIDE
        stratum[cell[new]] = offset + each.stratum[new] - 1
        probability[cell[new]], drawn[cell[new]] = each.probability[new], each.drawn[new]
        met[cell[new]] = _met(each, new)[new]
        offset += int(each.stratum.max(initial=0))
    grade = grades_of_sample(start, labels)
    return SampleLabels(start, stratum, grade, probability, drawn, has_strata=design.has_strata, met=met)


def grades_of_sample(start: IntArray, labels: Labels) -> NDArray[np.int16]:
    """The label of each cell of a sample whose topics have at least as many cells, int16 (cells,)."""
    grade = np.full(int(start[-1]), UNJUDGED, np.int16)
    sizes = np.diff(labels.topic_start)
    kept = np.minimum(sizes, np.diff(start))
    within = np.arange(int(kept.sum())) - np.repeat(starts_of(kept)[:-1], kept)
    grade[within + np.repeat(start[:-1], kept)] = labels.label[
        within + np.repeat(labels.topic_start[:-1], kept)
    ]
    return grade


def _met(of: Candidates, new: NDArray[np.bool_]) -> FloatArray:
    """How likely the draw was to have some of the new candidates, bool (n), of each one's stratum, float64 (n).

    Formula: 1 - C(N - M, k) / C(N, k) for k drawn of N candidates, M of them new
    """
    _, stratum = np.unique(np.stack([of.topic, of.stratum]), axis=1, return_inverse=True)
    size, drawn, left = (np.bincount(stratum, each) for each in (None, of.drawn, new))
    return np.array([1 - _none_drawn(*each) for each in zip(size, drawn, left, strict=True)])[stratum]


def _none_drawn(size: float, drawn: float, new: float) -> float:
    return 0.0 if new == size else math.comb(int(size - new), int(drawn)) / math.comb(int(size), int(drawn))


def _columns(
    design: Design, pool: int, place: Mapping[str, int], numbers: Mapping[str, Mapping[str, int]]
) -> Candidates:
    if pool in design.sampled:
        topic_ids, found = design.sampled[pool]
        topic = np.array([place.get(topic_id, -1) for topic_id in topic_ids], np.int64)[found.topic]
        here: Any = (each[topic >= 0] for each in found._replace(topic=topic))
        return Candidates(*here)
    named = design.named.get(pool)
    every = [Candidate(*pair, 1, 1.0, drawn=True) for pair in design.whole[pool]] if named is None else named
    pairs = [pair for pair in every if pair.topic_id in place]
    return Candidates(
        np.array([place[pair.topic_id] for pair in pairs], np.int64),
        np.array([numbers[pair.topic_id][pair.document_id] for pair in pairs], np.int64),
        np.array([pair.stratum for pair in pairs], np.int64),
        np.array([pair.probability for pair in pairs], np.float64),
        np.array([pair.drawn for pair in pairs], np.bool_),
    )


def estimate_of(measure: BoundMeasure, design: Design) -> BoundMeasure | None:
    """The measure that estimates another from the sample of a campaign; None where none does."""
    if not design.sampled or design.why_none:
        return None
    return estimator_of(measure, has_strata=design.has_strata)


def estimator_of(measure: BoundMeasure, *, has_strata: bool) -> BoundMeasure | None:
    """The measure that estimates another from a sample; None where none does.

    `has_strata` says whether the candidates of a stratum all had the same chance.
    """
    is_modified = any(name in MODIFIERS for name, _ in measure.values)
    name = None if is_modified else _name(measure, has_strata=has_strata)
    return None if name is None else parse_measure(name)


def _name(measure: BoundMeasure, *, has_strata: bool) -> str | None:
    values = dict(measure.values)
    if measure.measure.of_answers:
        return f"stat_{measure}" if f"stat_{measure.name}" in MEASURES else None
    rel, cutoff = measure.rel, values.get("cutoff")
    if measure.name == "AP" and cutoff is None:
        return f"{'xinfAP' if has_strata else 'statAP'}(rel={rel})"
    if measure.name == "P":
        return f"statP(rel={rel})@{cutoff}"
    if measure.name == "RBP" and cutoff is None and values.get("gains") is None:
        return f"statRBP(p={values['p']},rel={rel})"
    usual = (values.get("gains"), values.get("discount"), values.get("base")) == (LINEAR, "plus-one", 2.0)
    if measure.name == "DCG" and usual:
        return "statDCG" if cutoff is None else f"statDCG@{cutoff}"
    if measure.name == "nDCG" and usual and cutoff is None and has_strata:
        return "infNDCG"
    return None
