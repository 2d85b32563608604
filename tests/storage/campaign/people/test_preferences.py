"""Preferences: the newest value of each name, whatever JSON it is."""

from __future__ import annotations

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import preferences


def test_values_come_back_as_they_were_and_others_stay(small: Campaign) -> None:
    with small.write():
        preferences.put(small, "Ann", {"keys": {"later": "é"}, "size": 17, "stay": True})
        preferences.put(small, "Ann", {"size": 20})
    assert preferences.of(small, "Ann") == {"keys": {"later": "é"}, "size": 20, "stay": True}
    assert preferences.of(small, "Ben") == {}
    stored = small.db.execute("SELECT name, value FROM preference ORDER BY name").fetchall()
    assert stored == [("keys", '{"later": "é"}'), ("size", "20"), ("stay", "true")]


def test_a_value_that_is_no_json_counts_as_not_set(small: Campaign) -> None:
    with small.write():
        small.db.conn.execute("INSERT INTO preference VALUES ('Ann', 'size', 'seventeen')")
    assert preferences.of(small, "Ann") == {}
