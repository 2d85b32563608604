"""Campaigns with labels of people and of models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.labels_of_models import add_labels_of_model
from workbench.campaign.ingest import add_qrels
from workbench.campaign.new_campaign import new_campaign
from workbench.core.records import Grade
from workbench.storage.campaign import Campaign

LabelAs = Callable[..., None]

FIVE = tuple(Grade(grade, f"Grade {grade}") for grade in range(5))


@pytest.fixture
def on_five_grades(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign without anything, on grades 0 to 4."""
    with new_campaign(tmp_path / "five.db", title="Five", grades=FIVE, actor="Olga") as campaign:
        yield campaign


@pytest.fixture
def label_as(tmp_path: Path) -> LabelAs:
    """Adds labels, topic -> document -> grade, as those of a person or of a model."""

    def add(campaign: Campaign, name: str, labels: dict[str, dict[str, int]], source: str = "model") -> None:
        lines = [
            f"{topic} 0 {document} {grade}" for topic, of in labels.items() for document, grade in of.items()
        ]
        path = tmp_path / f"{name}.qrels"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        if source == "model":
            add_labels_of_model(campaign, path, name)
        else:
            add_qrels(campaign.by("Olga"), [str(path)], assessor=name)

    return add


@pytest.fixture
def rag25(on_five_grades: Campaign, data_folder: Path) -> Campaign:
    """The 10,284 pairs that people and a model labelled."""
    folder = data_folder / "agreement"
    add_qrels(on_five_grades.by("Olga"), [str(folder / "qrels.rag25.test.txt")], assessor="NIST")
    umbrela = str(folder / "qrels.rag25.test-umbrela2.txt")
    add_labels_of_model(on_five_grades, umbrela, "UMBRELA")
    return on_five_grades
