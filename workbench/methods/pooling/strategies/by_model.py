"""A blind sample of what a model labelled, stratified by its own grade: what people judge to measure and correct it.

Auditing only what the model found says nothing about what it missed, so that a floor holds where it found nothing, and
for what it did not label.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.measures.judged import ratio
from workbench.methods.pooling.budgets import Budget, Percent, PerTopic, allot
from workbench.methods.pooling.frames import (
    Frame,
    Seed,
    in_drawing_order,
    sampling_design,
    sizes_by_topic,
    stratified,
    topics_of,
)
from workbench.methods.pooling.ordering import Depth
from workbench.methods.pooling.registry import PoolPairs
from workbench.methods.pooling.strategies.sampling import drawn_by_size, summed_over_runs
from workbench.methods.pooling.strategies.sequential_pps import MeasureName, weights_of

Judge = Annotated[str, Limits("the judge, a model, by whose grades documents are grouped", example="umbrela")]
Floor = Annotated[
    int,
    Limits(
        "the least number of each topic's documents where the judge found nothing, and of unlabelled ones",
        least=2,
    ),
]

Missed = Annotated[
    float,
    Limits("the share of relevant documents to expect where the judge found nothing", above=0, most=0.5),
]
Evenly = Annotated[
    float, Limits("the part of the budget that is drawn evenly, in percent, as a floor", above=0, most=100)
]

FEWEST = 2
"""Of each stratum: fewer do not show how much its documents differ."""


@sampling_design("by-model", down_to="depth", uses_labels=True)
def by_model_grade(
    rankings: Rankings,
    *,
    judge: Judge,
    depth: Depth,
    budget: Budget = None,
    percent: Percent = None,
    per_topic: PerTopic = False,
    floor: Floor = 5,
    seed: Seed = 0,
) -> Frame:
    """A random sample of each grade that a judge gave, with a floor where it found nothing.

    Formula: n_h ∝ N_h √(p_h (1 - p_h)) in each topic, at least two of each stratum, and the floor

    Each topic's candidates are put into strata by the judge's newest label; unlabelled ones are a stratum too. The
    share p_h of relevant documents is taken to rise evenly with the grade, from 1 / (k + 1) to k / (k + 1) for k
    grades, and to be a half of the unlabelled. From each stratum a simple random sample is drawn: estimates are
    unbiased for any judge, and better for a good one. What the judge said is never shown to who judges.

    Source: J. Neyman, Journal of the Royal Statistical Society 97, 1934; in whole numbers T. Wright, The American
    Statistician 66, 2012.
    """
    pool = in_drawing_order(rankings.to_depth(depth))
    stratum, spread = _strata(rankings, pool, judge)
    sizes = sizes_by_topic(pool)
    shares = allot(sizes, budget=budget, percent=percent, per_topic=per_topic)
    numbers: list[IntArray] = []
    for topic in topics_of(pool):
        there = np.bincount(stratum[topic], minlength=len(spread))
        least = np.minimum(there, np.where(np.arange(len(spread)) <= LOWEST, floor, FEWEST))
        share, needed = int(shares[pool.topic[topic.start]]), int(least.sum())
        if share < needed and percent is None:
            name = (
                pool.topic[topic.start]
                if rankings.names is None
                else rankings.names.topic_ids[pool.topic[topic.start]]
            )
            raise UnknownName(
                f"the budget gives topic {name} {share:,} documents, and its grades need {needed:,}; raise it or "
                "lower the floor"
            )
        numbers.append(allocated(there, spread, least, max(share, needed)))
    wanted = iter(number for each in numbers for number in each[each > 0].tolist())
    return stratified(pool, stratum + 1, lambda one, size: next(wanted), np.random.default_rng(seed))


@sampling_design("pps-by-model", wish="decide", down_to="depth", uses_labels=True)
def worth_by_model(
    rankings: Rankings,
    *,
    judge: Judge,
    depth: Depth,
    budget: Budget = None,
    percent: Percent = None,
    per_topic: PerTopic = False,
    measure: MeasureName = "RBP(p=0.8)",
    missed: Missed = 0.1,
    evenly: Evenly = 10.0,
    seed: Seed = 0,
) -> Frame:
    """A systematic sample in which documents are likely that tell runs apart and of which the judge is unsure.

    Formula: π_d = min(1, c * ((1 - e) m_d s_d / Σ m s + e / N)) for a topic's N candidates, with c such that the sum of
    π is its budget, and e the part that is drawn evenly

    m_d is the root of the sum of (w_s(d) - w_t(d))^2 over pairs of runs, w_s(d) being the weight of d's rank in run s.
    s_d = √(p (1 - p)), where the share p of relevant documents is `missed` for the lowest grade, and for others as in
    by-model. With such chances the differences of runs vary least, if the shares are right; whatever is right, each
    chance is known and above 0, so that estimates of sums over documents are unbiased.

    Source: C.-E. Särndal, B. Swensson and J. Wretman, Model Assisted Survey Sampling, 1992, section 12.2; T. Zrnic and
    E. Candès, Active Statistical Inference, ICML 2024, for the even part.
    """
    near = rankings.to_depth(depth)
    pool = in_drawing_order(near)
    stratum, spread = _strata(rankings, pool, judge)
    spread = np.where(np.arange(len(spread)) == LOWEST, np.sqrt(missed * (1 - missed)), spread)
    by_rank, longest = weights_of(measure, depth), int(near.lengths.max(initial=1))
    weight = by_rank[np.minimum(np.arange(1, 1 + longest), len(by_rank) - 1)]
    whole, squares = (summed_over_runs(near, pool, each) for each in (weight, weight**2))
    worth = np.sqrt(np.maximum(len(np.unique(near.run)) * squares - whole**2, 0.0)) * spread[stratum]
    sizes, part = sizes_by_topic(pool), evenly / 100
    share = ratio(worth, np.bincount(pool.topic, worth, len(sizes))[pool.topic])
    size = (1 - part) * share + part / sizes[pool.topic]
    shares = allot(sizes, budget=budget, percent=percent, per_topic=per_topic)
    return drawn_by_size(pool, size, shares, at_least_one=percent is not None, seed=seed)


UNLABELLED, LOWEST = 0, 1
"""The strata with a floor; that of the lowest grade has the number 1, and each higher grade the next one."""


def _strata(rankings: Rankings, pool: PoolPairs, judge: str) -> tuple[IntArray, FloatArray]:
    """The stratum of each candidate, int64 (N), and how much documents of each stratum are taken to differ, float64."""
    names = rankings.names
    labels = {} if names is None else names.grades or {}
    grades = sorted({grade for by_document in labels.values() for grade in by_document.values()})
    if not len(pool.topic):
        return np.zeros(0, np.int64), np.ones(1)
    if names is None or not grades:
        raise UnknownName(
            f"the judge {judge!r} has labelled no document of these topics; add its labels first"
        )
    place = {grade: number for number, grade in enumerate(grades, LOWEST)}
    found = np.full(len(pool.topic), UNLABELLED, np.int64)
    for topic in topics_of(pool):
        topic_id = names.topic_ids[pool.topic[topic.start]]
        ids, of_topic = names.document_ids[topic_id], labels.get(topic_id, {})
        grades_here = (of_topic.get(ids[number]) for number in pool.document[topic].tolist())
        found[topic] = [UNLABELLED if grade is None else place[grade] for grade in grades_here]
    share = np.r_[0.5, np.arange(1, len(grades) + 1) / (len(grades) + 1)]
    return found, np.sqrt(share * (1 - share))


def allocated(sizes: IntArray, spread: FloatArray, least: IntArray, number: int) -> IntArray:
    """How many of each stratum are drawn, int64 (H), `number` in all: the allocation with the smallest variance.

    Beyond `least` each next document goes to the stratum with the largest N_h s_h / sqrt(n_h (n_h + 1)).
    """
    rest = number - int(least.sum())
    strata = np.repeat(np.arange(len(sizes)), sizes - least)
    taken = np.concatenate([np.arange(few, size) for few, size in zip(least, sizes, strict=True)])
    priority = (sizes * spread)[strata] / np.sqrt(taken * (taken + 1.0))
    chosen = strata[np.argsort(-priority, kind="stable")[:rest]]
    return np.asarray(least + np.bincount(chosen, minlength=len(sizes)), np.int64)
