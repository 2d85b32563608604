from __future__ import annotations

from workbench.cli.demo.topics import GRADES, TOPICS


def test_there_are_at_least_24_topics_with_ids_and_titles_of_their_own() -> None:
    assert len(TOPICS) >= 24
    assert len({topic.topic_id for topic in TOPICS}) == len({topic.title for topic in TOPICS}) == len(TOPICS)


def test_a_topic_asks_one_question_and_its_narrative_says_what_each_grade_means() -> None:
    for topic in TOPICS:
        assert topic.title
        assert (topic.description[-1], topic.description.count("?")) == ("?", 1)
        assert all(grade in topic.narrative for grade in ("Highly relevant:", " Relevant:", "not relevant"))


def test_every_grade_has_a_line_of_guideline() -> None:
    assert [grade.grade for grade in GRADES] == [0, 1, 2]
    assert all(grade.name and grade.guideline for grade in GRADES)
