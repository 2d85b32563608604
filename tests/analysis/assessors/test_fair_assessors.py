"""Of fair assessors about one in a hundred is named; simulated, on populations that are fair in different ways."""

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
