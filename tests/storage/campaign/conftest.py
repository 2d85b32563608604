"""A campaign file without anything in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.storage.campaign import Campaign, create_campaign


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file `robust.db`, closed."""
    create_campaign(tmp_path / "robust.db").close()
    return tmp_path / "robust.db"


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """A new campaign."""
    with create_campaign(tmp_path / "new.db") as campaign:
        yield campaign
