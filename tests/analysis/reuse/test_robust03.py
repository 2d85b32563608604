"""Leaving out runs of Robust 2003, against the figures known for it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.document_tables import table
from workbench.analysis.reuse.report import reuse
from workbench.storage.campaign import Campaign, open_campaign

pytestmark = [pytest.mark.data, pytest.mark.slow]


@pytest.fixture(scope="module")
def robust(robust_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    path = shutil.copyfile(robust_file, tmp_path_factory.mktemp("robust") / "robust.db")
    with open_campaign(path) as campaign:
        yield campaign


KNOWN = """
AP    5 -5.08 -18.70 0.82 3 red
AP   20 -2.54  -9.92 0.29 2 amber
AP  100 -0.71  -3.39 0.12 1 amber
P@10 10 -7.11 -20.25 1.35 7 red
P@10 50 -1.13  -4.87 0.24 2 amber
"""
"""Measure and depth; changes in percent, mean and largest; ranks lost, mean and most; the verdict."""


@pytest.mark.parametrize("known", KNOWN.strip().splitlines())
def test_losses_on_robust_2003_are_those_known_for_it(robust: Campaign, known: str) -> None:
    measure, *numbers, level = known.split()
    depth, mean, largest, ranks, most = map(float, numbers)
    found = reuse(robust, measure, depth=int(depth))
    runs = [run for row in found.rows for run in row.runs]
    changes = np.array([run.change_percent for run in runs], np.float64)
    lost = np.array([run.ranks_lost for run in runs])
    assert len(runs) == 17
    assert (round(changes.mean(), 2), round(changes.min(), 2)) == (mean, largest)
    assert (round(lost.mean(), 2), lost.max()) == (ranks, most)
    assert found.verdict.level == level
    head = ("depth", "AP, mean", "largest", "ranks lost, mean", "most", "P@10, mean", "largest")
    cells = [
        *(f"−{-change:.1f} %" for change in (changes.mean(), changes.min())),
        f"{lost.mean():.2f}",
        str(int(most)),
    ]
    documented = table(*head)[str(int(depth))]
    assert documented[:4] == cells if measure == "AP" else documented[4:] == cells[:2]
