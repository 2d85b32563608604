"""Campaigns from above: where one is a member, how far each is, what it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeApp, MakeCampaign, SignIn, TokenOf
from tests.sentences import says
from workbench.campaign.assigning import choose_who_judges
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign


def page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def test_a_member_of_several_campaigns_chooses_one(ben: FlaskClient, small: Path) -> None:
    text = page(ben, "/")
    assert 'href="/c/small/"' in text
    assert 'href="/c/robust/"' in text
    assert "0 of 8 judged" in text
    assert "no pool yet" in text


def test_a_campaign_with_a_pool_and_no_topic_of_ones_own_has_a_pool(ben: FlaskClient, small: Path) -> None:
    with open_campaign(small) as campaign:
        choose_who_judges(campaign.by("Anna"), "assigned")
    assert "no topics assigned" in page(ben, "/")


def test_commands_on_pages_quote_names_for_the_shell(app: Flask) -> None:
    with app.app_context():
        line = render_template_string("workbench pool {{ name|shell }}", name="my pool")
    assert line == "workbench pool &#39;my pool&#39;"


def test_a_member_of_one_campaign_is_taken_there(app: Flask, small: Path, client_of: SignIn) -> None:
    assert client_of(app, "Carla").get("/").location == "/c/small/"


def test_an_organiser_begins_at_the_dashboard_and_those_who_judge_with_their_topics(
    anna: FlaskClient, ben: FlaskClient, small: Path
) -> None:
    assert anna.get("/c/small/").location == "/c/small/dashboard"
    for client, path in ((anna, "own-topics"), (ben, "own-topics"), (ben, "")):
        assert "<h1>Your topics</h1>" in page(client, f"/c/small/{path}")


def test_a_member_of_no_campaign_is_told_what_to_ask_for(app: Flask, client_of: SignIn) -> None:
    assert "workbench user allow Carla" in page(client_of(app, "Carla"), "/")


@pytest.mark.parametrize("path", ["own-topics", "pool", "runs", "board"])
def test_an_empty_campaign_says_what_to_do(anna: FlaskClient, path: str) -> None:
    assert '<pre class="commands">workbench ' in page(anna, f"/c/robust/{path}")


def test_an_assessor_before_an_empty_campaign_is_told_to_wait(ben: FlaskClient) -> None:
    assert says(page(ben, "/c/robust/"))
    assert ben.get("/c/robust/judge").location == "/c/robust/own-topics"


def test_what_nobody_can_judge_does_not_keep_a_campaign_from_being_done(
    ben: FlaskClient, make_campaign: MakeCampaign, judging_as: JudgeAs
) -> None:
    path = make_campaign(
        "bare", [Topic("1", "rivers")], [Document("d2", "", "A text.")], {"alpha": {"1": ["d1", "d2"]}}
    )
    assert "Start judging" in page(ben, "/c/bare/")
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "d2", 1)
    text = page(ben, "/c/bare/")
    assert says(text)
    assert "ontinue judging" not in text


def test_a_server_without_campaigns_says_how_to_make_one(
    make_app: MakeApp, instance: Path, token_of: TokenOf
) -> None:
    (instance / "robust.db").unlink()
    client = make_app(demo=True).test_client()
    client.post("/start", data={"name": "Rita", "csrf_token": token_of(client)})
    assert says(client.get("/").text)


def test_topics_are_listed_and_follow_each_other_as_people_count(
    ben: FlaskClient, anna: FlaskClient, make_campaign: MakeCampaign
) -> None:
    made = [Topic(topic_id, f"topic {topic_id}") for topic_id in ("1", "10", "2")]
    texts = [Document("d1", "One", "A text.")]
    make_campaign("many", made, texts, {"alpha": {topic.topic_id: ["d1"] for topic in made}})
    for path in ("own-topics", "pool"):
        text = page(anna, f"/c/many/{path}")
        assert text.index("topic 1<") < text.index("topic 2<") < text.index("topic 10<")
    for topic, following in (("1", "2"), ("2", "10"), ("10", "1")):
        text = page(ben, f"/c/many/judge?topic={topic}")
        assert f"Next topic: <bdi>topic {following}<" in text


@pytest.mark.parametrize("place", ["own-topics", "pool"])
def test_ten_documents_without_text_are_named_to_organisers_and_the_rest_counted(
    ben: FlaskClient, anna: FlaskClient, make_campaign: MakeCampaign, place: str
) -> None:
    ids = [f"d{number:02}" for number in range(1, 14)]
    make_campaign("bare", [Topic("1", "rivers")], [], {"alpha": {"1": ids}})
    text = page(anna, f"/c/bare/{place}")
    assert [document_id for document_id in ids if f"<bdi>{document_id}</bdi>" in text] == ids[:10]
    assert "and 3 more" in text
    assert "and 3 more" not in page(ben, "/c/bare/")
