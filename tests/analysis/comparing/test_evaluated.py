"""Runs compared from memory, as `wb.evaluate` scored them."""

from __future__ import annotations

import pytest

import workbench as wb
from workbench.core.errors import CampaignError, NotThere, UnknownName

QRELS = {"1": {"d1": 1, "d4": 0}, "10": {"d6": 1}, "2": {"d2": 2}}
ALPHA = {"1": {"d1": 3, "d2": 2, "d3": 1}, "2": {"d1": 2, "d2": 1}}
BETA = {"1": {"d4": 3, "d2": 2, "d1": 1}, "2": {"d2": 2, "d5": 1}, "10": {"d6": 1}}
RUNS = {"alpha": ALPHA, "beta": BETA}


def test_two_runs_by_hand() -> None:
    found = wb.evaluate(QRELS, RUNS, ["AP", "P@1"]).compare()
    (beta,) = found.differences
    assert found.baseline == "alpha"
    assert beta.by_topic.tolist() == pytest.approx([-2 / 3, 1, 0.5])
    assert beta.randomisation.p_value == 0.75
    found = wb.evaluate(QRELS, RUNS, ["AP", "P@1"]).compare(["alpha"], measure="P@1", baseline="beta")
    assert found.tags == ("beta", "alpha")
    assert found.differences[0].by_topic.tolist() == [1, -1, -1]


def test_topics_that_a_run_lacks_are_left_out_when_asked_for() -> None:
    found = wb.evaluate(QRELS, RUNS, "AP", complete=False).compare()
    assert found.topic_ids == ("1", "2")


def test_all_pairs_of_runs_in_memory() -> None:
    found = wb.evaluate(QRELS, RUNS, "AP").all_pairs(permutations=50, baseline="alpha")
    assert (found.tags, found.letters) == (("beta", "alpha"), ("a", "a"))
    assert found.max_t is not None


def test_what_is_not_there_is_an_error() -> None:
    scores = wb.evaluate(QRELS, RUNS, ["AP", "P@1"])
    with pytest.raises(UnknownName, match=r"asked for: AP, P@1"):
        scores.compare(measure="RR")
    with pytest.raises(NotThere, match="gamma"):
        scores.compare(["alpha", "gamma"])
    with pytest.raises(CampaignError, match="two different runs"):
        scores.compare(["alpha"])
