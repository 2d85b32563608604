"""When topics were out follows from the log alone."""

from __future__ import annotations

from workbench.storage.campaign.collection.topic_withdrawals import RESTORATION, WITHDRAWAL, replay
from workbench.storage.campaign.log.log import Event


def event(seq: int, kind: str, *topic_ids: str) -> Event:
    return Event(seq, "2026-03-01T12:00:00Z", "Olga", kind, {"topics": list(topic_ids), "reason": ""})


def test_topics_are_out_from_one_row_to_another_or_until_now() -> None:
    logged = [
        event(5, WITHDRAWAL, "2", "1"),
        event(6, RESTORATION, "2"),
        event(7, WITHDRAWAL, "2"),
    ]
    assert replay(logged) == [("1", 5, None), ("2", 5, 6), ("2", 7, None)]


def test_a_topic_that_comes_back_and_was_never_out_was_out_since_before_the_log() -> None:
    assert replay([event(5, RESTORATION, "1")]) == [("1", 0, 5)]
