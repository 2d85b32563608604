from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.ranking import UNJUDGED
from workbench.scoring.evaluation import joining
from workbench.scoring.evaluation.joining import HashTable, Joined, join

RunLine = tuple[str, str, float]
Judgment = tuple[str, str, int]


def run(*lines: RunLine) -> pl.DataFrame:
    schema = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
    return pl.DataFrame(lines, schema=schema, orient="row")


def qrels(*judgments: Judgment) -> pl.DataFrame:
    schema = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}
    return pl.DataFrame(judgments, schema=schema, orient="row")


def rows(joined: Joined) -> list[list[int]]:
    start = joined.judged.row_start
    return [joined.judged.label[start[row] : start[row + 1]].tolist() for row in range(len(joined.judged))]


def known_labels(joined: Joined) -> dict[str, list[int]]:
    labels = joined.judged.labels
    return {
        topic_id: labels.of_topic(number).label.tolist() for number, topic_id in enumerate(joined.topic_ids)
    }


def test_every_topic_of_the_qrels_has_a_row_for_every_run() -> None:
    joined = join(
        qrels(("2", "a", 1), ("1", "a", 0), ("1", "b", 2)),
        [run(("1", "b", 3.0), ("1", "c", 2.0), ("1", "a", 1.0)), run(("2", "a", 1.0), ("3", "a", 1.0))],
        ["x", "y"],
    )
    assert joined.topic_ids == ("1", "2")
    assert joined.tags == ("x", "y")
    assert rows(joined) == [[2, UNJUDGED, 0], [], [], [1]]
    assert joined.judged.topic.tolist() == [0, 0, 1, 1]
    assert joined.present.tolist() == [[True, False], [False, True]]
    assert joined.unknown_topics.tolist() == [0, 1]
    assert known_labels(joined) == {"1": [0, 2], "2": [1]}


def test_single_precision_makes_more_scores_equal() -> None:
    judged = qrels(("1", "a", 1), ("1", "b", 2), ("1", "c", 3))
    # Beyond the largest 32-bit float, about 3.4e38, is infinity; 16777217 is 2**24 + 1.
    for scores in ([16777217.0, 16777216.0, 1.0], [1e40, 1e39, 1.0]):
        frame = run(*(("1", document, score) for document, score in zip("abc", scores, strict=True)))
        assert rows(join(judged, [frame], ["x"])) == [[1, 2, 3]]
        assert rows(join(judged, [frame], ["x"], single_precision=True)) == [[2, 1, 3]]


def test_a_run_may_have_no_topic_of_the_qrels_and_a_negative_grade_is_a_judgment() -> None:
    judged = qrels(("1", "a", 1))
    joined = join(judged, [run(("2", "a", 1.0))], ["x"])
    assert rows(joined) == [[]]
    assert joined.unknown_topics.tolist() == [1]
    assert join(judged, [], []).present.shape == (1, 0)
    joined = join(
        qrels(("1", "a", -1), ("1", "b", -2), ("1", "c", -32766), ("1", "d", 32767)),
        [run(("1", "a", 4.0), ("1", "b", 3.0), ("1", "c", 2.0), ("1", "d", 1.0))],
        ["x"],
    )
    assert rows(joined) == [[-1, -2, -32766, 32767]]
    assert known_labels(joined) == {"1": [-1, -2, -32766, 32767]}


IDS = st.sampled_from(["a", "b", "c", "é", "文", "\U00010000", "a" * 20, "a" * 19 + "b"])
TOPICS = st.sampled_from(["1", "2", "10", "topic number 3", "é"])
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.0000000001, 2.0, math.inf, -math.inf])
RUNS = st.lists(st.tuples(TOPICS, IDS, SCORES), min_size=1, max_size=25, unique_by=lambda line: line[:2])
QRELS = st.lists(
    st.tuples(TOPICS, IDS, st.integers(-2, 3)), min_size=1, max_size=25, unique_by=lambda line: line[:2]
)


