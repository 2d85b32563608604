"""The page Questions asks more than relevance; assessors answer on the judging page, and results show the answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html
from playwright.sync_api import expect

from tests.asked_answers import add_answers, put_bank
from tests.fixture_types import JudgeAs, TokenOf, Visit
from tests.judged_pairs import judge_as
from tests.made_answers import answer
from tests.sentences import says
from tests.stories import expect_saved, judge
from tests.web.alerts import alerts
from workbench.campaign.questions import USUAL
from workbench.core.about import NUGGETS
from workbench.formats.answers.banks import Nugget
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools
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


WAITING = "//form[contains(@action, '/pool')]"
"""The form that pools what waits."""


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


@pytest.mark.parametrize(
    ("answered", "fields", "grades", "chosen"),
    [
        ("label", {}, [0, 1, 2], 0),
        ("labels", {"grade-number": ["1", "2"], "grade-name": ["A", "B"], "counts": "0=0,1=2"}, [0, 2], 2),
        ("labels", {"grade-number": [], "grade-name": [], "grade-guideline": []}, list(range(31)), 0),
        ("weight", {"ends": "0..10"}, list(range(11)), 0),
    ],
)
def test_the_page_declares_each_kind_and_shows_it_again(
    small: Path,
    anna: FlaskClient,
    token_of: TokenOf,
    answered: str,
    fields: dict[str, object],
    grades: list[int],
    chosen: int,
) -> None:
    form = {**FORM, "answered": answered, **fields, "good-from": "1"}
    assert anna.get(f"{ADDRESS}?answered={answered}").status_code == 200
    for _ in range(2):
        made = anna.post(ADDRESS, data={**form, "csrf_token": token_of(anna)})
        assert made.status_code == 303, alerts(made.text)
        with open_campaign(small) as campaign:
            (asked,) = settings.read(campaign).questions
        assert (asked.answered, [each.grade for each in asked.grades]) == (answered, grades)
        assert len(asked.labels) == chosen
        page = html.document_fromstring(anna.get(f"{ADDRESS}?name=readable").text)
        (filled,) = page.xpath("//form[@class='making']")
        form = {
            name: [each.value for each in filled.xpath(f".//*[@name='{name}']")] for name in filled.fields
        }


def test_results_of_labels_say_that_they_have_no_order(
    small: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    form = {**FORM, "answered": "label", "asked-from": "", "csrf_token": token_of(anna)}
    assert anna.post(ADDRESS, data=form).status_code == 303
    with open_campaign(small) as campaign:
        for name, grade in (("Ann", 1), ("Ben", 2)):
            judge_as(campaign, name, "1!readable", "d1", grade)
    board = html.document_fromstring(anna.get("/c/small/board?question=readable").text)
    assert says(board.xpath("string(//p[@class='hint'][.//bdi='Easy'])"), "Easy")
    relevance = html.document_fromstring(anna.get("/c/small/board").text)
    assert not relevance.xpath("//p[@class='hint'][.//bdi]")
    assert anna.get("/c/small/agreement?question=readable").status_code == 200
    assert anna.get("/c/small/agreement?question=readable&by=pair").status_code == 200


def test_adjudicators_see_which_labels_were_chosen_and_decide_on_the_grade(
    small: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    labels_of = {
        "answered": "labels",
        "grade-number": ["1", "2"],
        "grade-name": ["Cost", "Cure"],
        "asked-from": "",
    }
    form = {**FORM, **labels_of, "grade-guideline": ["", ""], "good-from": "1", "csrf_token": token_of(anna)}
    assert anna.post(ADDRESS, data=form).status_code == 303
    with open_campaign(small) as campaign:
        judge_as(campaign, "Ann", "1!readable", "d1", 2, chosen=0b11)
        judge_as(campaign, "Ben", "1!readable", "d1", 1, chosen=0b10)
    address = "/c/small/adjudicate?topic=1!readable&document=d1"
    page = html.document_fromstring(anna.get(address).text)
    shown = sorted(
        voice.xpath(".//p[@class='voice-note']//bdi/text()") for voice in page.xpath("//li[@class='voice']")
    )
    assert shown == [["Cost", "Cure"], ["Cure"]]
    (form,) = page.xpath("//form[@id='decide']")
    decided = anna.post(form.action, data={**dict(form.fields), "grade": "2"})
    assert decided.status_code == 303
    assert answers(small) == {("1!readable", "d1"): 2}


@pytest.mark.parametrize("ends", ["", "0..", "10..0", "0..500", "a..b"])
def test_ends_of_a_number_that_make_no_sense_are_refused(
    small: Path, anna: FlaskClient, token_of: TokenOf, ends: str
) -> None:
    made = anna.post(ADDRESS, data={**FORM, "answered": "weight", "ends": ends, "csrf_token": token_of(anna)})
    assert made.status_code == 422
    assert says(alerts(made.text))


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


@pytest.fixture
def nuggets(small: Path, anna: FlaskClient, token_of: TokenOf) -> Path:
    """The campaign `small` with an answer to topic 1 and one nugget, which is asked about and pooled in the browser."""
    with open_campaign(small) as campaign:
        add_answers(campaign, answer("1"))
        put_bank(campaign, Nugget("Reefs recover"))
    page = html.document_fromstring(anna.get(f"{ADDRESS}?about=nuggets").text)
    (form,) = page.xpath("//form[@class='making']")
    filled = {name: [each.value for each in form.xpath(f".//*[@name='{name}']")] for name in form.fields}
    assert anna.post(ADDRESS, data=filled).status_code == 303
    pool(anna, token_of, expected="1", depth="5", strategy="depth")
    return small


def pool(client: FlaskClient, token_of: TokenOf, **fields: str) -> None:
    """Make a pool of the question nuggets on the page Pool, and wait for it."""
    fields = {"csrf_token": token_of(client), **fields}
    made = client.post("/c/small/pool?question=nuggets", data=fields)
    assert made.status_code == 303, made.text
    assert "question=nuggets" in made.location


def test_what_is_usually_asked_about_answers_fills_the_form(nuggets: Path) -> None:
    with open_campaign(nuggets) as campaign:
        (asked,) = settings.read(campaign).questions
        assert asked == USUAL[NUGGETS]
        assert len(pools.pooled_pairs(campaign, "1!nuggets")) == 1


def test_the_page_of_pools_shows_those_of_a_question_about_answers_alone(
    nuggets: Path, asked: Path, anna: FlaskClient
) -> None:
    page = html.document_fromstring(anna.get("/c/small/pool?question=nuggets").text)
    choices = [each.text for each in page.xpath("//nav[@aria-label='Question']//a")]
    assert choices == ["Relevance", USUAL[NUGGETS].title]
    assert page.xpath("//form[@id='plan']//input[@name='question']/@value") == ["nuggets"]
    ways = page.xpath("//main//form[@method='post']/@action[contains(., '/small/pool')]")
    assert len(ways) == 2
    assert all("question=nuggets" in each for each in ways)
    assert len(page.xpath("//table[.//th[text()='Strategy']]//tbody/tr")) == 1


def test_units_that_a_changed_bank_brought_are_pooled_by_one_button(
    nuggets: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    with open_campaign(nuggets) as campaign:
        (pair,) = pools.pooled_pairs(campaign, "1!nuggets")
        judge_as(campaign, "Ben", "1!nuggets", pair.pooled.document_id, 2)
        put_bank(campaign, Nugget("Reefs recover slowly"), Nugget("Fish help"))
    page = html.document_fromstring(anna.get(ADDRESS).text)
    (form,) = page.xpath(WAITING)
    assert says(" ".join(form.text_content().split()))
    made = anna.post(form.action, data=dict(form.fields))
    assert made.status_code == 303
    with open_campaign(nuggets) as campaign:
        assert len(pools.pooled_pairs(campaign, "1!nuggets")) == 2
    assert not html.document_fromstring(anna.get(ADDRESS).text).xpath(f"{WAITING}//button")


@pytest.mark.parametrize("figure", ["pool-depths", "pool-runs", "pool-topics"])
def test_the_figures_of_a_pool_are_those_of_its_question(
    nuggets: Path, anna: FlaskClient, figure: str
) -> None:
    page = html.document_fromstring(anna.get("/c/small/pool?question=nuggets").text)
    (address,) = page.xpath(f"//@data-figure[contains(., '{figure}')]")
    assert "question=nuggets" in address
    assert anna.get(address).status_code == 200
