"""A campaign at a glance: counts by hand, a pace from the log, and what needs a look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.fixture_types import Submit
from tests.log_rows import row
from tests.sentences import says
from workbench.analysis.dashboard.campaign_warnings import (
    About,
    CampaignWarning,
    campaign_warnings,
    has_few_relevant,
    has_many_relevant,
)
from workbench.analysis.dashboard.progress import AssessorState, TopicState, pace_of, state_of
from workbench.campaign.assessing import judge
from workbench.campaign.assigning import Successors, assign, choose_who_judges, close, hand_over, unassign
from workbench.campaign.content_changes import withdraw_topics
from workbench.campaign.ingest import add_documents, add_qrels, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts.activity import AssessorTally
from workbench.storage.campaign.log.log import append_judgments, timestamp
from workbench.storage.campaign.people import members

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def topic(pooled: int, judged: int, graded: int, relevant: int) -> TopicState:
    return TopicState("1", "", 2, pooled, judged, 0, graded, relevant, 0)


def person(
    per_hour: float = 0,
    hours: float = 0,
    *,
    name: str = "Ben",
    since: datetime = MONDAY,
    goes_on: bool = True,
) -> AssessorState:
    tally = AssessorTally(name, 10, 0, round(per_hour * hours), 3600 * hours, first_at=since.isoformat())
    return AssessorState("assessor", tally, goes_on)


@pytest.fixture
def judging(small: Campaign, submit: Submit) -> Callable[..., None]:
    """Judge a pair at some time, in some active seconds."""

    def put(who: str, topic_id: str, document_id: str, grade: int, at: datetime, seconds: float) -> None:
        sent = submit(small, who, topic_id, document_id, grade, active_seconds=seconds)
        judge(small, sent, assessor=who, now=at)

    return put


def test_a_campaign_that_nobody_has_judged(small: Campaign, tmp_path: Path) -> None:
    state = state_of(small, now=MONDAY)
    assert (state.runs, state.teams, state.documents, state.pooled) == (2, 0, 5, 7)
    assert (state.judged, state.held_back, state.open) == (0, 1, 6)
    assert [(row.topic_id, row.runs, row.pooled) for row in state.topics] == [
        ("1", 2, 3), ("10", 1, 1), ("2", 2, 3)
    ]  # fmt: skip
    assert state.pace == (None, 0, None, None, 0)
    more = tmp_path / "more.jsonl"  # documents of several sources count once
    more.write_text("".join(f'{{"id": "{name}", "text": "of {name}"}}\n' for name in ("d1", "d2", "new")))
    for _ in range(2):
        add_documents(small.by("Olga"), [more])
        assert state_of(small, now=MONDAY).documents == 6


def test_the_pace_is_measured_in_active_hours_and_in_days(
    small: Campaign, judging: Callable[..., None]
) -> None:
    judging("Ben", "1", "d1", 1, MONDAY, 60)
    judging("Ben", "1", "d2", 0, MONDAY + timedelta(minutes=2), 30)
    judging("Eva", "1", "d1", 2, MONDAY + timedelta(hours=1), 90)
    state = state_of(small, now=MONDAY + timedelta(days=2))
    assert state.judged == 2
    assert state.pace.per_hour == pytest.approx(60.0)  # 3 judgments in 180 seconds
    assert state.pace.per_day == 1.0  # 2 pairs in 2 days
    assert state.pace.hours_left == pytest.approx(4 / 60)
    assert state.pace.end == date(2026, 3, 8)  # 4 pairs from Wednesday 4 March on


def test_people_are_listed_with_what_they_did_and_members_with_nothing_too(
    small: Campaign, judging: Callable[..., None]
) -> None:
    judging("Ben", "1", "d1", 1, MONDAY, 36)
    with small.write():
        members.put(small.by("Olga", MONDAY), "Zoe", "assessor")
    ben, zoe = state_of(small, now=MONDAY).assessors
    assert ben.work[:3] == ("Ben", 1, 0)
    assert (ben.role, ben.hours, ben.work.last_at) == (None, 0.01, "2026-03-02T09:00:00.000+00:00")
    assert ben.per_hour == pytest.approx(100)
    assert zoe == AssessorState("assessor", AssessorTally("Zoe"))
    assert (zoe.hours, zoe.per_hour) == (0, None)


def test_imported_judgments_have_no_pace(small: Campaign, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 x 1\n", encoding="utf-8")
    add_qrels(small.by("Olga", MONDAY), [str(tmp_path / "qrels")], assessor="NIST")
    state = state_of(small, now=MONDAY + timedelta(hours=1))
    assert (state.judged, state.judged_beyond) == (1, 1)
    assert state.pace == (None, 0, None, None, 0)


def test_the_pace_is_by_hours_of_several_people_and_by_days_but_the_first() -> None:
    pace = pace_of([person(50, 2)], {"Ben": 100}, 250, now=MONDAY + timedelta(hours=2))
    assert (pace.per_day, pace.per_hour, pace.hours_left) == (100, 50, 5)
    assert pace.end == date(2026, 3, 4)
    eva = person(90, 3, name="Eva", since=MONDAY - timedelta(days=4))
    assert pace_of([person(30, 1), eva], {}, 0, now=MONDAY).per_hour == 75
    assert pace_of([person(), eva], {"Ben": 10, "Eva": 8}, 0, now=MONDAY).per_day == 10 / 1 + 8 / 4


def test_an_old_campaign_is_measured_by_its_last_two_weeks() -> None:
    old = person(since=MONDAY - timedelta(days=400))
    assert pace_of([old], {"Ben": 28}, 10, now=MONDAY).per_day == 2
    assert pace_of([old], {}, 10, now=MONDAY).end is None
    ahead = person(since=MONDAY + timedelta(days=365))  # a clock that was put back since
    assert pace_of([ahead], {"Ben": 28}, 10, now=MONDAY).per_day == 2


def test_what_would_take_more_than_ten_years_has_no_date() -> None:
    ends = [
        pace_of([person()], {"Ben": 1}, waiting, now=MONDAY + timedelta(days=1)).end
        for waiting in (3650, 3651, 10**6)
    ]
    assert ends == [MONDAY.date() + timedelta(days=3651), None, None]


@pytest.fixture
def two_assessors(tmp_path: Path) -> Iterator[Campaign]:
    """From Monday to Friday Ann judges 6 of the 50 pairs of topic 1 a day, in 20 seconds each; Ben 2 of 2, in 40."""
    (tmp_path / "topics").write_text("1\tfrozen rivers\n2\tdry land\n", encoding="utf-8")
    documents = [f'{{"id": "d{number:02}", "text": "Ice."}}\n' for number in range(50)]
    (tmp_path / "documents").write_text("".join(documents), encoding="utf-8")
    lines = [
        f"{topic_id} Q0 d{number:02} 1 {99 - number} alpha\n" for topic_id in "12" for number in range(50)
    ]
    (tmp_path / "run").write_text("".join(lines), encoding="utf-8")
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga", now=MONDAY) as campaign:
        by = campaign.by("Olga", MONDAY)
        add_topics(by, [str(tmp_path / "topics")])
        add_documents(by, [str(tmp_path / "documents")], keep_all=True)
        add_runs(by, [str(tmp_path / "run")])
        add_pool(by, depth=50)
        for topic_id, name, pairs, seconds in (("1", "Ann", 6, 20.0), ("2", "Ben", 2, 40.0)):
            with campaign.write():
                members.put(by, name, "assessor")
            assign(by, [topic_id], [name])
            given = [
                row(name, topic_id, f"d{number:02}", 0, active_seconds=seconds, source="screen")._replace(
                    received_at=timestamp(MONDAY + timedelta(days=number // pairs))
                )
                for number in range(5 * pairs)
            ]
            with campaign.write():
                append_judgments(campaign, given)
        yield campaign


SATURDAY = MONDAY + timedelta(days=5)


@pytest.mark.parametrize("leaves", ["role", "account", "topics"])
def test_with_one_of_two_assessors_gone_the_forecast_is_that_of_the_one_who_stays(
    two_assessors: Campaign, leaves: str
) -> None:
    both = state_of(two_assessors, now=SATURDAY).pace
    assert (both.per_day, both.end, both.gone) == (8, (SATURDAY + timedelta(days=60 / 8)).date(), 0)
    by = two_assessors.by("Olga", SATURDAY)
    if leaves == "role":
        with two_assessors.write():
            members.put(by, "Ann", "none")
    elif leaves == "topics":
        close(by, ["1"])
    alone = state_of(two_assessors, now=SATURDAY, disabled={"Ann"} if leaves == "account" else ()).pace
    assert (alone.per_day, alone.end, alone.gone) == (2, (SATURDAY + timedelta(days=60 / 2)).date(), 1)
    assert alone.per_hour == pytest.approx(3600 / 40)
    assert alone.hours_left == pytest.approx(60 * 40 / 3600)


def test_where_all_assessors_left_there_is_no_date(two_assessors: Campaign) -> None:
    with two_assessors.write():
        members.put(two_assessors.by("Olga", SATURDAY), "Ann", "observer")
        members.put(two_assessors.by("Olga", SATURDAY), "Ben", "none")
    assert state_of(two_assessors, now=SATURDAY).pace == (None, 0, None, None, 2)


def test_who_takes_over_all_work_goes_on(two_assessors: Campaign) -> None:
    with two_assessors.write():
        hand_over(two_assessors.by("Olga", SATURDAY), Successors("Ann", ("Ben",)))
    ann, ben = state_of(two_assessors, now=SATURDAY).assessors
    assert (ann.goes_on, ben.goes_on) == (False, True)


def test_a_topic_that_is_free_to_claim_is_work_for_all_who_can_judge(two_assessors: Campaign) -> None:
    choose_who_judges(two_assessors.by("Olga", SATURDAY), "claimed")
    unassign(two_assessors.by("Olga", SATURDAY), ["Ann"], ["1"])
    assert state_of(two_assessors, now=SATURDAY).pace.per_day == 8


def test_topics_with_few_or_very_many_relevant_documents_are_seen_once_enough_is_judged() -> None:
    few = [(10, 5, 5, 2), (10, 4, 4, 2), (10, 5, 5, 3), (0, 0, 0, 0)]
    assert [has_few_relevant(topic(*counts)) for counts in few] == [True, False, False, False]
    many = [(100, 20, 20, 11), (100, 20, 20, 10), (100, 19, 19, 19)]
    assert [has_many_relevant(topic(*counts)) for counts in many] == [True, False, False]


def test_what_needs_a_look_is_found(small: Campaign, judging: Callable[..., None], tmp_path: Path) -> None:
    judging("Ben", "1", "d1", 1, MONDAY, 60)
    judging("Eva", "1", "d1", 0, MONDAY, 60)
    (tmp_path / "topics.tsv").write_text("3\tdry land\n", encoding="utf-8")
    add_topics(small.by("Olga", MONDAY), [str(tmp_path / "topics.tsv")])

    def warnings() -> dict[str, CampaignWarning]:
        return {each.warning: each for each in campaign_warnings(small, state_of(small, now=MONDAY))}

    found = warnings()
    assert found["without runs"].about == (About("3"),)
    assert says(found["without text"].words)
    assert found["conflicts"].about == (About("1", "1 pair"),)
    (tmp_path / "gamma.run").write_text("3 Q0 d1 1 2 gamma\n", encoding="utf-8")
    add_runs(small.by("Olga", MONDAY), [str(tmp_path / "gamma.run")])
    found = warnings()
    assert found["without pool"].about == (About("3"),)
    assert says({each.name: each.note for each in found["warned"].about}["gamma"], "3 of 4")


def test_a_withdrawn_topic_is_in_no_count_and_no_warning(
    small: Campaign, judging: Callable[..., None]
) -> None:
    judging("Ann", "2", "d1", 1, MONDAY, 5.0)
    judging("Ann", "1", "d1", 1, MONDAY, 5.0)
    withdraw_topics(small.by("Olga"), ["2", "10"])
    state = state_of(small, now=MONDAY)
    assert [row.topic_id for row in state.topics] == ["1"]
    assert (state.withdrawn_topics, state.pooled, state.judged, state.judged_beyond) == (2, 3, 1, 0)
    assert (state.graded, state.relevant) == (1, 1)
    assert "without runs" not in {each.warning for each in campaign_warnings(small, state)}
