"""Charts of what is certain: which of the runs have their names, and how large a pair is drawn."""

from __future__ import annotations

import pytest

from workbench.methods.charts.decisions import certain_matrix


@pytest.mark.parametrize(
    ("runs", "named", "step"),
    [
        (0, True, 20),
        (36, True, 20),
        (37, True, 19),
        (40, True, 18),
        (41, False, 17),
        (180, False, 4),
        (400, False, 4),
    ],
)
def test_up_to_forty_runs_have_their_names_and_no_pair_is_smaller_than_four_pixels(
    runs: int, named: bool, step: int
) -> None:
    spec = certain_matrix("AP", [f"run{number}" for number in range(runs)], []).spec
    assert spec["encoding"]["y"]["axis"]["labels"] is named
    assert (spec["width"], spec["height"]) == ({"step": step}, {"step": step})
