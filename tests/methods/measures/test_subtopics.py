from __future__ import annotations

import numpy as np

from tests.methods.measures.subtopic_rows import one_row, rows

JUDGED = {"d1": {"a": 1, "b": 2}, "d2": {"a": 0}, "d3": {"a": 1}, "d4": {"b": 1, "c": 1}, "d5": {"c": 3}}
OTHER = {"d1": {"x": 1}, "d9": {"x": -1, "y": 1}}


def test_covers_are_listed_by_row_rank_and_subtopic_from_the_smallest_relevant_grade_on() -> None:
    judged = rows([JUDGED, OTHER], [(0, ["d1", "new", "d4"]), (1, []), (1, ["d9", "d1"]), (0, ["d4", "d3"])])
    covers = judged.covers(1)
    assert covers.row.tolist() == [0, 0, 0, 0, 2, 2, 3, 3, 3]
    assert covers.rank.tolist() == [1, 1, 3, 3, 1, 2, 1, 1, 2]
    assert covers.subtopic.tolist() == [0, 1, 1, 2, 4, 3, 1, 2, 0]
    assert covers.nth.tolist() == [1, 1, 2, 1, 1, 1, 1, 1, 1]
    judged = one_row(["d1", "d4", "d5"], JUDGED)
    assert judged.covers(2).subtopic.tolist() == [1, 2]
    assert judged.num_subtopics(1).tolist() == [3]
    assert judged.num_subtopics(2).tolist() == [2]
    assert judged.labels.num_rel(1).tolist() == [2, 2, 2]


def test_each_topic_has_its_own_best_ranking_which_takes_what_adds_most_and_of_equals_the_last_id() -> None:
    # d1 and d4 add 2 each; after d4 d1 adds 1.5; then d3 and d5 add 0.5 each, and 0.5 is left for d3.
    best = one_row([], JUDGED).best(1, 0.5, 10)
    assert best.gain.tolist() == [2.0, 1.5, 0.5, 0.5]
    assert best.rank.tolist() == [1, 2, 3, 4]
    best = rows([OTHER, {}, {"d1": {"a": 0}}, JUDGED], []).best(1, 0.5, 10)
    assert best.row.tolist() == [0, 0, 3, 3, 3, 3]
    assert best.gain.tolist() == [1.0, 1.0, 2.0, 1.5, 0.5, 0.5]
    many = {f"d{number:03}": {"a": 1} for number in range(200)}
    labels = one_row([], many).labels
    assert len(labels.best(1, 0.0, 20).rank) >= 20
    assert len(labels.best(1, 0.0, 150).rank) >= 150
    assert labels.best(1, 0.0, 500).gain.tolist() == [1.0] * 200


def test_rankings_are_condensed_and_cut() -> None:
    judged = rows([OTHER, JUDGED], [(1, ["new", "d2", "d5", "d1"]), (0, ["d9", "d2"])])
    condensed = judged.condensed
    assert np.diff(condensed.row_start).tolist() == [3, 1]
    assert condensed.covers(1).rank.tolist() == [2, 3, 3, 1]
    judged = rows([JUDGED], [(0, ["d3", "new", "d4"]), (0, []), (0, ["new", "new2", "d5"])]).to_depth(2)
    assert judged.row_start.tolist() == [0, 2, 2, 4]
    assert judged.covers(1).row.tolist() == [0]
    assert judged.covers(1).rank.tolist() == [1]
