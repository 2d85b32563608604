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
from workbench.core.errors import CampaignError, NotThere
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_scores_are_by_topic_and_run_with_the_means_of_the_leaderboard(judged: Campaign) -> None:
    found = scores_of(judged, "AP")
    assert found.topic_ids == ("1", "10", "2")
    assert found.values.tolist() == [[1, 1 / 3], [0, 1], [0.5, 1]]
    assert found.means.tolist() == [row.values[0] for row in score_campaign(judged, ["AP"]).rows]
    assert found.seq == log.newest_seq(judged)
    turned = found.of_runs(["beta", "alpha"])
    assert (turned.tags, turned.values[0].tolist()) == (("beta", "alpha"), [1 / 3, 1])
    then = scores_of(judged.at(found.seq - 3), "AP")
    assert (then.topic_ids, then.values.tolist()) == (("1",), [[1, 1 / 3]])


def test_a_run_that_is_not_there_is_named_with_the_nearest_or_the_first_five(judged: Campaign) -> None:
    found = scores_of(judged)
    many = ("a", "b", "c", "d", "e", "f")
    for tag, tags in (("alhpa", found.tags), ("xyz", many), ("xyz", many[:5]), ("xyz", ())):
        with refused(NotThere, tag, ", ".join(tags[:5]) if tag == "xyz" else ""):
            found._replace(tags=tags).column(tag)


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
    relevant = scores_of(judged, "AP(mean=micro)").num_rel
    assert relevant is not None
    for kind, expected in (
        ("arithmetic", values),
        ("geometric", np.log(floored)),
        ("harmonic", -1 / floored),
        ("micro", values * relevant[:, None]),
    ):
        assert scores_of(judged, f"AP(mean={kind})").summands == pytest.approx(expected)
