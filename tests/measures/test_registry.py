"""Properties of every registered measure; a measure without an example here fails the suite."""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.measures import MEASURES, BoundMeasure, JudgedRankings, parse_measure
from workbench.measures.registry import Measure, measure
from workbench.ranking import POOLED, UNJUDGED, Labels, Rankings, order_run, pack_rankings

# One ranking by the labels of its documents, three judged documents that it lacks; R = 4, N = 4.
RANKED = [2, 0, UNJUDGED, 1, 0, POOLED, -2, 1]
OTHERS = [1, 0, 0]

EXAMPLES: dict[str, tuple[str, float]] = {}
for family in sorted(Path(__file__).with_name("examples").glob("*.py")):
    EXAMPLES |= runpy.run_path(str(family))["EXAMPLES"]

JUDGED = {name: entry for name, entry in MEASURES.items() if entry.of == "judgments"}
each_measure = pytest.mark.parametrize("entry", MEASURES.values(), ids=MEASURES.keys())
bound_measures = st.sampled_from([name for name, _ in EXAMPLES.values()]).map(parse_measure)

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 1, 2, 3])
documents = st.sampled_from(["a", "B", "é", "𐀀", "d1", "d10", "d2"])
run_lines = st.lists(
    st.tuples(st.sampled_from("12"), documents, st.integers(0, 2).map(float)),
    unique_by=lambda line: line[:2],
)
qrel_lines = st.lists(
    st.tuples(st.sampled_from("123"), documents, st.integers(-1, 3)), unique_by=lambda line: line[:2]
)
RUN = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
QRELS = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}


def one_row(ranked: Sequence[int], others: Sequence[int]) -> JudgedRankings:
    rankings = Rankings(
        np.array([0, len(ranked)], np.int64),
        np.arange(len(ranked), dtype=np.uint32),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
    )
    cells = np.array([*ranked, *others], np.int16)
    return JudgedRankings.join(rankings, Labels(np.array([0, len(cells)], np.int64), cells))


def test_every_measure_has_an_example() -> None:
    assert EXAMPLES.keys() == JUDGED.keys()


@pytest.mark.parametrize(("name", "value"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_example_has_its_value(name: str, value: float) -> None:
    assert parse_measure(name)(one_row(RANKED, OTHERS)) == pytest.approx([value], rel=1e-13)


@each_measure
def test_every_measure_explains_itself(entry: Measure) -> None:
    assert entry.summary.endswith(".")
    assert len(entry.summary) < 110
    assert entry.source.endswith(".")


@each_measure
def test_every_parameter_explains_itself(entry: Measure) -> None:
    assert all(parameter.limits.help for parameter in entry.parameters)


@given(bound=bound_measures, ranked=st.lists(labels, max_size=12), others=st.lists(labels, max_size=6))
def test_values_are_in_range(bound: BoundMeasure, ranked: list[int], others: list[int]) -> None:
    (value,) = bound(one_row(ranked, others)).tolist()
    lowest, highest = bound.measure.lowest, bound.measure.highest
    assert value >= (-np.inf if lowest is None else lowest - 1e-12)
    assert value <= (np.inf if highest is None else highest + 1e-12)


@given(bound=bound_measures, ranked=st.lists(labels, max_size=12), others=st.lists(labels, max_size=6))
def test_values_are_one_double_per_row(bound: BoundMeasure, ranked: list[int], others: list[int]) -> None:
    value = bound(one_row(ranked, others))
    assert (value.shape, value.dtype.name) == ((1,), "float64")


@given(bound=bound_measures, others=st.lists(labels, max_size=6))
def test_an_empty_ranking_is_worth_nothing(bound: BoundMeasure, others: list[int]) -> None:
    counted = bound.name in {"NumQ", "NumRel"}
    assert counted or bound(one_row([], others)).tolist() == [0.0]


@given(bound=bound_measures, lines=run_lines, judgments=qrel_lines, data=st.data())
def test_values_do_not_depend_on_the_order_of_lines(
    bound: BoundMeasure,
    lines: list[tuple[str, str, float]],
    judgments: list[tuple[str, str, int]],
    data: st.DataObject,
) -> None:
    def values(run: list[tuple[str, str, float]], qrels: list[tuple[str, str, int]]) -> list[float]:
        frame = order_run(pl.DataFrame(run, RUN, orient="row"))
        packed = pack_rankings([frame], pl.DataFrame(qrels, QRELS, orient="row"))
        found: list[float] = bound(JudgedRankings.join(packed.rankings, packed.labels)).tolist()
        return found

    shuffled = values(data.draw(st.permutations(lines)), data.draw(st.permutations(judgments)))
    assert shuffled == values(lines, judgments)


@given(
    bound=bound_measures,
    rows=st.lists(st.tuples(st.lists(labels, max_size=5), st.lists(labels, max_size=3)), max_size=4),
)
def test_a_row_has_the_value_it_has_alone(
    bound: BoundMeasure, rows: list[tuple[list[int], list[int]]]
) -> None:
    alone = [value for row in rows for value in bound(one_row(*row)).tolist()]
    lengths = np.array([len(ranked) for ranked, _ in rows], np.int64)
    cells = np.array([len(ranked) + len(others) for ranked, others in rows], np.int64)
    together = JudgedRankings.join(
        Rankings(
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            np.array([number for length in lengths for number in range(length)], np.uint32),
            np.zeros(len(rows), np.int32),
            np.arange(len(rows), dtype=np.int32),
        ),
        Labels(
            np.concatenate([[0], np.cumsum(cells)]).astype(np.int64),
            np.array([label for ranked, others in rows for label in (*ranked, *others)], np.int16),
        ),
    )
    assert bound(together).tolist() == alone


def test_a_name_is_registered_once() -> None:
    def twice(judged: JudgedRankings) -> None:
        """A measure."""

    with pytest.raises(ValueError, match="two measures are called AP"):
        measure("AP")(twice)  # type: ignore[arg-type]
