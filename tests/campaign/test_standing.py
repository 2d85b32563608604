"""A judgment stands until its assessor clears it; what an adjudicator settles is nobody's opinion."""

from __future__ import annotations

from collections.abc import Callable

from workbench.campaign import Campaign, log, standing
from workbench.campaign.standing import Standing
from workbench.judging import Receipt

JudgeAs = Callable[..., Receipt]


def test_what_stands_is_each_assessors_newest_opinion(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ben", "1", "d1", None)
    judging_as(small, "Ann", "1", "d2", 0)
    judging_as(small, "Ann", "1", "d2", None, kind="cleared")
    given = judging_as(small, "Cid", "2", "d1", 2).judgment
    settled = given._replace(
        uuid="an-adjudication", kind="adjudication", assessor="Dee", source="adjudication"
    )
    with small.write():
        log.append_judgments(small, [settled])
    assert standing.of_topics(small, ["1", "2", "10"]) == [
        Standing("1", "d1", "Ann", "grade"),
        Standing("1", "d1", "Ben", "can't tell"),
        Standing("2", "d1", "Cid", "grade"),
    ]
    assert standing.of_pair(small, "1", "d1") == {"Ann", "Ben"}
    assert standing.of_pair(small, "1", "d2") == frozenset()
    assert standing.of_pair(small, "2", "d1") == {"Cid"}
    assert standing.of_topics(small, []) == []
