"""Agreement in which models count as assessors, like people."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.labels_of_models import add_labels_of_model
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.effect import effect_of_disagreement
from workbench.campaign.ingest import add_qrels
from workbench.storage.campaign import Campaign


def label(campaign: Campaign, folder: Path, name: str, text: str) -> None:
    path = folder / f"{name}.qrels"
    path.write_text(text, encoding="utf-8")
    add_labels_of_model(campaign, path, name)


def test_models_are_no_assessors_unless_that_is_asked_for(disputed: Campaign, tmp_path: Path) -> None:
    before = agreement(disputed), effect_of_disagreement(disputed)
    label(disputed, tmp_path, "Aa", "1 0 d1 1\n2 0 d2 2\n")
    assert agreement(disputed).scopes[0].assessors == ("Ann", "Ben")
    assert [view.name for view in effect_of_disagreement(disputed).views] == [
        view.name for view in before[1].views
    ]
    (scope,) = agreement(disputed, judges=True).scopes
    assert scope.assessors == ("Ann", "Ben", "Aa")  # people first, whatever they are called
    assert [each.assessors for each in agreement(disputed, "pair", judges=True).scopes] == [
        ("Ann", "Ben"),
        ("Ann", "Aa"),
        ("Ben", "Aa"),
    ]


def test_the_newest_label_of_a_model_counts_as_of_each_row(disputed: Campaign, tmp_path: Path) -> None:
    label(disputed, tmp_path, "Aa", "1 0 d1 0\n")
    row = agreement(disputed).seq
    label(disputed, tmp_path, "Aa", "1 0 d1 1\n")

    def with_ann(as_of: int | None) -> float | None:
        scopes = agreement(disputed.at(as_of), "pair", judges=True).scopes
        return next(each.raw_agreement for each in scopes if each.assessors == ("Ann", "Aa"))

    assert (with_ann(row), with_ann(None)) == (0, 1)


def test_one_person_and_one_model_have_a_confusion_matrix(small: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "ann.qrels"
    path.write_text("1 0 d1 1\n1 0 d4 0\n", encoding="utf-8")
    add_qrels(small.by("Olga"), [str(path)], assessor="Ann")
    label(small, tmp_path, "Aa", "1 0 d1 2\n1 0 d4 0\n1 0 d2 1\n")
    assert agreement(small).shared == 0
    found = agreement(small, judges=True)
    assert (found.shared, found.judged) == (2, 3)
    table = found.scopes[0].table
    assert table is not None
    assert {
        (row, column): table[row][column] for row in range(4) for column in range(4) if table[row][column]
    } == {
        (found.grades.index(1), found.grades.index(2)): 1.0,
        (found.grades.index(0), found.grades.index(0)): 1.0,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("raw agreement", 0.4412),
        ("Cohen's kappa", 0.2333),
        ("Cohen's kappa, linear", 0.3729),
        ("Cohen's kappa, quadratic", 0.4918),
        ("Krippendorff's alpha, nominal", 0.2282),
        ("Krippendorff's alpha, ordinal", 0.4926),
        ("Krippendorff's alpha, interval", 0.4890),
        ("Gwet's AC1", 0.3177),
    ],
)
def test_people_and_umbrela_agree_as_published(
    rag25_coefficients: dict[str, float], name: str, value: float
) -> None:
    assert rag25_coefficients[name] == pytest.approx(value, abs=0.00005)
