"""What was simulated of strategies for pairs is what is documented."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.choosing_pairs import SHOWN, errors
from tests.document_tables import rows

FEW, ALL = 5, 60
ROWS = [row for row in rows("Deviation", "Strategy", *map(str, SHOWN)) if row[0] == "4"]


@pytest.mark.parametrize("row", ROWS, ids=["random-pairs", "uncertain", "sort"])
def test_errors_of_chosen_pairs_are_as_documented(row: list[str]) -> None:
    deviation, strategy = float(row[0]), row[1].partition(",")[0]
    found = [errors(strategy, deviation, seed)[0] for seed in range(FEW)]
    for number, cell in zip(SHOWN, row[2:], strict=True):
        mean, error = (float(each) for each in cell.rstrip(")").split(" ("))
        of_few = (ALL / FEW) ** 0.5 * (error + 0.05)
        assert 100 * np.mean([each[number] for each in found]) == pytest.approx(mean, abs=4 * of_few)
