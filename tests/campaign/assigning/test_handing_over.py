"""All that waits for a person is handed over in one step: as the preview says, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.judged_pairs import at_once, judge_as
from tests.sentences import refused, says
from workbench.campaign import assessing, assigning
from workbench.campaign.assigning.handing_over import HandOver, Item, Successors, plan_hand_over, work_of
from workbench.campaign.content_changes import withdraw_topics
from workbench.core.errors import AlreadyDone, CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
WHOLE_1, WHOLE_2, WHOLE_10 = (Item("whole", topic_id, "") for topic_id in ("1", "2", "10"))
SECOND_10 = Item("second", "10", "")
AGAIN_D1 = Item("again", "1", "d1")


def give(campaign: Campaign, topic_ids: Sequence[str], *names: str, part: str = "whole") -> None:
    assigning.assign(campaign.by("Olga", NOW), topic_ids, names, part=part)


def join(campaign: Campaign, **roles: str) -> None:
    with campaign.write():
        for name, role in roles.items():
            members.put(campaign.by("Olga", NOW), name, role)


def hand_over(campaign: Campaign, person: str, *heirs: str) -> HandOver:
    return agreed_to(campaign, Successors(person, heirs))


def agreed_to(campaign: Campaign, asked: Successors) -> HandOver:
    with campaign.write():
        return assigning.hand_over(campaign.by("Olga", NOW), asked)


@pytest.fixture
def staffed(small: Campaign) -> Campaign:
    """Ann, Ben and Cid are assessors; topics 1 and 2 have three open pairs each, topic 10 has none that has a text."""
    join(small, Ann="assessor", Ben="assessor", Cid="assessor", Olga="organiser", Otto="observer")
    return small


def test_topics_go_in_their_parts_and_other_assessors_keep_theirs(staffed: Campaign) -> None:
    give(staffed, ["1"], "Ann", "Ben")
    give(staffed, ["2"], "Ann")
    give(staffed, ["10"], "Ben")
    give(staffed, ["10"], "Ann", part="second")
    before = log.newest_seq(staffed)
    assert hand_over(staffed, "Ann", "Cid").left == {}
    assert log.newest_seq(staffed) == before + 1
    assert work_of(staffed, "Ann") == {}
    assert assignments.of_topic(staffed, "1") == {"Ben": "whole", "Cid": "whole"}
    assert assignments.of_topic(staffed, "2") == {"Cid": "whole"}
    assert assignments.of_topic(staffed, "10") == {"Ben": "whole", "Cid": "second"}


def test_several_heirs_have_about_as_many_open_pairs_afterwards(staffed: Campaign) -> None:
    give(staffed, ["1", "2", "10"], "Ann")
    judge_as(staffed, "Ann", "1", "d1", 2)
    judge_as(staffed, "Ann", "1", "d2", 0)
    plan = plan_hand_over(staffed, Successors("Ann", ("Ben", "Cid")))
    assert plan.pairs == {WHOLE_2: 3, WHOLE_1: 1, WHOLE_10: 0}
    assert plan.given == {WHOLE_2: "Ben", WHOLE_1: "Cid", WHOLE_10: "Cid"}
    assert [plan.share(heir)[1] for heir in plan.before] == [3, 1]
    assert says(plan.words)
    assert work_of(staffed, "Ann") == plan.pairs  # a plan changes nothing


def test_an_heir_with_open_pairs_of_their_own_gets_less(staffed: Campaign) -> None:
    give(staffed, ["1"], "Ben")
    give(staffed, ["2", "10"], "Ann")
    assert hand_over(staffed, "Ann").given == {WHOLE_2: "Cid", WHOLE_10: "Ben"}  # to all assessors


def test_what_was_judged_stays_the_persons_and_the_heir_judges_the_rest(staffed: Campaign) -> None:
    give(staffed, ["1"], "Ann")
    judge_as(staffed, "Ann", "1", "d1", 2)
    hand_over(staffed, "Ann", "Ben")
    states = {item.document_id: item.state for item in assessing.queue(staffed, "1", "Ben")}
    assert states == {"d1": "other", "d2": "open", "d4": "open"}


def test_a_request_to_judge_again_goes_to_who_has_not_judged_the_document(staffed: Campaign) -> None:
    give(staffed, ["1"], "Ben")
    judge_as(staffed, "Ben", "1", "d1", 2)
    assigning.judge_again(staffed.by("Olga", NOW), [("1", "d1")], by="Ann", reason="cut off")
    plan = plan_hand_over(staffed, Successors("Ann", ("Ben",)))
    assert says(plan.left[AGAIN_D1])
    assert hand_over(staffed, "Ann", "Ben", "Cid").given == {AGAIN_D1: "Cid"}
    (row,) = assigning.requests_again(staffed)
    assert (row.assessor, row.by, row.reason, row.is_open) == ("Cid", "Olga", "cut off", True)


def test_what_no_heir_can_have_stays_and_the_reason_is_given(staffed: Campaign) -> None:
    give(staffed, ["1", "2"], "Ann")
    give(staffed, ["10"], "Ben")
    give(staffed, ["2"], "Cid", part="second")
    give(staffed, ["10"], "Ann", part="second")
    found = hand_over(staffed, "Ann", "Cid")
    assert (found.given, list(found.left)) == ({WHOLE_1: "Cid", SECOND_10: "Cid"}, [WHOLE_2])
    assert says(found.left[WHOLE_2])
    assert says(found.words)
    with refused(CampaignError):
        hand_over(staffed, "Ann", "Cid")
    assert hand_over(staffed, "Ann", "Ben").given == {WHOLE_2: "Ben"}


def test_a_second_part_does_not_go_to_who_judged_the_topic_first(staffed: Campaign) -> None:
    give(staffed, ["1"], "Ben")
    judge_as(staffed, "Ben", "1", "d1", 2)
    give(staffed, ["1"], "Cid")
    give(staffed, ["1"], "Ann", part="second")
    with refused(CampaignError):
        hand_over(staffed, "Ann", "Ben")


def test_an_heir_who_judges_the_whole_topic_already_does_not_get_it_twice(staffed: Campaign) -> None:
    give(staffed, ["1"], "Ann", "Ben")
    with refused(CampaignError):
        hand_over(staffed, "Ann", "Ben")
    assert assignments.of_topic(staffed, "1") == {"Ann": "whole", "Ben": "whole"}


def test_a_claimed_topic_is_assigned_to_the_heir(staffed: Campaign) -> None:
    assigning.choose_who_judges(staffed.by("Olga", NOW), "claimed")
    assigning.claim(staffed, "1", "Ann", now=datetime.now(UTC))
    assert hand_over(staffed, "Ann", "Ben").given == {WHOLE_1: "Ben"}
    assert assignments.of_topic(staffed, "1") == {"Ben": "whole"}
    assert claims.all_claims(staffed) == {}


def test_a_withdrawn_topic_is_left_out(staffed: Campaign) -> None:
    give(staffed, ["1", "2"], "Ann")
    withdraw_topics(staffed.by("Olga", NOW), ["2"])
    assert hand_over(staffed, "Ann", "Ben").given == {WHOLE_1: "Ben"}


@pytest.mark.parametrize("heirs", [["Otto"], ["Ben", "Zoe"], ["Ann"], ["Ben", "Dan"]])
def test_an_heir_who_cannot_judge_is_refused_and_nothing_changes(staffed: Campaign, heirs: list[str]) -> None:
    join(staffed, Dan="assessor")
    give(staffed, ["1"], "Ann")
    before = log.head(staffed)
    with refused(CampaignError, heirs[-1]):
        agreed_to(staffed, Successors("Ann", tuple(heirs), disabled=frozenset({"Dan"})))
    assert log.head(staffed) == before


def test_where_there_is_no_other_assessor_that_is_said(small: Campaign) -> None:
    join(small, Ann="assessor")
    give(small, ["1"], "Ann")
    with refused(CampaignError):
        hand_over(small, "Ann")


def test_what_was_agreed_to_is_done_or_nothing(staffed: Campaign) -> None:
    give(staffed, ["1", "2"], "Ann")
    agreed = {WHOLE_1: "Cid", WHOLE_2: "Cid"}  # not what a new plan would say
    give(staffed, ["10"], "Ann")
    before = log.head(staffed)
    with refused(AlreadyDone):  # it has more by now
        agreed_to(staffed, Successors("Ann", ("Ben", "Cid"), chosen=agreed))
    give(staffed, ["10"], "Ben")
    with refused(AlreadyDone):  # Cid is not among the heirs
        agreed_to(staffed, Successors("Ann", ("Ben",), chosen=agreed))
    found = agreed_to(staffed, Successors("Ann", ("Ben", "Cid"), chosen=agreed))
    assert found.given == agreed
    assert log.head(staffed).seq == before.seq + 2


def test_two_organisers_at_once_neither_lose_nor_double_a_topic(staffed: Campaign) -> None:
    give(staffed, ["1", "2", "10"], "Ann")

    def act(campaign: Campaign, heir: str) -> HandOver:
        return hand_over(campaign, "Ann", heir)

    done = at_once(Path(staffed.path), act, ["Ben", "Cid"])
    (winner,) = (found for found in done if isinstance(found, HandOver))
    (loser,) = (found for found in done if not isinstance(found, HandOver))
    assert isinstance(loser, AlreadyDone)
    rows = [(row.topic_id, row.assessor) for row in assignments.all_assignments(staffed)]
    assert sorted(rows) == sorted((item.topic_id, heir) for item, heir in winner.given.items())


def test_open_topics_of_people_who_cannot_judge_wait(staffed: Campaign) -> None:
    give(staffed, ["1"], "Ann", "Cid")
    give(staffed, ["2"], "Ann")
    give(staffed, ["10"], "Ben")
    assert assigning.without_judge(staffed) == {}
    join(staffed, Ann="none")
    assert assigning.without_judge(staffed) == {"2": ("Ann",)}
    join(staffed, Cid="observer")
    assert assigning.without_judge(staffed) == {"1": ("Ann", "Cid"), "2": ("Ann",)}
    assert assigning.overview(staffed, now=NOW).without_judge == 2
    assigning.close(staffed.by("Olga", NOW), ["1"])
    assert assigning.without_judge(staffed) == {"2": ("Ann",)}
    give(staffed, ["10"], "Ann", part="second")
    assert assigning.without_judge(staffed) == {"2": ("Ann",)}
    assigning.draw_double(staffed.by("Olga", NOW), 1.0, 7, assessors=["Dee"])
    assert assigning.without_judge(staffed) == {"2": ("Ann", "Dee"), "10": ("Ann",)}
    assigning.choose_who_judges(staffed.by("Olga", NOW), "anybody")
    assert assigning.without_judge(staffed) == {}


def test_an_open_topic_waits_too_where_the_account_is_disabled_or_a_document_is_to_be_judged_again(
    staffed: Campaign,
) -> None:
    give(staffed, ["1", "2"], "Ann")
    assert assigning.without_judge(staffed, {"Ann"}) == {"1": ("Ann",), "2": ("Ann",)}
    assert assigning.overview(staffed, now=NOW, disabled={"Ann"}).without_judge == 2
    judge_as(staffed, "Ann", "1", "d1", 2)
    assigning.judge_again(staffed.by("Olga", NOW), [("1", "d1")], by="Ben")
    join(staffed, Ben="none")
    assert assigning.without_judge(staffed) == {"1": ("Ben",)}
    assigning.close(staffed.by("Olga", NOW), ["1"])
    assert assigning.without_judge(staffed) == {}
