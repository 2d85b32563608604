"""Assignments are what the events say, now and as of any place; who had a topic once is remembered."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import events

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

Rows = list[tuple[str, str, str]]


def put(campaign: Campaign, replaced: list[tuple[str, str]], assigned: Rows) -> int:
    with campaign.write():
        return assignments.put(campaign.by("Olga", NOW), replaced, assigned)


def test_what_is_replaced_ends_and_is_remembered(small: Campaign) -> None:
    first = put(small, [("1", "whole")], [("1", "whole", "Ann"), ("2", "second", "Ben")])
    second = put(small, [("1", "whole"), ("2", "second")], [("1", "whole", "Cid"), ("2", "second", "Ann")])
    assert assignments.stored(small) == (
        {("1", "Cid"): ("whole", second, 0), ("2", "Ann"): ("second", second, 1)},
        {("1", "Ann"): ("whole", second), ("2", "Ben"): ("second", second)},
    )
    assert assignments.seconds_ever(small, "2") == {"Ann", "Ben"}
    assert assignments.replay(events(small, assignments.ASSIGNMENT)) == assignments.stored(small)
    assert assignments.replay(events(small.at(first), assignments.ASSIGNMENT)).now.keys() == {
        ("1", "Ann"),
        ("2", "Ben"),
    }
    assert assignments.replay(events(small.at(first - 1), assignments.ASSIGNMENT)).now == {}


def test_who_gets_a_topic_back_is_no_former_assessor(small: Campaign) -> None:
    put(small, [("1", "whole")], [("1", "whole", "Ann")])
    put(small, [("1", "whole")], [])
    put(small, [("1", "second")], [("1", "second", "Ann")])
    assert assignments.of_topic(small, "1") == {"Ann": "second"}
    assert assignments.stored(small).former == {}
    assert assignments.owners(small) == {}


def test_owners_stand_in_the_order_in_which_they_were_assigned(small: Campaign) -> None:
    put(small, [], [("2", "whole", "Zoe"), ("2", "whole", "Ann"), ("1", "second", "Ann")])
    assert assignments.owners(small) == {"2": ("Zoe", "Ann")}
    assert [row.assessor for row in assignments.all_assignments(small)] == ["Zoe", "Ann", "Ann"]


def test_a_topic_is_closed_since_the_first_event_that_closed_it(small: Campaign) -> None:
    with small.write():
        first = assignments.close_topics(small.by("Olga", NOW), ["1", "2"], reason="done")
        assignments.close_topics(small.by("Olga", NOW), ["1"])
        assignments.reopen_topics(small.by("Olga", NOW), ["2"])
    assert assignments.closed(small) == {"1": first}
    assert assignments.closed(small.at(first)) == {"1": first, "2": first}
    assert [event.kind for event in log.events(small)][-3:] == ["closing", "closing", "reopening"]


def test_an_assignment_that_is_not_stored_whole_is_not_stored(small: Campaign) -> None:
    before = log.head(small)
    with pytest.raises(Exception, match="FOREIGN KEY"):
        put(small, [], [("1", "whole", "Ann"), ("no topic", "whole", "Ann")])
    assert (log.head(small), assignments.all_assignments(small)) == (before, [])
