"""Of fair assessors about one in a hundred is named; simulated, on populations and second judgments of many kinds."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.analysis.assessors.conftest import at_most
from tests.at_length import at_length
from tests.document_tables import table, three_digits

pytestmark = pytest.mark.slow

CAMPAIGNS = at_length(300, 150)
LIMIT = 0.01

LEANS = {
    "the same, always strict",
    "the same, always careless",
    "by depth, always strict",
    "by depth, always careless",
    "by depth, careless, relevant or not",
}
"""Fair in that they do not change; they do give other grades than the others."""

FAIR = """
2 alike; 4 alike, relevant or not; 4 alike, 4 grades; topics read differently; ever fewer relevant by topic;
the same, always strict; the same, always careless; by depth; by depth, always strict; by depth, always careless;
by depth, careless, relevant or not; 20 pairs in all; 2 topics; nearly all not relevant
"""


@pytest.mark.parametrize("name", [name.strip() for name in FAIR.split(";")])
def test_a_fair_assessor_is_named_in_one_campaign_of_a_hundred_at_most(
    simulated: ModuleType, name: str
) -> None:
    found = simulated.said_of(simulated.FAIR[name], CAMPAIGNS, seed=17)
    assert max(found.between, found.within) <= at_most(LIMIT, CAMPAIGNS)
    assert found.largest <= 1
    assert name in LEANS or found.leaning <= at_most(LIMIT, CAMPAIGNS)


@pytest.mark.parametrize(
    ("name", "what", "at_least"),
    [
        ("strict by half a step, 40 topics", "leaning", 0.9),
        ("becomes lenient by two, 40 topics", "between", 0.9),
        ("tires by a standard deviation in each topic", "within", 0.05),
    ],
)
def test_who_is_strict_or_changes_is_found_as_often_as_documented(
    simulated: ModuleType, name: str, what: str, at_least: float
) -> None:
    assert getattr(simulated.said_of(simulated.UNFAIR[name], 100, seed=17), what) >= at_least


@pytest.mark.parametrize(
    "name", at_length(["20 pairs in all", "2 topics", "by depth, always strict"], ["20 pairs in all"])
)
def test_what_is_said_of_assessors_is_as_documented(simulated: ModuleType, name: str) -> None:
    """Every line is there, but for one that is a sentence; the cheap ones are computed again."""
    documented = table("campaign", "leans", "changes between topics", "within topics")
    kinds = simulated.FAIR | simulated.UNFAIR
    assert documented.keys() | {"by depth, nearly guesses"} == kinds.keys()
    assert documented[name] == [three_digits(share) for share in simulated.said_of(kinds[name], 1000)[:3]]


DESIGNS = (
    "whole topics",
    "a tenth",
    "by topic",
    "by topic, equal",
    "by grade",
    "by grade, equal",
    "by grade, equal, a third",
    "by grade, equal, first by turns",
    "by grade, equal, after every topic",
)


def test_who_judges_first_is_not_called_lenient_because_high_grades_are_judged_twice(
    simulated: ModuleType,
) -> None:
    found = simulated.leaning(simulated.DESIGNS["by grade, equal"], [40] * 25, 40, seed=29)
    assert found.ever <= at_most(LIMIT, 40)


def test_who_has_few_long_topics_is_not_called_fast_or_slow(simulated: ModuleType) -> None:
    for topics in (1, 2, 5):
        assert simulated.pace(topics, 40, 40, seed=29).ever <= at_most(LIMIT, 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    "lengths", at_length(["10 x 100", "25 x 40", "3 x 200, 22 x 5"], ["3 x 200, 22 x 5"])
)
@pytest.mark.parametrize("name", at_length(DESIGNS, DESIGNS[2:7:2]))
def test_a_fair_assessor_is_named_as_rarely_however_pairs_were_selected_for_the_second_one(
    simulated: ModuleType, name: str, lengths: str
) -> None:
    found = simulated.leaning(simulated.DESIGNS[name], simulated.LENGTHS[lengths], 150, seed=17)
    assert found.ever <= at_most(LIMIT, 150)


@pytest.mark.slow
def test_who_judges_at_the_same_pace_or_repeats_well_is_not_named(simulated: ModuleType) -> None:
    for topics in at_length((1, 2, 5, 10, 25), (10,)):
        assert simulated.pace(topics, 20, 80, seed=17).ever <= at_most(LIMIT, 80)
    for topics, each in ((2, 25), (10, 5), (40, 2)):
        assert simulated.repeats(topics, each, 300, seed=17).ever <= at_most(LIMIT, 300)


@pytest.mark.slow
def test_who_is_strict_fast_or_inconsistent_is_found_as_often_as_documented(simulated: ModuleType) -> None:
    assert simulated.leaning(simulated.DESIGNS["whole topics"], [40] * 25, 60, 17, -0.5).at_the_end >= 0.85
    assert simulated.pace(25, 40, 60, 17, 5).at_the_end >= 0.6
    assert simulated.repeats(40, 2, 100, 17, 0.5).at_the_end >= 0.4


@pytest.mark.slow
def test_the_documented_tables_are_those_of_the_command(simulated: ModuleType) -> None:
    """Every line is there; the cheap ones are computed again."""
    for title, lines in simulated.rows(1000, simulated.SEED).items():
        written = table(title, "at the end", "after every topic")
        assert list(written) == list(lines)
        for name in at_length({"a tenth; 10 x 100", "2", "10 x 5"}, {"2", "10 x 5"}) & lines.keys():
            assert written[name] == [three_digits(share) for share in lines[name]()]
