"""The campaign `small`, judged by two who do not agree."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.labels_of_models import add_labels_of_model
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.campaign.ingest import add_qrels
from workbench.campaign.new_campaign import new_campaign
from workbench.core.records import Grade
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


@pytest.fixture(scope="module")
def rag25_coefficients(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """The coefficients by grade of people and UMBRELA on the same 10,284 pairs, by name."""
    grades = tuple(Grade(grade, f"Grade {grade}") for grade in range(5))
    folder = data_folder / "agreement"
    path = tmp_path_factory.mktemp("rag25") / "rag25.db"
    with new_campaign(path, title="RAG 2025", grades=grades, actor="Olga") as campaign:
        add_qrels(campaign.by("Olga"), [str(folder / "qrels.rag25.test.txt")], assessor="NIST")
        umbrela = str(folder / "qrels.rag25.test-umbrela2.txt")
        add_labels_of_model(campaign, umbrela, "UMBRELA")
        (scope,) = agreement(campaign, resamples=0, judges=True).scopes
    return {each.name: each.value for each in scope.graded if each.value is not None}
