"""The page that searches the texts for a topic, and pools what is ticked."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import MakeCampaign, SignIn, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools


@pytest.fixture
def searched(make_campaign: MakeCampaign) -> Path:
    """Two topics and five texts, of which topic 1 has d1 in its pool."""
    texts = [Document(f"d{number}", f"<b>Title {number}", f"The text, {number}.") for number in range(1, 6)]
    return make_campaign(
        "searched", [Topic("1", "rivers"), Topic("2", "lakes")], texts, {"first": {"1": ["d1"]}}
    )


pytestmark = pytest.mark.usefixtures("searched")


def post(client: FlaskClient, token_of: TokenOf, place: str, **form: object) -> tuple[int, str, str]:
    """Status, place one is led to, and text."""
    answer = client.post(f"/c/searched/{place}", data={"csrf_token": token_of(client), **form})
    return answer.status_code, answer.location or "", " ".join(answer.text.split())


def shown(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def search(client: FlaskClient, token_of: TokenOf, **form: object) -> str:
    """The address of what a search found."""
    status, place, text = post(
        client, token_of, "search", **({"topic": "1", "query": "text", "limit": "20"} | form)
    )
    assert status == 303, text
    return place


def test_what_is_found_is_shown_with_what_is_pooled(anna: FlaskClient, token_of: TokenOf) -> None:
    text = shown(anna, search(anna, token_of))
    assert "5 documents found" in text
    assert "in 5 texts." in text
    assert "&lt;b&gt;Title 2" in text
    assert [f'value="d{number}"' in text for number in range(1, 6)] == [False, True, True, True, True]
    assert "2 documents found" in shown(anna, search(anna, token_of, query="1 2", any="yes"))


def test_what_is_ticked_is_pooled_as_found_by_search(
    anna: FlaskClient, token_of: TokenOf, searched: Path
) -> None:
    place = search(anna, token_of)
    job = place.partition("job=")[2]
    status, made, _ = post(anna, token_of, "search/pool", job=job, document=["d2", "d4"])
    assert (status, "pool=2" in made) == (303, True)
    text = shown(anna, made)
    assert "Pool 2 created." in text
    assert ('value="d2"' in text, 'value="d3"' in text) == (False, True)
    with open_campaign(searched) as campaign:
        record = pools.all_pools(campaign)[-1].record
        assert record.parameters == {"pairs": ["1 d2", "1 d4"], "found_by": "search"}
        assert {pair.pooled[:2] for pair in pools.pooled_pairs(campaign)} >= {("1", "d2"), ("1", "d4")}


def test_nothing_is_pooled_that_was_not_ticked_or_not_found(
    anna: FlaskClient, token_of: TokenOf, searched: Path
) -> None:
    form = {"job": search(anna, token_of, query="2").partition("job=")[2], "csrf_token": token_of(anna)}
    for chosen in ([], ["d3"], ["d2 2 d3"]):
        answer = anna.post("/c/searched/search/pool", data={**form, "document": chosen})
        assert (answer.status_code, says(alerts(answer.text), *chosen)) == (422, True)
    assert post(anna, token_of, "search/pool", job="x", document=["d2"])[0] == 404
    with open_campaign(searched) as campaign:
        assert len(pools.all_pools(campaign)) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("query", ' "*( '), ("query", "a" * 1001), ("topic", "<b>"), ("limit", "many")),
        ("limit", "9" * 5000),
    ],
    ids=["no words", "too long", "no topic", "no number", "too many"],
)
def test_a_search_that_cannot_be_done_says_why(
    anna: FlaskClient, token_of: TokenOf, field: str, value: str
) -> None:
    form = {"topic": "1", "query": "text", "limit": "20", "csrf_token": token_of(anna), field: value}
    answer = anna.post("/c/searched/search", data=form)
    assert (answer.status_code, says(alerts(answer.text))) == (422, True)


def test_an_assessor_searches_and_pools_once_an_organiser_lets_them(
    app: Flask, ben: FlaskClient, searched: Path, anna: FlaskClient, client_of: SignIn, token_of: TokenOf
) -> None:
    assert ben.get("/c/searched/search").status_code == 403
    assert post(ben, token_of, "search", topic="1", query="text", limit="20")[0] == 403
    assert ">Search</a>" not in shown(ben, "/c/searched/")
    assert post(anna, token_of, "people/searchers", name="Ben", do="let")[0] == 303
    assert ">Search</a>" in shown(ben, "/c/searched/")
    found = search(ben, token_of)
    assert "judged" not in shown(ben, found).split("Documents found")[1]
    status, place, _ = post(ben, token_of, "search/pool", job=found.rpartition("=")[2], document="d2")
    assert status == 303
    assert "Pool 2 created." in shown(ben, place)
    job = f"/c/searched/jobs/{found.rpartition('=')[2]}"
    assert "Search for topic 1: text" in shown(ben, job)
    assert client_of(app, "Carla").get(job).status_code == 404
    with open_campaign(searched) as campaign:
        assert pools.all_pools(campaign)[-1].record.parameters["found_by"] == "search"
    assert 'searched/pool"' not in shown(ben, place)
    assert client_of(app, "Carla").get("/c/searched/search").status_code == 403
    assert post(anna, token_of, "people/searchers", name="Zoe")[0] == 400
    assert post(anna, token_of, "people/searchers")[0] == 400
    assert "may search" in shown(anna, "/c/searched/people")
    assert post(anna, token_of, "people/searchers", name="Ben", do="end")[0] == 303
    assert ben.get("/c/searched/search").status_code == 403
