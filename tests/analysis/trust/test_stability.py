"""How the order of runs settled, by hand."""

from __future__ import annotations

import pytest

from tests.fixture_types import AppendJudgment
from workbench.analysis.trust.stability import agreement, rows_between, stability
from workbench.methods.measures import parse_measure
from workbench.scoring.board import ScoreRow, ScoreTable
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def table(name: str, values: dict[str, float]) -> ScoreTable:
    rows = tuple(ScoreRow(tag, "", (value,), 1.0) for tag, value in values.items())
    return ScoreTable(log.Head(1, b""), (name,), (parse_measure(name),), 1, 1, rows)


NOW = {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}


def test_the_agreement_is_over_the_runs_that_both_moments_have() -> None:
    # Of a, b and c only the pair b, c is turned round: tau = (2 - 1) / 3; tau_AP weighs rank 2 with 1, rank 3 with 1/2.
    then = {"c": 0.5, "b": 0.1, "a": 0.9, "new": 0.2}
    found = agreement(table("AP", NOW), table("AP", then))
    assert found.runs == 3
    assert found.tau_b == pytest.approx(1 / 3)
    assert found.tau_ap_b == pytest.approx(2 / 2 * (1 / 1 + 1 / 2) - 1)


def test_ties_of_one_side_are_corrected_for() -> None:
    # b and c are tied then. tau_b: 2 / sqrt(3 * 2). tau_AP,b is the mean of two: a is above both, as it should; and of
    # a and b, which are above c now, one was above it.
    found = agreement(
        table("AP", {"a": 0.4, "b": 0.3, "c": 0.2}), table("AP", {"a": 0.9, "b": 0.5, "c": 0.5})
    )
    assert found.tau_b == pytest.approx(2 / 6**0.5)
    assert found.tau_ap_b == pytest.approx((1 + (2 / 2 * (1 / 1 + 1 / 2) - 1)) / 2)


def test_where_low_is_good_the_top_is_the_lowest() -> None:
    turned = {tag: -value for tag, value in NOW.items()}
    then = {"a": 0.5, "b": 0.9, "c": 0.2, "d": 0.1}
    low = agreement(table("SetE", turned), table("SetE", {tag: -value for tag, value in then.items()}))
    assert low == agreement(table("AP", NOW), table("AP", then))


@pytest.mark.parametrize("then", [{}, {"a": 0.1}, dict.fromkeys("abcd", 0.0)])
def test_one_run_or_runs_that_are_all_tied_have_no_agreement(then: dict[str, float]) -> None:
    found = agreement(table("AP", NOW), table("AP", then))
    assert found[1:] == (None, None)


def test_the_chart_goes_from_the_first_judgment_to_the_last(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    assert stability(campaign, "RR") == []
    first = judge(campaign, "1", "d", 1)  # dense has it first, bm25 not at all
    second = judge(campaign, "1", "d", 0)
    last = judge(campaign, "1", "b", 1)  # now bm25 is ahead
    found = stability(campaign, "RR")
    assert [(point.seq, point.judgments) for point in found] == [(first, 1), (second, 1), (last, 2)]
    assert [point.agreement.runs for point in found] == [2, 2, 2]
    assert [point.agreement.tau_ap_b for point in found] == [-1.0, None, 1.0]
    assert [point.agreement.tau_b for point in found] == [pytest.approx(-1.0), None, pytest.approx(1.0)]
    assert stability(campaign.at(first - 1), "RR") == []
    assert [point.seq for point in stability(campaign.at(second), "RR")] == [first, second]


@pytest.mark.parametrize(
    ("first", "last", "points", "expected"),
    [
        (7, 7, 3, [7]),
        (7, 10, 3, [7, 8, 9, 10]),
        (7, 14, 3, [7, 10, 14]),
        (152, 49_727, 5, [152, 10_000, 20_000, 30_000, 40_000, 49_727]),
        (100, 300, 2, [100, 200, 300]),
    ],
)
def test_moments_are_round_numbers_between_the_first_and_the_last(
    first: int, last: int, points: int, expected: list[int]
) -> None:
    assert list(rows_between(first, last, points)) == expected
