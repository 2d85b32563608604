"""A run that no pool names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import WriteRun


@pytest.fixture
def small_gamma(written_run: WriteRun, tmp_path: Path) -> str:
    """A file of a run `gamma` for the campaign `small`."""
    return written_run(tmp_path / "gamma.run", "gamma", {"1": "d1 d2", "2": "d3"})