def expected_rows(judgments: list[Judgment], runs: list[list[RunLine]], *, single: bool) -> list[list[int]]:
    """The same by dictionaries: the labels of each topic and run."""
    known = {(topic, document): grade for topic, document, grade in judgments}
    found = []
    for topic in sorted({topic for topic, _, _ in judgments}, key=str.encode):
        for lines in runs:
            ranking = [(np.float32(s) if single else s, d.encode(), d) for t, d, s in lines if t == topic]
            ranking.sort(key=lambda line: line[:2], reverse=True)
            found.append([known.get((topic, document), UNJUDGED) for _, _, document in ranking])
    return found


@given(judgments=QRELS, runs=st.lists(RUNS, max_size=3), single=st.booleans())
def test_a_join_is_what_dictionaries_make_of_it(
    judgments: list[Judgment], runs: list[list[RunLine]], single: bool
) -> None:
    frames = [run(*lines) for lines in runs]
    joined = join(qrels(*judgments), frames, [str(i) for i in range(len(runs))], single_precision=single)
    assert rows(joined) == expected_rows(judgments, runs, single=single)
    by_topic = defaultdict(list)
    for topic, _, grade in judgments:
        by_topic[topic].append(grade)
    assert known_labels(joined) == by_topic


@pytest.mark.parametrize("few", [1, 2])
def test_hashes_that_collide_do_no_harm(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    def colliding(document_id: pl.Series, topic: np.ndarray) -> np.ndarray:
        return (np.arange(len(topic)) % few).astype(np.uint64)

    monkeypatch.setattr(joining, "_hashes", colliding)
    judged = qrels(("1", "a", 1), ("1", "b", 2), ("2", "a", 3))
    frame = run(("1", "c", 3.0), ("1", "b", 2.0), ("1", "a", 1.0), ("2", "a", 1.0), ("2", "b", 1.0))
    assert rows(join(judged, [frame, frame], ["x", "y"])) == [
        [UNJUDGED, 2, 1], [UNJUDGED, 2, 1], [UNJUDGED, 3], [UNJUDGED, 3],
    ]  # fmt: skip


def test_ids_are_not_joined_as_long_as_no_hashes_collide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(joining, "_judged_by_ids")
    judged = qrels(("1", "a", 1), ("1", "b", 2), ("2", "a", 3))
    frame = run(("1", "c", 3.0), ("1", "b", 2.0), ("2", "a", 1.0))
    assert rows(join(judged, [frame], ["x"])) == [[UNJUDGED, 2], [3]]


# Few different values, near to each other and at both ends, so that many share their first bits.
HASHES = st.lists(st.sampled_from([0, 1, 2, 3, 2**62, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1]), max_size=20)


def as_hashes(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, np.uint64)


@given(known=HASHES, sought=HASHES)
def test_every_hash_that_is_in_the_list_is_found_where_it_stands_and_no_other(
    known: list[int], sought: list[int]
) -> None:
    found, row = HashTable(as_hashes(known)).find(as_hashes(sought))
    assert found.tolist() == [place for place, number in enumerate(sought) if number in known]
    assert [known[at] for at in row.tolist()] == [sought[place] for place in found.tolist()]


def test_many_hashes_are_found_at_the_places_to_which_their_first_bits_lead() -> None:
    random = np.random.default_rng(1)
    known = random.integers(0, 2**64, 5000, np.uint64)
    sought = np.concatenate([random.integers(0, 2**64, 1000, np.uint64), known[::-1]])
    found, row = HashTable(known).find(sought)
    assert found.tolist() == list(range(1000, 6000))
    assert row.tolist() == list(range(4999, -1, -1))
    known = np.random.default_rng(7).integers(0, 2**64, 1000, np.uint64, endpoint=False)
    table = HashTable(known)
    led_to = table._begin[table._slots(np.sort(known))]
    assert (led_to == np.arange(1000)).mean() > 0.8, "with four slots for each, few share one"
