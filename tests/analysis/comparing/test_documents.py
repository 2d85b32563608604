"""The documents that make the difference between alpha (d1 d2 d3) and beta (d4 d2 d1) on topic 1."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import refused
from workbench.analysis.comparing.documents import influential_documents
from workbench.analysis.comparing.scores import scores_of
from workbench.core.errors import NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_a_relevant_document_tells_by_how_much_the_difference_would_shrink_without_it(
    judged: Campaign,
) -> None:
    found = influential_documents(judged, "beta", "alpha", "1")
    assert (found.score, found.baseline_score) == (pytest.approx(1 / 3), 1)
    (d1,) = found.judged
    assert (d1.document_id, d1.grade, d1.rank, d1.baseline_rank) == ("d1", 1, 3, 1)
    assert d1.effect == pytest.approx(-2 / 3)  # without it both score 0


def test_an_unjudged_document_tells_what_it_would_add_if_it_were_relevant(judged: Campaign) -> None:
    # d2 at rank 2 of both: alpha stays at 1, beta rises to (1/2 + 2/3) / 2. d3 lowers and raises both alike.
    (d2,) = influential_documents(judged, "beta", "alpha", "1").unjudged
    assert (d2.document_id, d2.grade, d2.rank, d2.baseline_rank) == ("d2", None, 2, 2)
    assert d2.effect == pytest.approx(1 / 4)


def test_what_waits_for_a_judgment_is_not_among_what_is_judged(judged: Campaign) -> None:
    # Any grade of d1, which alpha has first and beta lacks, would make one more of alpha's documents a judged one.
    found = influential_documents(judged, "beta", "alpha", "2", measure="Judged@1")
    assert (found.score, found.baseline_score, found.judged) == (1, 0, ())
    assert [each.document_id for each in found.unjudged] == ["d1"]


def test_a_topic_that_a_run_lacks_scores_0(judged: Campaign) -> None:
    found = influential_documents(judged, "alpha", "beta", "10")
    assert (found.score, found.baseline_score) == (0, 1)
    assert [(each.document_id, each.rank, each.effect) for each in found.judged] == [("d6", None, -1)]


@pytest.mark.parametrize("measure", ["P@1", "nDCG@10", "Bpref", "RBP(p=0.8)", "RR"])
def test_scores_are_those_of_the_leaderboard(judged: Campaign, measure: str) -> None:
    scores = scores_of(judged, measure).of_runs(["beta", "alpha"])
    assert scores.topic_ids
    for topic, topic_id in enumerate(scores.topic_ids):
        found = influential_documents(judged, "beta", "alpha", topic_id, measure=measure)
        assert [found.score, found.baseline_score] == scores.values[topic].tolist()


def test_as_of_a_row_later_judgments_do_not_count(judged: Campaign, judging_as: JudgeAs) -> None:
    before = log.newest_seq(judged)
    judging_as(judged, "ann", "1", "d2", 1)
    for campaign, known in ((judged, ["d1", "d2"]), (judged.at(before), ["d1"])):
        found = influential_documents(campaign, "beta", "alpha", "1")
        assert [each.document_id for each in found.judged] == known


def test_a_topic_or_run_that_is_not_there_is_an_error(judged: Campaign) -> None:
    with pytest.raises(NotThere, match="no topic '11'"):
        influential_documents(judged, "beta", "alpha", "11")
    with refused(NotThere, "gamma"):
        influential_documents(judged, "gamma", "alpha", "1")
