"""Which runs are at the top, and in which order runs stand."""

from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.core.errors import UnknownName
from workbench.methods.measures import parse_measure
from workbench.methods.statistics.arrays import NOISE
from workbench.scoring.board import ScoreRow, ScoreTable
from workbench.scoring.board.table import at_the_top, best_first, best_of_teams, names, order_of, ordered
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import Head

AP, SET_E = parse_measure("AP"), parse_measure("SetE")

TABLE = ScoreTable(
    Head(1, b""),
    ("map", "SetE"),
    (AP, SET_E),
    2,
    9,
    (
        ScoreRow("run10", "Bonn", (0.2, 0.5), 1.0),
        ScoreRow("run9", "Aachen", (0.4, 0.5), 1.0),
        ScoreRow("best", "", (0.4, 0.1), 1.0),
    ),
)


@pytest.mark.parametrize(
    ("values", "top"),
    [
        ([0.1, 0.5, 0.3], "b"), ([0.5, 0.1, 0.5], "ac"), ([0.5, 0.5 + NOISE / 2, 0.5 - 2 * NOISE], "ab"),
        ([-1.0, -2.0, -1.0], "ac"), ([], ""),
    ],
)  # fmt: skip
def test_at_the_top_are_the_runs_with_the_best_value_up_to_rounding(values: list[float], top: str) -> None:
    tags = list("abc")[: len(values)]
    assert at_the_top(AP, values, tags) == list(top)
    assert at_the_top(SET_E, [-value for value in values], tags) == list(top)


def test_the_best_come_first_and_are_named_in_a_sentence_up_to_four() -> None:
    values = [0.2, 0.4, 0.4 + NOISE / 2, 0.1, 0.2]
    assert best_first(AP, values) == [1, 2, 0, 4, 3]
    assert best_first(SET_E, values) == [3, 0, 4, 1, 2]
    assert [names([f"r{number}" for number in range(size)]) for size in range(7)] == [
        "", "r0", "r0 and r1", "r0, r1 and r2", "r0, r1, r2 and r3", "r0, r1, r2 and 2 more",
        "r0, r1, r2 and 3 more",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ("", [1, 2, 0]), ("map", [1, 2, 0]), ("AP", [1, 2, 0]), ("SetE", [2, 0, 1]), ("run", [2, 1, 0]),
        ("team", [2, 1, 0]), ("added", [0, 1, 2]),
    ],
)  # fmt: skip
def test_a_table_stands_in_the_order_that_is_asked_for(by: str, order: list[int]) -> None:
    assert order_of(TABLE, by) == order
    assert ordered(TABLE, by).rows == tuple(TABLE.rows[place] for place in order)


def test_a_column_that_is_not_there_is_answered_with_all() -> None:
    with pytest.raises(UnknownName) as told:
        order_of(TABLE, "P@5")
    assert says(str(told.value), "P@5")


ROWS = (
    ScoreRow("a1", "A", (0.3, 0.9), 1.0), ScoreRow("b1", "B", (0.2, 0.1), 1.0),
    ScoreRow("a2", "A", (0.5, 0.2), 1.0), ScoreRow("a3", "A", (0.5, 0.8), 1.0),
    ScoreRow("alone", "", (0.1, 0.0), 1.0), ScoreRow("A", "", (0.0, 0.0), 1.0),
)  # fmt: skip


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("AP", "RR"), ["b1", "a2", "alone", "A"]),
        (("SetE", "RR"), ["a1", "b1", "alone", "A"]),
        (("NumRel", "RR"), ["b1", "a2", "alone", "A"]),
    ],
)
def test_each_team_has_its_best_run_and_a_run_without_a_team_stands_alone(
    names: tuple[str, str], chosen: list[str]
) -> None:
    table = ScoreTable(log.Head(1, b""), names, tuple(map(parse_measure, names)), 1, 1, ROWS)
    assert [row.tag for row in best_of_teams(table).rows] == chosen
