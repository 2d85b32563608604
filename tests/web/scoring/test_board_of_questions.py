"""The board of relevance offers measures of several questions where these are asked, and follows their answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html

from tests.judged_pairs import judge_as
from workbench.campaign.questions import declare
from workbench.core.records import Grade, Question
from workbench.storage.campaign import open_campaign

MEASURES = {"m": ["uRBP(p=0.5)", "CAM(of=AP,question=readable)", "uRBP(question=trust)"]}


@pytest.fixture
def asked(small: Path) -> Path:
    """A document of topic 1 is relevant and easy to read."""
    with open_campaign(small) as campaign:
        declare(campaign.by("Anna"), Question("readable", "Readable?", (Grade(0, "No"), Grade(1, "Yes"))))
        for topic_id in ("1", "1!readable"):
            judge_as(campaign, "Ben", topic_id, "d1", 1)
    return small


def test_the_board_has_them_and_what_is_not_asked_is_handed_back(asked: Path, anna: FlaskClient) -> None:
    page = html.fromstring(anna.get("/c/small/board", query_string=MEASURES).text)
    assert page.xpath("//input[@name='m'][@checked]/@value") == MEASURES["m"][:2]
    offered = {*page.xpath("//input[@name='m'][@type='checkbox']/@value")}
    assert {"uRBP(p=0.8)", "uRBPgr(p=0.8)", "CAM", "WHAM"} <= offered
    assert page.xpath("//input[@name='m'][@type='text']/@value") == MEASURES["m"][2:]


def test_an_answer_changes_the_board_that_a_browser_has(asked: Path, anna: FlaskClient) -> None:
    query = {"m": MEASURES["m"][:2]}
    first = anna.get("/c/small/api/board", query_string=query)
    cells = {row["run"]: [cell["value"] for cell in row["cells"]] for row in first.json["rows"]}
    assert cells["alpha"] == [0.5, 1.0]
    known = {"If-None-Match": first.headers["ETag"]}
    assert anna.get("/c/small/api/board", query_string=query, headers=known).status_code == 304
    with open_campaign(asked) as campaign:
        judge_as(campaign, "Ben", "1!readable", "d1", 0)
    after = anna.get("/c/small/api/board", query_string=query, headers=known)
    cells = {row["run"]: [cell["value"] for cell in row["cells"]] for row in after.json["rows"]}
    assert cells["alpha"] == [0.0, 0.5]


@pytest.mark.parametrize("page", ["board", "compare", "compare/pairs", "topics", "board.csv"])
def test_pages_and_files_of_results_take_them(asked: Path, anna: FlaskClient, page: str) -> None:
    asks = "measure" if page.startswith("compare") else "m"
    shown = anna.get(f"/c/small/{page}", query_string={asks: "CAM(of=RBP)"})
    assert shown.status_code == 200
    assert "CAM(of=RBP)" in shown.text


@pytest.mark.parametrize("seen", [{}, {"question": "readable"}])
def test_where_one_question_is_shown_none_is_offered(
    small: Path, anna: FlaskClient, request: pytest.FixtureRequest, seen: dict[str, str]
) -> None:
    if seen:
        request.getfixturevalue("asked")
    page = html.fromstring(anna.get("/c/small/board", query_string={**seen, "m": "uRBP(p=0.8)"}).text)
    assert "uRBP(p=0.8)" not in page.xpath("//input[@name='m'][@type='checkbox']/@value")
