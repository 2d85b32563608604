"""Campaigns from above: where one is a member, how far each is, what it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, render_template_string

from tests.fixture_types import JudgeAs, MakeApp, MakeCampaign, SignIn, TokenOf
from tests.sentences import says
from workbench.campaign.assigning import choose_who_judges
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import topics


def page(app: Flask, client_of: SignIn, who: str, path: str) -> str:
    answer = client_of(app, who).get(path)
    assert answer.status_code == 200
    return " ".join(answer.get_data(as_text=True).split())


def test_a_member_of_several_campaigns_chooses_one(app: Flask, small: Path, client_of: SignIn) -> None:
    text = page(app, client_of, "Ben", "/")
    assert 'href="/c/small/"' in text
    assert 'href="/c/robust/"' in text
    assert "0 of 8 judged" in text
    assert "no pool yet" in text


def test_a_campaign_with_a_pool_and_no_topic_of_ones_own_has_a_pool(
    app: Flask, small: Path, client_of: SignIn
) -> None:
    with open_campaign(small) as campaign:
        choose_who_judges(campaign.by("Anna"), "assigned")
    assert "no topics assigned" in page(app, client_of, "Ben", "/")


def test_commands_on_pages_quote_names_for_the_shell(app: Flask) -> None:
    with app.app_context():
        line = render_template_string("workbench pool {{ name|shell }}", name="my pool")
    assert line == "workbench pool &#39;my pool&#39;"


def test_a_member_of_one_campaign_is_taken_there(app: Flask, small: Path, client_of: SignIn) -> None:
    assert client_of(app, "Carla").get("/").location == "/c/small/"


def test_a_member_of_no_campaign_is_told_what_to_ask_for(app: Flask, client_of: SignIn) -> None:
    assert "workbench user allow Carla" in page(app, client_of, "Carla", "/")


def test_the_topics_are_listed_with_their_progress(app: Flask, small: Path, client_of: SignIn) -> None:
    text = page(app, client_of, "Ben", "/c/small/")
    assert "The small campaign" in text
    assert "8 pairs in 2 topics not yet judged." in text
    assert "Start judging" in text
    assert "frozen rivers" in text
    assert "0 of 6" in text


def test_only_organisers_see_the_way_to_runs_pool_and_board(
    app: Flask, small: Path, client_of: SignIn
) -> None:
    ways = ("/c/small/board", "/c/small/pool", "/c/small/runs")
    assert all(way in page(app, client_of, "Anna", "/c/small/") for way in ways)
    assert not any(way in page(app, client_of, "Ben", "/c/small/") for way in ways)


def test_the_pool_page_says_how_it_was_made(app: Flask, small: Path, client_of: SignIn) -> None:
    text = page(app, client_of, "Anna", "/c/small/pool")
    assert "8 pairs in 2 topics are pooled; 0 of them are judged." in text
    assert "<td>depth 100</td>" in text
    assert "document id descending" in text


@pytest.mark.parametrize("path", ["", "pool", "runs", "board"])
def test_an_empty_campaign_says_what_to_do(app: Flask, client_of: SignIn, path: str) -> None:
    assert '<pre class="commands">workbench ' in page(app, client_of, "Anna", f"/c/robust/{path}")


def test_an_assessor_before_an_empty_campaign_is_told_to_wait(app: Flask, client_of: SignIn) -> None:
    assert says(page(app, client_of, "Ben", "/c/robust/"))
    assert client_of(app, "Ben").get("/c/robust/judge").location == "/c/robust/"


def test_topics_are_listed_as_people_count(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    made = [Topic(topic_id, f"topic {topic_id}") for topic_id in ("1", "10", "2")]
    make_campaign(
        "many",
        made,
        [Document("d1", "One", "A text.")],
        {"alpha": {topic.topic_id: ["d1"] for topic in made}},
    )
    for path in ("", "pool"):
        text = page(app, client_of, "Anna", f"/c/many/{path}")
        assert text.index("topic 1<") < text.index("topic 2<") < text.index("topic 10<")


@pytest.mark.parametrize("place", ["", "pool"])
def test_organisers_are_told_of_texts_that_are_missing(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn, place: str
) -> None:
    made = [Topic("1", "rivers"), Topic("2", "lakes")]
    make_campaign("bare", made, [Document("d2", "", "A text.")], {"alpha": {"1": ["d1", "d2"], "2": ["d1"]}})
    text = page(app, client_of, "Anna", f"/c/bare/{place}")
    assert says(text)
    assert "workbench add documents bare FILE..." in text
    assert '<bdi>d1</bdi> <span class="hint">topics <bdi>1</bdi>, <bdi>2</bdi></span>' in text
    assert "<bdi>d2</bdi>" not in text


@pytest.mark.parametrize("place", ["", "pool"])
def test_ten_documents_without_text_are_named_and_the_rest_counted(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn, place: str
) -> None:
    ids = [f"d{number:02}" for number in range(1, 14)]
    make_campaign("bare", [Topic("1", "rivers")], [], {"alpha": {"1": ids}})
    text = page(app, client_of, "Anna", f"/c/bare/{place}")
    assert says(text)
    assert [document_id for document_id in ids if f"<bdi>{document_id}</bdi>" in text] == ids[:10]
    assert "and 3 more" in text


def test_assessors_are_not_told_of_texts_and_nobody_is_when_none_is_missing(
    app: Flask, make_campaign: MakeCampaign, small: Path, client_of: SignIn
) -> None:
    make_campaign("bare", [Topic("1", "rivers")], [], {"alpha": {"1": ["d1"]}})
    assert "want of a text" not in page(app, client_of, "Ben", "/c/bare/")
    assert "want of a text" not in page(app, client_of, "Anna", "/c/small/")
    assert "want of a text" not in page(app, client_of, "Anna", "/c/small/pool")


def test_what_nobody_can_judge_does_not_keep_a_campaign_from_being_done(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn, judging_as: JudgeAs
) -> None:
    path = make_campaign(
        "bare", [Topic("1", "rivers")], [Document("d2", "", "A text.")], {"alpha": {"1": ["d1", "d2"]}}
    )
    assert "Start judging" in page(app, client_of, "Ben", "/c/bare/")
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "d2", 1)
    text = page(app, client_of, "Ben", "/c/bare/")
    assert says(text)
    assert "ontinue judging" not in text


def test_who_has_judged_is_led_to_their_judgments(
    app: Flask, small: Path, client_of: SignIn, judging_as: JudgeAs
) -> None:
    assert "Review your judgments" not in page(app, client_of, "Ben", "/c/small/")
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    assert '<a class="turn" href="/c/small/history">Review your' in page(app, client_of, "Ben", "/c/small/")


def test_an_empty_campaign_names_only_the_steps_that_are_left(
    app: Flask, instance: Path, client_of: SignIn
) -> None:
    with open_campaign(instance / "robust.db") as campaign, campaign.write():
        topics.put(campaign.by("Anna"), [Topic("1", "rivers")], files=[])
    text = page(app, client_of, "Anna", "/c/robust/")
    assert "workbench add topics" not in text
    assert "workbench add documents robust COLLECTION workbench add runs robust RUN..." in text


def test_a_server_without_campaigns_says_how_to_make_one(
    make_app: MakeApp, instance: Path, token_of: TokenOf
) -> None:
    (instance / "robust.db").unlink()
    client = make_app(demo=True).test_client()
    client.post("/start", data={"name": "Rita", "csrf_token": token_of(client)})
    assert says(client.get("/").get_data(as_text=True))


def test_judging_goes_on_with_the_next_topic_as_people_count(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    made = [Topic(topic_id, f"topic {topic_id}") for topic_id in ("1", "10", "2")]
    make_campaign(
        "many",
        made,
        [Document("d1", "One", "A text.")],
        {"alpha": {topic.topic_id: ["d1"] for topic in made}},
    )
    assert "Next topic: <bdi>topic 2<" in page(app, client_of, "Ben", "/c/many/judge?topic=1")
    assert "Next topic: <bdi>topic 10<" in page(app, client_of, "Ben", "/c/many/judge?topic=2")
    assert "Next topic: <bdi>topic 1<" in page(app, client_of, "Ben", "/c/many/judge?topic=10")
