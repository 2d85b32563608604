"""The figure of how the order of runs settled says what the engine says."""

from __future__ import annotations

from tests.fixture_types import JudgeAs
from tests.sentences import refused
from workbench.analysis.figures import draw
from workbench.analysis.trust.stability import stability
from workbench.core.errors import UnknownName
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_every_moment_has_the_correlations_of_the_engine(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d4", 1)
    then = log.newest_seq(small)
    judging_as(small, "Ann", "1", "d1", 1)
    for asked, as_of in (({"measure": ["RR"]}, None), ({"measure": ["RR"], "as_of": [str(then)]}, then)):
        points = stability(small.at(as_of), "RR")
        told = [
            (row["row"], row["statistic"], row["correlation"])
            for row in draw(small, "ranking-stability", asked).rows
        ]
        assert told == [
            (point.seq, name, value)
            for name, field in (("tau_b", "tau_b"), ("tau_AP,b", "tau_ap_b"))
            for point in points
            if (value := getattr(point.agreement, field)) is not None
        ]


def test_before_the_first_judgment_there_is_nothing_to_draw(small: Campaign) -> None:
    with refused(UnknownName):
        draw(small, "ranking-stability", {})
