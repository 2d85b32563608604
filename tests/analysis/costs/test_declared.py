"""Scores stand beside what runs cost; the front is the observed one, and what is not known is not on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.conftest import write_run
from tests.judged_pairs import judge_as
from tests.sentences import says
from workbench.analysis.costs.declared import COSTS, p_to_the_next, sentences
from workbench.analysis.figures import draw
from workbench.analysis.trust.bounds import Detail
from workbench.campaign.ingest import add_runs
from workbench.campaign.submissions.correcting import correct_runs
from workbench.campaign.submissions.run_costs import costs_of_tables
from workbench.core.errors import UnknownName
from workbench.formats.text.content import content_of
from workbench.methods.charts.costs import Placed, score_over_cost
from workbench.methods.costs import pareto_front
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

TAGS = ("one", "two", "three", "four")


@pytest.fixture
def priced(small: Campaign, tmp_path: Path) -> Campaign:
    """Six runs; d1 of topic 1 is relevant, at rank 1 of one and two, at rank 2 of three and four."""
    rankings = {"one": "d1 d2", "two": "d1 d3", "three": "d2 d1", "four": "d3 d1"}
    add_runs(
        small.by("Olga"), [write_run(tmp_path / f"{tag}.run", tag, {"1": rankings[tag]}) for tag in TAGS]
    )
    judge_as(small, "anna", "1", "d1", 1)
    return small


def put(campaign: Campaign, *lines: str) -> None:
    table = content_of("costs.csv", "\n".join(lines).encode())
    correct_runs(campaign.by("Olga"), costs_of_tables(campaign, [table]))


def rows(campaign: Campaign, **asked: str) -> dict[str, tuple[object, ...]]:
    found = COSTS.answer(campaign, {"measure": "RR"} | asked)
    return {each.run: (each.cost, each.per_cost, each.front) for each in found.runs}


def test_ties_share_the_front_and_a_run_without_a_cost_is_listed_last(priced: Campaign) -> None:
    put(priced, "run,energy_J", "one,4", "two,4", "three,1", "four,2")
    found = rows(priced)
    assert {tag: found[tag] for tag in TAGS} == {
        "one": (4.0, 0.25, True), "two": (4.0, 0.25, True), "three": (1.0, 0.5, True), "four": (2.0, 0.25, False),
    }  # fmt: skip
    assert list(found)[-2:] == ["alpha", "beta"] and found["alpha"] == (None, None, None)
    assert all(says(text) for text in sentences(COSTS.answer(priced, {"measure": "RR"})))


def test_a_cost_of_nothing_has_no_score_for_each_unit_and_more_documents_are_better(priced: Campaign) -> None:
    put(priced, "run,energy_J,documents_indexed", "one,0,10", "three,0,20", "four,1,5")
    assert rows(priced)["one"] == (0.0, None, True) and rows(priced)["three"][2] is False
    found = rows(priced, cost="documents_indexed")
    assert [found[tag] for tag in ("one", "three", "four")] == [
        (10, None, True),
        (20, None, True),
        (5, None, False),
    ]


def test_where_neither_more_nor_less_of_a_measure_is_better_there_is_no_front(priced: Campaign) -> None:
    put(priced, "run,energy_J", "one,1e-310", "three,1")
    found = COSTS.answer(priced, {"measure": "Judged@2"})
    assert {each.front for each in found.runs} == {each.per_cost for each in found.runs} == {None}
    assert says(sentences(found)[0], "Judged@2")
    assert rows(priced)["one"] == (1e-310, None, True)
    assert rows(priced, measure="SetE")["three"] == (1.0, None, False)


def test_a_step_must_differ_from_each_of_the_runs_that_are_equal_below_it() -> None:
    low = np.arange(8.0)
    values = np.stack([low, low[::-1], low + 1 + low % 2 / 9], axis=1)
    detail = Detail(parse_measure("AP"), values, values.mean(axis=0), None)
    savings = np.array([0.0, 0.0, -1.0])
    both = [
        p_to_the_next(detail, np.array(front), savings)[2]
        for front in ([True, False, True], [False, True, True])
    ]
    assert p_to_the_next(detail, np.array([True, True, True]), savings) == {2: max(both)}
    assert both[0] < 0.05 < both[1]


def test_money_is_compared_in_the_currency_that_most_runs_have(priced: Campaign) -> None:
    put(priced, "run,money", "one,4 EUR", "two,5 EUR", "three,1 USD")
    found = COSTS.answer(priced, {"measure": "RR", "cost": "money"})
    assert (found.unit, found.other_currency) == ("EUR", 1)
    assert says(sentences(found)[2], "EUR")
    assert rows(priced, cost="money")["three"] == (None, None, None)


def test_the_answer_as_of_a_row_has_the_costs_of_then(priced: Campaign) -> None:
    put(priced, "run,energy_J", "one,4")
    then = log.newest_seq(priced)
    put(priced, "run,energy_J", "one,9")
    assert [rows(each)["one"][0] for each in (priced, priced.at(then))] == [9.0, 4.0]


def test_the_figure_names_the_front_and_has_logarithms_over_two_decades(priced: Campaign) -> None:
    with pytest.raises(UnknownName):
        draw(priced, "costs", {"measure": ["RR"]})
    put(priced, "run,energy_J", "one,1000", "three,1", "four,2")
    chart = draw(priced, "costs", {"measure": ["RR"]})
    assert {row["run"]: row["name"] for row in chart.rows} == {"one": "one", "three": "three", "four": None}
    assert chart.spec["layer"][0]["encoding"]["x"]["scale"]["type"] == "log"


@pytest.mark.parametrize(("best_is_low", "named"), [(False, "long1"), (True, "long0")])
def test_where_names_would_cover_each_other_the_best_has_its_own(best_is_low: bool, named: str) -> None:
    placed = [Placed(f"long{at}", at / 1000, 0.0, 1.0, 1 + at / 1000, at < 2) for at in (0, 1, 9000)]
    chart = score_over_cost("AP", "Energy (J)", placed, best_is_low=best_is_low)
    assert [row["name"] for row in chart.rows if row["name"]] == [named]


def test_of_equal_runs_with_costs_by_chance_a_front_seldom_has_a_step_beyond_noise() -> None:
    rng, beyond, rounds = np.random.default_rng(1), 0, 300
    for _ in range(rounds):
        values = rng.normal(size=(25, 8))
        means = values.mean(axis=0)
        costs = rng.permutation(8).astype(float)
        detail = Detail(parse_measure("AP"), values, means, None)
        p = p_to_the_next(detail, pareto_front(means, -costs), -costs, permutations=200)
        beyond += min(p.values(), default=1.0) <= 0.05
    assert beyond <= 0.05 * rounds + 2 * np.sqrt(0.05 * 0.95 * rounds)
