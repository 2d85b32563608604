"""Topics keep every text they ever had; their ids are text in any script."""

from __future__ import annotations

from workbench.core.records import Topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics


def put(campaign: Campaign, *given: Topic) -> int:
    with campaign.write():
        return topics.put(campaign.by("Olga"), given, files=[{"file": "topics.xml"}])


def test_007_is_not_7_and_ids_may_be_in_any_script(campaign: Campaign) -> None:
    ids = ["7", "007", "7.0", "0x7", "%", "_", "'", '"', "Ω", "雪", "٧", "😀", "null", "-7"]
    put(campaign, *(Topic(topic_id, f"title of {topic_id}") for topic_id in ids))
    assert topics.topic_ids(campaign) == sorted(ids, key=str.encode)
    for topic_id in ids:
        found = topics.find(campaign, topic_id)
        assert found is not None
        assert found.topic.title == f"title of {topic_id}"
    assert topics.find(campaign, "07") is None


def test_everything_about_a_topic_is_kept(campaign: Campaign) -> None:
    topic = Topic("1", "A title; with 'quotes'", "Line\nbreak", "N\0rrative", {"domain": "雪", "a b": ""})
    version = put(campaign, topic)
    assert topics.find(campaign, "1") == (topic, version)
    assert topics.all_topics(campaign) == [(topic, version)]
    assert topics.by_id(campaign) == {"1": (topic, version)}


def test_a_version_is_one_only_if_it_was_this_topics(campaign: Campaign) -> None:
    first = put(campaign, Topic("1", "rivers"), Topic("2", "lakes"))
    second = put(campaign, Topic("2", "warm lakes"))
    assert [topics.had_version(campaign, "1", version) for version in (0, first, second, 99)] == [
        False,
        True,
        False,
        False,
    ]
    assert topics.had_version(campaign, "2", first)
    assert topics.had_version(campaign, "2", second)


def test_as_of_a_place_there_are_the_topics_of_that_time_with_their_texts(campaign: Campaign) -> None:
    first = put(campaign, Topic("1", "rivers"))
    second = put(campaign, Topic("1", "frozen rivers"), Topic("2", "lakes"))
    told = {seq: topics.find(campaign.at(seq), "1") for seq in (0, first, second, None)}
    newest = (Topic("1", "frozen rivers"), second)
    assert told == {0: None, first: (Topic("1", "rivers"), first), second: newest, None: newest}
    assert topics.find(campaign.at(first), "2") is None
    assert topics.by_id(campaign.at(first)) == {"1": (Topic("1", "rivers"), first)}
    put(campaign, Topic("10", ""))
    assert [topics.topic_ids(campaign.at(seq)) for seq in (0, second, None)] == [
        [],
        ["1", "2"],
        ["1", "10", "2"],
    ]
    assert [topics.find(campaign.at(seq), "3") for seq in (second, None)] == [None, None]
