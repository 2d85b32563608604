from __future__ import annotations

import pytest

from workbench.cli.demo.topics import GRADES, TOPICS
from workbench.core.records import Topic

each_topic = pytest.mark.parametrize("topic", TOPICS, ids=[topic.topic_id for topic in TOPICS])


def test_there_are_at_least_24_topics_with_ids_and_titles_of_their_own() -> None:
    assert len(TOPICS) >= 24
    assert len({topic.topic_id for topic in TOPICS}) == len({topic.title for topic in TOPICS}) == len(TOPICS)


@each_topic
def test_a_topic_asks_one_question(topic: Topic) -> None:
    assert topic.title
    assert topic.description.endswith("?")
    assert topic.description.count("?") == 1


@each_topic
def test_a_narrative_says_what_each_grade_means(topic: Topic) -> None:
    assert "Highly relevant:" in topic.narrative
    assert " Relevant:" in topic.narrative
    assert "not relevant" in topic.narrative


def test_every_grade_has_a_line_of_guideline() -> None:
    assert [grade.grade for grade in GRADES] == [0, 1, 2]
    assert all(grade.name and grade.guideline for grade in GRADES)
