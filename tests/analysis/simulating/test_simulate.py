"""Simulations worked out by hand: two runs of three documents, and Robust 2003 against known figures."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.analysis.simulating.alone import simulate
from tests.sentences import refused
from workbench.analysis.simulating.collection import Collection, collection_from_files, collection_of
from workbench.analysis.simulating.selection import named_strategies, read_budgets
from workbench.analysis.simulating.simulate import Simulated
from workbench.core.errors import InputError, UnknownName
from workbench.core.ranking import pack_rankings
from workbench.methods.measures import parse_measure

AP = parse_measure("AP")


def run_of(documents: str) -> pl.DataFrame:
    scores = [float(len(documents) - place) for place in range(len(documents))]
    return pl.DataFrame({"topic_id": ["1"] * len(documents), "document_id": list(documents), "score": scores})


@pytest.fixture
def two_runs() -> Collection:
    """The runs abx and cay, b and c relevant, x not judged; y is relevant, but below the depth 2 of the pool abc."""
    qrels = pl.DataFrame({"topic_id": ["1"] * 4, "document_id": list("abcy"), "grade": [0, 1, 2, 1]})
    return collection_of(pack_rankings([run_of("abx"), run_of("cay")], qrels), 2, 2)


def simulated(collection: Collection, *names: str, budgets: str = "33%,67%,100%") -> list[Simulated]:
    return list(simulate(collection, named_strategies(names, 2), read_budgets(budgets), AP))


def test_a_budget_is_judged_and_the_rest_counts_as_not_relevant(two_runs: Collection) -> None:
    # By best rank: a and c, then b. By the whole pool abx has AP (1/2)/2 = 1/4, cay 1/2.
    assert two_runs.pooled == 3
    assert two_runs.scores(two_runs.labels, AP).tolist() == [1 / 4, 1 / 2]
    one, two, three = simulated(two_runs, "depth")
    # Both have 0: the order is not known.
    assert (one.judged, one.recall, one.tau, one.tau_ap) == (1, 0, None, 0)
    assert one.rmse == pytest.approx((((1 / 4) ** 2 + (1 / 2) ** 2) / 2) ** 0.5)
    # c alone is relevant so far: cay has 1, abx 0.
    assert (two.judged, two.recall, two.tau, two.tau_ap) == (2, 1 / 2, 1, 1)
    assert two.rmse == pytest.approx((((1 / 4) ** 2 + (1 / 2) ** 2) / 2) ** 0.5)
    assert three[:9] == ("depth", 100, 3, 1, 1, 1, 1, 1, 0)


def test_without_names_every_order_is_simulated(two_runs: Collection) -> None:
    rows = simulated(two_runs, budgets="100%, 67")
    assert {row.strategy for row in rows} >= {"depth", "rrf", "random", "hedge", "mtf", "separate", "mtc"}
    assert {(row.judged, row.recall, row.rmse) for row in rows if row.budget == 100} == {(3, 1.0, 0.0)}
    # maxmean at 67 %: a miss of abx or cay is followed by the other's document; a find by that run's next.
    (row,) = [row for row in rows if (row.strategy, row.budget) == ("maxmean", 67)]
    assert row.recall_low is not None and row.recall is not None and row.recall_high is not None
    assert (row.judged, 0 < row.recall_low <= row.recall <= row.recall_high <= 1) == (2, True)
    assert simulated(two_runs, budgets="67%,100") == rows


def test_a_collection_without_relevant_documents_has_no_recall() -> None:
    qrels = pl.DataFrame({"topic_id": ["1"], "document_id": ["a"], "grade": [0]})
    collection = collection_of(pack_rankings([run_of("abx"), run_of("cay")], qrels), 2, 2)
    (row,) = simulated(collection, "hedge", budgets="50")
    assert (row.recall, row.recall_low, row.tau, row.rmse) == (None, None, None, 0)
    assert collection.without_judgment == 2


@pytest.mark.parametrize(
    "name",
    "list depth(runs_per_team=1) hegde strata hedge(depth=3) hedge(batch=3) hedge(beta=2) hedge(alpha=2)".split(),
)
def test_a_strategy_that_cannot_be_simulated_is_refused(name: str) -> None:
    with refused(UnknownName):
        named_strategies([name], 10)


@pytest.mark.parametrize("text", ["0%", "101%", "nan", "", ",", "five", "5%;10%"])
def test_a_budget_that_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(UnknownName, match="as in 5%,10%"):
        read_budgets(text)


def test_runs_of_another_task_are_refused(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("2 Q0 a 1 1.0 other\n")
    with refused(InputError):
        collection_from_files(tmp_path / "qrels", [tmp_path / "run"], 10)


RECALL = {
    "depth": (0.211, 0.324, 0.481),
    "rrf": (0.241, 0.357, 0.519),
    "maxmean": (0.259, 0.414, 0.630),
    "thompson": (0.251, 0.395, 0.594),
    "mtf": (0.257, 0.401, 0.581),
    "hedge": (0.299, 0.454, 0.644),
    "mtc": (0.264, 0.407, 0.594),
    "rbp-b": (0.218, 0.323, 0.481),
    "rbp-c": (0.252, 0.363, 0.525),
    "rbp-c(p=0.95)": (0.263, 0.391, 0.553),
    "separate(pairs=all)": (0.222, 0.349, 0.506),
}
"""The shares found with 5, 10 and 20 % of the pool to depth 100, by another program."""
TAU = {"rrf": 0.853, "maxmean": 0.912, "thompson": 0.926, "mtf": 0.897, "hedge": 0.926, "mtc": 0.912}
"""Of AP, with 10 %. With 17 runs tau moves in steps of 1/68, and the known figures of orders by chance vary by one."""

BY_CHANCE = ("maxmean", "thompson", "mtf")


@pytest.mark.data
@pytest.mark.slow
def test_robust_2003_gives_the_known_figures(data_folder: Path) -> None:
    folder = data_folder / "robust03"
    collection, _ = collection_from_files(folder / "qrels.txt", sorted((folder / "runs").iterdir()), 100)
    assert collection.pooled == 49_528
    rows = list(simulate(collection, named_strategies([*RECALL], 100), read_budgets("5,10,20"), AP, seeds=3))
    for name, known in RECALL.items():
        found = [row.recall for row in rows if row.strategy == name]
        assert found == pytest.approx(known, abs=0.012 if name in BY_CHANCE else 0.003), name
    for name, tau in TAU.items():
        (row,) = [row for row in rows if (row.strategy, row.budget) == (name, 10)]
        assert row.tau == pytest.approx(tau, abs=3.01 / 68 if name in BY_CHANCE else 0.001), name
