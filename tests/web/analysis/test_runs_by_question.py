"""The page of a run, and the pages of teams, by a question about answers: its measures, and topics by their own ids."""

from __future__ import annotations

import io
from pathlib import Path
from zipfile import ZipFile

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn
from tests.sentences import says
from tests.web.judging.judged_answers import answers_campaign
from workbench.campaign.new_campaign import choose_least_teams, open_scores
from workbench.campaign.questions import USUAL
from workbench.core.about import CITATIONS, NUGGETS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import units
from workbench.storage.campaign.people import members

RUN = "/c/rag/run?run=alpha"


@pytest.fixture
def rag(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Two runs of team uni, of which alpha holds every nugget and omega none; Paul is of that team."""
    path = answers_campaign(make_campaign)
    with open_campaign(path) as campaign:
        alpha = units.of_topic(campaign, "17!nuggets").units[0].run
        for unit in units.of_topic(campaign, "17!nuggets").units:
            judging_as(campaign, "Ben", "17!nuggets", unit.unit_id, 2 if unit.run == alpha else 0)
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="uni")
        open_scores(campaign.by("Anna"), True)
        choose_least_teams(campaign.by("Anna"), 1)
    return path


def text_of(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.text


def test_the_page_of_a_run_shows_what_it_scores_by_a_question(anna: FlaskClient, rag: Path) -> None:
    page = html.fromstring(text_of(anna, f"{RUN}&question=nuggets"))
    assert says(page.xpath("string(//p[@class='lead'])"), "strict_vital_score (1.0000)")
    assert page.xpath("//section/h2/@id") == ["topics", "documents", "came-in", "said", "part"]
    (cells,) = page.xpath("//table[thead]//tr[td]")[:1]
    assert [cell.text_content().strip() for cell in cells][:3] == [
        "17",
        "How do coral reefs recover from heat?",
        "1.0000",
    ]
    choices = page.xpath("//nav[@aria-label='Question']//a")
    titles = [USUAL[about].title for about in (CITATIONS, NUGGETS)]
    assert [each.text for each in choices] == ["Relevance", *titles]
    (chosen,) = (each.text for each in choices if each.get("aria-current"))
    assert chosen == USUAL[NUGGETS].title
    other = text_of(anna, f"{RUN}&question=nuggets&m=all_score")
    assert "<option selected>all_score</option>" in other
    assert 'name="question" value="nuggets"' in other


def test_a_measure_of_documents_is_none_of_nuggets(anna: FlaskClient, rag: Path) -> None:
    page = html.fromstring(text_of(anna, f"{RUN}&question=nuggets&m=WHAM"))
    assert says(page.xpath("string(//p[@role='alert'])"))


def test_by_relevance_the_page_is_as_before(anna: FlaskClient, rag: Path) -> None:
    page = html.fromstring(text_of(anna, RUN))
    assert says(page.xpath("string(//p[@class='lead'])"))


def test_the_board_of_a_question_leads_to_the_run_by_it_and_on_to_its_answers(
    anna: FlaskClient, rag: Path
) -> None:
    board = html.fromstring(text_of(anna, "/c/rag/board?question=nuggets"))
    addresses = [each for each in board.xpath("//a/@href") if each.startswith("/c/rag/run?")]
    assert addresses
    assert all("question=nuggets" in each for each in addresses)
    page = html.fromstring(text_of(anna, addresses[0]))
    (to_topic,) = {each for each in page.xpath("//tbody//a/@href") if "topic=17" in each}
    assert "recover" in text_of(anna, to_topic)
    assert "recover" in text_of(anna, "/c/rag/run?run=alpha&topic=17!nuggets")


@pytest.mark.parametrize("question", ["nuggets", ""])
def test_a_team_sees_its_runs_by_the_question(
    app: Flask, client_of: SignIn, rag: Path, question: str
) -> None:
    paul = client_of(app, "Paul")
    page = html.fromstring(text_of(paul, f"/c/rag/own-runs?run=alpha&question={question}"))
    heads = [each.text_content() for each in page.xpath("(//thead)[1]//th")]
    assert ("all_score" in heads) == bool(question)
    if question:
        assert [cell.text_content() for cell in page.xpath("(//tbody)[2]//tr[1]/*")][:3] == [
            *("17", "How do coral reefs recover from heat?", "1.0000")
        ]
    with paul.get(f"/c/rag/own-runs/sheet?format=html&question={question}") as answer:
        assert (USUAL[NUGGETS].title in answer.text) == bool(question)


def test_the_sheets_of_all_teams_are_by_the_question_of_the_address(anna: FlaskClient, rag: Path) -> None:
    page = text_of(anna, "/c/rag/publish")
    assert "/c/rag/publish/sheets?format=html&amp;question=nuggets" in page
    with anna.get("/c/rag/publish/sheets?format=html&team=uni&question=nuggets") as answer:
        assert "strict_vital_score" in answer.text
    with anna.get("/c/rag/publish/sheets?format=html&team=uni") as answer:
        assert "strict_vital_score" not in answer.text
    found = []
    for more in ("&question=nuggets", ""):
        with anna.get(f"/c/rag/publish/sheets?format=html{more}") as answer:
            archive = ZipFile(io.BytesIO(answer.data))
            found += [
                b"strict_vital_score" in archive.read(name) for name in archive.namelist() if "uni" in name
            ]
    assert found == [True, False]


def test_conflicts_and_differences_are_called_by_what_is_judged(
    anna: FlaskClient, rag: Path, judging_as: JudgeAs
) -> None:
    assert "No conflicts: no nugget has different grades" in text_of(
        anna, "/c/rag/adjudication?question=nuggets"
    )
    assert "No conflicts: no document has different grades" in text_of(anna, "/c/rag/adjudication")
    with open_campaign(rag) as campaign:
        unit = units.of_topic(campaign, "17!nuggets").units[0]
        judging_as(campaign, "Carla", "17!nuggets", unit.unit_id, 0)
    page = html.fromstring(text_of(anna, "/c/rag/adjudication?question=nuggets"))
    assert page.xpath("//thead//th")[0].text_content().strip() == "Nugget"
    compared = text_of(
        anna, "/c/rag/compare?run=alpha&run=omega&measure=AP&question=nuggets&topic=17!nuggets"
    )
    heads = html.fromstring(compared).xpath("//section[@id='closer']//thead//th[1]")
    assert {each.text for each in heads} == {"Nugget"}
    assert "Nuggets behind the difference" in compared
