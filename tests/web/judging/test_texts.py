"""Documents that are loaded before they are needed, many in one answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeCampaign, Post, SignIn
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.web.judging.texts import MOST_AT_ONCE, _against

Ask = Callable[..., TestResponse]

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def ask(ben: FlaskClient, post_json: Post) -> Ask:
    def post(documents: object, client: FlaskClient = ben, **more: object) -> TestResponse:
        sent = {"topic_id": "1", "documents": documents, "size": 1_000_000, **more}
        return post_json(client, "/c/small/api/texts", sent)

    return post


def places(*names: str) -> list[dict[str, str | None]]:
    return [{"document_id": name, "against": None} for name in names]


def test_the_page_brings_the_documents_that_it_shows_first(
    ben: FlaskClient, make_campaign: MakeCampaign
) -> None:
    names = [f"d{number:02}" for number in range(1, 15)]
    made = [Document(name, text="Ice.") for name in names]
    path = make_campaign("many", [Topic("1", "rivers")], made, {"alpha": {"1": names}})

    def brought() -> list[str]:
        text = ben.get("/c/many/judge?topic=1").get_data(as_text=True)
        data = json.loads(text.split('id="page-data">')[1].split("</script>")[0])
        return [one["document_id"] for one in data["texts"]]

    assert len(brought()) == 4
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    assert len(brought()) == len(set(brought())) == 12


def test_each_text_is_the_page_that_its_frame_would_have_shown_and_says_what_it_may_load(
    ben: FlaskClient, ask: Ask
) -> None:
    found = ask(places("d3", "d99", "d1")).get_json()["texts"]
    assert [text["document_id"] for text in found] == ["d3", "d1"], "d99 is not pooled"
    policy = "default-src &#39;none&#39;; style-src &#39;self&#39; http://localhost; img-src data:"
    for text in found:
        assert text["html"] == ben.get(f"/c/small/document-frame?topic=1&document={text['document_id']}").text
        assert f'<meta http-equiv="Content-Security-Policy" content="{policy}' in text["html"]


def test_a_document_is_compared_with_the_near_duplicate_just_before_it() -> None:
    nears = ["a", "a", "b", "a", None, None, "a"]
    items: list[Any] = [SimpleNamespace(document_id=f"d{at}", near=near) for at, near in enumerate(nears)]
    assert [_against(items, at) for at in range(7)] == [None, "d0", None, None, None, None, None]


def test_texts_without_a_norming_session_are_those_of_none(ben: FlaskClient, ask: Ask) -> None:
    without = ask(places("d1")).get_json()
    assert ask(places("d1"), norming=None).get_json() == without
    for unknown in (0, 2**63 - 1):
        assert ask(places("d1"), norming=unknown).get_json() == {"texts": []}


def test_texts_end_where_the_size_in_bytes_is_reached_so_that_no_script_gets_more_but_one_always_comes(
    ben: FlaskClient, make_campaign: MakeCampaign, ask: Ask
) -> None:
    made = [Document(name, "", "冰" * 1_000) for name in ("d1", "d2", "d3")]
    make_campaign("small", [Topic("1", "ice")], made, {"alpha": {"1": ["d1", "d2", "d3"]}})
    (whole,) = ask(places("d1")).get_json()["texts"]
    characters, size = len(whole["html"]), len(whole["html"].encode())
    assert size >= characters + 2_000
    for room, count in ((0, 1), (size + 10, 1), (2 * characters + 20, 1), (2 * size + 20, 2)):
        assert len(ask(places("d1", "d2", "d3"), size=room).get_json()["texts"]) == count


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("documents", ["d1", places(*["d1"] * (MOST_AT_ONCE + 1)), [{"document_id": "d1"}]]),
        ("documents", [[{"document_id": 1, "against": None}]]),
        ("size", [-1, True]),
        ("norming", ["x", True, -1, 2**63]),
    ],
)
def test_what_is_not_understood_is_refused_by_the_name_of_its_field(
    ben: FlaskClient, ask: Ask, field: str, wrong: list[object]
) -> None:
    for value in wrong:
        answer = ask(**{"documents": places("d1"), field: value})
        assert (answer.status_code, answer.get_json()["field"]) == (422, field)


def test_only_people_who_judge_get_texts(app: Flask, small: Path, client_of: SignIn, ask: Ask) -> None:
    assert ask(places("d1"), client_of(app, None)).status_code == 401
    assert ask(places("d1"), client_of(app, "Paul")).status_code == 404
