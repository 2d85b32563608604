"""The campaign `small`, judged by two who do not agree."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from workbench.campaign.ingest import add_qrels
from workbench.storage.campaign import Campaign

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

ANN = "1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n"
BEN = "1 0 d1 0\n1 0 d4 1\n2 0 d2 1\n"


@pytest.fixture
def disputed(small: Campaign, tmp_path: Path) -> Campaign:
    """Ann judged four pairs, then Ben three of them, each otherwise; the campaign's own grades are the newest."""
    for name, text in (("Ann", ANN), ("Ben", BEN)):
        file = tmp_path / f"{name}.qrels"
        file.write_text(text, encoding="utf-8")
        add_qrels(small.by("Olga", NOW), [str(file)], assessor=name)
    return small
