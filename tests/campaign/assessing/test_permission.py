"""Who may judge what: assignments, claims and closed topics, held inside the transaction that writes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.judged_pairs import at_once, judge_as, submission
from tests.sentences import refused
from workbench.campaign import assessing, assigning
from workbench.campaign.assessing.permission import Access
from workbench.core.errors import JudgmentRefused
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.assigning.draws import DrawnPair, DrawRecord
from workbench.storage.campaign.grades import judgments

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def choose(campaign: Campaign, who: str, minutes: int | None = None) -> None:
    assigning.choose_who_judges(campaign.by("Olga", NOW), who, lease_minutes=minutes)


def give(campaign: Campaign, topic_id: str, *names: str, part: str = "whole") -> None:
    assigning.assign(campaign.by("Olga", NOW), [topic_id], names, part=part)


def draw(campaign: Campaign, *pairs: tuple[str, str]) -> None:
    with campaign.write():
        record = DrawRecord(0.5, 1, "none", "proportional", 2 * len(pairs))
        draws.put(campaign.by("Olga", NOW), record, [DrawnPair(*pair, "all", 0.5) for pair in pairs])


def refusal(campaign: Campaign, sent: Judgment, assessor: str, now: datetime = NOW) -> str:
    with pytest.raises(JudgmentRefused) as error:
        assessing.judge(campaign, sent, assessor=assessor, now=now)
    return error.value.reason


def states(campaign: Campaign, topic_id: str, assessor: str) -> dict[str, str]:
    return {item.document_id: item.state for item in assessing.queue(campaign, topic_id, assessor)}


def topics_of(campaign: Campaign, assessor: str) -> list[str]:
    return [row.topic_id for row in assessing.topic_progress(campaign, assessor)]


def test_a_topic_that_is_assigned_is_judged_by_nobody_else(small: Campaign) -> None:
    choose(small, "assigned")
    give(small, "1", "Ann")
    judge_as(small, "Ann", "1", "d1", 1)
    assert refusal(small, submission(small, "Ben", "1", "d2", 1), "Ben") == "not yours"
    assert refusal(small, submission(small, "Ben", "2", "d1", 1), "Ben") == "not yours"
    assert topics_of(small, "Ann") == ["1"]
    assert topics_of(small, "Ben") == []


def test_a_topic_assigned_to_another_assessor_keeps_what_was_judged(small: Campaign) -> None:
    choose(small, "assigned")
    give(small, "1", "Ann")
    judge_as(small, "Ann", "1", "d1", 1)
    give(small, "1", "Ben")
    assert states(small, "1", "Ben") == {"d1": "other", "d2": "open", "d4": "open"}
    (row,) = assessing.topic_progress(small, "Ben")
    assert (row.pooled, row.judged, row.mine, row.open) == (3, 1, 0, 2)
    assert refusal(small, submission(small, "Ben", "1", "d1", 0), "Ben") == "judged by another"
    assert refusal(small, submission(small, "Ann", "1", "d2", 0), "Ann") == "not yours"
    judge_as(small, "Ben", "1", "d2", 0)
    in_force = judgments.current_of_topic(small, "1")
    assert [(each.assessor, each.document_id, each.grade) for each in in_force] == [
        ("Ann", "d1", 1),
        ("Ben", "d2", 0),
    ]


def test_drawn_pairs_look_like_all_others_to_both(small: Campaign) -> None:
    choose(small, "assigned")
    give(small, "1", "Ann")
    give(small, "1", "Ben", part="second")
    draw(small, ("1", "d1"), ("1", "d4"))
    assert states(small, "1", "Ben") == {"d1": "open", "d4": "open"}
    judge_as(small, "Ben", "1", "d1", 2)
    before = states(small, "1", "Ann")
    assert before == {"d1": "open", "d2": "open", "d4": "open"}
    judge_as(small, "Ann", "1", "d4", 1)
    assert states(small, "1", "Ben") == {"d1": "mine", "d4": "open"}
    judge_as(small, "Ann", "1", "d1", 1)
    judge_as(small, "Ben", "1", "d4", 1)
    (of_ann,), (of_ben,) = assessing.topic_progress(small, "Ann"), assessing.topic_progress(small, "Ben")
    assert (of_ann.pooled, of_ann.judged, of_ben.pooled, of_ben.judged) == (3, 2, 2, 2)
    assert refusal(small, submission(small, "Ben", "1", "d2", 1), "Ben") == "not yours"


def test_a_new_second_assessor_goes_on_where_the_last_one_stopped(small: Campaign) -> None:
    choose(small, "assigned")
    give(small, "1", "Ann")
    give(small, "1", "Ben", part="second")
    draw(small, ("1", "d1"), ("1", "d4"))
    judge_as(small, "Ben", "1", "d1", 2)
    give(small, "1", "Cid", part="second")
    assert states(small, "1", "Cid") == {"d1": "other", "d4": "open"}
    assert states(small, "1", "Ann")["d1"] == "open"


def test_a_closed_topic_takes_no_judgments_until_it_is_reopened(small: Campaign) -> None:
    assigning.close(small.by("Olga", NOW), ["1"])
    sent = submission(small, "Ann", "1", "d1", 1)
    assert refusal(small, sent, "Ann") == "topic closed"
    progress = assessing.topic_progress(small, "Ann")
    following = assessing.next_topic(progress, None)
    assert following is not None
    assert following.topic_id != "1"
    assigning.reopen(small.by("Olga", NOW), ["1"])
    assessing.judge(small, sent, assessor="Ann", now=NOW)


def test_a_topic_that_was_taken_is_held_by_judging_and_free_again_when_nobody_judges(small: Campaign) -> None:
    choose(small, "claimed", minutes=30)
    assert refusal(small, submission(small, "Ann", "1", "d1", 1), "Ann") == "not yours"
    assigning.claim(small, "1", "Ann", now=NOW)
    later = NOW + timedelta(minutes=20)
    assessing.judge(small, submission(small, "Ann", "1", "d1", 1), assessor="Ann", now=later)
    with refused(assigning.NotFree):
        assigning.claim(small, "1", "Ben", now=later + timedelta(minutes=29))
    assert refusal(small, submission(small, "Ben", "1", "d2", 1), "Ben", later) == "not yours"
    ended = later + timedelta(minutes=31)
    assigning.claim(small, "1", "Ben", now=ended)
    assert refusal(small, submission(small, "Ann", "1", "d2", 1), "Ann", ended) == "not yours"
    assert refusal(small, submission(small, "Ben", "1", "d1", 1), "Ben", ended) == "judged by another"
    assessing.judge(small, submission(small, "Ben", "1", "d2", 1), assessor="Ben", now=ended)


def test_a_topic_taken_while_the_clock_was_ahead_is_kept_from_nobody_once_it_is_put_back(
    small: Campaign,
) -> None:
    choose(small, "claimed", minutes=30)
    for topic_id in ("1", "2"):
        assigning.claim(small, topic_id, "Ann", now=NOW + timedelta(days=365))
    assert [row.claim for row in assigning.overview(small, NOW).rows if row.claim] == []
    assessing.judge(
        small, submission(small, "Ann", "1", "d1", 1), assessor="Ann", now=NOW
    )  # hers for another 30 minutes
    assert refusal(small, submission(small, "Ben", "1", "d2", 1), "Ben") == "not yours"
    assigning.claim(small, "2", "Ben", now=NOW)
    assert refusal(small, submission(small, "Ann", "2", "d1", 1), "Ann") == "not yours"
    assigning.claim(small, "1", "Ben", now=NOW + timedelta(minutes=30))


def test_of_many_who_judge_a_pair_at_once_one_is_let(small: Campaign) -> None:
    choose(small, "assigned")
    give(small, "1", "Ann", "Ben", "Cid", "Dee")
    for name in ("Ann", "Ben", "Cid"):
        assessing.judge(small, submission(small, name, "1", "d1", 1), assessor=name, now=NOW)
    give(small, "1", "Eve", "Fay", "Gus", "Hal")
    sent = [(name, submission(small, name, "1", "d1", 1)) for name in ("Eve", "Fay", "Gus", "Hal")]
    found = at_once(
        small.path, lambda mine, one: assessing.judge(mine, one[1], assessor=one[0], now=NOW), sent
    )
    assert sorted(getattr(each, "reason", "stored") for each in found) == ["judged by another"] * 3 + [
        "stored"
    ]


@pytest.mark.parametrize(
    ("part", "others", "drawn", "is_full"),
    [
        ("whole", [], True, False),
        ("whole", ["Sue"], True, False),
        ("whole", ["Ann"], True, True),
        ("whole", ["Sue", "Ann"], True, True),
        ("whole", ["Sue"], False, True),
        ("second", ["Ann"], True, False),
        ("second", ["Ann", "Sue"], True, True),
    ],
)
def test_a_second_judgment_takes_no_room_from_the_first_of_a_pair_that_was_drawn(
    part: str, others: list[str], drawn: bool, is_full: bool
) -> None:
    access = Access(part, ("", ""), room=1, seconds=frozenset({"Sue"}))
    assert access.is_full(others, drawn=drawn) is is_full
