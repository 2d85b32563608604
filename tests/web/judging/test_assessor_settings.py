"""An assessor's own settings, through the door: always their own, and never half taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign, Post
from tests.sentences import says
from workbench.core.records import Document, Grade, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import bookmarks, own_terms, preferences

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(ben: FlaskClient, post_json: Post, small: Path) -> Ask:
    """What Ben's page sends to an address under /c/small/api/: the status and the JSON of the answer."""

    def post(what: str, sent: object) -> tuple[int, Any]:
        answer = post_json(ben, f"/c/small/api/{what}", sent, **{"X-Account": "Ben"})
        return answer.status_code, answer.get_json()

    return post


def test_a_document_is_postponed_and_no_longer(ask: Ask, small: Path) -> None:
    pair = {"topic_id": "1", "document_id": "d3"}
    with open_campaign(small) as campaign:
        for later in (True, True, False):
            assert ask("later", {**pair, "later": later}) == (200, {"later": later})
            assert bookmarks.of_topic(campaign, "Ben", "1") == ({"d3"} if later else set())
            assert bookmarks.of_topic(campaign, "Anna", "1") == set()


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({"topic_id": "2"}, 404, "unknown pair"),
        *(({"later": wrong}, 422, "wrong field") for wrong in (1, None)),
        ({"document_id": "\ud800"}, 422, "wrong field"),
        ({"assessor": "Anna"}, 422, "wrong field"),
    ],
)
def test_what_cannot_be_postponed_is_refused_in_a_sentence(
    ask: Ask, changes: dict[str, object], status: int, reason: str
) -> None:
    found, answer = ask("later", {"topic_id": "1", "document_id": "d3", "later": True, **changes})
    assert (found, answer["reason"]) == (status, reason)
    assert answer["message"]


def test_own_terms_are_added_removed_and_asked_for(anna: FlaskClient, ben: FlaskClient, ask: Ask) -> None:
    both = {"terms": ["ice", "雪"], "off": []}
    assert ask("terms", {"topic_id": "1", "add": " ice "}) == (200, {"terms": ["ice"], "off": []})
    assert ask("terms", {"topic_id": "1", "add": "雪"}) == (200, both)
    assert ben.get("/c/small/api/terms?topic=1").get_json() == both
    assert anna.get("/c/small/api/terms?topic=1").get_json() == {"terms": [], "off": []}
    assert ask("terms", {"topic_id": "1", "remove": "ice"}) == (200, {"terms": ["雪"], "off": []})
    assert ask("terms", {"topic_id": "1"}) == (200, {"terms": ["雪"], "off": []})


@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        *(
            ({"topic_id": "1", "add": wrong}, 422, "add")
            for wrong in ("", "x" * 101, "x" * 400, "x" * 401, "a\tb")
        ),
        *(({"topic_id": "1", "off": wrong}, 422, "off") for wrong in ("zebra", 7)),
        ({"add": "ice"}, 422, "topic_id"),
        *(({"topic_id": "7", what: "ice"}, 404, None) for what in ("add", "on")),
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
    "keys": {}, "stay": False, "opening": "passage", "size": 17, "face": "sans", "ahead": "many",
    "break_documents": None, "break_minutes": None,
}  # fmt: skip


def test_preferences_have_defaults_and_keep_what_is_set(
    anna: FlaskClient, ben: FlaskClient, ask: Ask
) -> None:
    assert ben.get("/c/small/api/preferences").get_json() == DEFAULTS
    changed = {**DEFAULTS, "size": 20, "keys": {"later": "z"}}
    assert ask("preferences", {"size": 20, "keys": {"later": "z"}}) == (200, changed)
    assert ask("preferences", {"stay": True}) == (200, {**changed, "stay": True})
    assert anna.get("/c/small/api/preferences").get_json() == DEFAULTS


@pytest.mark.parametrize(
    "sent",
    [{"size": 12}, {"colour": "red"}, {"x" * 101: 1}, {"keys": {"later": "x"}}, {"keys": {"grade 1": "z"}},
     []],
    ids=["value", "name", "long name", "key", "digit", "list"],
)  # fmt: skip
def test_a_preference_that_cannot_be_is_refused_in_a_sentence_and_leaves_all_as_they_were(
    ask: Ask, sent: Any
) -> None:
    status, answer = ask("preferences", {"stay": True, **sent} if sent else sent)
    assert (status, answer["field"]) == (422, next(iter(sent), "body")[:100])
    assert says(answer["message"], answer["field"])
    assert ask("preferences", {}) == (200, DEFAULTS)


def test_keys_that_no_longer_fit_to_the_grades_give_way_to_the_usual_ones(
    ask: Ask, ben: FlaskClient, small: Path
) -> None:
    assert ask("preferences", {"keys": {"later": "p"}})[0] == 200
    with open_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"grades": (*settings.BINARY, Grade(-2, "Spam"))})
    assert ben.get("/c/small/api/preferences").get_json()["keys"] == {}


def test_a_page_of_another_account_changes_nothing(ben: FlaskClient, post_json: Post, small: Path) -> None:
    for what, sent in (("preferences", {"size": 20}), ("terms", {"topic_id": "1", "add": "ice"})):
        assert post_json(ben, f"/c/small/api/{what}", sent, **{"X-Account": "Anna"}).status_code == 401
    assert ben.post("/c/small/api/preferences", json={"size": 20}).get_json()["reason"] == "csrf"
    assert ben.get("/c/small/api/preferences").get_json() == DEFAULTS


def test_a_postponed_topic_comes_after_the_others_until_it_is_resumed(
    anna: FlaskClient, ben: FlaskClient, make_campaign: MakeCampaign, post: Post, judging_as: JudgeAs
) -> None:
    made = [Topic(topic_id, f"topic {topic_id}") for topic_id in ("1", "2", "3")]
    run = {topic.topic_id: ["d1"] for topic in made}
    path = make_campaign("many", made, [Document("d1", "One", "A text.")], {"alpha": run})

    def send(topic_id: str, **more: str) -> tuple[int, str | None]:
        answer = post(ben, "/c/many/postponed-topics", topic=topic_id, **more)
        return answer.status_code, answer.location

    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=1"
    assert send("1", do="postpone") == (303, "/c/many/judge")
    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=2"
    assert "Next topic: <bdi>topic 2<" in ben.get("/c/many/judge?topic=3").text
    assert says(ben.get("/c/many/").text)
    assert 'name="do" value="postpone"' not in ben.get("/c/many/judge?topic=1").text
    assert anna.get("/c/many/judge").location == "/c/many/judge?topic=1"
    for topic_id in ("2", "3"):
        send(topic_id, do="postpone")
    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=1", "none other is left"
    assert send("1") == (303, "/c/many/own-topics")
    assert ben.get("/c/many/judge").location == "/c/many/judge?topic=1"
    assert send("9", do="postpone")[0] == 404
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    (way,) = re.findall('<form class="topic-later"[^>]*>', ben.get("/c/many/judge?topic=1").text)
    assert "hidden" in way, "all is judged; a script shows it when that changes"


def test_a_key_that_was_chosen_before_an_action_had_it_stays_and_the_action_has_none(
    small: Path, ben: FlaskClient
) -> None:
    with open_campaign(small) as campaign, campaign.write():
        preferences.put(campaign, "Ben", {"keys": {"later": "q", "undo": "z"}})
    keys = ben.get("/c/small/api/preferences").get_json()["keys"]
    assert keys == {"later": "q", "undo": "z", "nugget": ""}
