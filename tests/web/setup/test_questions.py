"""The page Questions asks more than relevance; assessors answer on the judging page, and results show the answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, TokenOf, Visit
from tests.sentences import says
from tests.stories import expect_saved, judge
from tests.web.alerts import alerts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.organising import settings

ADDRESS = "/c/small/settings/questions"
FORM = {
    "name": "readable",
    "title": "Readable?",
    "grade-number": ["0", "1", "2"],
    "grade-name": ["Hard", "Fair", "Easy"],
    "grade-guideline": ["", "", ""],
    "good-from": "2",
    "asked-from": "1",
}


@pytest.fixture
def asked(small: Path, anna: FlaskClient, token_of: TokenOf, judging_as: JudgeAs) -> Path:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    assert anna.post(ADDRESS, data={**FORM, "csrf_token": token_of(anna)}).status_code == 303
    return small


def answers(path: Path) -> dict[tuple[str, str], int]:
    with open_campaign(path) as campaign:
        return {label.pair: label.grade for label in labels.qrels(campaign.asking("readable"))}


def test_what_makes_no_sense_stays_in_the_form_with_the_reason(
    small: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    wrong = {**FORM, "name": "Readable!", "csrf_token": token_of(anna)}
    page = anna.post(ADDRESS, data=wrong)
    assert page.status_code == 422
    assert says(alerts(page.text), "Readable!")
    assert 'value="Easy"' in page.text


@pytest.mark.parametrize("field", ["asked-from", "good-from"])
def test_a_number_of_many_digits_is_refused(
    small: Path, anna: FlaskClient, token_of: TokenOf, field: str
) -> None:
    page = anna.post(ADDRESS, data={**FORM, field: "9" * 5000, "csrf_token": token_of(anna)})
    assert page.status_code == 422


@pytest.mark.parametrize(
    "page",
    ["board", "agreement", "adjudication", "topics", "compare", "stop", "download/qrels", "download/scores"],
)
def test_results_show_the_answers_and_an_unknown_question_is_not_there(
    asked: Path, anna: FlaskClient, judging_as: JudgeAs, page: str
) -> None:
    with open_campaign(asked) as campaign:
        judging_as(campaign, "Ben", "1!readable", "d1", 2)
    assert anna.get(f"/c/small/{page}?question=readable").status_code == 200
    assert anna.get(f"/c/small/{page}?question=harmful").status_code == 404


def test_qrels_of_a_question_are_downloaded_and_its_board_is_its_own(
    asked: Path, anna: FlaskClient, judging_as: JudgeAs
) -> None:
    with open_campaign(asked) as campaign:
        judging_as(campaign, "Ben", "1!readable", "d1", 2)
    assert anna.get("/c/small/download/qrels?question=readable").text == "1 0 d1 2\n"
    boards = [anna.get(f"/c/small/api/board?m=P(rel=1)@1{more}").json for more in ("", "&question=readable")]
    assert boards[0]["pooled"] > boards[1]["pooled"] == 1


def test_agreement_on_a_question_is_by_its_own_grades(
    asked: Path, anna: FlaskClient, judging_as: JudgeAs
) -> None:
    with open_campaign(asked) as campaign:
        for assessor in ("Ben", "Carla"):
            judging_as(campaign, assessor, "1!readable", "d1", 2)
        rules = settings.read(campaign.asking("readable"))
    page = html.document_fromstring(anna.get("/c/small/agreement?question=readable").text)
    good, said = rules.called(rules.relevant_from), page.text_content()
    assert said.lower().count(f"at least “{good.lower()}”") == 2


def test_who_knows_the_guidelines_is_shown_the_question_that_came(asked: Path, ben: FlaskClient) -> None:
    page = html.document_fromstring(ben.get("/c/small/guidelines").text)
    assert [each.text_content().split(":")[0] for each in page.xpath("//ins")] == ["Readable?"]
    assert [each.text_content() for each in page.xpath("//section[@aria-labelledby='questions']//li/b")] == [
        "Readable?"
    ]


@pytest.mark.browser
def test_an_assessor_answers_after_relevance_on_the_scale_of_the_question(asked: Path, visit: Visit) -> None:
    page = visit("/c/small/own-topics")
    page.get_by_role("link", name="Readable?").click()
    expect(page.get_by_role("radiogroup", name="Readable?").get_by_role("radio")).to_have_count(3)
    assert judge(page, "2").document_id == "d1"
    expect(page.locator("#progress")).to_contain_text("1 of 1")
    expect_saved(page)
    assert answers(asked) == {("1!readable", "d1"): 2}
