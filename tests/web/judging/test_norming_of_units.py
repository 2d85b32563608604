"""A norming session on units of answers: by the question's scale, from opening it to its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from tests.fixture_types import MakeCampaign, Post, SignIn
from tests.sentences import says
from tests.web.judging.judged_answers import answers_campaign
from tests.web.judging.sent import judged, shown
from workbench.analysis.norming import newest_session, outcome_of
from workbench.campaign.questions import USUAL
from workbench.core.about import NUGGETS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import units
from workbench.storage.campaign.grades import labels

Said = Callable[[FlaskClient, str, int, int], TestResponse]
TOPIC = "17!nuggets"
PAGE = "/c/rag/norming"
NO, PART, YES = 0, 1, 2


@pytest.fixture
def rag(make_campaign: MakeCampaign) -> Path:
    return answers_campaign(make_campaign)


@pytest.fixture
def said(post_json: Post) -> Said:
    """Judge a unit in session 1 as the page does."""

    def judge(client: FlaskClient, unit_id: str, grade: int, number: int) -> TestResponse:
        unit = shown(client, unit_id, TOPIC, "rag", norming=1)
        replaces = unit["mine"] and unit["mine"]["seq"]
        sent = judged(unit, number, topic_id=TOPIC, grade=grade, replaces=replaces, norming=1)
        return post_json(client, "/c/rag/api/judgments", sent)

    return judge


def test_a_session_on_nuggets_is_opened_judged_revealed_and_counted(
    rag: Path, anna: FlaskClient, ben: FlaskClient, app: Flask, client_of: SignIn, post: Post, said: Said
) -> None:
    carla = client_of(app, "Carla")
    with open_campaign(rag) as campaign:
        (first, second, *_) = [unit.unit_id for unit in units.of_topic(campaign, TOPIC).units]
    assert TOPIC in html.fromstring(anna.get(PAGE).text).xpath("//select[@name='topic']/option/@value")
    opened = post(anna, PAGE, do="open", topic=TOPIC, documents=f"{first} {second}")
    assert opened.status_code == 303
    judging = ben.get("/c/rag/judge?norming=1").text
    assert all(word in judging for word in (USUAL[NUGGETS].title, "Partial support"))
    assert "judge its 2 nuggets" in ben.get("/c/rag/").text
    assert said(ben, first, YES, 1).status_code == 201
    assert said(ben, second, PART, 2).status_code == 201
    assert said(carla, first, NO, 3).status_code == 201
    page = html.fromstring(ben.get(PAGE).text)
    listed = page.xpath("//ol[@class='norming-documents']/li")
    assert says("\n".join(" ".join(each.text_content().split()) for each in listed))
    assert says(page.xpath("string(//p[@class='lead'])"))
    assert post(anna, PAGE, do="reveal").status_code == 303
    table = html.fromstring(carla.get(PAGE).text).xpath("//table[contains(@class,'norming-sheet')]//tr")
    assert says("\n".join(" ".join(each.text_content().split()) for each in table))
    with open_campaign(rag) as campaign:
        session = newest_session(campaign)
        assert session is not None
        found = outcome_of(campaign, session)
        assert [each and each.grade for each in found.rows[0].said.values()] == [YES, NO]
    assert post(anna, PAGE, do="close", counts="1").status_code == 303
    with open_campaign(rag) as campaign:
        assert labels.grades_of_topic(campaign, TOPIC).keys() == {first, second}


def test_a_grade_that_only_relevance_has_is_none_in_a_session_on_units(
    rag: Path, anna: FlaskClient, ben: FlaskClient, post: Post, said: Said
) -> None:
    with open_campaign(rag) as campaign:
        first = units.of_topic(campaign, TOPIC).units[0].unit_id
    post(anna, PAGE, do="open", topic=TOPIC, documents=first)
    assert said(ben, first, 3, 1).status_code in (409, 422)
    assert said(ben, first, YES, 2).status_code == 201
