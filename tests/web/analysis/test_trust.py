"""The page of certainty, its JSON, and the line on the leaderboard say what the engine says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeApp, MakeCampaign, SignIn
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.analysis.figures import draw
from workbench.analysis.trust.certain_history import certain_over_log
from workbench.analysis.trust.certain_pairs import PairsFollower, PairsRequest, certain_pairs
from workbench.analysis.trust.evidence import STOP
from workbench.analysis.trust.sentences import certain_sentence
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Topic
from workbench.core.results import content
from workbench.jobs.processes import Job
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members
from workbench.web.analysis import trust
from workbench.web.requests.long_work import Queues


@pytest.fixture
def three(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Iterator[Campaign]:
    """Three runs of one topic, pooled to depth 2: `low` and `mid` have d1 on top, `top` d3; d1 is relevant."""
    rankings = {"top": {"1": ["d3", "d4"]}, "mid": {"1": ["d1", "d3"]}, "low": {"1": ["d1", "d2"]}}
    texts = [Document(f"d{number}", f"Document {number}", "text") for number in range(1, 5)]
    with open_campaign(make_campaign("three", [Topic("1", "ice")], texts, rankings)) as campaign:
        add_pool(campaign.by("Anna"), depth=2)
        judging_as(campaign, "Ben", "1", "d1", 1)
        yield campaign


pytestmark = pytest.mark.usefixtures("three")


def words_of(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.text))


def test_the_page_says_which_pairs_are_open_and_what_would_swap_them(anna: FlaskClient) -> None:
    text = words_of(anna, "/c/three/stop?measure=P@1&one=mid&two=top")
    # d3 is top's first document: relevant, it makes top level with mid and low.
    assert "1 tied for certain by P@1." in text
    assert says(text)
    assert "can become level" in text
    text = words_of(anna, "/c/three/stop?measure=P@2&one=low&two=top")
    assert says(text)
    assert "can swap" in text


@pytest.mark.parametrize("query", ["measure=Bpref", "measure=P@1&one=low&two=lost", "as-of=never"])
def test_what_cannot_be_answered_is_said_and_is_422(anna: FlaskClient, query: str) -> None:
    page = anna.get(f"/c/three/stop?{query}")
    assert (page.status_code, says(alerts(page.text))) == (422, True)
    assert anna.get(f"/c/three/api/certain/witness?{query}").status_code == 422


def test_json_has_the_pairs_of_the_engine(three: Campaign, anna: FlaskClient) -> None:
    told = anna.get("/c/three/api/certain?measure=P@2").get_json()
    found = certain_pairs(three, "P@2")
    columns = ("run_a", "run_b", "difference", "lower", "upper", "state")
    assert [tuple(row[column] for column in columns) for row in told["pairs"]] == [*map(tuple, found.rows())]
    assert anna.get("/c/three/api/certain?run=top&run=low").get_json()["pairs"][0]["run_a"] == "low"
    swap = anna.get("/c/three/api/certain/witness?measure=P@2&one=low&two=top").get_json()
    assert [each["document_id"] for each in swap["documents"]] == ["d3", "d4"]


def test_programs_get_the_history_now_and_as_of_a_row(
    three: Campaign, anna: FlaskClient, judging_as: JudgeAs
) -> None:
    row = log.newest_seq(three)
    judging_as(three, "Ben", "1", "d3", 0)
    told = anna.get("/c/three/api/certain/history?measure=P@2").get_json()
    assert (told["seq"], told["measure"]) == (log.newest_seq(three), "P@2")
    assert told["points"] == content(certain_over_log(three, "P@2"))
    assert [point["judged"] for point in told["points"]] == [1, 2]
    then = anna.get(f"/c/three/api/certain/history?measure=P@2&as-of={row}").get_json()
    assert (then["seq"], then["points"]) == (row, told["points"][:1])
    assert anna.get("/c/three/api/certain/history?measure=Bpref").status_code == 422


def test_a_page_that_follows_asks_for_the_answer_alone(
    three: Campaign, anna: FlaskClient, judging_as: JudgeAs
) -> None:
    address = "/c/three/api/stop/answer?measure=P@2"
    page = anna.get("/c/three/stop?measure=P@2").text
    assert f'data-answer="{address}&amp;alpha=0.05"' in page
    told = anna.get(address)
    said = STOP.answer(three, {"measure": "P@2"}).recommendation
    assert (told.get_json()["seq"], told.get_json()["text"]) == (said.seq, said.text)
    known = {"If-None-Match": told.headers["ETag"]}
    assert anna.get(address, headers=known).status_code == 304
    judging_as(three, "Ben", "1", "d4", 0)
    assert says(anna.get(address, headers=known).get_json()["text"])
    row = log.newest_seq(three)
    past = anna.get(f"/c/three/stop?measure=P@2&as-of={row}").text
    assert "data-answer" not in past
    assert anna.get("/c/three/api/stop/answer?measure=Bpref").status_code == 422


@pytest.mark.usefixtures("three", "all_is_long")
def test_a_page_that_follows_begins_no_job(anna: FlaskClient) -> None:
    told = anna.get("/c/three/api/stop/answer?measure=P@2")
    assert (told.status_code, told.get_json()) == (202, {"message": trust.TAKES_LONGER})


@pytest.mark.usefixtures("three", "all_is_long")
def test_runs_that_are_compared_are_not_waited_for(anna: FlaskClient) -> None:
    page = anna.get("/c/three/compare?run=top&run=low&measure=P@2").text
    assert "Significance</h2>" in page
    assert ">Certain</abbr>" not in page


def test_the_leaderboard_says_how_many_pairs_are_certain(
    app: Flask, client_of: SignIn, three: Campaign, anna: FlaskClient
) -> None:
    told = anna.get("/c/three/api/board/intervals?m=AP&m=P@1").get_json()["certain"]
    assert says(told["text"])
    assert told["address"] == "/c/three/stop?measure=P@1"
    with three.write():
        members.put(three.by("Anna"), "Olga", "observer", team="")
    olga = client_of(app, "Olga")
    assert olga.get("/c/three/api/board/intervals?m=P@1").get_json()["certain"]["address"] is None
    assert olga.get("/c/three/api/certain").status_code == 200
    assert olga.get("/c/three/api/certain/witness?one=low&two=top").status_code == 403
    told = anna.get("/c/three/api/board/intervals?m=P@1&by=team").get_json()["certain"]
    assert says(told["text"])
    assert says(words_of(anna, "/c/three/board?m=P@1&intervals=yes"))


@pytest.fixture
def all_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is not summed up yet takes long; jobs are waited for."""
    monkeypatch.setattr("workbench.analysis.trust.evidence.IN_REQUEST", 0)


