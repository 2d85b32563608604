"""Judged rankings written as what matters about them: the labels of the documents, in rank order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.fixture_types import MakeJudged
from workbench.core.ranking import Labels, Rankings, starts_of
from workbench.methods.measures import JudgedRankings, parse_measure

Row = tuple[Sequence[int], Sequence[int]]


def judged_rows(*rows: Row) -> JudgedRankings:
    """One run; row i is (labels of the documents in rank order, labels of documents not retrieved), topic i."""
    retrieved = np.array([len(ranked) for ranked, _ in rows], np.int64)
    known = np.array([len(ranked) + len(others) for ranked, others in rows], np.int64)
    document = [np.arange(length, dtype=np.uint32) for length in retrieved]
    rankings = Rankings(
        starts_of(retrieved),
        np.concatenate([np.zeros(0, np.uint32), *document]),
        np.zeros(len(rows), np.int32),
        np.arange(len(rows), dtype=np.int32),
    )
    cells = [label for ranked, others in rows for label in (*ranked, *others)]
    return JudgedRankings.join(rankings, Labels(starts_of(known), np.array(cells, np.int16)))


def value_of(
    name: str, ranked: Sequence[int], others: Sequence[int] = (), rel: int = 1, **defaults: str
) -> float:
    """The value of a measure for one ranking."""
    measure = parse_measure(name, defaults={"rel": rel, **defaults})
    (value,) = measure(judged_rows((ranked, others))).tolist()
    return float(value)


@pytest.fixture
def judge() -> MakeJudged:
    """`judge(ranked)`, `judge(ranked, others)` or `judge([row, row ...])`: see `judged_rows`."""

    def build(ranked: Sequence[Any], others: Sequence[int] = ()) -> JudgedRankings:
        several = bool(ranked) and isinstance(ranked[0], tuple)
        return judged_rows(*ranked) if several else judged_rows((ranked, others))

    return build
