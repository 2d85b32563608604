"""Sampling designs in simulations: scored by the estimates, with every candidate that was drawn judged."""

from __future__ import annotations

import polars as pl
import pytest

from tests.analysis.simulating.alone import simulate, simulation_of
from tests.sentences import says
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
            {"topic_id": [*"1" * 8, *"2" * 8], "document_id": [*ids] * 2, "score": [*range(8, 0, -1)] * 2},
            schema_overrides={"score": pl.Float64},
        )
        for ids in RUNS.values()
    ]
    grades = [int(document in RELEVANT) for document in "abcdefgh"] * 2
    qrels = pl.DataFrame(
        {"topic_id": [*"1" * 8, *"2" * 8], "document_id": [*"abcdefgh"] * 2, "grade": grades}
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
    ("names", "measure", "estimates"),
    [
        (["uniform", "pps", "rrf"], "AP", ["xinfAP", "statAP", ""]),
        (["pps", "pps(p=0.5)"], "P@5", ["statP@5", "statP@5"]),
        (["uniform"], "nDCG@10", [""]),
    ],
)
def test_samples_are_scored_by_what_the_registry_estimates_the_measure_with_as_the_verdict_says(
    collection: Collection, names: list[str], measure: str, estimates: list[str]
) -> None:
    chosen = named_strategies(names, 8)
    found = simulation_of(collection, chosen, [50.0], parse_measure(measure), seeds=2)
    assert [{replay.estimate for replay in row.replays} for row in found.rows] == [{one} for one in estimates]
    assert says(
        "\n".join(sentence for sentence in found.verdict if sentence.startswith("What ")), measure[:2]
    )
    whole = simulation_of(collection, chosen, [100.0], parse_measure(measure), seeds=2)
    assert not [sentence for sentence in whole.verdict if sentence.startswith("What ")]


def test_strata_have_one_row_with_the_share_that_they_draw(collection: Collection) -> None:
    (row,) = simulated(collection, "strata(strata=1-1:100%,2-8:40%)", [5.0, 10.0])
    # First are a, h and c; of the other five two are drawn, in both topics.
    assert (row.judged, row.budget, len(row.replays)) == (10, 62.5, 2)
    assert row.recall == 1.0


def test_without_names_designs_with_a_budget_are_simulated() -> None:
    names = {one.name for one in named_strategies([], 8)}
    assert {"pps", "uniform", "hedge", "depth"} <= names
    assert "strata" not in names