@pytest.mark.usefixtures("all_is_long")
@pytest.mark.parametrize("measure", ["P@2", "nDCG@2"])
def test_what_takes_long_is_a_job_for_all_pairs_and_is_shown_after_it(
    three: Campaign, anna: FlaskClient, measure: str
) -> None:
    answer = anna.get(f"/c/three/stop?measure={measure}")
    assert answer.status_code == 303
    assert f"as-of={log.newest_seq(three)}" in answer.location
    found = certain_pairs(three, measure)
    assert certain_sentence(found) in words_of(anna, answer.location)
    assert certain_sentence(found) in words_of(anna, f"/c/three/stop?measure={measure}")
    assert anna.get(f"/c/three/api/certain?measure={measure}").get_json()["pairs"] == [
        row._asdict() for row in found.rows()
    ]


def test_what_a_job_summed_up_follows_the_log(
    three: Campaign,
    anna: FlaskClient,
    judging_as: JudgeAs,
    all_is_long: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anna.get("/c/three/stop?measure=P@2")
    monkeypatch.setattr(
        "workbench.analysis.trust.evidence.IN_REQUEST", 100
    )  # one judgment of three runs: 10 steps for each two
    judging_as(three, "Ben", "1", "d3", 0)
    told = anna.get("/c/three/api/certain?measure=P@2")
    assert told.status_code == 200
    fresh = PairsFollower().answer(three, PairsRequest("P@2"))
    assert told.get_json()["pairs"] == [row._asdict() for row in fresh.rows()]


@pytest.mark.usefixtures("three", "all_is_long")
def test_programs_get_the_job_while_it_is_at_work(anna: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert anna.get("/c/three/api/certain?measure=P@2").get_json()["certain"] == 0
    monkeypatch.setattr(Job, "wait", lambda job, seconds: False)
    told = anna.get("/c/three/api/certain?measure=P@1")
    assert told.status_code == 202
    assert told.get_json()["name"] == "Certain pairs: measure P@1"
    told = anna.get("/c/three/api/certain/history?measure=P@1")
    assert told.status_code == 202
    assert says(told.get_json()["name"])


@pytest.mark.usefixtures("three", "all_is_long")
def test_the_history_is_a_job_of_its_own(anna: FlaskClient) -> None:
    first = anna.get("/c/three/stop?measure=P@2").location
    assert says(words_of(anna, first))
    assert anna.get("/c/three/figures/certain-history.json?measure=P@2").status_code == 422
    place = anna.get(f"{first}&history=1").location
    assert place.endswith("#history")
    assert "Compute certain pairs over time" not in words_of(anna, place)
    assert anna.get("/c/three/figures/certain-history.json?measure=P@2").status_code == 200


@pytest.mark.usefixtures("three", "all_is_long")
def test_other_pages_do_not_compute_what_takes_long(anna: FlaskClient) -> None:
    told = anna.get("/c/three/api/board/intervals?m=P@1").get_json()["certain"]
    assert says(told["text"])
    assert told["address"] == "/c/three/stop?measure=P@1"
    assert says(words_of(anna, "/c/three/topic?topic=1"))
    refused = anna.get("/c/three/figures/certain-pairs.json?measure=P@1")
    assert refused.status_code == 422
    assert says(refused.get_json()["message"])


def test_json_and_figure_say_which_runs_are_not_listed(
    three: Campaign, anna: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.analysis.trust.evidence.LISTED_RUNS", 2)
    monkeypatch.setattr(trust, "LISTED_RUNS", 2)
    monkeypatch.setattr("workbench.analysis.figures.trust.MOST_RUNS", 2)
    told = anna.get("/c/three/api/certain?measure=P@2").get_json()
    assert (len(told["runs"]), len(told["pairs"]), told["unlisted"]) == (3, 1, ["top"])
    assert len(draw(three, "certain-pairs", {"measure": ["P@2"]}).rows) == 1
    assert says(words_of(anna, "/c/three/stop?measure=P@2"))


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["nDCG@2"])
def test_another_process_sums_up_what_this_one_follows(
    make_app: MakeApp, queues: Queues, client_of: SignIn, three: Campaign, all_is_long: None, measure: str
) -> None:
    anna = client_of(make_app(queues=queues), "Anna")
    answer = anna.get(f"/c/three/stop?measure={measure}")
    assert answer.status_code == 303
    assert certain_sentence(certain_pairs(three, measure)) in words_of(anna, answer.location)
    place = anna.get(f"{answer.location}&history=1").location
    assert "Compute certain pairs over time" not in words_of(anna, place)
