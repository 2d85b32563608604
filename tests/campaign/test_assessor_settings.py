"""An assessor's own settings: only for what is there, within limits, and nobody else's."""

from __future__ import annotations

import pytest

from tests.sentences import refused
from workbench.campaign.assessor_settings import (
    LONGEST_TERM,
    MOST_TERMS,
    TermRefused,
    as_term,
    change_terms,
    marked_words,
    postpone,
    postpone_topic,
    postponed_topics,
)
from workbench.core.errors import NotThere
from workbench.methods.text.terms import topic_terms
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.people import bookmarks, own_terms


def test_a_pooled_pair_can_be_postponed_and_resumed_any_number_of_times(small: Campaign) -> None:
    assert postpone(small, "Ann", "1", "d1", later=True)
    assert postpone(small, "Ann", "1", "d1", later=True)
    assert bookmarks.of_topic(small, "Ann", "1") == {"d1"}
    assert not postpone(small, "Ann", "1", "d1", later=False)
    assert not postpone(small, "Ann", "1", "d1", later=False)
    assert bookmarks.of_topic(small, "Ann", "1") == set()


@pytest.mark.parametrize("pair", [("1", "d5"), ("7", "d1"), ("1", "")])
def test_a_pair_that_is_in_no_pool_cannot_be_postponed(small: Campaign, pair: tuple[str, str]) -> None:
    with refused(NotThere):
        postpone(small, "Ann", *pair, later=True)


def test_topics_are_postponed_and_taken_up_again_by_one_assessor(small: Campaign) -> None:
    postpone_topic(small, "Ann", "1", later=True)
    postpone_topic(small, "Ann", "2", later=True)
    postpone_topic(small, "Ann", "2", later=True)
    assert (postponed_topics(small, "Ann"), postponed_topics(small, "Ben")) == ({"1", "2"}, set())
    postpone_topic(small, "Ann", "1", later=False)
    postpone_topic(small, "Ann", "10", later=False)
    assert postponed_topics(small, "Ann") == {"2"}
    with pytest.raises(NotThere, match="topic '7'"):
        postpone_topic(small, "Ann", "7", later=True)


def test_terms_are_added_once_and_removed(small: Campaign) -> None:
    assert list(change_terms(small, "Ann", "1", add=" drift ice ").own) == ["drift ice"]
    assert list(change_terms(small, "Ann", "1", add="Drift Ice").own) == ["drift ice"]
    assert list(change_terms(small, "Ann", "1", add="floe").own) == ["drift ice", "floe"]
    assert list(change_terms(small, "Ann", "1", remove="drift ice", add="pack ice").own) == [
        "floe",
        "pack ice",
    ]
    assert list(change_terms(small, "Ann", "1", remove="unknown").own) == ["floe", "pack ice"]
    assert list(change_terms(small, "Ann", "1").own) == own_terms.of_topic(small, "Ann", "1")


def test_a_word_of_the_topic_is_switched_off_and_on_by_one_assessor_for_one_topic(small: Campaign) -> None:
    word = topic_terms(topics.all_topics(small)[0].topic)[0].text
    assert change_terms(small, "Ann", "1", off=word) == ({}, [word])
    assert change_terms(small, "Ann", "1", off=word) == ({}, [word])
    assert marked_words(small, "Ben", "1") == marked_words(small, "Ann", "2") == ({}, [])
    assert change_terms(small, "Ann", "1", on=word, add="ice") == ({"ice": 2}, [])
    assert change_terms(small, "Ann", "1", on=word) == ({"ice": 2}, [])


def test_what_is_no_word_of_the_topic_cannot_be_switched_off(small: Campaign) -> None:
    with refused(TermRefused, "1"):
        change_terms(small, "Ann", "1", off="zebra", add="ice")
    assert marked_words(small, "Ann", "1") == ({}, [])


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\x00b", "a\u2028b", "\ud800", "x" * (LONGEST_TERM + 1)])
def test_what_is_no_line_of_text_is_no_term(text: str) -> None:
    with pytest.raises(TermRefused):
        as_term(text)


def test_a_topic_takes_so_many_terms_and_no_more(small: Campaign) -> None:
    for number in range(MOST_TERMS):
        change_terms(small, "Ann", "1", add=f"term {number}")
    with refused(TermRefused):
        change_terms(small, "Ann", "1", add="one more")
    assert len(change_terms(small, "Ann", "1", add="term 7").own) == MOST_TERMS
    assert list(change_terms(small, "Ann", "2", add="one more").own) == ["one more"]
    assert change_terms(small, "Ann", "1", remove="term 7", add="one more").own.popitem()[0] == "one more"


def test_a_topic_that_is_not_there_takes_none(small: Campaign) -> None:
    with pytest.raises(NotThere, match="no topic '7' in small"):
        change_terms(small, "Ann", "7", add="ice")
