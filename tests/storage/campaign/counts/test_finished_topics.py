"""A topic is finished by the first judgment of the last of its pooled pairs, whatever comes later."""

from __future__ import annotations

from tests.conftest import judge_as
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.counts.finished_topics import finished_topics
from workbench.storage.campaign.log.log import newest_seq

END = 10**6


def rows(campaign: Campaign, after: int = 0, last: int = END) -> list[tuple[int, str, int]]:
    return [(row, topic_id, pairs) for row, _, topic_id, pairs in finished_topics(campaign, after, last)]


def judged(campaign: Campaign, topic_id: str, *document_ids: str, grade: int | None = 1) -> int:
    for document_id in document_ids:
        judge_as(campaign, "ben", topic_id, document_id, grade)
    return newest_seq(campaign)


def test_the_row_is_that_of_the_last_first_judgment(small: Campaign) -> None:
    judged(small, "2", "d1", "d2")
    assert rows(small) == []
    last = judged(small, "2", "d5", grade=None)
    judged(small, "2", "d1", grade=0)
    judge_as(small, "carla", "2", "d2", 1)
    assert rows(small) == [(last, "2", 3)]
    assert rows(small, last - 1, last) == [(last, "2", 3)]
    assert (rows(small, last), rows(small, 0, last - 1)) == ([], [])


def test_a_topic_is_finished_once_more_after_its_pool_grew_even_if_nobody_looked_between(
    small: Campaign,
) -> None:
    first = judged(small, "1", "d1", "d2", "d4")
    add_pool(small.by("olga"), depth=3)
    (more,) = small.column("SELECT document FROM pooled WHERE topic = '1' AND pool = 2")
    last = judged(small, "1", more)
    assert rows(small) == [(first, "1", 3), (last, "1", 4)]


def test_a_pair_that_is_held_back_is_not_waited_for(small: Campaign) -> None:
    text_hash = small.value("SELECT text_hash FROM document WHERE document = 'd5'")
    with small.write():
        broken.put(small.by("olga"), "d5", str(text_hash), is_broken=True, reason="empty")
    last = judged(small, "2", "d1", "d2")
    assert rows(small) == [(last, "2", 2)]


def test_what_was_judged_before_a_pool_had_it_finishes_nothing(small: Campaign) -> None:
    judged(small, "2", "d1", "d2", "d5")
    retire_pool(small.by("olga"), 1, reason="wrong depth")
    add_pool(small.by("olga"), depth=2)
    assert rows(small) == []
