"""A campaign file without anything in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.storage.campaign import create_campaign


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file `robust.db`, closed."""
    create_campaign(tmp_path / "robust.db").close()
    return tmp_path / "robust.db"
