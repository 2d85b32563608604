"""The best run of a team is the one that is best on the first measure, in the measure's own direction."""

from __future__ import annotations

import pytest

from workbench.methods.measures import parse_measure
from workbench.scoring.board import ScoreRow, ScoreTable
from workbench.scoring.board.table import best_of_teams
from workbench.storage.campaign.log import log

ROWS = (
    ScoreRow("a1", "A", (0.3, 0.9), 1.0),
    ScoreRow("b1", "B", (0.2, 0.1), 1.0),
    ScoreRow("a2", "A", (0.5, 0.2), 1.0),
    ScoreRow("a3", "A", (0.5, 0.8), 1.0),
    ScoreRow("alone", "", (0.1, 0.0), 1.0),
    ScoreRow("A", "", (0.0, 0.0), 1.0),
)


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
