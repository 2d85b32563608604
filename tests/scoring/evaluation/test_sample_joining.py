"""Runs joined with the strata, or the probabilities, of a sample."""

from __future__ import annotations

import numpy as np
import polars as pl

from workbench.methods.measures.sampled_rankings import OUTSIDE
from workbench.scoring.evaluation.tabulated import join_sample

RUN = pl.DataFrame(
    {"topic_id": ["1", "1", "1", "2"], "document_id": ["c", "x", "a", "b"], "score": [4.0, 3.0, 2.0, 1.0]}
)


def test_strata_are_numbered_from_0_in_each_topic_in_the_order_of_their_names() -> None:
    qrels = pl.DataFrame(
        {
            "topic_id": ["1", "1", "1", "2"],
            "document_id": ["a", "b", "c", "b"],
            "stratum": ["rest", "top", "top", "rest"],
            "grade": [0, -1, 2, 1],
        },
        schema_overrides={"grade": pl.Int16},
    )
    joined = join_sample(qrels, [RUN])
    assert (joined.row_start.tolist(), joined.topic.tolist()) == ([0, 3, 4], [0, 1])
    assert joined.rank.tolist() == [1, 3, 1]
    assert joined.stratum.tolist() == [1, 0, 0]
    assert joined.grade.tolist() == [2, 0, 1]
    # Of the two candidates of the first topic's second stratum one was drawn.
    assert joined.labels.size.tolist() == [[1, 2], [1, 0]]
    assert joined.labels.judged.tolist() == [[1, 1], [1, 0]]
    assert joined.labels.probability[joined.cell].tolist() == [0.5, 1.0, 1.0]


def test_a_document_with_a_probability_is_drawn_and_no_other_is() -> None:
    qrels = pl.DataFrame(
        {"topic_id": ["1", "1"], "document_id": ["a", "c"], "probability": [0.25, 1.0], "grade": [0, 2]},
        schema_overrides={"grade": pl.Int16},
    )
    joined = join_sample(qrels, [RUN])
    assert joined.rank.tolist() == [1, 3]
    assert joined.grade.tolist() == [2, 0]
    assert joined.labels.probability[joined.cell].tolist() == [1.0, 0.25]
    assert sorted(joined.labels.stratum.tolist()) == [OUTSIDE, 0, 0]
    assert np.array_equal(joined.labels.drawn, joined.labels.probability > 0)


def test_scores_of_a_sample_can_be_compared_as_32_bit_floats() -> None:
    close = RUN.with_columns(score=pl.Series([16777216.0, 0.0, 16777217.0, 1.0]))
    qrels = pl.DataFrame(
        {"topic_id": ["1", "1"], "document_id": ["a", "c"], "stratum": ["1", "1"], "grade": [0, 2]},
        schema_overrides={"grade": pl.Int16},
    )
    assert join_sample(qrels, [close]).grade.tolist() == [0, 2]
    assert join_sample(qrels, [close], single_precision=True).grade.tolist() == [2, 0]
