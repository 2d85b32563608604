"""Clusters of near duplicates are stored topic by topic, with the number of texts they were found in."""

from __future__ import annotations

import pytest

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import near_duplicates


@pytest.fixture
def fresh(small: Campaign) -> Campaign:
    """The small campaign as if near duplicates had never been looked for."""
    with small.write():
        small.db.execute("DELETE FROM compared")
    return small


def put(campaign: Campaign, topic_id: str, *clusters: tuple[str, ...], texts: int = 3) -> None:
    with campaign.write():
        near_duplicates.put(campaign, topic_id, clusters, texts=texts)


def test_what_is_put_replaces_what_a_topic_had_and_leaves_other_topics(small: Campaign) -> None:
    put(small, "1", ("d1", "d4"))
    put(small, "2", ("d1", "d2"))
    put(small, "1", ("d2", "d4"))
    assert near_duplicates.of_topic(small, "1") == {"d2": "d2", "d4": "d2"}
    assert near_duplicates.everywhere(small)["2"] == {"d1": "d1", "d2": "d1"}
    put(small, "1")
    assert near_duplicates.of_topic(small, "1") == {}
    assert near_duplicates.of_topic(small, "2") == {"d1": "d1", "d2": "d1"}


def test_pooled_documents_with_a_text_are_distinguished_from_those_without(small: Campaign) -> None:
    assert list(near_duplicates.with_text(small, ["2"])["2"]) == ["d1", "d2", "d5"]
    assert near_duplicates.with_text(small, ["10"]) == {"10": {}}


def test_a_topic_is_compared_once_for_as_many_texts(fresh: Campaign) -> None:
    # Topic 10 has no text.
    assert near_duplicates.to_compare(fresh) == ["1", "2"]
    put(fresh, "1")
    assert near_duplicates.to_compare(fresh) == ["2"]
    put(fresh, "2", texts=2)
    assert near_duplicates.to_compare(fresh) == ["2"]
