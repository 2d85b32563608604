"""Figures as files over HTTP, and the script that draws them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import SMALL_GRADES
from tests.fixture_types import MakeApp, SignIn
from tests.judged_pairs import judge_as
from tests.sentences import says
from workbench.campaign.questions import declare
from workbench.core.records import Question
from workbench.jobs.processes import Limits
from workbench.storage.campaign import open_campaign
from workbench.web.requests import long_work
from workbench.web.requests.long_work import Queues

pytestmark = pytest.mark.usefixtures("small")

ADDRESS = "/c/small/figures/topic-map"


@pytest.fixture
def client(app: Flask, small: Path, client_of: SignIn) -> FlaskClient:
    return client_of(app, "Anna")


@pytest.mark.parametrize(
    ("ending", "media_type", "beginning"),
    [
        ("svg", "image/svg+xml", b"<svg"),
        ("png", "image/png", b"\x89PNG"),
        ("pdf", "application/pdf", b"%PDF"),
        ("csv", "text/csv; charset=utf-8", b"run,first,last,grade\n"),
        ("json", "application/json", b"{"),
    ],
)
def test_a_figure_comes_in_every_format(
    client: FlaskClient, ending: str, media_type: str, beginning: bytes
) -> None:
    answer = client.get(f"{ADDRESS}.{ending}?topic=1")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == media_type
    assert answer.data.startswith(beginning)


def test_a_figure_on_the_page_of_a_question_is_drawn_by_its_answers(client: FlaskClient, small: Path) -> None:
    with open_campaign(small) as campaign:
        declare(campaign.by("Olga"), Question("clear", "Is it clear?", SMALL_GRADES))
        judge_as(campaign.asking("clear"), "Ann", "1!clear", "d1", 2)
    drawn = {
        name: client.get(f"/c/small/figures/leaderboard.csv?question={name}").text for name in ("", "clear")
    }
    assert "" not in drawn.values()
    assert drawn[""] != drawn["clear"]


@pytest.mark.parametrize(
    "address",
    [
        *("topic-map.json", "topic-map.svg?topic=7", "topic-map.csv?topic=1&measure=XYZ"),
        *("topic-map.pdf?topic=1&deep=3", "topic-mop.json?topic=1", "topics.json?as_of=999"),
    ],
)
def test_what_cannot_be_drawn_is_reported_in_a_sentence(client: FlaskClient, address: str) -> None:
    answer = client.get(f"/c/small/figures/{address}")
    assert (answer.status_code, answer.get_json()["reason"]) == (422, "cannot be drawn")
    assert says(answer.get_json()["message"])


def test_without_what_draws_a_picture_is_refused_in_a_sentence_and_a_page_draws_the_figure_all_the_same(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "/c/small/board"
    assert client.get(page).text.count(" download>") >= 4
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    for ending in ("svg", "png", "pdf"):
        answer = client.get(f"{ADDRESS}.{ending}?topic=1", headers={"Accept": "application/json"})
        assert (answer.status_code, answer.get_json()["reason"]) == (422, "not installed")
        assert says(answer.get_json()["message"], "relevance-workbench[pictures]")
    assert client.get(f"{ADDRESS}.json?topic=1").get_json()["datasets"]
    assert "download" not in re.findall(r"<a [^>]*>SVG", client.get(page).text)[0]
    (runtime,) = set(re.findall(r'data-runtime="([^"]+)"', client.get(page).text))
    with client.get(runtime) as script:
        assert "workbenchEmbed" in script.text
        assert "immutable" in script.headers["Cache-Control"]


@pytest.mark.slow
def test_an_engine_that_dies_takes_one_figure_with_it_and_the_next_is_drawn(
    make_app: MakeApp, client_of: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    queues = Queues.new()
    anna = client_of(make_app(queues=queues), "Anna")
    with monkeypatch.context() as little:
        little.setattr(
            long_work, "FOR_A_DRAWING", Limits(megabytes=300)
        )  # V8 ends its process when it has no more
        answer = anna.get(f"{ADDRESS}.png?topic=1")
        assert answer.status_code == 503
        assert says(answer.text)
    assert anna.get("/health").status_code == 200
    assert anna.get(f"{ADDRESS}.png?topic=1").data.startswith(b"\x89PNG")
    with anna.get("/c/small/publish/sheets?team=") as sheet:
        assert sheet.get_data().startswith(b"%PDF")
    queues.close()
    assert anna.get(f"{ADDRESS}.svg?topic=1").status_code == 503
    assert anna.get(f"{ADDRESS}.json?topic=1").status_code == 200
