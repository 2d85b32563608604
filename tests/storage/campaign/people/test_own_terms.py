"""Own terms: in the order they were added, for one assessor and one topic."""

from __future__ import annotations

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import own_terms


def test_terms_keep_the_order_in_which_they_were_added(small: Campaign) -> None:
    with small.write():
        for term in ("zebra", "氷", "ape", "zebra"):
            own_terms.put(small, "Ann", "1", term)
    assert own_terms.of_topic(small, "Ann", "1") == ["zebra", "氷", "ape"]
    with small.write():
        own_terms.remove(small, "Ann", "1", "zebra")
        own_terms.remove(small, "Ann", "1", "unknown")
        own_terms.put(small, "Ann", "1", "zebra")
    assert own_terms.of_topic(small, "Ann", "1") == ["氷", "ape", "zebra"]


def test_a_term_has_the_colour_it_was_given_after_all_that_are_there(small: Campaign) -> None:
    with small.write():
        for term, colour in (("zebra", 3), ("ape", 3), ("氷", 2), ("zebra", 1)):
            own_terms.put(small, "Ann", "1", term, colour)
        own_terms.put(small, "Ben", "1", "ape", 4)
    assert list(own_terms.colours(small, "Ann", "1").items()) == [("zebra", 3), ("ape", 3), ("氷", 2)]
    with small.write():
        own_terms.remove(small, "Ann", "1", "zebra")
    assert own_terms.colours(small, "Ann", "1") == {"ape": 3, "氷": 2}
    assert own_terms.colours(small, "Ben", "1") == {"ape": 4}
