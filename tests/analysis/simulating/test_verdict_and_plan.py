"""What a simulation says of itself: a verdict on what was measured, and a plan that was tried."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import polars as pl
import pytest

from tests.analysis.simulating.alone import simulation_of
from tests.sentences import refused, says
from workbench.analysis.simulating import plan as planning
from workbench.analysis.simulating.collection import Collection, collection_of
from workbench.analysis.simulating.plan import Plan, Wanted, draws_for, wanted_of
from workbench.analysis.simulating.selection import named_strategies
from workbench.analysis.simulating.sheets import choices_sheet
from workbench.analysis.simulating.whole import Simulation
from workbench.campaign.pools.pace import ASSUMED_PER_HOUR, MeasuredPace
from workbench.core.errors import UnknownName
from workbench.core.ranking import pack_rankings
from workbench.methods.measures import parse_measure
from workbench.methods.statistics.power import topics_needed
from workbench.storage.campaign import Campaign

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


def simulation(collection: Collection, wanted: Wanted | None = None, measure: str = "AP") -> Simulation:
    selected = named_strategies(["document-id", "depth", "random"], 4)
    return simulation_of(collection, selected, [25.0, 50.0], parse_measure(measure), seeds=3, wanted=wanted)


def plan_for(collection: Collection, difference: float) -> Plan:
    found = simulation(collection, Wanted(difference, 60.0, rate=20.0)).plan
    assert found is not None
    return found


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


def test_a_plan_has_topics_pairs_hours_and_money(collection: Collection) -> None:
    plan = plan_for(collection, 0.2)
    assert plan.topics >= 2
    for choice in plan.choices:
        assert choice.pairs == pytest.approx(choice.pairs_per_topic * plan.topics, abs=1)
        assert choice.hours == choice.pairs / 60
        assert choice.money == choice.hours * 20
        assert choice.in_order >= 0.95
    assert [choice[:6] for choice in plan.choices] == [
        ("depth", 1, None, 4, 23 / 8, 12),  # three first documents on each topic, two on topic 1
        ("document-id", 4, 25.0, 4, 1.0, 4),  # of the pool to the depth of the simulation
    ]


def test_a_plan_for_a_difference_that_no_two_runs_have_says_so(collection: Collection) -> None:
    plan = plan_for(collection, 0.99)
    assert (plan.choices, says(plan.words[-1])) == ((), True)


def test_without_a_price_a_plan_has_no_money(collection: Collection) -> None:
    found = simulation(collection, wanted_of(None, 0.2)).plan
    assert found is not None
    assert all(choice.money is None for choice in found.choices)
    assert "Money" not in [column.head for column in choices_sheet(found).columns]
    assert "(assumed)" in found.words[-1]


@pytest.mark.parametrize("measure", ["num_rel_ret", "AP(mean=geometric)"])
def test_a_plan_needs_a_mean_over_topics(collection: Collection, measure: str) -> None:
    with refused(UnknownName):
        simulation(collection, Wanted(0.1, 60.0), measure)


def test_nothing_can_be_planned_where_runs_differ_by_the_same_on_every_topic() -> None:
    runs = [run_of({"else": order}) for order in ("abcd", "cabd", "dcab")]
    lines = [(topic, document, int(document in "ab")) for topic in TOPICS for document in "abc"]
    qrels = pl.DataFrame(lines, schema=["topic_id", "document_id", "grade"], orient="row")
    with pytest.raises(UnknownName) as told:
        plan_for(collection_of(pack_rankings(runs, qrels), 3, 4), 0.1)
    assert says(str(told.value))


def test_the_pace_is_that_which_is_given_or_was_measured_or_is_assumed(
    small: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wanted_of(small, 0.1, per_hour=30.0, rate=2.0) == Wanted(0.1, 30.0, "as given", 2.0)
    assert wanted_of(small, 0.1, rate=2.0) == Wanted(0.1, ASSUMED_PER_HOUR, "assumed", 2.0)
    assert wanted_of(None, 0.1) == Wanted(0.1, ASSUMED_PER_HOUR, "assumed", None)
    monkeypatch.setattr(planning, "measured_pace", lambda campaign: MeasuredPace(5, 100.0))
    assert wanted_of(small, 0.1, rate=2.0) == Wanted(0.1, 180.0, "as measured over 5 judgments", 2.0)


def test_where_no_budget_keeps_enough_in_order_a_plan_says_so(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "ENOUGH", 1.01)
    plan = plan_for(collection, 0.2)
    assert plan.choices == ()
    assert says(plan.words[-1])


def test_draws_have_the_topics_that_show_a_difference_and_the_pairs_that_differ_so(
    collection: Collection,
) -> None:
    measure = parse_measure("AP")
    values = collection.values(collection.labels, measure)
    differences = [values[:, one] - values[:, other] for one, other in combinations(range(3), 2)]
    sd = float(np.median([each.std(ddof=1) for each in differences]))
    means = values.mean(axis=0)
    least = float(min(abs(means[one] - means[other]) for one, other in combinations(range(3), 2)))
    found = draws_for(collection, measure, least)  # just reached by the pair that differs least
    assert found.sd == pytest.approx(sd)
    assert found.topics == topics_needed(sd, least, alpha=0.05, power=0.8)
    assert found.weights.shape == (100, 8)
    assert found.weights.sum(axis=1).tolist() == pytest.approx([1.0] * 100)
    assert (found.weights * found.topics % 1).max() == pytest.approx(0, abs=1e-9)
    pairs = set(zip(found.better.tolist(), found.worse.tolist(), strict=True))
    assert pairs == {(a, b) for a, b in permutations(range(3), 2) if means[a] - means[b] >= least}
    ahead = [(found.weights @ values)[:, a] > (found.weights @ values)[:, b] for a, b in pairs]
    assert found.whole == found.in_order(values) == pytest.approx(np.mean(ahead))
    assert found.in_order(np.zeros_like(values)) == 0.0  # level is not ahead
    assert draws_for(collection, measure, 0.99).whole is None
    with refused(UnknownName):
        draws_for(collection, parse_measure("num_ret"), 0.1)
