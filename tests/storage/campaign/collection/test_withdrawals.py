"""Runs are taken out and put back by events of the log, so that every point of it has its own runs."""

from __future__ import annotations

import numpy as np

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, withdrawals
from workbench.storage.campaign.collection.rankings import load_grid, load_rankings
from workbench.storage.campaign.log import log


def taken_out(campaign: Campaign, run: int, tag: str) -> int:
    with campaign.write():
        return withdrawals.withdraw(campaign.by("Olga"), run, tag, reason="broken")


def put_back(campaign: Campaign, run: int, tag: str) -> int:
    with campaign.write():
        return withdrawals.restore(campaign.by("Olga"), run, tag)


def in_force(campaign: Campaign, as_of: int | None = None) -> list[str]:
    return [run.record.tag for run in runs.in_force(campaign.at(as_of))]


def test_every_point_of_the_log_has_its_own_runs(small: Campaign) -> None:
    start = log.newest_seq(small)
    out = taken_out(small, 1, "alpha")
    both_out = taken_out(small, 2, "beta")
    back = put_back(small, 1, "alpha")
    assert (out, both_out, back) == (start + 1, start + 2, start + 3)
    assert in_force(small, start) == ["alpha", "beta"]
    assert in_force(small, out) == ["beta"]
    assert in_force(small, both_out) == []
    assert in_force(small, back) == in_force(small) == ["alpha"]
    assert withdrawals.withdrawn(small) == {2: both_out}


def test_a_withdrawn_run_stays_among_all_runs_and_names_the_row_that_took_it_out(small: Campaign) -> None:
    out = taken_out(small, 1, "alpha")
    assert [(run.record.tag, run.withdrawn) for run in runs.all_runs(small)] == [
        ("alpha", out),
        ("beta", None),
    ]
    assert [run.withdrawn for run in runs.all_runs(small.at(out - 1))] == [None, None]
    assert {row.run for row in runs.packed_rankings(small)} == {1, 2}


def test_the_steps_say_who_when_and_why(small: Campaign) -> None:
    out = taken_out(small, 1, "alpha")
    put_back(small, 1, "alpha")
    first, second = withdrawals.steps(small)
    assert (first.seq, first.actor, first.kind) == (out, "Olga", "withdrawal")
    assert first.content == {"run": 1, "tag": "alpha", "reason": "broken"}
    assert (second.kind, second.content["reason"]) == ("restoration", "")
    assert withdrawals.steps(small.at(out)) == [first]


def test_rankings_are_loaded_without_those_of_withdrawn_runs(small: Campaign) -> None:
    before = load_grid(small)
    out = taken_out(small, 1, "alpha")
    stored = load_rankings(small, with_scores=True)
    assert [run.record.tag for run in stored.runs] == ["beta"]
    assert set(stored.rankings.run) == {0}
    assert len(stored.rankings.document) == 6
    assert len(load_grid(small).rankings) == 3
    earlier = load_grid(small.at(out - 1))
    assert np.array_equal(earlier.rankings.document, before.rankings.document)
