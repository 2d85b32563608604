"""Where comparisons take their scores from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.sentences import refused
from workbench.analysis.comparing.all_pairs import pairs_of
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.runs import compare, compare_runs
from workbench.analysis.comparing.scores import Scored, averaged, scores_of
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_scores_are_by_topic_and_run_with_the_means_of_the_leaderboard(judged: Campaign) -> None:
    found = scores_of(judged, "AP")
    assert found.topic_ids == ("1", "10", "2")
    assert found.values.tolist() == [[1, 1 / 3], [0, 1], [0.5, 1]]
    assert found.means.tolist() == [row.values[0] for row in score_campaign(judged, ["AP"]).rows]
    assert found.seq == log.newest_seq(judged)


def test_scores_as_of_a_row_are_those_of_that_time(judged: Campaign) -> None:
    first_judgment = log.newest_seq(judged) - 3
    found = scores_of(judged.at(first_judgment), "AP")
    assert found.topic_ids == ("1",)
    assert found.values.tolist() == [[1, 1 / 3]]


def test_runs_can_be_chosen_in_any_order(judged: Campaign) -> None:
    found = scores_of(judged).of_runs(["beta", "alpha"])
    assert found.tags == ("beta", "alpha")
    assert found.values[0].tolist() == [1 / 3, 1]


def test_a_run_that_is_not_there_is_named_with_its_neighbours(judged: Campaign) -> None:
    with refused(NotThere, "alhpa"):
        scores_of(judged).column("alhpa")


def test_of_many_runs_the_first_five_are_named_and_of_none_that_there_are_none(judged: Campaign) -> None:
    many = scores_of(judged)._replace(tags=("a", "b", "c", "d", "e", "f"))
    with pytest.raises(NotThere, match=r"no run 'xyz'; there are a, b, c, d, e and 1 more$"):
        many.column("xyz")
    with pytest.raises(NotThere, match=r"there are a, b, c, d, e$"):
        many._replace(tags=many.tags[:5]).column("xyz")
    with refused(NotThere, "xyz"):
        many._replace(tags=()).column("xyz")


def test_a_measure_that_does_not_exist_is_an_error(judged: Campaign) -> None:
    with pytest.raises(UnknownName):
        scores_of(judged, "nDGC@10")


@pytest.mark.parametrize(
    "name", ["NumRelRet", "AP(mean=geometric)", "AP(mean=harmonic)", "AP(mean=micro)", "AP(mean=arithmetic)"]
)
def test_every_run_has_the_number_that_stands_on_the_leaderboard(judged: Campaign, name: str) -> None:
    for as_of in (None, log.newest_seq(judged)):
        found = scores_of(judged.at(as_of), name)
        assert found.means.tolist() == [row.values[0] for row in score_campaign(judged, [name]).rows]
        by_sums = np.argsort(found.summands.sum(axis=0), kind="stable").tolist()
        assert by_sums == np.argsort(found.means, kind="stable").tolist()


def test_differences_by_topic_are_refused_for_means_that_they_tell_nothing_of(judged: Campaign) -> None:
    refuse: tuple[Callable[[Scored], object], ...] = (averaged, pairs_of, compare, plan_topics)
    for name in ("AP(mean=geometric)", "AP(mean=harmonic)", "AP(mean=micro)", "gm_map"):
        scored = scores_of(judged, name)
        for function in refuse:
            with refused(CampaignError):
                function(scored)
    assert averaged(scores_of(judged, "AP(mean=arithmetic)")).topic_ids


def test_sums_of_counts_differ_by_sums(judged: Campaign) -> None:
    found = compare_runs(judged, ["beta", "alpha"], measure="NumRelRet")
    (one,) = found.differences
    assert one.difference == one.by_topic.sum() == found.means[1] - found.means[0]
    assert one.interval is None  # of three topics


def test_what_topics_add_to_a_number_is_by_the_mean_that_it_is(judged: Campaign) -> None:
    values, floor = np.array([[1, 1 / 3], [0, 1], [0.5, 1]]), 1e-5
    floored = np.maximum(values, floor)
    found = {
        kind: scores_of(judged, f"AP(mean={kind})").summands
        for kind in ("arithmetic", "geometric", "harmonic", "micro")
    }
    relevant = scores_of(judged, "AP(mean=micro)").num_rel
    assert relevant is not None
    assert found["arithmetic"] == pytest.approx(values)
    assert found["geometric"] == pytest.approx(np.log(floored))
    assert found["harmonic"] == pytest.approx(-1 / floored)
    assert found["micro"] == pytest.approx(values * relevant[:, None])
