"""A campaign in which something is missing: each page opens, says what, and leads to where it is added."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

PAGES = (
    "board", "compare", "compare/pairs", "compare/boards", "compare/topics", "runs", "topics", "stop", "reuse",
    "simulation", "publish",
)  # fmt: skip


def ways_of(page: str) -> list[str]:
    """Where the page itself leads, without its menu, to add something."""
    return re.findall(r'href="/c/\w+/(add/\w+|pool)"', page.split('<main id="main"')[1])


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_campaign_leads_an_organiser_to_what_is_missing(anna: FlaskClient, page: str) -> None:
    answer = anna.get(f"/c/robust/{page}")
    assert answer.status_code == 200
    assert ways_of(answer.text)


def test_who_cannot_add_anything_is_led_nowhere(app: Flask, client_of: SignIn) -> None:
    answer = client_of(app, "Olga").get("/c/robust/board")
    assert answer.status_code == 200
    assert ways_of(answer.text) == []


@pytest.mark.parametrize("grade", [None, 0, 1], ids=["not judged", "not relevant", "relevant"])
@pytest.mark.parametrize("page", [*PAGES, "board/print", "dashboard", "run?run=alpha", "topic?topic=1"])
def test_one_run_on_one_topic_is_shown(
    anna: FlaskClient, make_campaign: MakeCampaign, judging_as: JudgeAs, grade: int | None, page: str
) -> None:
    path = make_campaign(
        "single", [Topic("1", "ice")], [Document("d1", "Ice", "Ice.")], {"alpha": {"1": ["d1"]}}
    )
    if grade is not None:
        with open_campaign(path) as campaign:
            judging_as(campaign, "Ben", "1", "d1", grade)
    assert anna.get(f"/c/single/{page}").status_code == 200
