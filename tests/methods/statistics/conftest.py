"""Real scores to hold against other programs: average precision of the runs of TREC-8."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray


@pytest.fixture(scope="session")
def trec8(data_folder: Path) -> NDArray[np.float64]:
    """Average precision of 129 runs on 50 topics, float64 (topics, runs)."""
    return np.loadtxt(data_folder / "significance" / "adhoc8_ap.csv", delimiter=",", skiprows=1)


@pytest.fixture(scope="session")
def pair(trec8: NDArray[np.float64]) -> NDArray[np.float64]:
    """The differences of systems 125 and 126 on each topic; their means are .214334 and .267342."""
    return trec8[:, 125] - trec8[:, 124]


@pytest.fixture(scope="session")
def top30(trec8: NDArray[np.float64]) -> NDArray[np.float64]:
    """The thirty runs with the highest means, 435 pairs."""
    return trec8[:, np.argsort(-trec8.mean(axis=0))[:30]]
