"""Agreement of a campaign, by topic and by pair of assessors, and of assessors with themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.analysis.between_assessors.coefficients import Scope, agreement
from workbench.analysis.between_assessors.sheets import sheet_of_scopes
from workbench.campaign.assessing import set_repeats
from workbench.campaign.ingest import add_qrels
from workbench.methods.statistics.agreement import TOO_FEW_ITEMS, Coefficient
from workbench.storage.campaign import Campaign


def named(scope: Scope, name: str, *, graded: bool = False) -> Coefficient:
    return next(found for found in (scope.graded if graded else scope.binary) if found.name == name)


def test_a_campaign_by_hand(disputed: Campaign) -> None:
    found = agreement(disputed)
    (scope,) = found.scopes
    assert (found.judged, found.shared, found.relevant_from) == (4, 3, 1)
    assert (scope.name, scope.assessors, scope.pairs) == ("all pairs", ("Ann", "Ben"), 3)
    assert scope.table is not None
    assert scope.table.tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    # d2 is relevant to both, d1 and d4 each to one: p_o = 1/3, p_e = 4/9 + 1/9.
    assert named(scope, "raw agreement").value == pytest.approx(1 / 3)
    assert named(scope, "overlap").value == pytest.approx(1 / 3)
    assert named(scope, "Cohen's kappa").value == pytest.approx((1 / 3 - 5 / 9) / (4 / 9))
    assert named(scope, "raw agreement", graded=True).value == 0
    assert named(scope, "Gwet's AC1", graded=True).value is not None


def test_each_topic_that_several_judged_has_its_own(disputed: Campaign) -> None:
    scopes = agreement(disputed, "topic").scopes
    assert [(scope.name, scope.pairs) for scope in scopes] == [("1", 2), ("2", 1)]
    assert named(scopes[0], "overlap").value == 0
    alone = named(scopes[1], "Cohen's kappa")
    assert alone.value is None
    assert says(alone.note)
    assert named(scopes[1], "raw agreement").interval is None  # of one pair


def test_each_pair_of_assessors_with_pairs_in_common_has_its_own(disputed: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "Cy.qrels"
    file.write_text("10 0 d6 1\n", encoding="utf-8")
    add_qrels(disputed.by("Olga"), [str(file)], assessor="Cy")
    found = agreement(disputed, "pair")
    assert [(scope.assessors, scope.pairs) for scope in found.scopes] == [
        (("Ann", "Ben"), 3),
        (("Ann", "Cy"), 1),
    ]
    (whole,) = agreement(disputed).scopes
    assert whole.table is None
    assert named(whole, "Cohen's kappa").value is None
    assert named(whole, "raw agreement").value == pytest.approx(2 / 4)


def test_the_same_seed_gives_the_same_and_three_pairs_have_no_interval(disputed: Campaign) -> None:
    one, again = (agreement(disputed, resamples=50, seed=4).scopes[0].binary for _ in range(2))
    assert one == again
    assert named(agreement(disputed, resamples=50).scopes[0], "raw agreement").note == TOO_FEW_ITEMS
    assert named(agreement(disputed, resamples=0).scopes[0], "raw agreement").note == ""


def test_where_nothing_is_shared_nothing_is_defined(small: Campaign) -> None:
    (scope,) = agreement(small).scopes
    assert {found.value for found in (*scope.binary, *scope.graded)} == {None}
    assert agreement(small, "topic").scopes == agreement(small, "pair").scopes == ()


def test_one_scope_alone_has_the_numbers_that_it_has_among_all(disputed: Campaign) -> None:
    whole = agreement(disputed, "topic")
    (alone,) = agreement(disputed, "topic", only="1").scopes
    assert alone[:3] == whole.scopes[0][:3]
    assert (alone.binary, alone.graded) == (whole.scopes[0].binary, whole.scopes[0].graded)


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
    # The first judgments are the rows of grades -2, 0, 1, 2.
    table = found.scopes[0].table
    assert table is not None
    assert table.tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    sheet = sheet_of_scopes(found)
    assert [column.name for column in sheet.columns[:3]] == ["assessor", "pairs", "agreement"]
    assert [row[:2] for row in sheet.rows] == [("Ann", 3), ("Ben", 2), ("everybody", 5)]
    assert agreement(repeated.at(8), "assessor").scopes == ()


def test_what_was_not_told_the_second_time_is_counted_but_not_compared(
    repeated: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(repeated, "Ben", "2", "d1", None)
    found = agreement(repeated, "assessor", resamples=0)
    assert (found.judged, found.shared, found.scopes[1].pairs) == (5, 4, 1)
