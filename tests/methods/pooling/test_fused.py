"""Static orders by hand, on three runs of five documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tests.sentences import refused
from workbench.core.ranking import pack_rankings
from workbench.methods.pooling.ordering import sequence
from workbench.methods.pooling.strategies.fused import reciprocal_rank_fusion, runs_without_scores
from workbench.methods.pooling.topic_table import TopicTable

TABLE = TopicTable(
    document=np.arange(7, dtype=np.uint32),
    rank=np.array([[1, 2, 3, 4, 5, 0, 0], [2, 1, 3, 4, 0, 5, 0], [4, 3, 0, 2, 1, 0, 5]], np.int32),
    score=None,
    depth=5,
)
"""a to g; the runs are abcde, bacdf and edbag."""


def test_reciprocal_rank_fusion_adds_what_each_run_gives() -> None:
    scores = reciprocal_rank_fusion(TABLE)
    assert scores[0] == pytest.approx(1 / 61 + 1 / 62 + 1 / 64, abs=1e-15)
    assert scores[5] == pytest.approx(1 / 65, abs=1e-15)
    # b 1/62 + 1/61 + 1/63, a, d 2/64 + 1/62, e 1/65 + 1/61, c 2/63; f and g are equal, so the lower id is first.
    assert "".join("abcdefg"[place] for place in sequence(TABLE, scores)) == "badecfg"


def test_the_burn_in_comes_first_by_best_rank() -> None:
    scores = reciprocal_rank_fusion(TABLE)
    assert "".join("abcdefg"[place] for place in sequence(TABLE, scores, burn_in=1)) == "abedcfg"
    assert "".join("abcdefg"[place] for place in sequence(TABLE, scores, burn_in=2)) == "abedcfg"


def test_rankings_without_scores_cannot_be_asked_which_runs_give_equal_ones() -> None:
    frame = pl.DataFrame({"topic_id": ["1", "1"], "document_id": ["a", "b"], "score": [2.0, 1.0]})
    rankings = pack_rankings([frame]).rankings
    assert runs_without_scores(rankings) == []
    with refused(ValueError):
        runs_without_scores(replace(rankings, score=None))
