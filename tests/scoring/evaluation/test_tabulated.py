"""Runs joined with the strata or probabilities of a sample, or with subtopics."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.formats.qrels import highest_grades
from workbench.methods.measures.sampled_rankings import OUTSIDE
from workbench.scoring.evaluation.joining import join
from workbench.scoring.evaluation.tabulated import join_sample, join_subtopics

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


Judgment = tuple[str, str, str, int]
Line = tuple[str, str, float]

IDS = ("topic_id", "subtopic_id", "document_id")
QRELS: list[Judgment] = [
    ("2", "y", "c", 1), ("1", "2", "b", 2), ("1", "10", "a", 1), ("1", "2", "a", -1), ("2", "x", "a", 1),
]  # fmt: skip


def qrels_of(judgments: list[Judgment]) -> pl.DataFrame:
    return pl.DataFrame(judgments, dict.fromkeys(IDS, pl.String) | {"grade": pl.Int64}, orient="row")


def run_of(lines: list[Line]) -> pl.DataFrame:
    schema = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
    return pl.DataFrame(lines, schema, orient="row")


def test_rows_are_topics_times_runs_and_subtopics_are_numbered_in_byte_order() -> None:
    first = run_of([("2", "a", 1.0), ("1", "x", 3.0), ("1", "b", 2.0), ("9", "a", 1.0), ("1", "a", 1.0)])
    second = run_of([("2", "c", 1.0), ("2", "a", 2.0)])
    judged = join_subtopics(qrels_of(QRELS), [first, second])
    assert judged.row_start.tolist() == [0, 3, 3, 4, 6]
    assert judged.topic.tolist() == [0, 0, 1, 1]
    covers = judged.covers(1)
    assert covers.row.tolist() == [0, 0, 2, 3, 3]
    assert covers.rank.tolist() == [2, 3, 1, 1, 2]
    # Of topic 1 the subtopics 10 and 2, of topic 2 x and y.
    assert covers.subtopic.tolist() == [1, 0, 2, 2, 3]


def test_every_topic_has_its_own_subtopics_and_scores_can_be_32_bit_floats() -> None:
    # The later a topic, the fewer it has.
    judgments = [
        (f"{topic:02}", f"{number:02}", "a", 1) for topic in range(40) for number in range(40 - topic)
    ]
    labels = join_subtopics(qrels_of(judgments), [run_of([("00", "a", 1.0)])]).labels
    assert labels.num_subtopics(1).tolist() == list(range(40, 0, -1))
    run = run_of([("1", "a", 16777217.0), ("1", "b", 16777216.0)])
    assert join_subtopics(qrels_of(QRELS), [run]).covers(1).subtopic.tolist() == [0, 1]
    assert join_subtopics(qrels_of(QRELS), [run], single_precision=True).covers(1).subtopic.tolist() == [1, 0]


ids = st.sampled_from(["1", "10", "2"])
documents = st.sampled_from(["a", "B", "é", "𐀀", "d1", "d10"])
judgments = st.lists(
    st.tuples(ids, ids, documents, st.integers(-1, 2)), min_size=1, unique_by=lambda judgment: judgment[:3]
)
lines = st.lists(
    st.tuples(st.sampled_from(["1", "10", "9"]), documents, st.integers(0, 2).map(float)),
    unique_by=lambda line: line[:2],
)


@settings(max_examples=50)
@given(judged=judgments, runs=st.lists(lines, min_size=1, max_size=3), data=st.data())
def test_rows_hold_the_documents_that_the_other_join_puts_there(
    judged: list[Judgment], runs: list[list[Line]], data: st.DataObject
) -> None:
    qrels, frames = qrels_of(data.draw(st.permutations(judged))), [run_of(run) for run in runs]
    by_subtopic = join_subtopics(qrels, frames)
    by_grade = join(highest_grades(qrels), frames, [str(number) for number in range(len(runs))]).judged
    assert by_subtopic.row_start.tolist() == by_grade.row_start.tolist()
    assert by_subtopic.topic.tolist() == by_grade.topic.tolist()
    covering = sorted(set(zip(by_subtopic.covers(1).row, by_subtopic.covers(1).rank, strict=True)))
    assert covering == list(zip(by_grade.hits(1).row, by_grade.hits(1).rank, strict=True))


@settings(max_examples=50)
@given(judged=judgments, run=lines, data=st.data())
def test_the_order_of_lines_changes_nothing(
    judged: list[Judgment], run: list[Line], data: st.DataObject
) -> None:
    one = join_subtopics(qrels_of(judged), [run_of(run)])
    shuffled = data.draw(st.permutations(judged)), data.draw(st.permutations(run))
    other = join_subtopics(qrels_of(shuffled[0]), [run_of(shuffled[1])])
    assert [column.tolist() for column in one.covers(1)] == [column.tolist() for column in other.covers(1)]
