"""A judgment is stored once, if it says what was shown and the campaign shows that still; else it is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.judged_pairs import at_once, judge_as, submission
from tests.log_rows import chain_holds, view_of_current
from tests.sentences import refused
from workbench.campaign import assessing
from workbench.campaign.assessing import QueueItem, TopicProgress, judge
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.core.records import Judgment, Qrel, Rationale, Topic
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import bookmarks

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
NUMBER = count(1)


def refusal(campaign: Campaign, sent: Judgment, assessor: str = "Ann") -> str:
    """The reason why a submission is refused, after which the log is as it was."""
    before = log.head(campaign)
    with pytest.raises(JudgmentRefused) as error:
        judge(campaign, sent, assessor=assessor, now=NOW)
    assert log.head(campaign) == before
    assert not campaign.db.conn.in_transaction
    return error.value.reason


def test_a_judgment_is_stored_as_it_was_sent(small: Campaign) -> None:
    sent = submission(
        small, "Ann", "1", "d1", 2, client_at="2026-03-01T11:59:59Z", active_seconds=7, comment="Ω 'x' \0\n"
    )
    receipt = judge(small, sent, assessor="Ann", now=NOW)
    stored = judgments.by_uuid(small, sent.uuid)
    assert receipt == (stored, False, None, (sent.topic_version, sent.guideline_version), None)
    assert stored is not None
    assert stored == sent._replace(
        seq=log.newest_seq(small),
        received_at="2026-03-01T12:00:00.000+00:00",
        assessor="Ann",
        source="screen",
    )


def test_the_same_judgment_sent_again_is_acknowledged_and_not_stored_twice(small: Campaign) -> None:
    sent = submission(small, "Ann", "1", "d1", 2, active_seconds=3)
    first = judge(small, sent, assessor="Ann", now=NOW)
    head = log.head(small)
    assert judge(small, sent, assessor="Ann") == first._replace(repeated=True)
    assert log.head(small) == head
    judge_as(small, "Ann", "1", "d1", 0)  # it is acknowledged even when a newer one has replaced it
    assert judge(small, sent, assessor="Ann") == first._replace(repeated=True)
    assert list(judgments.each_of_view_of_qrels(small)) == [Qrel("1", "d1", 0)]


@pytest.mark.parametrize(
    "change",
    [{"grade": 1}, {"document_id": "d2"}, {"comment": "x"}, {"replaces": 1}, {"active_seconds": 1.0}],
)
def test_another_judgment_under_the_same_uuid_is_refused(small: Campaign, change: dict[str, Any]) -> None:
    sent = submission(small, "Ann", "1", "d1", 2)
    judge(small, sent, assessor="Ann", now=NOW)
    assert refusal(small, sent._replace(**change)) == "uuid taken"
    assert refusal(small, sent, assessor="Ben") == "uuid taken"


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("a topic that is not there", {"topic_id": "01"}, "unknown pair"),
    ("a document that is not pooled", {"document_id": "d5"}, "unknown pair"),
    ("a version that is another event's", {"topic_version": 1}, "text changed"),
    ("a version to come", {"topic_version": 99}, "text changed"),
    ("guidelines that are a topic's", {"guideline_version": 2}, "text changed"),
    ("guidelines to come", {"guideline_version": 99}, "text changed"),
    ("a large grade", {"grade": 2**62}, "bad grade"),
    ("no grade", {"grade": None}, "bad value"),
    ("a grade that one cannot tell", {"kind": "can't tell"}, "bad value"),
    ("a grade that is cleared", {"kind": "cleared"}, "bad value"),
    ("no hash", {"text_hash": None}, "text changed"),
]


@pytest.mark.parametrize(("change", "reason"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_does_not_match_is_refused_and_changes_nothing(
    small: Campaign, change: dict[str, Any], reason: str
) -> None:
    assert refusal(small, submission(small, "Ann", "1", "d1", 2)._replace(**change)) == reason


def test_a_judgment_on_a_topic_as_it_was_shown_before_is_taken_and_says_so(small: Campaign) -> None:
    sent = submission(small, "Ann", "1", "d1", 2)
    with small.write():
        topics.put(small.by("Olga"), [Topic("1", "Frozen rivers of Siberia")], files=[])
        settings.change(small.by("Olga"), {"guidelines": "Be strict."})
    stored = judge(small, sent, assessor="Ann", now=NOW).judgment
    assert (stored.topic_version, stored.guideline_version) == (2, 1)


def test_a_change_of_mind_names_what_it_replaces(small: Campaign) -> None:
    first = judge_as(small, "Ann", "1", "d1", 2).judgment
    sent = submission(small, "Ann", "1", "d1", 0)
    assert refusal(small, sent._replace(replaces=None)) == "replaced elsewhere"
    second = judge(small, sent, assessor="Ann", now=NOW).judgment
    assert second.replaces == first.seq
    stale = submission(small, "Ann", "1", "d1", 1, replaces=first.seq)
    with refused(JudgmentRefused, "0"):
        judge(small, stale, assessor="Ann")


def test_two_assessors_judge_one_pair_without_knowing_of_each_other(small: Campaign) -> None:
    ann = judge_as(small, "Ann", "1", "d1", 2).judgment
    ben = judge_as(small, "Ben", "1", "d1", 0).judgment
    assert (ann.replaces, ben.replaces) == (None, None)
    assert (
        refusal(small, submission(small, "Ben", "1", "d1", 1, replaces=ann.seq), "Ben")
        == "replaced elsewhere"
    )
    assert assessing.show(small, "1", "d1", "Ann").mine == ann
    assert list(judgments.each_of_view_of_qrels(small)) == [Qrel("1", "d1", 0)]


def test_two_who_send_the_same_uuid_at_once_store_one_row(small: Campaign) -> None:
    sent = submission(small, "Ann", "1", "d1", 2)
    receipts = at_once(small.path, lambda mine, one: judge(mine, one, assessor="Ann", now=NOW), [sent] * 4)
    assert sorted(receipt.repeated for receipt in receipts) == [False, True, True, True]
    assert len({receipt.judgment for receipt in receipts}) == 1
    assert len(list(judgments.log(small))) == 1
    assert chain_holds(small)


def test_two_pages_that_judge_one_pair_at_once_do_not_overwrite_each_other(small: Campaign) -> None:
    sent = [submission(small, "Ann", "1", "d1", grade) for grade in (0, 1, 2)]
    found = at_once(small.path, lambda mine, one: judge(mine, one, assessor="Ann", now=NOW), sent)
    assert sorted(getattr(each, "reason", "stored") for each in found) == ["replaced elsewhere"] * 2 + [
        "stored"
    ]


def test_the_queue_shows_whose_judgment_there_is_and_hides_the_grades_of_others(small: Campaign) -> None:
    mine = judge_as(small, "Ann", "1", "d1", 2).judgment
    judge_as(small, "Ben", "1", "d1", 0)
    judge_as(small, "Ben", "1", "d2", 1)
    assert assessing.queue(small, "1", "Ann") == [
        QueueItem("d1", "mine", "grade", 2, mine.seq),
        QueueItem("d2", "other"),
        QueueItem("d4", "open"),
    ]


def test_the_queue_is_in_the_order_that_the_newest_pool_asks_for(small: Campaign) -> None:
    assert [item.document_id for item in assessing.queue(small, "1", "Ann")] == ["d1", "d2", "d4"]
    add_pool(small.by("Olga"), depth=2, viewing="best rank")
    assert [item.document_id for item in assessing.queue(small, "1", "Ann")] == ["d1", "d4", "d2"]
    add_pool(small.by("Olga"), depth=100, viewing="shuffle", viewing_seed=1)
    orders = {tuple(item.document_id for item in assessing.queue(small, "1", f"A{n}")) for n in range(20)}
    assert len(orders) > 1
    assert assessing.queue(small, "1", "Ann") == assessing.queue(small, "1", "Ann")


def test_a_topic_without_a_pool_has_no_queue(small: Campaign) -> None:
    with refused(NotThere, "3"):
        assessing.queue(small, "3", "Ann")


def test_a_document_without_text_is_held_back_from_assessors(small: Campaign) -> None:
    assert (
        assessing.queue(small, "10", "Ann") == []
    )  # d6 is the topic's only document, and nobody has its text
    rows = assessing.topic_progress(small, "Ann")
    assert [(row.topic_id, row.open) for row in rows] == [("1", 3), ("10", 0), ("2", 3)]
    following = assessing.next_topic(rows, "1")
    assert following is not None
    assert following.topic_id == "2"


def test_what_was_postponed_is_marked_until_it_is_judged(small: Campaign) -> None:
    with small.write():
        bookmarks.put(small, "Ann", "1", "d2")
    assert [item.later for item in assessing.queue(small, "1", "Ann")] == [False, True, False]
    assert not any(item.later for item in assessing.queue(small, "1", "Ben"))
    judge_as(small, "Ann", "1", "d2", 1)
    judge_as(small, "Ann", "1", "d2", None, kind="cleared")
    assert not any(item.later for item in assessing.queue(small, "1", "Ann"))


def test_the_next_topic_is_the_first_open_one_after_this_around_the_end() -> None:
    rows = [
        TopicProgress(name, "", 2, done, 0, 0) for name, done in [("1", 0), ("10", 2), ("2", 2), ("3", 1)]
    ]
    assert [assessing.next_topic(rows, name) for name in (None, "1", "2", "3")] == [
        rows[0],
        rows[3],
        rows[3],
        rows[0],
    ]
    assert assessing.next_topic(rows[1:3], "10") is None


def test_an_assessor_goes_on_in_the_topic_that_they_were_in_last(small: Campaign) -> None:
    def goes_on(*postponed: str) -> str | None:
        rows = assessing.topic_progress(small, "Ann")
        row = assessing.topic_to_go_on(small, "Ann", rows, postponed)
        return row and row.topic_id

    assert goes_on() == "1"
    first, *others = [item.document_id for item in assessing.queue(small, "2", "Ann")]
    judge_as(small, "Ann", "2", first, 1)
    assert (goes_on(), goes_on("2")) == ("2", "1")
    for document_id in others:
        judge_as(small, "Ann", "2", document_id, 0)
    assert goes_on() == "1"


Step = tuple[str, tuple[str, str], str, int]
steps = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Ben"]),
        st.sampled_from([("1", "d1"), ("1", "d2"), ("2", "d1")]),
        st.sampled_from(["grade", "grade", "can't tell", "cleared"]),
        st.sampled_from([-2, 0, 1, 2]),
    ),
    max_size=20,
)


@hypothesis_settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(taken=steps)
def test_however_two_assessors_judge_and_clear_the_views_are_the_log_replayed(
    small_file: Path, tmp_path: Path, taken: list[Step]
) -> None:
    path = tmp_path / f"{next(NUMBER)}.db"
    path.write_bytes(small_file.read_bytes())
    state: dict[tuple[str, tuple[str, str]], tuple[int, int | None]] = {}
    with open_campaign(path) as campaign:
        for assessor, pair, kind, grade in taken:
            given_grade = grade if kind == "grade" else None
            sent = submission(campaign, assessor, *pair, given_grade, kind=kind)
            try:
                stored = judge(campaign, sent, assessor=assessor, now=NOW).judgment
            except JudgmentRefused as error:
                assert (error.reason, kind) == ("bad value", "cleared")
                assert state.get((assessor, pair)) is None
                continue
            state.pop((assessor, pair), None)
            if kind != "cleared":
                state[assessor, pair] = (stored.seq, given_grade)
        newest = sorted((seq, pair, grade) for (_, pair), (seq, grade) in state.items() if grade is not None)
        assert list(judgments.each_of_view_of_qrels(campaign)) == sorted(
            {pair: (*pair, g) for _, pair, g in newest}.values()
        )
        standing = {
            (row.assessor, (row.topic_id, row.document_id))
            for row in view_of_current(campaign)
            if row.kind != "cleared"
        }
        assert standing == set(state)
        assert chain_holds(campaign)


def test_rationales_stand_in_a_table_of_their_own_too(small: Campaign) -> None:
    kept = (Rationale("text", 4, 8, "text"), Rationale("title", 0, 8, "Document"))
    sent = submission(small, "Ann", "1", "d1", 1, input="key", rationales=kept)
    stored = judge(small, sent, assessor="Ann", now=NOW).judgment
    assert stored.rationales == kept
    rows = small.db.execute("SELECT * FROM rationale").fetchall()
    assert rows == [(stored.seq, 1, *kept[0]), (stored.seq, 2, *kept[1])]
