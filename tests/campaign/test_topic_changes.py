"""A corrected topic has a new version; a withdrawn one has no scores, pairs or assignments, and is as it was before."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as, submission
from tests.sentences import refused
from workbench.campaign import assessing
from workbench.campaign.assigning.changing import check_topics
from workbench.campaign.content_changes import TopicChanged, correct_topic, restore_topics, withdraw_topics
from workbench.campaign.deleting import Unused, delete_unused
from workbench.core.errors import AlreadyDone, CampaignError, JudgmentRefused, NotThere
from workbench.core.records import Topic
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.release.export import pool_lines
from workbench.scoring.board import Board, board_of, score_campaign
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools, topic_withdrawals, topics
from workbench.storage.campaign.collection.references import referred_to
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log

MEASURES = ["P@2", "num_ret", "RR"]


@pytest.fixture
def judged(small: Campaign) -> Campaign:
    """The campaign `small` with judgments of topics 1 and 2, by two assessors."""
    for topic_id, document_id in pools.all_pairs(small):
        if (
            topic_id in "12"
            and small.db.conn.execute(
                "SELECT 1 FROM document WHERE document = ? AND text IS NOT NULL", [document_id]
            ).fetchone()
        ):
            judge_as(small, "Ann", topic_id, document_id, int(document_id[1:]) % 2)
    return small


def test_a_withdrawn_topic_has_no_scores_no_labels_and_no_pairs(judged: Campaign) -> None:
    before = pools.pooled_by_topic(judged)
    seq = withdraw_topics(judged.by("Olga"), ["1"], reason="ambiguous")
    assert {label.topic_id for label in labels.qrels(judged)} == {"2"}
    assert pools.pooled_by_topic(judged) == {topic: count for topic, count in before.items() if topic != "1"}
    assert score_campaign(judged, MEASURES).topics == 1
    assert {line.split()[0] for line in pool_lines(judged)} == {"2", "10"}
    assert [event.content["reason"] for event in log.events(judged, at=seq)] == ["ambiguous"]
    assert wrong(judged) == []


def test_scores_as_of_an_earlier_row_have_the_topic_and_restoring_brings_all_back(judged: Campaign) -> None:
    head = log.newest_seq(judged)
    scores, qrels, pairs = (
        score_campaign(judged, MEASURES).rows,
        labels.qrels(judged),
        pools.all_pairs(judged),
    )
    out = withdraw_topics(judged.by("Olga"), ["1"])
    assert score_campaign(judged, MEASURES).rows != scores
    assert score_campaign(judged.at(head), MEASURES).rows == scores
    assert labels.qrels(judged.at(head)) == qrels
    assert [tuple(pair.pooled[:2]) for pair in pools.each_pair(judged.at(head))] == pairs
    restore_topics(judged.by("Olga"), ["1"])
    assert score_campaign(judged, MEASURES).rows == scores
    assert (labels.qrels(judged), pools.all_pairs(judged)) == (qrels, pairs)
    assert {label.topic_id for label in labels.qrels(judged.at(out))} == {"2"}
    assert wrong(judged) == []


def test_the_live_board_follows_and_every_moment_is_as_if_loaded_then(judged: Campaign) -> None:
    board = Board()
    chance = random.Random(7)
    for _ in range(12):
        topic_id = chance.choice(["1", "2", "10"])
        change = restore_topics if topic_id in topic_withdrawals.withdrawn(judged) else withdraw_topics
        change(judged.by("Olga"), [topic_id])
        assert board.table(judged, MEASURES).rows == score_campaign(judged, MEASURES).rows
    for seq in range(1, log.newest_seq(judged) + 1):
        past = board_history_of(judged).table(judged, MEASURES, seq)
        assert past.rows == score_campaign(judged.at(seq), MEASURES).rows, seq
    assert board_of(judged).table(judged, MEASURES).rows == score_campaign(judged, MEASURES).rows
    assert wrong(judged) == []


def test_nothing_is_judged_there_and_the_message_says_why(judged: Campaign) -> None:
    waiting = submission(judged, "Ben", "1", "d1", 1)  # type: ignore[operator]
    withdraw_topics(judged.by("Olga"), ["1"])
    head = log.newest_seq(judged)
    with refused(JudgmentRefused) as error:
        assessing.judge(judged, waiting, assessor="Ben")
    assert error.value.reason == "topic closed"
    assert log.newest_seq(judged) == head
    assert "1" not in {row.topic_id for row in assessing.topic_progress(judged, "Ben")}
    with pytest.raises(CampaignError, match="withdrawn: 1; restore before assigning"):
        check_topics(judged, ["1", "2"])


def test_a_bundle_made_after_a_withdrawal_gives_the_same_numbers(judged: Campaign, tmp_path: Path) -> None:
    withdraw_topics(judged.by("Olga"), ["2"])
    save_bundle(judged, tmp_path / "small.zip", options=BundleOptions(runs=True))
    restored = import_bundle(tmp_path / "small.zip", tmp_path / "again.db", actor="Olga")
    assert restored.same_scores is True
    with open_campaign(tmp_path / "again.db") as again:
        assert [label[1:] for label in labels.qrels(again)] == [label[1:] for label in labels.qrels(judged)]
        assert list(topic_withdrawals.withdrawn(again)) == ["2"]


def test_withdrawing_is_all_or_nothing_and_never_twice(judged: Campaign) -> None:
    head = log.newest_seq(judged)
    with pytest.raises(NotThere, match="there is no topic '9' in small"):
        withdraw_topics(judged.by("Olga"), ["1", "9"])
    assert log.newest_seq(judged) == head
    withdraw_topics(judged.by("Olga"), ["1", "1"])
    with refused(AlreadyDone, "1"):
        withdraw_topics(judged.by("Olga"), ["2", "1"])
    with refused(AlreadyDone, "2"):
        restore_topics(judged.by("Olga"), ["2"])


def test_a_correction_is_a_new_version_and_judgments_keep_theirs(small: Campaign) -> None:
    first = topics.find(small, "1")
    assert first is not None
    before = judge_as(small, "Ann", "1", "d1", 1).judgment
    seq = correct_topic(small.by("Olga"), "1", {"title": " أنهار\nمتجمدة ", "narrative": "Named\r\nonly."})
    now = topics.find(small, "1")
    assert now is not None
    assert (now.topic.title, now.topic.narrative, now.version) == ("أنهار متجمدة", "Named\nonly.", seq)
    after = judge_as(small, "Ann", "1", "d2", 1).judgment
    assert (before.topic_version, after.topic_version) == (first.version, seq)
    assert topics.find(small.at(first.version), "1") == first
    assert correct_topic(small.by("Olga"), "1", {"title": "أنهار متجمدة"}) is None
    assert wrong(small) == []


def test_a_correction_of_another_version_is_refused_with_what_is_there_now(small: Campaign) -> None:
    stored = topics.find(small, "1")
    assert stored is not None
    correct_topic(small.by("Anna"), "1", {"title": "Lakes"}, version=stored.version)
    with refused(TopicChanged, "1") as error:
        correct_topic(small.by("Ben"), "1", {"title": "Seas"}, version=stored.version)
    assert error.value.stored.topic.title == "Lakes"


def test_wrong_corrections_say_what_is_wrong(small: Campaign) -> None:
    for topic_id, texts, message in [
        ("9", {"title": "x"}, "there is no topic '9' in small"),
        ("1", {"colour": "x"}, "topic 1 has no field 'colour'; it has title"),
        ("1", {"narrative": "x" * 100_001}, "narrative: 100,001 characters, at most 100,000"),
        ("1", {"title": "", "description": "", "narrative": ""}, "needs a title, .* withdraw it"),
    ]:
        with pytest.raises((NotThere, CampaignError), match=message):
            correct_topic(small.by("Olga"), topic_id, texts)


def test_a_topic_that_nothing_refers_to_is_deleted(small: Campaign, tmp_path: Path) -> None:
    before = topics.topic_ids(small)
    header = Topic("nr", "Thema")
    with small.write():
        added = topics.put(small.by("Olga"), [header], files=[])
    assert list(referred_to(small, "topic")) == ["1", "10", "2"]
    seq = delete_unused(small.by("Olga"), Unused("topic", ("nr", "nr"), reason="a header")).seq
    assert [event.content["reason"] for event in log.events(small, topics.TOPICS, at=seq)] == ["a header"]
    assert topics.topic_ids(small) == before
    assert sorted(topics.by_id(small)) == before
    assert "nr" in topics.by_id(small.at(added))
    assert log.newest_seq(small) == seq
    assert wrong(small) == []
    save_bundle(small, tmp_path / "b.zip", options=BundleOptions())
    with small.write():
        topics.put(small.by("Olga"), [header], files=[])
    assert "nr" in topics.topic_ids(small)


@pytest.mark.parametrize("topic_ids", [["1"], ["nr", "1"]])
def test_a_topic_that_something_refers_to_stays(small: Campaign, topic_ids: list[str]) -> None:
    with small.write():
        topics.put(small.by("Olga"), [Topic("nr", "Thema")], files=[])
    head = log.head(small)
    with refused(CampaignError, "1 (pooled)"):
        delete_unused(small.by("Olga"), Unused("topic", tuple(topic_ids), all_or_none=True))
    assert (log.head(small), "nr" in topics.topic_ids(small)) == (head, True)
    with pytest.raises(NotThere):
        delete_unused(small.by("Olga"), Unused("topic", ("77",)))
