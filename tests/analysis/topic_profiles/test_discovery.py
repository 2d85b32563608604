"""How the relevant documents of a topic were found."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.analysis.topic_profiles import Found, follow, history_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades.rows_over_time import LoggedGrade
from workbench.storage.campaign.grades.sources import Vote
from workbench.storage.campaign.log import log


def test_each_judgment_of_the_topic_is_a_point(judged: Campaign) -> None:
    newest = log.newest_seq(judged)
    assert history_of(judged, "1") == [Found(newest - 2, 1, 1, 0), Found(newest - 1, 2, 2, 1)]
    assert history_of(judged.at(newest - 2), "1") == [Found(newest - 2, 1, 1, 0)]
    assert history_of(judged, "10") == []


def test_the_newest_grade_in_force_counts_as_in_qrels() -> None:
    given = [("Ann", 1), ("Ben", 0), ("Ben", None), ("Ann", None)]
    said = [LoggedGrade(seq, "1", "d1", *each) for seq, each in enumerate(given, start=1)]
    found = [Found(1, 1, 1, 1), Found(2, 2, 1, 0), Found(3, 3, 1, 1), Found(4, 4, 0, 0)]
    assert follow(said, relevant_from=1) == found
    assert follow(said[:1], relevant_from=2) == [Found(1, 1, 1, 0)]


def test_the_rule_of_labels_is_told_who_said_what_and_as_what() -> None:
    told: list[list[tuple[str, str]]] = []

    def last(votes: Sequence[Vote]) -> int:
        told.append([(vote.assessor, vote.kind) for vote in votes])
        return votes[-1].grade

    said = [
        LoggedGrade(1, "1", "d1", "Ann", 1),
        LoggedGrade(2, "1", "d1", "Ann", 0, "model"),
        LoggedGrade(3, "1", "d1", None, 2),
        LoggedGrade(4, "1", "d1", "Ann", 0),
    ]
    assert [found.relevant for found in follow(said, 1, last)] == [1, 0, 1, 0]
    assert told == [
        [("Ann", "grade")],
        [("Ann", "grade"), ("Ann", "model")],
        [("Ann", "grade"), ("Ann", "model"), ("", "adjudication")],
        [("Ann", "model"), ("", "adjudication"), ("Ann", "grade")],
    ]
