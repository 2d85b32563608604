"""The table of a topic's rankings, on three runs of five documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from workbench.core.ranking import Rankings, pack_rankings
from workbench.methods.pooling.topic_table import NO_NUMBER, table_of, with_further

RUNS = {"one": "abcde", "two": "bacdf", "three": "edbag"}


@pytest.fixture
def rankings() -> Rankings:
    frames = [
        pl.DataFrame(
            {"topic_id": ["1"] * 5, "document_id": list(documents), "score": [5.0, 4.0, 3.0, 2.0, 1.0]}
        )
        for documents in RUNS.values()
    ]
    return pack_rankings(frames).rankings


def test_every_candidate_down_to_the_depth_has_a_column_with_ranks_and_scores(rankings: Rankings) -> None:
    table = table_of(rankings)
    assert table.document.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert table.rank.tolist() == [[1, 2, 3, 4, 5, 0, 0], [2, 1, 3, 4, 0, 5, 0], [4, 3, 0, 2, 1, 0, 5]]
    assert table.best_rank.tolist() == [1, 1, 3, 2, 1, 5, 5]
    assert table.depth == 5
    table = table_of(rankings, depth=2)
    assert table.document.tolist() == [0, 1, 3, 4]
    assert table.rank.tolist() == [[1, 2, 0, 0], [2, 1, 0, 0], [0, 0, 2, 1]]
    table = table_of(rankings, depth=1, runs=[7, 0, 1, 2])
    assert table.rank.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    score = table_of(rankings, depth=2).score
    assert score is not None
    assert score.tolist() == [[5, 4, 0, 0], [4, 5, 0, 0], [0, 0, 4, 5]]


def test_the_matrix_of_many_runs_is_sparse_and_the_same(
    rankings: Rankings, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(rankings)
    values = 1.0 / table.entries.rank
    dense = table.matrix(values)
    assert dense[0].tolist() == [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 0, 0]
    monkeypatch.setattr("workbench.methods.pooling.topic_table.DENSE_CELLS", 20)  # there are 21
    assert table.matrix(values).toarray().tolist() == dense.tolist()
    monkeypatch.setattr("workbench.methods.pooling.topic_table.DENSE_CELLS", 21)
    assert isinstance(table.matrix(values), np.ndarray)


@pytest.mark.parametrize("with_scores", [True, False])
def test_further_documents_stand_among_the_candidates_without_a_rank_in_any_run(
    rankings: Rankings, with_scores: bool
) -> None:
    whole = rankings if with_scores else replace(rankings, score=None)
    table = replace(table_of(whole, depth=2), document_id=list("abde"))
    found = with_further(table, ["z", "c", "b"])
    assert found.document_id == list("abcdez")
    assert found.document.tolist() == [*table.document[:2], NO_NUMBER, *table.document[2:], NO_NUMBER]
    assert found.rank.tolist() == [[1, 2, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0], [0, 0, 0, 2, 1, 0]]
    if with_scores:
        assert found.score is not None
        assert found.score.tolist() == [[5, 4, 0, 0, 0, 0], [4, 5, 0, 0, 0, 0], [0, 0, 0, 4, 5, 0]]
    else:
        assert found.score is None
