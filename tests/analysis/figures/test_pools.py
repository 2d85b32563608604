"""Figures of a pool, of judging by days, and of how the order of runs settled, of the small campaign."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import refused
from workbench.analysis.figures import draw
from workbench.analysis.trust.stability import stability
from workbench.core.errors import UnknownName
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def shown(campaign: Campaign, name: str, **asked: str) -> list[tuple[object, ...]]:
    return [
        tuple(row.values())
        for row in draw(campaign, name, {key: [value] for key, value in asked.items()}).rows
    ]


def test_the_size_at_every_depth_is_reported_as_judged_not_yet_judged_and_new(
    small: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(small, "Ann", "1", "d4", 1)
    parts = ("judged", "not yet judged", "new")
    sizes = {1: (1, 4, 0), 2: (1, 6, 0), 3: (1, 6, 1)}
    assert shown(small, "pool-depths", depth="2") == [
        (depth, part, pairs) for depth, size in sizes.items() for part, pairs in zip(parts, size, strict=True)
    ]
    assert [row[0] for row in shown(small, "pool-depths", depth="2", deepest="2")[::3]] == [1, 2]


def test_the_size_of_every_topic_is_reported_likewise(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d4", 1)
    rows = shown(small, "pool-topics", depth="3")
    assert [(topic, pairs) for topic, _, pairs in rows] == [
        *(("1", 1), ("1", 2), ("1", 1)),
        *(("2", 0), ("2", 3), ("2", 0)),
        *(("10", 0), ("10", 1), ("10", 0)),
    ]


def test_what_each_run_alone_brings_is_reported_by_what_is_new(small: Campaign) -> None:
    assert shown(small, "pool-runs", depth="3") == [
        ("beta", "already pooled", 3),
        ("beta", "new", 0),
        ("alpha", "already pooled", 1),
        ("alpha", "new", 1),
    ]
    assert shown(small, "pool-runs", depth="3", runs="alpha") == [
        ("alpha", "already pooled", 4),
        ("alpha", "new", 1),
    ]


@pytest.mark.parametrize(
    "asked", [{"depth": "0"}, {"depth": "1", "runs": "gamma"}, {"depth": "1", "ties": "up"}]
)
def test_a_pool_that_cannot_be_is_not_drawn(small: Campaign, asked: dict[str, str]) -> None:
    with refused(UnknownName):
        shown(small, "pool-depths", **asked)


def test_judgments_are_counted_by_day_and_assessor(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ben", "1", "d1", 1)
    before = log.newest_seq(small)
    judging_as(small, "Ben", "1", "d2", 1)
    assert draw(small, "judging-days", {}).rows == [{"day": "2026-03-01", "assessor": "Ben", "judgments": 2}]
    (row,) = draw(small, "judging-days", {"as_of": [str(before)]}).rows
    assert row["judgments"] == 1


def test_every_moment_has_the_correlations_of_the_engine(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d4", 1)
    then = log.newest_seq(small)
    judging_as(small, "Ann", "1", "d1", 1)
    for asked, as_of in (({"measure": ["RR"]}, None), ({"measure": ["RR"], "as_of": [str(then)]}, then)):
        points = stability(small.at(as_of), "RR")
        told = [
            (row["row"], row["statistic"], row["correlation"])
            for row in draw(small, "ranking-stability", asked).rows
        ]
        assert told == [
            (point.seq, name, value)
            for name, field in (("tau_b", "tau_b"), ("tau_AP,b", "tau_ap_b"))
            for point in points
            if (value := getattr(point.agreement, field)) is not None
        ]


@pytest.mark.parametrize(("name", "asked"), [("ranking-stability", {}), ("judging-days", {"days": "0"})])
def test_without_judgments_or_days_there_is_nothing_to_draw(
    small: Campaign, name: str, asked: dict[str, str]
) -> None:
    with refused(UnknownName):
        shown(small, name, **asked)
