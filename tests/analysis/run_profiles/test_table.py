"""The table of runs tells of each what came in, what it brought, and how much of it is judged."""

from __future__ import annotations

from tests.fixture_types import JudgeAs
from workbench.analysis.run_profiles.contribution import Contribution
from workbench.analysis.run_profiles.table import CUTOFF, run_table
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.pools.making import add_pool
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs


def test_every_run_has_a_row_with_what_it_brought(small: Campaign) -> None:
    alpha, beta = run_table(small).runs
    assert (alpha.run, beta.run) == tuple(runs.all_runs(small))
    assert (alpha.pools, alpha.contribution, alpha.state) == ((1,), Contribution(4, 2, 0), "in")
    assert [warning.message for warning in alpha.run.warnings] == [
        "nothing for 1 of 3 topics: 10; they will score 0"
    ]


def test_the_share_of_judged_documents_is_the_mean_over_judged_topics(
    small: Campaign, judging_as: JudgeAs
) -> None:
    assert [row.judged for row in run_table(small).runs] == [0.0, 0.0]
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d2", 0)
    # Among the first 2: alpha has d1 of topic 1 and d2 of topic 2, beta has d2 of topic 2.
    assert [row.judged for row in run_table(small, cutoff=2).runs] == [0.5, 0.25]
    assert run_table(small).cutoff == CUTOFF


def test_a_withdrawn_run_is_in_the_table_without_a_share(small: Campaign, judging_as: JudgeAs) -> None:
    seq = judging_as(small, "Ann", "1", "d1", 1).judgment.seq
    (out,) = withdraw_runs(small.by("Olga"), ["alpha"])
    alpha, beta = run_table(small).runs
    assert (alpha.run, alpha.judged, alpha.state) == (out, None, "withdrawn")
    assert alpha.contribution == Contribution(4, 2, 1)
    assert beta.judged is not None
    assert run_table(small.at(seq)).runs[0].judged is not None
    assert run_table(small.at(seq)).runs[0].state == "in"


def test_the_live_table_is_that_as_of_the_newest_row(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d1", 1)
    add_pool(small.by("Olga"), depth=3, tags=["beta"])
    live = run_table(small)
    assert live == run_table(small.at(live.seq))
    assert live.runs[1].pools == (1, 2)
