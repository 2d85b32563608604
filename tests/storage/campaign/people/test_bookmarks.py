"""Documents put off: each assessor's own, once per pair."""

from __future__ import annotations

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import bookmarks


def test_a_mark_is_there_once_until_it_is_taken_away(small: Campaign) -> None:
    before = log.head(small)
    with small.write():
        bookmarks.put(small, "Ann", "1", "d1")
        bookmarks.put(small, "Ann", "1", "d1")
        bookmarks.put(small, "Ann", "1", "d4")
    assert bookmarks.of_topic(small, "Ann", "1") == {"d1", "d4"}
    with small.write():
        bookmarks.remove(small, "Ann", "1", "d1")
        bookmarks.remove(small, "Ann", "1", "d2")
    assert bookmarks.of_topic(small, "Ann", "1") == {"d4"}
    assert bookmarks.of_topic(small, "Ben", "1") == bookmarks.of_topic(small, "Ann", "2") == set()
    assert log.head(small) == before
