"""A pair's history grows by so much a minute and assessor, and what is more is taken a little later."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.judged_pairs import submission
from tests.sentences import refused
from workbench.campaign import assessing
from workbench.core.errors import JudgmentRefused
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import judgments

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def changes(small: Campaign, who: str, document_id: str, number: int, now: datetime = NOW) -> int:
    """How many of `number` changes of a pair, one after the other, are stored; the first refusal ends them."""
    for done in range(number):
        try:
            sent = submission(small, who, "1", document_id, done % 2)
            assessing.judge(small, sent, assessor=who, now=now)
        except JudgmentRefused as error:
            assert error.reason == "too many in a minute"
            return done
    return number


def test_of_a_hundred_changes_of_a_pair_in_a_second_thirty_are_stored_and_the_others_a_minute_later(
    small: Campaign,
) -> None:
    assert changes(small, "Ann", "d1", 100) == 30
    assert changes(small, "Ann", "d1", 100, NOW + timedelta(seconds=59)) == 0
    assert changes(small, "Ann", "d1", 100, NOW + timedelta(seconds=60)) == 30
    assert len(list(judgments.log(small))) == 60


def test_a_clock_that_was_put_back_stops_nobody(small: Campaign) -> None:
    assert changes(small, "Ann", "d1", 30) == 30
    assert changes(small, "Ann", "d1", 30, NOW - timedelta(hours=1)) == 30


def test_what_else_writes_a_judgment_asks_for_the_pace_of_the_pair_first(small: Campaign) -> None:
    changes(small, "Ann", "d1", 30)
    row = Judgment(topic_id="1", document_id="d1", assessor="Ann")
    with refused(JudgmentRefused):
        assessing.check_pace(small, row, NOW + timedelta(seconds=59))
    assessing.check_pace(small, row, NOW + timedelta(seconds=60))
    assessing.check_pace(small, row._replace(document_id="d2"), NOW)
    assessing.check_pace(small, row._replace(assessor="Ben"), NOW)
