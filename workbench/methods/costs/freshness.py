"""How recent the first documents of rankings are, and how soon recent ones come."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.methods.measures.judged import FloatArray


class Freshness(NamedTuple):
    """Each float64 (rankings,): nan for a ranking without a dated document among the first, but for `dated`.

    Attributes:
        dated: the share of the first k that have a date.
        recent: the share of these that are recent.
        first: 1 / the rank of the first recent one, 0 without one.
        age: the median of their ages in days.
    """

    dated: FloatArray
    recent: FloatArray
    first: FloatArray
    age: FloatArray


def freshness(ages: FloatArray, within: float) -> Freshness:
    """The freshness of rankings by the ages in days of their first k documents, float64 (rankings, k).

    An age is nan for a document without a date, and inf beyond the end of a ranking. Recent is an age of at most
    `within`. Formulas: with D the documents of the first k that have a date and R those of them that are recent,
    recent = |R| / |D|, first = 1 / min rank of R, age = median over D, dated = |D| / documents of the first k.

    Source: ours; `first` is the reciprocal rank (Kantor and Voorhees, Information Retrieval 2, 2000) of recency in the
    place of relevance.
    """
    there, has_date = ~np.isposinf(ages), np.isfinite(ages)
    is_recent = has_date & (ages <= within)
    known, recent = has_date.sum(axis=1), is_recent.sum(axis=1)
    nothing = np.full(len(ages), np.nan)
    rows = known > 0
    share = np.divide(recent, known, out=nothing.copy(), where=rows)
    rank = np.where(is_recent.any(axis=1), is_recent.argmax(axis=1) + 1.0, np.inf)
    age = nothing.copy()
    if rows.any():
        age[rows] = np.nanmedian(np.where(has_date, ages, np.nan)[rows], axis=1)
    dated = np.divide(known, there.sum(axis=1), out=nothing.copy(), where=there.any(axis=1))
    return Freshness(dated, share, np.where(rows, 1 / rank, np.nan), age)
