"""All pairs of runs: order, letters, and the shares of significant pairs known for real runs."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import workbench as wb
from tests.clusters import without_processes
from workbench.analysis.comparing.all_pairs import all_pairs, pairs_of
from workbench.analysis.comparing.scores import Scored
from workbench.analysis.trust.bounds import Detail, Details
from workbench.analysis.trust.intervals import all_intervals, is_level
from workbench.jobs.cluster import Workers
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def scored(values: NDArray[np.float64], measure: str = "AP") -> Scored:
    tags = tuple(f"run{number}" for number in range(values.shape[1]))
    topic_ids = tuple(str(number) for number in range(len(values)))
    return Scored(1, parse_measure(measure), topic_ids, tags, values, values.mean(axis=0))


def three_levels(measure: str = "AP") -> Scored:
    """Four runs on 30 topics: about .2, .5, .2 and .8."""
    noise = np.random.default_rng(1).normal(0, 0.02, (30, 4))
    return scored(np.array([0.2, 0.5, 0.2, 0.8]) + noise, measure)


def test_runs_stand_by_their_means_and_share_letters_where_they_do_not_differ() -> None:
    found = pairs_of(three_levels(), permutations=300)
    assert found.tags[:2] == ("run3", "run1")
    assert found.letters == ("a", "b", "c", "c")
    assert [found.differs_from_best(run) for run in range(4)] == [False, True, True, True]
    assert (found.pairs, found.significant(found.randomised_tukey)) == (6, 5)
    assert found.discriminative_power(found.holm) == pytest.approx(5 / 6)


def test_what_differs_from_the_best_is_what_the_leaderboard_leaves_without_a_mark() -> None:
    values = np.random.default_rng(4).normal(0.5, 0.2, (30, 6)) + np.linspace(0, 0.25, 6)
    found = pairs_of(scored(values), permutations=20)
    detail = Detail(found.measure, found.values, found.means, None)
    (board,) = all_intervals(Details(log.Head(1, b""), found.tags, found.tags, (detail,)))
    assert board.p_values is not None
    assert found.to_the_best.tolist() == board.p_values.tolist()
    differ = [found.differs_from_best(run) for run in range(6)]
    assert differ == [not is_level(p) for p in board.p_values.tolist()]
    assert set(differ) == {True, False}


def test_a_baseline_is_compared_with_all_by_max_t() -> None:
    found = pairs_of(three_levels(), baseline="run0", permutations=300)
    assert found.max_t is not None
    assert found.max_t[found.tags.index("run0")] == 1
    assert found.max_t[found.tags.index("run3")] == 1 / 301
    assert found.max_t[found.tags.index("run2")] > 0.05


def test_corrections_never_lower_a_p_value() -> None:
    found = pairs_of(scored(np.random.default_rng(3).random((30, 6))), permutations=100)
    assert (found.holm >= found.paired_t).all()
    assert (found.benjamini_hochberg >= found.paired_t - 1e-15).all()
    assert (np.diag(found.holm) == 1).all()


def test_all_pairs_of_a_campaign(judged: Campaign, empty: Campaign) -> None:
    told: list[int] = []
    found = all_pairs(judged, "AP", permutations=50, progress=told.append)
    assert (found.tags, found.topics, sum(told)) == (("beta", "alpha"), 3, 50)
    assert found.letters == ("a", "a")
    assert all_pairs(judged, tags=["alpha"], permutations=10).tags == ("alpha",)
    found = all_pairs(judged.at(6), permutations=20, baseline="alpha")  # nothing is judged
    assert (found.letters, found.significant(found.paired_t)) == (("a", "a"), 0)
    found = all_pairs(empty)
    assert (found.tags, found.letters, found.pairs) == ((), (), 0)


@pytest.mark.data
def test_the_share_of_significant_pairs_is_that_known_for_robust_2003(data_folder: Path) -> None:
    folder = data_folder / "robust03"
    names = ["P@10", "RBP(p=0.8)", "nDCG@10"]
    found = wb.evaluate(folder / "qrels.txt", sorted((folder / "runs").glob("*.gz")), names)
    pairs = [
        pairs_of(scored(values.by_topic), permutations=2000) for values in found.evaluation.scores.values()
    ]
    shares = [
        [each.discriminative_power(p) for p in (each.paired_t, each.benjamini_hochberg)] for each in pairs
    ]
    assert [[round(share, 3) for share in exact] for exact in shares] == [
        [0.647, 0.596],
        [0.640, 0.603],
        [0.632, 0.551],
    ]
    drawn = [each.discriminative_power(each.randomised_tukey) for each in pairs]
    assert drawn == pytest.approx([0.338, 0.316, 0.316], abs=0.03)


def test_rounds_that_others_do_in_parts_are_those_of_one_process_whichever_ends_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = without_processes(monkeypatch, "workbench.analysis.comparing.all_pairs")
    monkeypatch.setattr(sys.modules[pairs_of.__module__], "BLOCKS_IN_A_TASK", 2)
    scores, told = scored(np.random.default_rng(2).random((50, 100))), list[int]()
    alone = pairs_of(scores, permutations=1_000).randomised_tukey
    found = pairs_of(
        scores, permutations=1_000, workers=Workers(number=2), progress=told.append
    ).randomised_tukey
    assert (found == alone).all()
    assert (len(told) > 1, sum(told), asked) == (True, 1_000, [Workers(number=2)])
