"""The page of labels from models: a judge is declared, estimated and asked, only where server and campaign allow it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.endpoints import Endpoint, always, endpoint, grade, reply
from tests.fixture_types import MakeCampaign, TokenOf
from tests.judged_pairs import judge_as
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.model_endpoints import KEYS_FILE
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import LIST_PAIRS
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.models.judges import judges

KEY = "sk-of-this-server-0123456789"


@pytest.fixture
def asked(make_campaign: MakeCampaign) -> Path:
    """Two topics, each with one pooled text."""
    texts = [Document(f"d{number}", "Title", f"The text, {number}.") for number in (1, 2)]
    topics = [Topic("1", "rivers"), Topic("2", "lakes")]
    return make_campaign("asked", topics, texts, {"first": {"1": ["d1"], "2": ["d2"]}})


pytestmark = pytest.mark.usefixtures("asked")


@pytest.fixture
def server(asked: Path, app: Flask) -> Iterator[Endpoint]:
    """An endpoint that server and campaign allow, and that gives 1 to all."""
    with endpoint(always(grade(1))) as found, open_campaign(asked) as campaign:
        change_settings(campaign.by("Anna"), {"model-endpoints": f"{found.address} documents"})
        keys = Path(app.instance_path) / KEYS_FILE
        keys.touch(mode=0o600)
        keys.write_text(f"{found.address} {KEY}\nhttp://127.0.0.1:9/v1 {KEY}\n")
        yield found


@pytest.fixture
def client(anna: FlaskClient, token_of: TokenOf) -> FlaskClient:
    """An organiser, whose campaign has the judge `jay`."""
    assert post(anna, token_of, "judge", name="jay", model="judge") == (303, "")
    return anna


def post(client: FlaskClient, token_of: TokenOf, place: str, **form: str) -> tuple[int, str]:
    """The status, and what is said of what is wrong."""
    answer = client.post(f"/c/asked/models/{place}", data={"csrf_token": token_of(client), **form})
    return answer.status_code, alerts(answer.text)


def page(client: FlaskClient, address: str = "/c/asked/models") -> str:
    answer = client.get(address, follow_redirects=True)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def job(client: FlaskClient, token_of: TokenOf, **form: str) -> str:
    """The page of the job that a form begins."""
    data = {"csrf_token": token_of(client), "judge": "jay", **form}
    answer = client.post("/c/asked/models/ask", data=data)
    assert answer.status_code == 303, answer.text
    return page(client, answer.location)


def test_a_page_without_judges_offers_to_declare_one(anna: FlaskClient) -> None:
    assert 'name="model"' in page(anna)
    assert 'name="judge"' not in page(anna)


def test_a_judge_that_is_asked_has_labels_and_its_failures(
    client: FlaskClient, token_of: TokenOf, server: Endpoint
) -> None:
    seen = job(client, token_of, endpoint=server.address, action="preview")
    assert says(seen, "2 prompts")
    assert server.requests == []
    assert says(job(client, token_of, endpoint=server.address, limit="1"), "1 with a grade")
    server.behaviour = always(reply("I cannot say."))
    assert says(job(client, token_of, endpoint=server.address), "unreadable")
    text = page(client)
    assert "unreadable: 1" in text
    assert "/c/asked/judge-quality?judge=jay" in text
    assert {each["authorization"] for each in server.headers} == {f"Bearer {KEY}"}
    assert KEY not in text


def test_a_probe_is_asked_about_and_shown_and_the_cache_checks_what_is_stored(
    client: FlaskClient, token_of: TokenOf, server: Endpoint
) -> None:
    assert says(job(client, token_of, endpoint=server.address, probe="1"), "4 with a grade")
    assert says(page(client, "/c/asked/judge-quality?judge=jay"), "Documents without sense")
    assert says(job(client, token_of, endpoint="", probe="1"), "4 stored answers")
    assert post(client, token_of, "ask", judge="jay", endpoint=server.address, probe="0,5")[0] == 422


def test_preferences_of_a_judge_are_battles_on_their_page(
    anna: FlaskClient, token_of: TokenOf, server: Endpoint, make_campaign: MakeCampaign
) -> None:
    lists, rankings = USUAL[LIST_PAIRS], {"good": {"1": ["a", "b"]}, "poor": {"1": ["b", "a"]}}
    path = make_campaign(
        "pairs", [Topic("1", "rivers")], [Document(each, "", each) for each in "ab"], rankings
    )
    with open_campaign(path) as campaign:
        declare(campaign.by("Anna"), lists)
        add_pool(campaign.asking(lists.name).by("Anna"), strategy="all-pairs")
        change_settings(campaign.by("Anna"), {"model-endpoints": f"{server.address} list-pairs"})
    server.behaviour = lambda handler, request, turn: handler.send(
        200,
        grade(
            1
            + (
                request["messages"][-1]["content"].index("1. b")
                < request["messages"][-1]["content"].index("1. a")
            )
        ),
    )
    token = {"csrf_token": token_of(anna), "question": lists.name, "samples": "2"}
    assert (
        anna.post("/c/pairs/models/judge", data={**token, "name": "jay", "model": "judge"}).status_code == 303
    )
    form = {"csrf_token": token_of(anna), "judge": "jay", "endpoint": server.address}
    begun = anna.post("/c/pairs/models/ask", data=form)
    assert says(page(anna, begun.location), "2 with a grade")
    (won,) = [
        line.split(",")
        for line in anna.get("/c/pairs/battles?format=csv").text.splitlines()
        if line.startswith("good")
    ]
    assert won[4] == "1"
    with open_campaign(path) as campaign:
        (pair,) = pools.pooled_of_topic(campaign, f"1!{lists.name}")
        judge_as(campaign, "Ben", f"1!{lists.name}", pair, 3)
    assert f"/c/pairs/judge-quality?judge=jay&amp;question={lists.name}" in page(anna, "/c/pairs/models")
    shown = page(anna, f"/c/pairs/judge-quality?judge=jay&question={lists.name}")
    assert says(shown, "gives people’s preference for 0 %")
    assert 'id="sides"' in shown


def test_only_endpoints_that_server_and_campaign_allow_are_asked(
    client: FlaskClient, token_of: TokenOf, server: Endpoint
) -> None:
    assert "127.0.0.1:9" not in page(client)
    for address in ("http://127.0.0.1:9/v1", "https://elsewhere.example/v1", "file:///etc/passwd"):
        status, said = post(client, token_of, "ask", judge="jay", endpoint=address)
        assert (status, address in said) == (422, True)
    assert server.requests == []


def test_keys_that_others_can_read_are_no_endpoints_and_the_page_says_why(
    client: FlaskClient, server: Endpoint, app: Flask
) -> None:
    (Path(app.instance_path) / KEYS_FILE).chmod(0o644)
    answer = client.get("/c/asked/models")
    assert says(alerts(answer.text), KEYS_FILE)
    assert KEY not in answer.text
    assert server.address not in answer.text


@pytest.mark.parametrize(
    "form",
    [{"name": "", "model": "m"}, {"name": "jay", "model": ""}, {"name": "jay", "model": "m", "question": "none"},
     {"name": "jay", "model": "m", "own": "{{titel}}"}, {"name": "jay", "model": "m", "samples": "many"},
     {"name": "jay", "model": "m", "words": "0"}],
)  # fmt: skip
def test_a_judge_that_cannot_be_asked_is_refused(
    form: dict[str, str], anna: FlaskClient, token_of: TokenOf, asked: Path
) -> None:
    status, said = post(anna, token_of, "judge", **form)
    assert (status, bool(said)) == (422, True)
    answer = anna.post("/c/asked/models/judge", data={"csrf_token": token_of(anna), **form})
    assert form.get("own", "") in answer.text  # nothing that was typed is lost
    with open_campaign(asked) as campaign:
        assert judges(campaign) == []


@pytest.mark.parametrize("form", [{"limit": "-"}, {"tokens": "x"}, {"price-sent": "0,5"}, {"judge": "kay"}])
def test_what_is_not_filled_in_right_is_said(
    form: dict[str, str], client: FlaskClient, token_of: TokenOf, server: Endpoint
) -> None:
    status, said = post(client, token_of, "ask", **{"judge": "jay", "endpoint": server.address, **form})
    assert (status, bool(said)) == (422, True)
    assert server.requests == []


def test_an_assessor_neither_sees_nor_asks(ben: FlaskClient, token_of: TokenOf) -> None:
    assert ben.get("/c/asked/models").status_code == 403
    assert post(ben, token_of, "ask", judge="jay")[0] == 403
