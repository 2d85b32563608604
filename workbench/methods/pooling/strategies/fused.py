"""Static orders that fuse the ranks or scores of the runs."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import lru_cache
from itertools import pairwise
from math import fsum
from typing import Annotated

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, Rankings
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import TopicTable

Constant = Annotated[
    float, Limits("what is added to every rank: the larger, the less the first ranks count", least=0)
]
Persistence = Annotated[float, Limits("the persistence of RBP; the larger, the deeper", above=0, below=1)]

_Term = Callable[[Decimal, int], Decimal]

DIGITS = 50

NO_ORDER = 0.5
"""What a run gives each of its documents when its scores say nothing of their order."""


@order("rrf")
def reciprocal_rank_fusion(table: TopicTable, *, k: Constant = 60.0) -> FloatArray:
    """Documents that many runs have near the top, by reciprocal rank fusion.

    Formula: Σ_s 1/(k + r_s(d)) over the runs that have d within the depth

    Source: Cormack, Clarke and Büttcher, SIGIR 2009.
    """
    return _summed_by_rank(table, _reciprocal, k)


@order("borda")
def borda_count(table: TopicTable) -> FloatArray:
    """Documents that many runs have near the top, by their points in an election.

    Formula: Σ_s (K + 1 − r_s(d)) over the runs that have d within the depth K; K is at most the longest ranking

    Source: Aslam and Montague, SIGIR 2001.
    """
    points: FloatArray = table.where_found(1.0 + table.rank.max(initial=0) - table.rank).sum(axis=0)
    return points


@order("combsum", uses_scores=True)
def comb_sum(table: TopicTable) -> FloatArray:
    """Documents with high scores in many runs.

    Formula: Σ_s (x_s(d) − least) / (greatest − least) over the runs that have d within the depth

    Least and greatest are those of the run's whole ranking for the topic. A run whose scores there are all equal gives
    each of its documents 1/2. An infinite score counts 1, or 0 where it is negative, and is not the greatest or least.

    Source: Fox and Shaw, TREC-2, 1994; the scores between 0 and 1 as in Lee, SIGIR 1997.
    """
    line, place, _ = table.entries
    return exact_sums(table, normalised_scores(table, "combsum")[line, place, None])


@order("combmnz", uses_scores=True)
def comb_mnz(table: TopicTable) -> FloatArray:
    """Documents with high scores in many runs, where each further run counts more.

    Formula: the sum of `combsum` times the number of runs that have d within the depth

    Source: Fox and Shaw, TREC-2, 1994.
    """
    line, place, _ = table.entries
    summed = exact_sums(table, normalised_scores(table, "combmnz")[line, place, None])
    fused: FloatArray = summed * table.found.sum(axis=0)
    return fused


@order("rbp-a")
def rank_biased_contribution(table: TopicTable, *, p: Persistence = 0.8) -> FloatArray:
    """Documents that weigh most in the runs' rank-biased precision.

    Formula: Σ_s (1 − p)·p^(r_s(d) − 1) over the runs that have d within the depth

    Source: Moffat, Webber and Zobel, SIGIR 2007, method A.
    """
    return _summed_by_rank(table, _geometric, p)


def exact_sums(table: TopicTable, parts: FloatArray) -> FloatArray:
    """The sum over runs of what each gives a document, rounded once, float64 (n): the same in any order of the runs.

    `parts` is float64 (E, m), of each entry; a number of more digits than a double has comes in several.
    """
    place = table.entries.place
    values = parts[np.argsort(place, kind="stable")].ravel().tolist()
    ends = (parts.shape[1] * np.cumsum(np.bincount(place, minlength=len(table)))).tolist()
    return np.array([fsum(values[start:end]) for start, end in pairwise([0, *ends])], np.float64)


def _summed_by_rank(table: TopicTable, term: _Term, parameter: float) -> FloatArray:
    return exact_sums(table, _by_rank(term, parameter, int(table.rank.max(initial=0)))[table.entries.rank])


@lru_cache(maxsize=8)
def _by_rank(term: _Term, parameter: float, deepest: int) -> FloatArray:
    """The terms of the ranks 0 (which is none) to the deepest, each as two doubles that add up to 30 digits and more.

    So sums that are equal, such as 1/72 + 1/72 and 1/63 + 1/84, are equal when rounded.
    """
    with localcontext(prec=DIGITS):
        exact = [term(Decimal(repr(parameter)), rank) for rank in range(1, deepest + 1)]
        parts = [(float(each), float(each - Decimal(float(each)))) for each in exact]
    return np.array([(0.0, 0.0), *parts])


def _reciprocal(k: Decimal, rank: int) -> Decimal:
    return 1 / (k + rank)


def _geometric(p: Decimal, rank: int) -> Decimal:
    return (1 - p) * p ** (rank - 1)


def runs_without_scores(rankings: Rankings) -> list[int]:
    """The runs with a ranking of several documents that give equal scores in each of their rankings.

    ValueError for rankings without scores.
    """
    if rankings.score is None:
        raise ValueError("rankings without scores have no equal ones")
    row = rankings.entry_rows
    differs = (rankings.score[1:] != rankings.score[:-1]) & (row[1:] == row[:-1])
    several = set(rankings.run[rankings.lengths > 1].tolist())
    return sorted(several.difference(rankings.run[row[1:][differs]].tolist()))


def normalised_scores(table: TopicTable, strategy: str) -> FloatArray:
    """The scores between the least (0) and the greatest (1) of each run's ranking, (S, n); 0 where it lacks a document.

    UnknownName, naming the strategy, when the rankings have no scores.
    """
    if table.score is None or table.score_range is None:
        message = f"{strategy} needs the scores of the runs, and there are none; choose rrf or borda, which need ranks"
        raise UnknownName(message)
    score = table.score / 2  # so that no difference of two numbers is infinite
    least, greatest = np.hsplit(table.score_range / 2, 2)
    span = greatest - least
    with np.errstate(invalid="ignore", divide="ignore"):
        between = np.where(span > 0, (score - least) / span, NO_ORDER)
    between = np.where(np.isposinf(score), 1.0, np.where(np.isneginf(score), 0.0, between))
    return table.where_found(between)
