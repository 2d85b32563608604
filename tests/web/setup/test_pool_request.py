"""What a form asks of a pool, and what the page says of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.sentences import says
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pace import MeasuredPace, Work
from workbench.campaign.pools.plan import plan_pool
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.web.setup.pool_request import PoolRequest, read_request, usual
from workbench.web.setup.pool_words import depth_rows, hours, more, time_needed

DEFAULTS = PoolRequest(
    strategy="depth",
    parameters={"depth": 10},
    ties="descending",
    runs="",
    residual=None,
    viewing=None,
    viewing_seed=None,
    per_hour=None,
    hours_per_day=4.0,
    assessors=2,
)


TYPED = {
    ("viewing_seed", "seed"): {str(2**63 - 1): 2**63 - 1, str(1 - 2**63): 1 - 2**63, " 7 ": 7},
    ("per_hour", "per_hour"): {"0.1": 0.1, "100000": 100_000.0},
    ("hours_per_day", "hours_per_day"): {"0.1": 0.1, "24": 24.0, "": 4.0},
    ("assessors", "assessors"): {"1": 1, "10000": 10_000, "": 2},
    ("runs", "runs"): {" a, b ": "a, b"},
    ("ties", "ties"): {"": "descending", "ascending": "ascending"},
    ("viewing", "viewing"): {"": None, "shuffle": "shuffle"},
    ("residual", "residual"): {"yes": None},
}
"""Names and fields with what may be typed there, and what that is."""


def test_what_is_typed_is_taken() -> None:
    for (name, field), values in TYPED.items():
        for text, value in values.items():
            found, wrong = read_request({field: text}, DEFAULTS)
            assert (getattr(found, name), wrong) == (value, {}), (field, text)
            assert found._replace(**{name: getattr(DEFAULTS, name)}) == DEFAULTS


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *(("per_hour", "0.09"), ("per_hour", "100001"), ("per_hour", "nan"), ("hours_per_day", "24.1")),
        *(("hours_per_day", "many"), ("assessors", "0"), ("assessors", "10001"), ("assessors", "1.5")),
        ("assessors", "x" * 41),
    ],
)
def test_what_cannot_be_is_said_and_is_as_usual(field: str, text: str) -> None:
    found, wrong = read_request({field: text}, DEFAULTS)
    assert (found, list(wrong)) == (DEFAULTS, [field])
    assert says(wrong[field], f"'{text[:40]}'")


def test_in_later_rounds_the_residue_is_as_asked_or_as_before() -> None:
    later = DEFAULTS._replace(residual=True)
    found = [read_request({"residual": text}, later)[0].residual for text in ("yes", "no", "", "perhaps")]
    assert found == [True, False, True, True]


def test_a_request_is_its_own_address() -> None:
    asked = DEFAULTS._replace(residual=False, viewing="shuffle", viewing_seed=7, runs="a", per_hour=2.5)
    assert asked.of_pool().items() >= {
        ("strategy", "depth"),
        ("ties", "descending"),
        ("runs", "a"),
        ("residual", "no"),
        ("viewing", "shuffle"),
        ("seed", 7),
    }
    assert asked.of_work() == {"hours_per_day": "4", "assessors": 2, "per_hour": "2.5"}
    assert DEFAULTS.of_pool().keys() & {"residual", "viewing", "seed"} == set()
    assert DEFAULTS.of_work() == {"hours_per_day": "4", "assessors": 2}


def test_the_next_pool_is_like_the_newest_one_and_for_as_many_as_judge(small: Path, tmp_path: Path) -> None:
    with open_campaign(small) as campaign:
        add_pool(campaign.by("Anna"), strategy="depth", depth=7, ties="ascending")
        found = usual(campaign)
    assert (found.strategy, found.parameters["depth"], found.ties) == ("depth", 7, "ascending")
    assert (found.assessors, found.hours_per_day, found.residual) == (2, 4.0, None)
    with create_campaign(tmp_path / "empty.db") as empty:
        found = usual(empty)
    assert (found.strategy, found.ties, found.assessors, found.residual) == ("depth", "descending", 1, None)


MONDAY = date(2026, 3, 2)
ALONE = Work(per_hour=2, hours_per_day=3, assessors=1)


@pytest.fixture
def campaign(small: Path) -> Iterator[Campaign]:
    """Topic 1 with six documents of two runs, topic 2 with two; all are pooled."""
    with open_campaign(small) as opened:
        yield opened


def test_how_long_it_takes_and_when_it_is_done(campaign: Campaign) -> None:
    plan = plan_pool(campaign, depth=2)
    assert says(time_needed(plan, ALONE, None, MONDAY))
    measured = MeasuredPace(1_200, 2_160_000.0)
    several = Work(measured.per_hour, 0.5, 4)
    assert says(time_needed(plan, several, measured, MONDAY))


def test_ten_more_ranks_and_one_more_run(campaign: Campaign) -> None:
    assert says("\n".join(more(plan_pool(campaign, depth=1), ALONE)), "depth 11", "4 pairs", "about 2 pairs")
    assert says("\n".join(more(plan_pool(campaign, depth=4, tags=["alpha"]), ALONE)), "4 documents")


def test_every_usual_depth_has_a_line_and_the_one_asked_for_is_marked(campaign: Campaign) -> None:
    rows = depth_rows(plan_pool(campaign, depth=2), ALONE, MONDAY)
    assert [(row.plan.depth, row.plan.pairs, row.hours, row.is_chosen) for row in rows] == [
        (1, 4, "4.0", False),
        (2, 6, "4.0", True),
        (4, 8, "4.0", False),
    ]


def test_hours_have_a_decimal_where_they_are_few() -> None:
    assert [hours(pairs, ALONE) for pairs in (0, 1, 19, 20, 2_001)] == ["0.0", "0.5", "9.5", "10", "1,000"]
