"""What a simulation says of itself: a verdict on what was measured."""

from __future__ import annotations

import polars as pl
import pytest

from tests.analysis.simulating.alone import simulation_of
from tests.sentences import says
from workbench.analysis.simulating.collection import Collection, collection_of
from workbench.analysis.simulating.selection import named_strategies
from workbench.analysis.simulating.whole import Simulation
from workbench.core.ranking import pack_rankings
from workbench.methods.measures import parse_measure

TOPICS = [str(topic) for topic in range(1, 9)]


def run_of(documents: dict[str, str]) -> pl.DataFrame:
    lines = [
        (topic, document, float(9 - place))
        for topic in TOPICS
        for place, document in enumerate(documents.get(topic, documents["else"]))
    ]
    return pl.DataFrame(lines, schema=["topic_id", "document_id", "score"], orient="row")


@pytest.fixture
def collection() -> Collection:
    """Eight topics in which `a` and `b` are relevant; the runs have them at the top, in the middle and below."""
    runs = [
        run_of({"else": "abcd"}),
        run_of({"else": "cabd", "1": "acbd"}),
        run_of({"else": "dcab", "2": "dcba"}),
    ]
    lines = [(topic, document, int(document in "ab")) for topic in TOPICS for document in "abc"]
    qrels = pl.DataFrame(lines, schema=["topic_id", "document_id", "grade"], orient="row")
    return collection_of(pack_rankings(runs, qrels), 3, 4)


def simulation(collection: Collection) -> Simulation:
    selected = named_strategies(["document-id", "depth", "random"], 4)
    return simulation_of(collection, selected, [25.0, 50.0], parse_measure("AP"), seeds=3)


def test_the_verdict_names_what_was_replayed_finds_most_and_keeps_the_order(collection: Collection) -> None:
    said = simulation(collection)
    assert says("\n".join(said.verdict), "50 %", "document-id")  # it judges a, then a and b
    kept = [sentence for sentence in said.verdict if "0.9 or above in every replay" in sentence]
    for sentence in kept:
        for row in said.rows:
            if row.strategy in sentence.split(": ")[1] and f"At {row.budget:g} %" in sentence:
                assert all(replay.tau is not None and replay.tau >= 0.9 for replay in row.replays)
    assert any("document-id" in sentence for sentence in kept)
    largest = next(row for row in said.rows if (row.strategy, row.budget) == ("random", 50))
    held = sum(replay.tau is not None and replay.tau >= 0.9 for replay in largest.replays)
    assert any(f"random ({held} of 3 seeds)" in sentence for sentence in said.verdict)


def test_of_one_run_no_order_is_claimed_and_where_nothing_is_relevant_nothing_finds_most() -> None:
    for runs, topics, grade in ((["abcd"], ["1"], 1), (["abcd", "cabd"], TOPICS, 0)):
        frames = [run_of({"else": order}).filter(pl.col("topic_id").is_in(topics)) for order in runs]
        lines = [(topic, "a", grade) for topic in topics]
        qrels = pl.DataFrame(lines, schema=["topic_id", "document_id", "grade"], orient="row")
        collection = collection_of(pack_rankings(frames, qrels), len(runs), 4)
        said = simulation_of(collection, named_strategies(["depth"], 4), [25.0], parse_measure("AP"))
        assert says("\n".join(said.verdict[1:-1]))
