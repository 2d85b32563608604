"""Assessors compared with themselves, by what they say of pairs that come again."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.sheets import sheet_of_scopes
from workbench.campaign.assessing import set_repeats
from workbench.storage.campaign import Campaign


@pytest.fixture
def repeated(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """Ann says of d1, d2 and d4 of topic 1 what she said before, but of d2 not; Ben says otherwise of both of his."""
    set_repeats(small.by("Olga"), 1.0, 1, 0)
    for assessor, topic_id, given in (
        ("Ann", "1", "d1 1, d2 0, d4 2"),
        ("Ann", "2", "d1 0"),
        ("Ann", "1", "d1 1, d2 1, d4 2"),
        ("Ben", "2", "d1 0, d2 1, d5 0"),
        ("Ben", "2", "d1 1, d2 0"),
    ):
        for pair in given.split(", "):
            document_id, grade = pair.split()
            judging_as(small, assessor, topic_id, document_id, int(grade))
    return small


def value(campaign: Campaign, place: int, name: str, *, binary: bool = False) -> float | None:
    scope = agreement(campaign, "assessor", resamples=0).scopes[place]
    side = scope.binary if binary else scope.graded
    return next(each.value for each in side if each.name == name)


def test_each_assessor_and_then_everybody_has_a_scope(repeated: Campaign) -> None:
    told: list[int] = []
    found = agreement(repeated, "assessor", resamples=0, progress=told.append)
    assert told == [1, 1, 1]
    assert [(scope.name, scope.pairs) for scope in found.scopes] == [("Ann", 3), ("Ben", 2), ("everybody", 5)]
    assert (found.by, found.judged, found.shared, found.assessors) == ("assessor", 5, 5, ("Ann", "Ben"))
    assert [value(repeated, place, "raw agreement") for place in range(3)] == [2 / 3, 0, 2 / 5]
    # Ann: first 1, 0, 2, again 1, 1, 2: observed 2/3; shares 1/3, 1/3, 1/3 and 0, 2/3, 1/3, so 1/3 by chance.
    assert value(repeated, 0, "Cohen's kappa") == pytest.approx(1 / 2)
    # Ben: relevant or not, first no, yes, again yes, no: observed 0, by chance 1/2.
    assert value(repeated, 1, "Cohen's kappa", binary=True) == pytest.approx(-1)


def test_the_table_has_the_first_judgments_as_rows(repeated: Campaign) -> None:
    table = agreement(repeated, "assessor", resamples=0).scopes[0].table
    assert table is not None
    # Grades -2, 0, 1, 2.
    assert table.tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_what_was_not_told_the_second_time_is_counted_but_not_compared(
    repeated: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(repeated, "Ben", "2", "d1", None)
    found = agreement(repeated, "assessor", resamples=0)
    assert (found.judged, found.shared, found.scopes[1].pairs) == (5, 4, 1)


def test_as_of_an_earlier_row_nobody_had_judged_again(repeated: Campaign) -> None:
    assert agreement(repeated.at(8), "assessor").scopes == ()


def test_the_sheet_names_the_assessor_alone(repeated: Campaign) -> None:
    sheet = sheet_of_scopes(agreement(repeated, "assessor", resamples=0))
    assert [column.name for column in sheet.columns[:3]] == ["assessor", "pairs", "agreement"]
    assert [row[:2] for row in sheet.rows] == [("Ann", 3), ("Ben", 2), ("everybody", 5)]
