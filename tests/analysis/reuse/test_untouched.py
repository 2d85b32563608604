"""Topics of which nothing is judged."""

from __future__ import annotations

import pytest

from tests.analysis.reuse.conftest import Made
from workbench.analysis.reuse.by_chance import FEWEST_FOR_OTHERS
from workbench.analysis.reuse.stopping import if_stopped
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign

JUDGED = [f"{number:02}" for number in range(FEWEST_FOR_OTHERS)]
OTHERS = ["90", "91", "92"]


def judged_whole(made: Made) -> Campaign:
    """Run `always` begins with a relevant document on each topic and `never` does not; `some` lacks topic 92."""
    runs = {
        "always": ("A", dict.fromkeys([*JUDGED, *OTHERS], "d1 d2")),
        "never": ("B", dict.fromkeys([*JUDGED, *OTHERS], "d2 d1")),
        "some": ("C", dict.fromkeys([*JUDGED, *OTHERS[:2]], "d1 d2")),
    }
    return made(runs, {topic: {"d1": 1, "d2": 0} for topic in JUDGED}, depth=2)


def test_each_run_scores_on_them_as_on_the_others_and_no_more_than_is_possible(made: Made) -> None:
    found = if_stopped(judged_whole(made), "P@1", draws=40)
    ranges = {run.run: (run.low, run.high) for run in found.ranges}
    topics = FEWEST_FOR_OTHERS + 3
    assert ranges == {
        "always": pytest.approx((1.0, 1.0)),
        "never": pytest.approx((0.0, 0.0)),
        "some": pytest.approx(((topics - 1) / topics, (topics - 1) / topics)),
    }


def test_a_mean_that_weighs_topics_by_relevant_documents_is_refused(made: Made) -> None:
    with pytest.raises(CampaignError, match="of some topics nothing is judged; take another mean"):
        if_stopped(judged_whole(made), "AP(mean=micro)")
