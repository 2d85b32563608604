"""Pairs that are judged again: blind, by an assessor who has not judged them, beside whatever is assigned."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.judged_pairs import judge_as, submission
from tests.sentences import refused
from workbench.campaign import assessing, assigning
from workbench.campaign.content_changes import mark_broken, mark_not_broken
from workbench.campaign.ingest import add_topics
from workbench.core.errors import AlreadyDone, CampaignError, JudgmentRefused, NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.grades import current_judgments
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def assigned(small: Campaign) -> Campaign:
    """Topic 1 is Ann's, who judged d1; topic 2 is Ben's, which leaves him 3 pairs; Cid has nothing."""
    with small.write():
        for name in ("Ann", "Ben", "Cid"):
            members.put(small.by("Olga", NOW), name, "assessor")
        members.put(small.by("Olga", NOW), "Olga", "organiser")
        members.put(small.by("Olga", NOW), "Paul", "participant", team="P")
    assigning.assign(small.by("Olga", NOW), ["1"], ["Ann"])
    assigning.assign(small.by("Olga", NOW), ["2"], ["Ben"])
    judge_as(small, "Ann", "1", "d1", 2)
    return small


def states(campaign: Campaign, topic_id: str, assessor: str) -> dict[str, str]:
    return {item.document_id: item.state for item in assessing.queue(campaign, topic_id, assessor)}


def progress(campaign: Campaign, assessor: str) -> dict[str, tuple[int, int, int]]:
    rows = assessing.topic_progress(campaign, assessor)
    return {row.topic_id: (row.pooled, row.judged, row.open) for row in rows}


def test_it_goes_to_the_assessor_with_the_fewest_pairs_left_and_only_they_see_the_document(
    assigned: Campaign,
) -> None:
    requested = assigning.judge_again(assigned.by("Olga", NOW), [("1", "d1")])
    assert requested.pairs == (("1", "d1", "Cid"),)
    assert states(assigned, "1", "Cid") == {"d1": "open"}
    assert progress(assigned, "Cid") == {"1": (1, 0, 1)}
    judge_as(assigned, "Cid", "1", "d1", 0)
    assert states(assigned, "1", "Cid") == {"d1": "mine"}
    assert assigning.waiting_again(assigned) == []
    assert current_judgments.of_pair(assigned, "1", "d1") == {"Ann", "Cid"}


def test_each_request_that_waits_is_one_pair_left(assigned: Campaign) -> None:
    for document_id in ("d2", "d4"):
        judge_as(assigned, "Ann", "1", document_id, 1)
    for document_id in ("d1", "d2", "d4"):  # Cid has 0, 1 and 2 waiting, and Ben 3 pairs of topic 2
        (pair,) = assigning.judge_again(assigned.by("Olga", NOW), [("1", document_id)]).pairs
        assert pair == ("1", document_id, "Cid")


def test_pairs_that_are_held_back_are_left_to_nobody(assigned: Campaign) -> None:
    judge_as(assigned, "Ann", "1", "d4", 1)
    mark_broken(assigned.by("Olga"), list(states(assigned, "2", "Ben")), reason="cut off")
    requested = assigning.judge_again(assigned.by("Olga", NOW), [("1", "d4")])
    assert requested.pairs == (("1", "d4", "Ben"),)  # who has none left, as Cid has, and comes before him


def test_pairs_that_are_judged_are_left_to_nobody(assigned: Campaign) -> None:
    for document_id in states(assigned, "2", "Ben"):
        judge_as(assigned, "Ben", "2", document_id, 1)
    requested = assigning.judge_again(assigned.by("Olga", NOW), [("1", "d1")])
    assert requested.pairs == (("1", "d1", "Ben"),)  # who has none left, as Cid has, and comes before him


def test_where_any_assessor_judges_any_topic_the_pair_is_open_to_who_was_asked_alone(
    assigned: Campaign,
) -> None:
    assigning.choose_who_judges(assigned.by("Olga", NOW), "anybody")
    before = progress(assigned, "Ben")["1"]
    assigning.judge_again(assigned.by("Olga", NOW), [("1", "d1")], by="Ben")
    assert states(assigned, "1", "Ben")["d1"] == "open"
    assert states(assigned, "1", "Cid")["d1"] == "other"
    assert progress(assigned, "Ben")["1"] == (before[0], before[1] - 1, before[2] + 1)
    judge_as(assigned, "Ben", "1", "d1", 2)
    assert progress(assigned, "Ben")["1"] == before


def test_a_free_topic_can_be_claimed_once_the_request_is_answered(assigned: Campaign) -> None:
    assigning.unassign(assigned.by("Olga", NOW), topic_ids=["1"])
    assigning.choose_who_judges(assigned.by("Olga", NOW), "claimed")
    assigning.judge_again(assigned.by("Olga", NOW), [("1", "d1")], by="Cid")
    access = assessing.access_to(assigned, "1", "Cid")
    assert (access.part, access.can_be_taken) == ("again", False)
    judge_as(assigned, "Cid", "1", "d1", 0)
    assert assessing.access_to(assigned, "1", "Cid").can_be_taken


def test_nobody_judges_a_pair_again_that_they_judged_or_are_to_judge(assigned: Campaign) -> None:
    with pytest.raises(AlreadyDone, match="Ann has judged document 'd1' of topic '1' already"):
        assigning.judge_again(assigned.by("Olga"), [("1", "d1")], by="Ann")
    for name in ("Cid", "Ben"):
        requested = assigning.judge_again(assigned.by("Olga"), [("1", "d1")])
        assert requested.by_assessor == {name: 1}
    with pytest.raises(AlreadyDone, match="Cid is to judge document 'd1'"):
        assigning.judge_again(assigned.by("Olga"), [("1", "d1")], by="Cid")
    with refused(CampaignError):
        assigning.judge_again(assigned.by("Olga"), [("1", "d1")])
    assigning.judge_again(assigned.by("Olga"), [("1", "d1")], by="Olga")


@pytest.mark.parametrize(
    ("pair", "by", "error"),
    [
        (("1", "d2"), None, CampaignError),
        (("1", "d5"), None, NotThere),
        (("77", "d1"), None, NotThere),
        (("10", "d6"), None, NotThere),
        (("1", "d1"), "Paul", CampaignError),
        (("1", "d1"), "Zoe", CampaignError),
    ],
)
def test_what_cannot_be_judged_again_is_refused_with_the_way_out(
    assigned: Campaign, pair: tuple[str, str], by: str | None, error: type[Exception]
) -> None:
    with refused(error):
        assigning.judge_again(assigned.by("Olga"), [("1", "d1"), pair], by=by)
    assert assigning.waiting_again(assigned) == []


@pytest.mark.parametrize(("number", "reason"), [(0, ""), (1_001, ""), (1, "x" * 1_001)])
def test_too_much_at_a_time_and_nothing_is_refused(assigned: Campaign, number: int, reason: str) -> None:
    pairs = [("1", f"d{place}") for place in range(number)]
    with refused(CampaignError):
        assigning.judge_again(assigned.by("Olga"), pairs, reason=reason)


def test_without_assessors_it_is_said_how_to_add_one(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    with pytest.raises(CampaignError, match=r"workbench member add \S+/small.db NAME --role assessor"):
        assigning.judge_again(small.by("Olga"), [("1", "d1")])


def test_a_closed_topic_is_judged_again_only_after_it_is_reopened(assigned: Campaign) -> None:
    assigning.judge_again(assigned.by("Olga"), [("1", "d1")], by="Cid")
    assigning.close(assigned.by("Olga"), ["1"])
    assert assessing.access_to(assigned, "1", "Cid").refusal[0] == "topic closed"
    with refused(JudgmentRefused):
        judge_as(assigned, "Cid", "1", "d1", 0)
    with pytest.raises(CampaignError, match=r"workbench assign reopen \S+/small.db 1"):
        assigning.judge_again(assigned.by("Olga"), [("1", "d1")], by="Ben")


def test_a_request_is_taken_back_until_it_is_answered(assigned: Campaign) -> None:
    assigning.judge_again(assigned.by("Olga"), [("1", "d1")], by="Cid")
    assigning.take_back_again(assigned.by("Olga"), "1", "d1", "Cid")
    assert progress(assigned, "Cid") == {}
    with refused(JudgmentRefused):
        judge_as(assigned, "Cid", "1", "d1", 0)
    with refused(NotThere):
        assigning.take_back_again(assigned.by("Olga"), "1", "d1", "Cid")
    assigning.judge_again(assigned.by("Olga"), [("1", "d1")], by="Cid")
    judge_as(assigned, "Cid", "1", "d1", 0)
    with pytest.raises(AlreadyDone, match="has judged document 'd1' of topic '1' meanwhile"):
        assigning.take_back_again(assigned.by("Olga"), "1", "d1", "Cid")


def test_requests_are_listed_those_that_wait_first_then_the_newest(assigned: Campaign) -> None:
    judge_as(assigned, "Ann", "1", "d2", 1)
    assert assigning.requests_again(assigned) == []
    assigning.judge_again(assigned.by("Olga", NOW), [("1", "d1")], by="Ben", reason="cut off")
    assigning.judge_again(assigned.by("Olga", NOW), [("1", "d2")], by="Ben")
    assigning.judge_again(assigned.by("Olga", NOW), [("1", "d1")], by="Cid")
    assigning.take_back_again(assigned.by("Olga"), "1", "d2", "Ben")
    assigning.judge_again(assigned.by("Olga", NOW), [("1", "d2")], by="Cid")
    judge_as(assigned, "Cid", "1", "d2", 0)
    judge_as(assigned, "Cid", "1", "d1", 0)
    found = assigning.requests_again(assigned)
    assert [(row.document_id, row.assessor, row.reason, row.is_open) for row in found] == [
        ("d1", "Ben", "cut off", True),
        ("d2", "Cid", "", False),
        ("d1", "Cid", "", False),
    ]
    assert {(row.at, row.by) for row in found} == {("2026-03-01T12:00:00.000+00:00", "Olga")}


def test_a_broken_document_leaves_every_queue_and_changes_no_label(assigned: Campaign) -> None:
    labels, sent = qrels(assigned), submission(assigned, "Ann", "1", "d2", 1)
    mark_broken(assigned.by("Olga", NOW), ["d1", "d2"], reason="cut off")
    assert states(assigned, "1", "Ann").keys().isdisjoint({"d1", "d2"})
    assert qrels(assigned) == labels
    with refused(JudgmentRefused) as error:
        assessing.judge(assigned, sent, assessor="Ann", now=NOW)
    assert error.value.reason == "text changed"
    with refused(CampaignError):
        assigning.judge_again(assigned.by("Olga"), [("1", "d1")])
    mark_not_broken(assigned.by("Olga", NOW), ["d2"])
    assessing.judge(assigned, sent, assessor="Ann", now=NOW)
    assert list(broken.marked(assigned)) == ["d1"]


def test_a_topic_without_a_pool_leaves_its_assessor_no_pairs(assigned: Campaign, tmp_path: Path) -> None:
    (tmp_path / "more.tsv").write_text("11\tsprings\n", encoding="utf-8")
    add_topics(assigned.by("Olga", NOW), [str(tmp_path / "more.tsv")])
    assigning.unassign(assigned.by("Olga", NOW), topic_ids=["2"])
    assigning.assign(assigned.by("Olga", NOW), ["11"], ["Ben"])
    requested = assigning.judge_again(assigned.by("Olga", NOW), [("1", "d1")])
    assert requested.by_assessor == {"Ben": 1}  # who has as few as Cid, and comes before him
