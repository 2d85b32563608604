"""Organisers ask about pairs on the pages: how long lists are, and which strategy chooses the pairs."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html

from tests.fixture_types import MakeCampaign, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.core.about import LIST_PAIRS
from workbench.core.records import Topic
from workbench.methods.pairing import PAIRINGS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.organising import settings

POOL, QUESTIONS = "/c/lists/pool?question=better", "/c/lists/settings/questions"
ASKED = {
    "name": "better",
    "title": "Which is better?",
    "about": LIST_PAIRS,
    "grade-number": ["1", "2", "3", "0"],
    "grade-name": ["Left", "Right", "Tie", "Both bad"],
    "grade-guideline": ["", "", "", ""],
    "good-from": "1",
    "depth": "2",
}


@pytest.fixture
def lists(make_campaign: MakeCampaign, anna: FlaskClient, token_of: TokenOf) -> Path:
    """Six runs, each with another order of three documents; the first two are compared."""
    ranked = {f"run{at}": {"1": list(ids)} for at, ids in enumerate(permutations(("d1", "d2", "d3")))}
    path = make_campaign("lists", [Topic("1", "rivers")], [], ranked)
    assert anna.post(QUESTIONS, data=ASKED | {"csrf_token": token_of(anna)}).status_code == 303
    return path


def test_the_depth_of_lists_is_asked_and_stays(lists: Path, anna: FlaskClient) -> None:
    with open_campaign(lists) as campaign:
        assert settings.read(campaign).question("better").depth == 2
    (field,) = html.fromstring(anna.get(f"{QUESTIONS}?name=better").text).xpath("//input[@name='depth']")
    assert (field.get("value"), field.get("readonly") is not None) == ("2", True)


@pytest.mark.parametrize("strategy", PAIRINGS)
def test_every_strategy_for_pairs_has_a_form_with_its_parameters(
    lists: Path, anna: FlaskClient, strategy: str
) -> None:
    page = html.fromstring(anna.get(f"{POOL}&strategy={strategy}").text)
    names = {each.get("name") for each in page.xpath("//form[@id='plan']//input[@id]")}
    assert {each.partition(".")[2] or each for each in names} == {
        each.name for each in PAIRINGS[strategy].parameters
    }


@pytest.mark.parametrize(
    ("given", "number"),
    [({"strategy": "random-pairs", "count": "7"}, 7), ({"strategy": "sort"}, 3), ({}, 15)],
)
def test_a_strategy_for_pairs_is_chosen_on_the_page(
    lists: Path, anna: FlaskClient, token_of: TokenOf, given: dict[str, str], number: int
) -> None:
    made = anna.post(POOL, data=given | {"csrf_token": token_of(anna)})
    assert made.status_code == 303
    assert "question=better" in made.location
    with open_campaign(lists) as campaign:
        assert len(pools.pooled_of_topic(campaign, "1!better")) == number
    assert anna.get(made.location).status_code == anna.get(QUESTIONS).status_code == 200


@pytest.mark.parametrize("given", [{"strategy": "random-pairs", "count": "0"}, {"most": "3"}])
def test_pairs_that_are_refused_are_not_pooled(
    lists: Path, anna: FlaskClient, token_of: TokenOf, given: dict[str, str]
) -> None:
    refused = anna.post(POOL, data=given | {"csrf_token": token_of(anna)})
    assert refused.status_code == 422
    assert alerts(refused.text)
    with open_campaign(lists) as campaign:
        assert pools.all_pools(campaign.asking("better")) == []


def test_a_pool_of_pairs_has_no_plan_for_programs(lists: Path, anna: FlaskClient) -> None:
    answer = anna.get("/c/lists/api/pool?question=better&strategy=depth&depth=2")
    assert (answer.status_code, says(answer.get_json()["message"])) == (422, True)
