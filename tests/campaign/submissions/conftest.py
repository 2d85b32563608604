"""A run that no pool names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import write_run


@pytest.fixture
def small_gamma(tmp_path: Path) -> str:
    """A file of a run `gamma` for the campaign `small`."""
    return write_run(tmp_path / "gamma.run", "gamma", {"1": "d1 d2", "2": "d3"})
