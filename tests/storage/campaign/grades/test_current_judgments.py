"""A judgment stands until its assessor clears it; what an adjudicator settles is nobody's opinion."""

from __future__ import annotations

from tests.fixture_types import JudgeAs
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import current_judgments
from workbench.storage.campaign.grades.current_judgments import CurrentJudgment
from workbench.storage.campaign.log import log


def test_what_stands_is_each_assessors_newest_judgment(small: Campaign, judging_as: JudgeAs) -> None:
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
    assert sorted(current_judgments.of_topics(small, ["1", "2", "10"])) == [
        CurrentJudgment("1", "d1", "Ann", "grade"),
        CurrentJudgment("1", "d1", "Ben", "can't tell"),
        CurrentJudgment("2", "d1", "Cid", "grade"),
    ]
    assert current_judgments.of_pair(small, "1", "d1") == {"Ann", "Ben"}
    assert current_judgments.of_pair(small, "1", "d2") == frozenset()
    assert current_judgments.of_pair(small, "2", "d1") == {"Cid"}
    assert current_judgments.of_topics(small, []) == []
