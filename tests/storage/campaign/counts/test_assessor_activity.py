"""What assessors did on the screen, as their organiser's pages ask for it."""

from __future__ import annotations

from tests.fixture_types import JudgeAs
from workbench.campaign.assessing import set_repeats
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts import assessor_activity
from workbench.storage.campaign.counts.assessor_activity import GradeCounts, Timed


def test_only_what_was_judged_on_the_screen_and_counts_is_reported(
    small: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(small, "Ann", "1", "d1", 1, active_seconds=3)
    judging_as(small, "Ann", "1", "d1", None, active_seconds=0)
    judging_as(small, "Ann", "2", "d2", 2)
    set_repeats(small.by("Olga"), 1.0, 1, 0)
    judging_as(small, "Ann", "1", "d2", 0, active_seconds=5)
    judging_as(small, "Ann", "2", "d2", 0, active_seconds=9)
    made = assessor_activity.grading_events(small, "Ann")
    assert [(each.document_id, each.grade, each.seconds, each.is_change) for each in made] == [
        ("d1", 1, 3.0, False),
        ("d1", None, None, True),
        ("d2", 2, None, False),
        ("d2", 0, 5.0, False),
    ]
    assert assessor_activity.timed(small) == [Timed("Ann", "1", 3.0), Timed("Ann", "1", 5.0)]
    assert assessor_activity.grade_counts(small, 1) == [GradeCounts("Ann", 3, 1, 2, 1, 2)]
    assert assessor_activity.grades_of(small, "Ann") == {0: 1, 2: 1}
