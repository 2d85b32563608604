"""Sampling designs in simulations: scored by the estimates, with every candidate that was drawn judged."""

from __future__ import annotations

import polars as pl
import pytest

from tests.analysis.simulating.alone import simulate, simulation_of
from workbench.analysis.simulating.collection import Collection, collection_of
from workbench.analysis.simulating.selection import named_strategies
from workbench.analysis.simulating.simulate import Simulated
from workbench.core.ranking import pack_rankings
from workbench.methods.measures import parse_measure

RUNS = {"one": "abcdefgh", "two": "hgfedcba", "three": "cadhbgef"}
RELEVANT = "ahc"


@pytest.fixture
def collection() -> Collection:
    """Three runs of the same eight documents for two topics, of which three are relevant."""
    frames = [
        pl.DataFrame(
            {
                "topic_id": [topic] * 8,
                "document_id": list(documents),
                "score": [float(8 - place) for place in range(8)],
            }
        )
        for documents in RUNS.values()
        for topic in ["1"]
    ]
    frames = [pl.concat([frame, frame.with_columns(topic_id=pl.lit("2"))]) for frame in frames]
    qrels = pl.DataFrame(
        {
            "topic_id": [topic for topic in "12" for _ in range(8)],
            "document_id": list("abcdefgh") * 2,
            "grade": [int(document in RELEVANT) for document in "abcdefgh"] * 2,
        }
    )
    return collection_of(pack_rankings(frames, qrels), 3, 8)


def simulated(
    collection: Collection, name: str, budgets: list[float], measure: str = "AP"
) -> list[Simulated]:
    return list(simulate(collection, named_strategies([name], 8), budgets, parse_measure(measure), seeds=2))


@pytest.mark.parametrize("name", ["pps", "uniform", "uniform(whole=1)"])
def test_the_whole_pool_drawn_gives_the_scores_of_the_whole_pool(collection: Collection, name: str) -> None:
    half, whole = simulated(collection, name, [50.0, 100.0])
    assert (half.judged, whole.judged, whole.recall) == (8, 16, 1.0)
    assert half.rmse > whole.rmse == 0


@pytest.mark.parametrize(
    ("name", "measure", "estimate"),
    [
        ("pps", "AP", "statAP"),
        ("uniform", "AP", "xinfAP"),
        ("pps", "P@5", "statP@5"),
        ("uniform", "nDCG@10", ""),
        ("rrf", "AP", ""),
    ],
)
def test_samples_are_scored_by_what_the_registry_estimates_the_measure_with(
    collection: Collection, name: str, measure: str, estimate: str
) -> None:
    (row,) = simulated(collection, name, [50.0], measure)
    assert {replay.estimate for replay in row.replays} == {estimate}


@pytest.mark.parametrize(
    ("names", "measure", "said"),
    [
        (
            ["uniform", "pps", "rrf"],
            "AP",
            [
                "What uniform draws is scored by the estimate xinfAP.",
                "What pps draws is scored by the estimate statAP.",
            ],
        ),
        (["pps", "pps(p=0.5)"], "P@5", ["What pps, pps(p=0.5) draw is scored by the estimate statP@5."]),
        (["uniform"], "nDCG@10", ["What uniform draws is scored plainly, since nothing estimates nDCG@10."]),
        (["rrf"], "AP", []),
    ],
)
def test_the_verdict_says_by_what_samples_are_scored(
    collection: Collection, names: list[str], measure: str, said: list[str]
) -> None:
    chosen = named_strategies(names, 8)
    for budgets, sentences in (([25.0, 50.0, 100.0], said), ([100.0], [])):
        found = simulation_of(collection, chosen, budgets, parse_measure(measure), seeds=2)
        assert [sentence for sentence in found.verdict if sentence.startswith("What ")] == sentences


def test_strata_have_one_row_with_the_share_that_they_draw(collection: Collection) -> None:
    (row,) = simulated(collection, "strata(strata=1-1:100%,2-8:40%)", [5.0, 10.0])
    # First are a, h and c; of the other five two are drawn, in both topics.
    assert (row.judged, row.budget, len(row.replays)) == (10, 62.5, 2)
    assert row.recall == 1.0


def test_without_names_designs_with_a_budget_are_simulated() -> None:
    names = {one.name for one in named_strategies([], 8)}
    assert {"pps", "uniform", "hedge", "depth"} <= names
    assert "strata" not in names
