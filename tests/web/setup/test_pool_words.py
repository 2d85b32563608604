"""What the pool page says, sentence by sentence, of the small campaign."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.campaign.pools.pace import MeasuredPace, Work
from workbench.campaign.pools.plan import plan_pool
from workbench.storage.campaign import Campaign, open_campaign
from workbench.web.setup.pool_words import current, depth_rows, hours, more, time_needed, would_be

MONDAY = date(2026, 3, 2)
ALONE = Work(per_hour=2, hours_per_day=3, assessors=1)


@pytest.fixture
def campaign(small: Path) -> Iterator[Campaign]:
    """Topic 1 with six documents of two runs, topic 2 with two; all are pooled."""
    with open_campaign(small) as opened:
        yield opened


def test_where_the_pool_stands(campaign: Campaign, judging_as: JudgeAs) -> None:
    assert current(plan_pool(campaign, depth=1)) == "8 pairs in 2 topics are pooled; 0 of them are judged."
    judging_as(campaign, "Ben", "1", "d1", 1)
    assert current(plan_pool(campaign, depth=1)) == "8 pairs in 2 topics are pooled; 1 of them is judged."


def test_a_pool_that_adds_nothing_says_so(campaign: Campaign) -> None:
    assert says(would_be(plan_pool(campaign, depth=2)))


def test_how_long_it_takes_and_when_it_is_done(campaign: Campaign) -> None:
    plan = plan_pool(campaign, depth=2)
    assert says(time_needed(plan, ALONE, None, MONDAY))
    measured = MeasuredPace(1_200, 2_160_000.0)
    several = Work(measured.per_hour, 0.5, 4)
    assert says(time_needed(plan, several, measured, MONDAY))


def test_what_would_take_a_thousand_years_has_no_day(campaign: Campaign) -> None:
    slow = Work(per_hour=0.0001, hours_per_day=0.1, assessors=1)
    assert says(time_needed(plan_pool(campaign, depth=2), slow, None, MONDAY))


def test_ten_more_ranks_and_one_more_run(campaign: Campaign) -> None:
    assert more(plan_pool(campaign, depth=1), ALONE) == (
        "Ten more ranks, depth 11, would add 4 pairs; 0 more to judge, 0.0 hours.",
        "One more run like these would add about 2 pairs, 1.0 hours: "
        "the current runs have from 2 to 2 unique pairs each.",
    )
    assert more(plan_pool(campaign, depth=4, tags=["alpha"]), ALONE) == (
        "The longest ranking has 4 documents: a deeper pool would add nothing.",
    )


def test_every_usual_depth_has_a_line_and_the_one_asked_for_is_marked(campaign: Campaign) -> None:
    rows = depth_rows(plan_pool(campaign, depth=2), ALONE, MONDAY)
    assert [(row.plan.depth, row.plan.pairs, row.hours, row.is_chosen) for row in rows] == [
        (1, 4, "4.0", False),
        (2, 6, "4.0", True),
        (4, 8, "4.0", False),
    ]


def test_hours_have_a_decimal_where_they_are_few() -> None:
    assert [hours(pairs, ALONE) for pairs in (0, 1, 19, 20, 2_001)] == ["0.0", "0.5", "9.5", "10", "1,000"]
