"""How many topics, from the variance of the runs there are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.sentences import refused
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.scores import Scored, scores_of
from workbench.core.errors import CampaignError
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign


def test_the_plan_of_a_campaign(judged: Campaign) -> None:
    found = plan_topics(scores_of(judged, "AP"), differences=(0.5,), topics=(10,))
    sd = np.std([-2 / 3, 1, 0.5], ddof=1)
    assert (found.topics, found.runs) == (3, 2)
    assert (found.sd, found.sd_low, found.sd_high) == pytest.approx((sd, sd, sd))
    assert found.needed[0].topics == 25  # 23 by the normal approximation: (2.8016 sd / 0.5)^2 = 22.96
    shift = found.detected[0].difference * np.sqrt(10) / sd
    assert stats.nct.sf(stats.t.isf(0.025, 9), 9, shift) == pytest.approx(0.8, abs=1e-4)


def test_the_residues_of_all_runs_tell_the_same_spread_where_runs_vary_alike() -> None:
    values = np.random.default_rng(1).normal(0.4, 0.1, (400, 8))
    tags = tuple("abcdefgh")
    topic_ids = tuple(map(str, range(400)))
    found = plan_topics(Scored(1, parse_measure("AP"), topic_ids, tags, values, values.mean(axis=0)))
    assert found.sd == pytest.approx(found.sd_residual, rel=0.05)
    assert found.sd == pytest.approx(0.1 * np.sqrt(2), rel=0.05)
    assert [each.topics for each in found.needed] == sorted(
        (each.topics for each in found.needed), reverse=True
    )


def test_before_any_judgment_nothing_is_known_about_the_variance(small: Campaign, empty: Campaign) -> None:
    for campaign in (small, empty):
        with refused(CampaignError):
            plan_topics(scores_of(campaign, "AP"))
