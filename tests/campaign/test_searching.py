"""Texts are searched for a topic, and what is found can be pooled as found by search."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.campaign.ingest import add_documents, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.searching import Found, Query, pool_found, search_texts
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.records import Grade, Pooled
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools


def found(campaign: Campaign, query: str, **options: bool | int) -> list[str]:
    return [each.document_id for each in search_texts(campaign, Query("1", query, **options)).found]  # type: ignore[arg-type]


def test_titles_are_searched_and_one_word_is_enough_where_that_is_wanted(small: Campaign) -> None:
    assert found(small, "d3") == ["d3"]
    assert found(small, "d3 d5") == []
    assert found(small, "d3 d5", any_word=True) == ["d3", "d5"]
    assert found(small, "text", limit=2) == ["d1", "d2"]


def test_what_is_found_is_pooled_as_found_by_search(small: Campaign) -> None:
    search = search_texts(small, Query("1", "text"))
    made = pool_found(small.by("Olga"), search, ["d1", "d3", "d5"])
    assert (made.pairs, made.pool.pairs) == (3, 2)
    assert made.pool.record.strategy == "list"
    assert made.pool.record.parameters == {"pairs": ["1 d1", "1 d3", "1 d5"], "found_by": "search"}
    assert [pair.pooled for pair in pools.pooled_pairs(small) if pair.pool == 2] == [
        Pooled("1", "d3", 3, 1),
        Pooled("1", "d5", 0, 0),
    ]
    assert wrong(small) == []


def test_nothing_is_pooled_that_the_search_did_not_find_or_that_is_pooled(small: Campaign) -> None:
    search = search_texts(small, Query("1", "text"))
    with refused(NotThere):
        pool_found(small.by("Olga"), search, ["d3", "d6"])
    with pytest.raises(AlreadyDone, match="pooled for topic 1 already"):
        pool_found(small.by("Olga"), search, ["d1", "d2"])
    assert len(pools.all_pools(small)) == 1


@pytest.mark.parametrize(("topic_id", "query"), [("3", "text"), ("1", ' "*( '), ("1", "a" * 1001)])
def test_what_cannot_be_searched_is_refused(small: Campaign, topic_id: str, query: str) -> None:
    with pytest.raises((NotThere, CampaignError)) as error:
        search_texts(small, Query(topic_id, query))
    assert says(str(error.value))


def test_a_campaign_without_texts_says_how_to_add_some(tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("1\trivers\n")
    grades = [Grade(0, "No"), Grade(1, "Yes")]
    with new_campaign(tmp_path / "new.db", title="New", grades=grades, actor="Olga") as empty:
        add_topics(empty.by("Olga"), [str(tmp_path / "topics.tsv")])
        with refused(CampaignError):
            search_texts(empty, Query("1", "rivers"))


def test_what_is_found_comes_with_the_part_that_has_the_words(small: Campaign, tmp_path: Path) -> None:
    (tmp_path / "e1.html").write_text("<p>Of <b>cold</b> rivers.<script>alert(1)</script>")
    (tmp_path / "e2.txt").write_text("الكتاب في البرد")
    add_documents(small.by("Olga"), [str(tmp_path / "e1.html"), str(tmp_path / "e2.txt")], keep_all=True)
    (found,) = search_texts(small, Query("1", "cold RIVERS")).found
    assert "script" not in "".join(part.text for part in found.excerpt)
    assert [part.text for part in found.excerpt if part.found] == ["cold", "rivers"]
    (arabic,) = search_texts(small, Query("1", "البرد")).found
    assert [part.text for part in arabic.excerpt if part.found] == ["البرد"]


def test_documents_are_found_with_what_is_pooled_and_judged_for_the_topic(small: Campaign) -> None:
    judge_as(small, "anna", "1", "d1", 2)
    search = search_texts(small, Query("1", "TEXT document"))
    assert search.texts == 5
    assert tuple(each._replace(excerpt=()) for each in search.found) == (
        Found(1, "d1", "Document d1", pooled=True, judged=True),
        Found(2, "d2", "Document d2", pooled=True, judged=False),
        Found(3, "d3", "Document d3", pooled=False, judged=False),
        Found(4, "d4", "Document d4", pooled=True, judged=False),
        Found(5, "d5", "Document d5", pooled=False, judged=False),
    )
