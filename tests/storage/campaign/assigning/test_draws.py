"""Draws are events that name each pair with its probability; the table repeats them."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pytest

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.assigning.draws import DrawnPair, DrawRecord
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import events

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RECORD = DrawRecord(0.5, 7, "grade", "equal", 4)


def put(campaign: Campaign, *drawn: DrawnPair) -> int:
    with campaign.write():
        return draws.put(campaign, RECORD, drawn, actor="Olga", now=NOW)


def test_a_draw_is_read_back_as_it_was_made(small: Campaign) -> None:
    pairs = DrawnPair("1", "d1", "0", 1 / 3), DrawnPair("2", "d1", "1", 1.0)
    seq = put(small, *pairs)
    (found,) = draws.all_draws(small)
    assert found == (RECORD, pairs, seq, "2026-03-01T12:00:00.000+00:00")
    assert draws.replay(events(small, draws.DRAW)) == draws.stored(small)
    assert draws.stored(small) == {("1", "d1"): ("0", 1 / 3, seq), ("2", "d1"): ("1", 1.0, seq)}
    assert draws.all_draws(small, seq - 1) == []
    assert draws.drawn_of_topics(small, ["1", "10"]) == {"1": {"d1"}}
    assert draws.drawn_by_topic(small) == {"1": 1, "2": 1}
    assert (draws.is_drawn(small, "1", "d1"), draws.is_drawn(small, "1", "d2")) == (True, False)


def test_no_pair_is_drawn_twice(small: Campaign) -> None:
    put(small, DrawnPair("1", "d1", "all", 0.5))
    before = log.head(small)
    with pytest.raises(sqlite3.IntegrityError):
        put(small, DrawnPair("1", "d2", "all", 0.5), DrawnPair("1", "d1", "all", 0.5))
    assert (log.head(small), draws.drawn_by_topic(small)) == (before, {"1": 1})
