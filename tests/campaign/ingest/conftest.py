"""A campaign for files of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.campaign.new_campaign import new_campaign
from workbench.storage.campaign import Campaign


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign without anything in it."""
    with new_campaign(tmp_path / "empty.db", title="Empty", actor="Olga") as campaign:
        yield campaign
