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
    has_date = np.isfinite(ages)
    is_recent = has_date & (ages <= within)
    known, here = has_date.sum(axis=1), (~np.isposinf(ages)).sum(axis=1)
    rows = known > 0
    with np.errstate(invalid="ignore"):  # 0 of 0 is nan
        dated, recent = known / here, is_recent.sum(axis=1) / known
    first = np.where(rows, is_recent.any(axis=1) / (is_recent.argmax(axis=1) + 1), np.nan)
    age = np.full(len(ages), np.nan)
    if rows.any():
        age[rows] = np.nanmedian(np.where(has_date, ages, np.nan)[rows], axis=1)
    return Freshness(dated, recent, first, age)
