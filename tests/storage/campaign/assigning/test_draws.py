"""Draws are events that name each pair with its probability."""

from __future__ import annotations

from datetime import UTC, datetime

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.assigning.draws import DrawnPair, DrawRecord

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RECORD = DrawRecord(0.5, 7, "grade", "equal", 4)


def put(campaign: Campaign, *drawn: DrawnPair) -> int:
    with campaign.write():
        return draws.put(campaign.by("Olga", NOW), RECORD, drawn)


def test_a_draw_is_read_back_as_it_was_made_and_a_later_one_adds_to_it(small: Campaign) -> None:
    pairs = DrawnPair("1", "d1", "0", 1 / 3), DrawnPair("2", "d1", "1", 1.0)
    seq = put(small, *pairs)
    (found,) = draws.all_draws(small)
    assert found == (RECORD, pairs, seq, "2026-03-01T12:00:00.000+00:00")
    assert draws.all_draws(small.at(seq - 1)) == []
    put(small, DrawnPair("1", "d2", "all", 0.5))
    assert draws.drawn(small) == {"1": {"d1", "d2"}, "2": {"d1"}}
    assert draws.drawn(small.at(seq)) == {"1": {"d1"}, "2": {"d1"}}
