"""Events and judgments are appended to one log, and read as of any place in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from tests.log_rows import rows_of_the_chain
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import GENESIS

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def note(campaign: Campaign, **content: object) -> int:
    with campaign.write():
        return log.append_event(campaign.by("Olga", NOW), "note", content)


def test_an_event_says_when_in_utc_who_and_what(campaign: Campaign) -> None:
    seq = note(campaign, words=["Ωmega", 'a "quote"', None], number=1)
    (event,) = log.events(campaign)
    assert event == (
        seq,
        "2026-03-01T12:00:00.000+00:00",
        "Olga",
        "note",
        {"words": ["Ωmega", 'a "quote"', None], "number": 1},
        None,
    )
    at_noon_in_tokyo = datetime(2026, 3, 1, 12, 0, tzinfo=timezone(timedelta(hours=9)))
    assert log.timestamp(at_noon_in_tokyo) == "2026-03-01T03:00:00.000+00:00"
    assert log.timestamp().endswith("+00:00")


def test_the_head_is_that_of_the_place_asked_for(campaign: Campaign) -> None:
    heads = [log.head(campaign)]
    assert (heads, log.events(campaign), log.newest_seq(campaign)) == ([(0, GENESIS)], [], 0)
    for _ in range(3):
        note(campaign)
        heads.append(log.head(campaign))
    assert [log.head(campaign.at(seq)) for seq in range(4)] == heads
    assert log.head(campaign.at(99)) == log.head(campaign) == heads[3]
    assert len({head.hash for head in heads}) == 4


def test_events_are_chosen_by_kind_and_place(small: Campaign) -> None:
    kinds = [event.kind for event in log.events(small)]
    assert kinds == ["settings", "topics", "documents", "run", "run", "pool"]
    assert [event.seq for event in log.events(small, "run", "pool")] == [4, 5, 6]
    assert [event.seq for event in log.events(small.at(4), "run", "pool")] == [4]
    assert [event.kind for event in log.events(small, at=3)] == ["documents"]
    assert log.events(small, "run", at=3) == []
    pool, run = log.events(small, "pool")[-1], log.events(small, "run")[-1]
    assert log.newest_event(small, {"run"}).seq == run.seq
    assert log.newest_event(small, {"run", "pool"}).seq == pool.seq
    assert log.newest_event(small, {"withdrawal"}) == log.Head(0, bytes(32))
    rows = list(rows_of_the_chain(small))
    assert log.head(small) == (rows[-1].row[0], rows[-1].hash)
