"""The campaign `small`, judged so that everything can be worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from workbench.campaign.ingest import add_qrels
from workbench.storage.campaign import Campaign, create_campaign

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def judged(small: Campaign, tmp_path: Path) -> Campaign:
    """Average precision on topics 1, 10, 2: alpha 1, 0, 1/2 and beta 1/3, 1, 1; the last four log rows."""
    file = tmp_path / "judged.qrels"
    file.write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    add_qrels(small.by("Olga", NOW), [str(file)])
    return small


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign without topics, runs and judgments."""
    with create_campaign(tmp_path / "empty.db") as campaign:
        yield campaign
