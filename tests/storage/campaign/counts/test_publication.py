"""What a release says about the log is what the log says, counted."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fixture_types import JudgeAs
from workbench.campaign.pools.making import add_pool
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.counts import publication
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.adjudications import disputes
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.log import log


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """A conflict on 1/d1, a change of mind on 1/d2, a special grade, and pairs without a grade."""
    told = [("zoe", "1", "d1", 1), ("anna", "1", "d1", 0), ("zoe", "1", "d2", 2), ("zoe", "1", "d2", 0)]
    told += [("anna", "2", "d1", -2), ("anna", "2", "d2", 1), ("zoe", "2", "d2", 1)]
    for assessor, topic_id, document_id, grade in told:
        judging_as(small, assessor, topic_id, document_id, grade)
    judging_as(small, "anna", "2", "d5", None)
    return small


def test_the_counts_are_those_of_the_qrels_at_every_point_of_the_log(judged: Campaign) -> None:
    add_pool(judged.by("Olga"), depth=3)
    for seq in range(log.newest_seq(judged) + 1):
        labels = qrels(judged.at(seq))
        pooled = {pair.pooled[:2] for pair in pools.pooled_pairs(judged.at(seq))}
        found = publication.labelled(judged.at(seq))
        by_grade = Counter((label.topic_id, label.grade) for label in labels)
        assert {row[:2]: row.pairs for row in found} == by_grade
        unlike = [
            [each.document_id for each in disputes(judged.at(seq), topic_id)] for topic_id in ("1", "2")
        ]
        assert sum(row.conflicts for row in found) == sum(map(len, unlike))
        assert sum(row.pooled for row in found) == sum(label[1:3] in pooled for label in labels)
        assert pools.pooled_by_topic(judged.at(seq)) == Counter(topic_id for topic_id, _ in pooled)


def test_assessors_stand_in_the_order_of_their_first_judgments_and_rows_have_times(judged: Campaign) -> None:
    assert publication.assessors(judged) == ["zoe", "anna"]
    first = next(judgments.log(judged)).seq
    assert publication.assessors(judged.at(first)) == ["zoe"]
    assert sum(publication.judgments_by_kind(judged.at(first)).values()) == 1
    assert publication.written_at(judged, 1) == "2026-03-01T12:00:00.000+00:00"
    assert publication.written_at(judged, 999) is None
    assert publication.span(judged) == ("2026-03-01T12:00:00.000+00:00",) * 2
    assert publication.span(judged.at(1)) is None
