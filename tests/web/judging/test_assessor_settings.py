"""An assessor's own settings, through the door: always their own, and never half taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn, TokenOf
from tests.sentences import says
from workbench.core.records import Document, Grade, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import bookmarks, own_terms

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(app: Flask, client_of: SignIn, token_of: TokenOf, small: Path) -> Ask:
    """POST to an address under /c/small/api/ as somebody: the status and the JSON of the answer."""

    def post(what: str, sent: object, who: str = "Ben") -> tuple[int, Any]:
        client = client_of(app, who)
        headers = {"X-CSRFToken": token_of(client), "X-Account": who}
        answer = client.post(f"/c/small/api/{what}", json=sent, headers=headers)
        return answer.status_code, answer.get_json()

    return post


def test_a_document_is_postponed_and_no_longer(ask: Ask, small: Path) -> None:
    pair = {"topic_id": "1", "document_id": "d3"}
    assert ask("later", {**pair, "later": True}) == (200, {"later": True})
    assert ask("later", {**pair, "later": True}) == (200, {"later": True})
    with open_campaign(small) as campaign:
        assert bookmarks.of_topic(campaign, "Ben", "1") == {"d3"}
        assert bookmarks.of_topic(campaign, "Anna", "1") == set()
    assert ask("later", {**pair, "later": False}) == (200, {"later": False})
    with open_campaign(small) as campaign:
        assert bookmarks.of_topic(campaign, "Ben", "1") == set()


@pytest.mark.parametrize(
    ("sent", "status", "reason"),
    [
        ({"topic_id": "2", "document_id": "d3", "later": True}, 404, "unknown pair"),
        ({"topic_id": "1", "document_id": "d3", "later": 1}, 422, "wrong field"),
        ({"topic_id": "1", "document_id": "d3"}, 422, "wrong field"),
        ({"topic_id": "1", "document_id": "\ud800", "later": True}, 422, "wrong field"),
        ({"topic_id": "1", "document_id": "d3", "later": True, "assessor": "Anna"}, 422, "wrong field"),
        (["1", "d3"], 422, "wrong field"),
    ],
)
def test_what_cannot_be_postponed_is_refused_in_a_sentence(
    ask: Ask, sent: object, status: int, reason: str
) -> None:
    found, answer = ask("later", sent)
    assert (found, answer["reason"]) == (status, reason)
    assert answer["message"]


def test_own_terms_are_added_removed_and_asked_for(ask: Ask, app: Flask, client_of: SignIn) -> None:
    both = {"terms": ["ice", "雪"], "off": []}
    assert ask("terms", {"topic_id": "1", "add": " ice "}) == (200, {"terms": ["ice"], "off": []})
    assert ask("terms", {"topic_id": "1", "add": "雪"}) == (200, both)
    assert client_of(app, "Ben").get("/c/small/api/terms?topic=1").get_json() == both
    assert client_of(app, "Anna").get("/c/small/api/terms?topic=1").get_json() == {"terms": [], "off": []}
    assert ask("terms", {"topic_id": "1", "remove": "ice"}) == (200, {"terms": ["雪"], "off": []})
    assert ask("terms", {"topic_id": "1"}) == (200, {"terms": ["雪"], "off": []})


@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({"topic_id": "1", "add": ""}, 422, "add"),
        ({"topic_id": "1", "add": "x" * 101}, 422, "add"),
        ({"topic_id": "1", "add": "x" * 400}, 422, "add"),
        ({"topic_id": "1", "add": "x" * 401}, 422, "add"),
        ({"topic_id": "1", "add": "a\tb"}, 422, "add"),
        ({"topic_id": "7", "add": "ice"}, 404, None),
        ({"add": "ice"}, 422, "topic_id"),
        ({"topic_id": "1", "off": "zebra"}, 422, "off"),
        ({"topic_id": "1", "off": 7}, 422, "off"),
        ({"topic_id": "7", "on": "ice"}, 404, None),
    ],
)
def test_terms_that_cannot_be_are_refused_by_their_field_and_nothing_is_kept(
    ask: Ask, small: Path, sent: object, status: int, field: str | None
) -> None:
    found, answer = ask("terms", sent)
    assert (found, answer.get("field")) == (status, field)
    assert ("at most 400 characters" in str(answer)) == (sent == {"topic_id": "1", "add": "x" * 401})
    with open_campaign(small) as campaign:
        assert own_terms.of_topic(campaign, "Ben", "1") == []


DEFAULTS = {
    "keys": {},
    "stay": False,
    "opening": "passage",
    "size": 17,
    "face": "sans",
    "ahead": "many",
    "break_documents": None,
    "break_minutes": None,
}


def test_preferences_have_defaults_and_keep_what_is_set(ask: Ask, app: Flask, client_of: SignIn) -> None:
    assert client_of(app, "Ben").get("/c/small/api/preferences").get_json() == DEFAULTS
    changed = {**DEFAULTS, "size": 20, "keys": {"later": "z"}}
    assert ask("preferences", {"size": 20, "keys": {"later": "z"}}) == (200, changed)
    assert ask("preferences", {"stay": True}) == (200, {**changed, "stay": True})
    assert client_of(app, "Anna").get("/c/small/api/preferences").get_json() == DEFAULTS


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"size": 12}, "size: a whole number of pixels from 13 to 24 is expected"),
        ({"size": 17.5}, "size: a whole number of pixels from 13 to 24 is expected"),
        (
            {"break_minutes": 241},
            "break_minutes: a whole number from 0 (no break) to 240, or null, is expected",
        ),
        (
            {"break_documents": True},
            "break_documents: a whole number from 0 (no break) to 1000, or null, is expected",
        ),
        ({"size": True}, "size: a whole number of pixels from 13 to 24 is expected"),
        ({"stay": 1}, "stay: true or false is expected"),
        ({"opening": "end"}, "opening: one of passage, whole is expected"),
        ({"opening": ["whole"]}, "opening: one of passage, whole is expected"),
        ({"face": "comic"}, "face: one of sans, serif is expected"),
        ({"ahead": "all"}, "ahead: one of few, many, topic is expected"),
        (
            {"colour": "red"},
            "colour: there is no such preference; there are keys, stay, opening, size, face, ahead, "
            "break_documents, break_minutes",
        ),
        (
            {"x" * 101: 1},
            f"{'x' * 100}: there is no such preference; there are keys, stay, opening, size, face, ahead, "
            "break_documents, break_minutes",
        ),
        ({"keys": []}, "keys: an object that gives each changed action its key is expected"),
        ({"keys": {"later": 7}}, "keys: each key is a text"),
        (
            {"keys": {"later": "x"}},
            "keys: the key x would have two meanings: “Can’t tell; save and go to the next” and “Postpone, or undo "
            "postponing”",
        ),
        (
            {"keys": {"grade 1": "z"}},
            "keys: the key of “Relevant; save and go to the next” is its digit, always",
        ),
        ([], "body: a JSON object is expected"),
    ],
)
def test_a_preference_that_cannot_be_is_refused_in_a_sentence(ask: Ask, sent: object, told: str) -> None:
    status, answer = ask("preferences", sent)
    assert (status, answer["message"]) == (422, told)
    assert answer["field"] == told.partition(":")[0]


def test_one_wrong_preference_leaves_all_as_they_were(ask: Ask) -> None:
    assert ask("preferences", {"size": 20, "stay": "yes"})[0] == 422
    assert ask("preferences", {}) == (200, DEFAULTS)


def test_keys_that_no_longer_fit_to_the_grades_give_way_to_the_usual_ones(
    app: Flask, client_of: SignIn, token_of: TokenOf, make_campaign: MakeCampaign
) -> None:
    from workbench.storage.campaign.organising import settings

    path = make_campaign("scaled", [Topic("1", "rivers")], [Document("d1")], {"alpha": {"1": ["d1"]}})
    client = client_of(app, "Ben")
    headers = {"X-CSRFToken": token_of(client)}
    address = "/c/scaled/api/preferences"
    assert client.post(address, json={"keys": {"later": "p"}}, headers=headers).status_code == 200
    with open_campaign(path) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"grades": (*settings.BINARY, Grade(-2, "Spam"))})
    assert client.get(address).get_json()["keys"] == {}


def test_a_page_of_another_account_changes_nothing(
    app: Flask, client_of: SignIn, token_of: TokenOf, small: Path
) -> None:
    client = client_of(app, "Ben")
    headers = {"X-CSRFToken": token_of(client), "X-Account": "Anna"}
    for what, sent in (("preferences", {"size": 20}), ("terms", {"topic_id": "1", "add": "ice"})):
        assert client.post(f"/c/small/api/{what}", json=sent, headers=headers).status_code == 401
    assert client.post("/c/small/api/preferences", json={"size": 20}).get_json()["reason"] == "csrf"
    assert client.get("/c/small/api/preferences").get_json() == DEFAULTS


def test_a_topic_without_a_document_left_to_judge_cannot_be_postponed(
    make_campaign: MakeCampaign, app: Flask, client_of: SignIn, judging_as: JudgeAs
) -> None:
    made = [Topic(topic_id, f"topic {topic_id}") for topic_id in ("1", "2", "3")]
    run = {topic.topic_id: ["d1"] for topic in made}
    path = make_campaign("many", made, [Document("d1", "One", "A text.")], {"alpha": run})
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    ben = client_of(app, "Ben")

    def way(topic_id: str) -> str:
        """The beginning of the form, which a script shows or hides when a judgment changes what is left."""
        html = ben.get(f"/c/many/judge?topic={topic_id}").text
        return str(re.findall('<form class="topic-later"[^>]*>', html)[0])

    assert ["hidden" in way(topic_id) for topic_id in "12"] == [True, False]


def test_a_postponed_topic_comes_after_the_others_until_it_is_resumed(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn, token_of: TokenOf
) -> None:
    made = [Topic(topic_id, f"topic {topic_id}") for topic_id in ("1", "2", "3")]
    make_campaign(
        "many",
        made,
        [Document("d1", "One", "A text.")],
        {"alpha": {topic.topic_id: ["d1"] for topic in made}},
    )
    ben = client_of(app, "Ben")

    def send(topic_id: str, **more: str) -> tuple[int, str | None]:
        form = {"topic": topic_id, "csrf_token": token_of(ben), **more}
        answer = ben.post("/c/many/postponed-topics", data=form)
        return answer.status_code, answer.location

    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=1"
    assert send("1", do="postpone") == (303, "/c/many/judge")
    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=2"
    assert "Next topic: <bdi>topic 2<" in ben.get("/c/many/judge?topic=3").text
    assert says(ben.get("/c/many/").text)
    assert 'name="do" value="postpone"' not in ben.get("/c/many/judge?topic=1").text
    assert client_of(app, "Anna").get("/c/many/judge").location == "/c/many/judge?topic=1"
    for topic_id in ("2", "3"):
        send(topic_id, do="postpone")
    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=1", "there is no other"
    assert send("1") == (303, "/c/many/")
    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=1"
    assert send("9", do="postpone")[0] == 404
