"""Rankings and samples, written as what they are: lists of documents, and candidates with stratum, chance and grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from workbench.core.ranking import POOLED, UNJUDGED, Rankings
from workbench.methods.measures.sampled_rankings import (
    OUTSIDE,
    SampledRankings,
    SampleLabels,
    sample_of_strata,
)

Strata = Mapping[str, tuple[int, int]]
"""Stratum (from 0) and grade of each candidate; -1 for one that was not drawn."""


class Drawn(NamedTuple):
    """A document that was drawn with a probability of its own."""

    grade: int
    probability: float


def ranked(documents: Sequence[str], among: Sequence[str]) -> Rankings:
    numbers = [among.index(document) for document in documents]
    one = np.zeros(1, np.int32)
    return Rankings(np.array([0, len(numbers)], np.int64), np.array(numbers, np.uint32), one, one)


def of_strata(documents: Sequence[str], candidates: Strata) -> SampledRankings:
    among = sorted({*documents, *candidates})
    stratum, grade = np.full(len(among), OUTSIDE), np.full(len(among), UNJUDGED, np.int16)
    for document, (number, given) in candidates.items():
        stratum[among.index(document)] = number
        grade[among.index(document)] = given if given >= 0 else POOLED
    labels = sample_of_strata(np.array([0, len(among)], np.int64), stratum, grade)
    return SampledRankings.join(ranked(documents, among), labels)


def of_probabilities(documents: Sequence[str], drawn: Mapping[str, Drawn]) -> SampledRankings:
    among = sorted({*documents, *drawn})
    known = np.array([document in drawn for document in among])
    labels = SampleLabels(
        np.array([0, len(among)], np.int64),
        np.where(known, 0, OUTSIDE),
        np.array([drawn[each].grade if each in drawn else UNJUDGED for each in among], np.int16),
        np.array([drawn[each].probability if each in drawn else 0.0 for each in among]),
        known,
        has_strata=False,
    )
    return SampledRankings.join(ranked(documents, among), labels)
