"""Real runs to hold against what other programs say of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.ranking import Packed, order_run, pack_rankings
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run


@pytest.fixture(scope="session")
def robust03(data_folder: Path) -> tuple[list[str], Packed]:
    """The tags of 17 runs of Robust 2003, and their rankings with the official judgments."""
    folder = data_folder / "robust03"
    runs = [read_run(file) for file in sorted((folder / "runs").glob("*.gz"))]
    judgments = read_qrels(folder / "qrels.txt").frame
    return [run.tag for run in runs], pack_rankings([order_run(run.frame) for run in runs], judgments)
