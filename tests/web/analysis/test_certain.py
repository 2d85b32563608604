"""The page of certainty, its JSON, and the line on the leaderboard say what the engine says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn
from workbench.analysis.figures import draw
from workbench.core.errors import UnknownName
from workbench.core.records import Document, Topic
from workbench.scoring.board.certain_pairs import certain_pairs
from workbench.scoring.board.certainty_history import certainty_over_log
from workbench.scoring.board.deciding import deciding_documents
from workbench.setup.pools.making import add_pool
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.people import members


@pytest.fixture
def three(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Iterator[Campaign]:
    """Three runs of one topic, pooled to depth 2: `low` and `mid` have d1 on top, `top` d3; d1 is relevant."""
    rankings = {"top": {"1": ["d3", "d4"]}, "mid": {"1": ["d1", "d3"]}, "low": {"1": ["d1", "d2"]}}
    texts = [Document(f"d{number}", f"Document {number}", "text") for number in range(1, 5)]
    with open_campaign(make_campaign("three", [Topic("1", "ice")], texts, rankings)) as campaign:
        add_pool(campaign, depth=2, actor="Anna")
        judging_as(campaign, "Ben", "1", "d1", 1)
        yield campaign


@pytest.fixture
def anna(app: Flask, client_of: SignIn, three: Campaign) -> FlaskClient:
    return client_of(app, "Anna")


def words_of(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.get_data(as_text=True)))


def test_the_page_says_which_pairs_are_open_and_what_would_swap_them(anna: FlaskClient) -> None:
    text = words_of(anna, "/c/three/compare/certain?measure=P@1&one=mid&two=top")
    # d3 is top's first document: relevant, it makes top level with mid and low.
    assert "1 tied for certain by P@1." in text
    assert "No way to judge the rest of the pool was found by which top overtakes mid." in text
    assert "can become level" in text
    text = words_of(anna, "/c/three/compare/certain?measure=P@2&one=low&two=top")
    assert "If these 2 documents have the grades given here, top overtakes low (0.5000 ahead)." in text
    assert "can swap" in text


def test_documents_are_links_to_the_judging_page(anna: FlaskClient) -> None:
    page = anna.get("/c/three/compare/certain?measure=P@2&one=low&two=top").get_data(as_text=True)
    assert 'href="/c/three/judge?topic=1&amp;document=d3">Document 3</a>' in page
    assert 'id="next"' in page


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("measure=Bpref", "bounds of a difference are not known for Bpref"),
        ("measure=P@1&one=low&two=lost", "no run &#39;lost&#39; takes part"),
        ("as-of=never", "never"),
    ],
)
def test_what_cannot_be_answered_is_said_and_is_422(anna: FlaskClient, query: str, said: str) -> None:
    assert said in words_of(anna, f"/c/three/compare/certain?{query}", 422)
    told = anna.get(f"/c/three/api/certain/witness?{query}")
    assert told.status_code == 422


def test_json_has_the_pairs_of_the_engine(three: Campaign, anna: FlaskClient) -> None:
    told = anna.get("/c/three/api/certain?measure=P@2").get_json()
    found = certain_pairs(three, "P@2")
    columns = ("run_a", "run_b", "difference", "lower", "upper", "state")
    assert [tuple(row[column] for column in columns) for row in told["pairs"]] == [*map(tuple, found.rows())]
    assert anna.get("/c/three/api/certain?run=top&run=low").get_json()["pairs"][0]["run_a"] == "low"
    swap = anna.get("/c/three/api/certain/witness?measure=P@2&one=low&two=top").get_json()
    assert [each["document_id"] for each in swap["documents"]] == ["d3", "d4"]


def test_the_leaderboard_says_how_many_pairs_are_certain(
    app: Flask, client_of: SignIn, three: Campaign, anna: FlaskClient
) -> None:
    told = anna.get("/c/three/api/board/sure?m=AP&m=P@1").get_json()["certain"]
    assert told["text"] == "0 of 3 pairs of runs certain, 1 tied for certain by P@1."
    assert told["address"] == "/c/three/compare/certain?measure=P@1"
    with three.write():
        members.put(three, "Olga", "observer", team="", actor="Anna")
    olga = client_of(app, "Olga")
    assert olga.get("/c/three/api/board/sure?m=P@1").get_json()["certain"]["address"] is None
    assert olga.get("/c/three/api/certain").status_code == 200
    assert olga.get("/c/three/api/certain/witness?one=low&two=top").status_code == 403
    assert anna.get("/c/three/api/board/sure?by=team").get_json()["certain"] is None
    assert "Which pairs are certain" in words_of(anna, "/c/three/board?m=P@1&sure=yes")


def test_the_figures_have_the_rows_of_the_engine(three: Campaign) -> None:
    found = certain_pairs(three, "P@2")
    drawn = draw(three, "certain-pairs", {"measure": ["P@2"]})
    assert [(row["ahead"], row["behind"], row["state"]) for row in drawn.rows] == [
        (row.run_a, row.run_b, row.state) for row in found.rows()
    ]
    points = certainty_over_log(three, "P@2")
    drawn = draw(three, "certainty-course", {"measure": ["P@2"]})
    assert [(row["row"], row["share"]) for row in drawn.rows] == [(one.seq, one.share) for one in points]


def test_before_anything_is_judged_there_is_no_course(three: Campaign) -> None:
    with pytest.raises(UnknownName, match="nothing is judged yet"):
        draw(three, "certainty-course", {"as_of": ["1"]})


def test_the_documents_that_decide_most_come_first(three: Campaign) -> None:
    # P@2: d3 is in top and mid, d4 in top alone, d2 in low alone.
    found = deciding_documents(three, "P@2")
    assert [(each.document_id, each.pairs) for each in found] == [("d2", 2), ("d3", 2), ("d4", 2)]
    assert [each.narrows for each in found] == [1.0, 1.0, 1.0]
    assert deciding_documents(three, "P@2", topic_id="2") == []
    with pytest.raises(UnknownName, match="take a measure that adds up"):
        deciding_documents(three, "nDCG@2")
