"""The page of what users do."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign, TokenOf
from tests.sentences import says
from workbench.core.impressions import InterleavedList
from workbench.core.records import Document, Topic
from workbench.formats.interleaved import written_interleaved
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import user_outcomes

RUNS = {"alpha": {"1": ["d1", "d2", "d3"]}, "beta": {"1": ["d3", "d2", "d1"]}}


def interleaved(list_id: str, documents: tuple[str, ...], teams: tuple[str, ...]) -> str:
    return written_interleaved(InterleavedList(list_id, "1", ("alpha", "beta"), 1, documents, teams))


def test_the_page_says_what_is_missing_and_then_which_measure_agrees(
    anna: FlaskClient, make_campaign: MakeCampaign, judging_as: JudgeAs, token_of: TokenOf
) -> None:
    documents = [Document(f"d{number}", "", f"Text {number}.") for number in range(1, 4)]
    path = make_campaign("users", [Topic("1", "rivers")], documents, RUNS)
    with open_campaign(path) as campaign:
        for document, grade in {"d1": 1, "d2": 0, "d3": 0}.items():
            judging_as(campaign, "Ben", "1", document, grade)

    def send(log: str, **more: object) -> dict[str, Any]:
        form = {"files": (io.BytesIO(log.encode()), "clicks.csv"), "csrf_token": token_of(anna), **more}
        answer = anna.post("/c/users/add/outcomes", data=form, headers={"Accept": "application/json"})
        (report,) = answer.get_json()["reports"]
        return {
            **report,
            "said": "\n".join(f"{each['line']}: {each['message']}" for each in report["problems"]),
        }

    assert "/c/users/add/outcomes" in anna.get("/c/users/online").text
    assert says(send("topic,user,run,shown,clicked\n1,u,alpha,d1,d2\n")["said"], "2: ", "d2")
    log = "topic,user,run,shown,clicked\n1,u,alpha,d1,d1\n1,v,beta,d3,\n"
    assert says(send(log, do="check")["sentence"], "2 runs")
    with open_campaign(path) as campaign:
        assert not user_outcomes.newest(campaign)
    assert send(log)["added"]
    assert says(send(log)["said"])
    made = interleaved("1-1", ("d1", "d3"), ("alpha", "beta"))
    of_lists = "list_id,user,clicked\n1-1,w,d3\n"
    assert says(send(of_lists)["said"], "2: ", "interleaved")
    wrong = send(of_lists, lists=(io.BytesIO(b"{}"), "lists.jsonl"))
    assert says(wrong["said"], "1: ") and wrong["problems"][0]["file"] == "lists.jsonl"
    assert send(of_lists, lists=(io.BytesIO(made.encode()), "lists.jsonl"))["added"]
    with open_campaign(path) as campaign:
        ((*_, preference, _),) = user_outcomes.newest(campaign)["preferences"].preferences
    assert preference == -1
    text = anna.get("/c/users/online?metric=clicks").text
    assert says(text, "AP, nDCG@10")
    assert '<option value="clicks" selected>' in text
    answer = anna.get("/c/users/api/online?metric=clicks").json
    assert answer is not None
    assert [row["value"] for row in answer["runs"]] == [1, 0]
    assert [row["tau_b"] for row in answer["measures"] if row["measure"] == "AP"] == pytest.approx([1])
    assert says(anna.get("/c/users/online?metric=fame").text, "fame")
