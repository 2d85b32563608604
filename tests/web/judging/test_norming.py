"""The page of norming sessions, from opening one to its end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import Post, SignIn
from tests.sentences import says
from tests.web.judging.sent import judged, shown
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.grades import judgments
from workbench.web.judging.norming import _lead

Change = Callable[..., TestResponse]

pytestmark = pytest.mark.usefixtures("small")
ADDRESS = "/c/small/norming"


@pytest.fixture
def change(anna: FlaskClient, post: Post) -> Change:
    """Send the page's form as the organiser."""
    return lambda what, **fields: post(anna, ADDRESS, do=what, **fields)


Said = Callable[..., TestResponse]


@pytest.fixture
def said(post_json: Post) -> Said:
    """Judge a document in session 1 as the page does."""

    def judge(client: FlaskClient, document_id: str, grade: int, number: int) -> TestResponse:
        document = shown(client, document_id, norming=1)
        replaces = document["mine"] and document["mine"]["seq"]
        sent = judged(document, number, grade=grade, replaces=replaces, norming=1)
        return post_json(client, "/c/small/api/judgments", sent)

    return judge


def test_without_a_session_an_organiser_can_open_one_and_an_assessor_learns_who_does(
    anna: FlaskClient, ben: FlaskClient, change: Change
) -> None:
    assert "Open the session" in anna.get(ADDRESS).text
    page = ben.get(ADDRESS).text
    assert says(page) and "Open the session" not in page
    answer = change("open", topic="1", number="3", seed="1")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{ADDRESS}?session=1")
    assert "have judged all 3 documents." in anna.get(ADDRESS).text
    home = ben.get("/c/small/").text
    assert says(home) and "judge its 3 documents" in home


def test_a_session_is_judged_alone_revealed_talked_about_and_closed(
    anna: FlaskClient,
    ben: FlaskClient,
    app: Flask,
    client_of: SignIn,
    said: Said,
    change: Change,
    small: Path,
) -> None:
    change("open", topic="1", documents="d1 d2")
    carla = client_of(app, "Carla")
    answer = said(ben, "d1", 1, 1)
    assert (answer.status_code, answer.get_json()["stored"]["kind"]) == (201, "grade")
    assert said(ben, "d2", 1, 5).get_json()["before"] is None, "of the session, which no other row follows"
    said(carla, "d1", 0, 2)
    page = anna.get(ADDRESS).text
    assert "1 of 2" in page and "Grades by assessor" not in page
    assert change("reveal").status_code == 303
    page = carla.get(ADDRESS).text
    assert "Grades by assessor" in page and "Raw agreement" in page
    said(carla, "d1", 1, 3)
    assert "changed" in carla.get(ADDRESS).text
    assert change("close", counts="1").status_code == 303
    assert "its grades count." in carla.get(ADDRESS).text
    refused = said(ben, "d2", 0, 4)
    assert (refused.status_code, refused.get_json()["reason"]) == (409, "norming closed")
    assert refused.get_json()["current"]["grade"] == 1, "what is stored of the session"
    with open_campaign(small) as campaign:
        assert [qrel[1:] for qrel in list(judgments.each_of_view_of_qrels(campaign))] == [
            ("d1", 1),
            ("d2", 1),
        ]


def test_the_judging_page_of_a_session_has_its_documents_and_no_others(
    ben: FlaskClient, change: Change
) -> None:
    change("open", topic="1", documents="d2 d1")
    page = ben.get("/c/small/judge?norming=1")
    assert page.status_code == 200 and "Norming" in page.text
    assert page.text.index('"document_id": "d2"') < page.text.index('"document_id": "d1"')
    assert '"document_id": "d3"' not in page.text
    assert ben.get("/c/small/judge?norming=7").status_code == 404
    assert ben.get(f"{ADDRESS}?session=7").status_code == 404


def test_what_cannot_be_done_is_said_and_changes_nothing(change: Change, small: Path) -> None:
    for what, fields, words in (
        ("reveal", {}, "open in small"),
        ("open", {"topic": "1", "documents": "d1 nothing"}, "nothing"),
        ("open", {"topic": "7"}, "no pooled documents"),
    ):
        answer = change(what, **fields)
        assert answer.status_code == 422 and words in answer.text
    assert change("shout").status_code == 422
    with open_campaign(small) as campaign:
        assert norming.all_sessions(campaign) == []


def test_the_newest_session_is_shown_first_and_the_earlier_ones_backwards_also_after_a_refusal(
    anna: FlaskClient, change: Change, small: Path
) -> None:
    for seed in ({}, {"seed": "0"}, {"seed": "1"}):
        change("open", topic="1", number="2", **seed)
        change("close")
    for answer in (anna.get(ADDRESS), change("close"), change("open", topic="7")):
        assert re.findall(rf'href="{re.escape(ADDRESS)}\?session=(\d)"', answer.text) == ["2", "1"]
        assert "norming session yet" not in answer.text
    with open_campaign(small) as campaign:
        drawn = [set(each.documents) for each in norming.all_sessions(campaign)]
    assert drawn[0] == drawn[1] != drawn[2], "the seed is 0 where none is typed"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"number": "ten"}, "number"),
        ({"number": "0"}, "to"),
        ({"seed": "seven"}, "seed"),
        ({"documents": "d1 nonsense"}, "nonsense"),
    ],
)
def test_what_was_typed_wrong_is_reported_and_stays_in_the_form(
    change: Change, typed: dict[str, str], words: str
) -> None:
    sent = {"topic": "2", "number": "3", "seed": "1", "documents": "", **typed}
    answer = change("open", **sent)
    assert answer.status_code == 422
    kept = (f'value="{sent["number"]}"', f'value="{sent["seed"]}"', sent["documents"])
    assert all(each in answer.text for each in (words, '<option value="2" dir="auto" selected>', *kept))


@pytest.mark.parametrize(
    ("done", "state"),
    [({}, None), ({}, {}), ({}, {"documents": ["d1"]}), ({"Ben": 1, "Carla": 0}, {"documents": ["d1"]}),
     ({"Ben": 2}, {}), ({"Ben": 2, "Carla": 3, "Dora": 3}, {}), ({"Ben": 3}, {"revealed": 9}),
     ({"Ben": 3}, {"is_open": False, "counts": True}), ({"Ben": 3}, {"is_open": False, "revealed": 9})],
)  # fmt: skip
def test_where_a_session_stands_is_a_sentence(done: dict[str, int], state: dict[str, object] | None) -> None:
    usual = {"documents": ["d1", "d2", "d3"], "revealed": None, "is_open": True, "counts": False}
    outcome: Any = SimpleNamespace(session=SimpleNamespace(**usual | (state or {})), done=done)
    assert says(_lead(outcome if state is not None else None))
