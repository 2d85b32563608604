"""The page of what users do."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign
from tests.sentences import says
from workbench.analysis.online.adding import add_outcomes
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

RUNS = {"alpha": {"1": ["d1", "d2", "d3"]}, "beta": {"1": ["d3", "d2", "d1"]}}


def test_the_page_says_what_is_missing_and_then_which_measure_agrees(
    anna: FlaskClient, make_campaign: MakeCampaign, judging_as: JudgeAs, tmp_path: Path
) -> None:
    documents = [Document(f"d{number}", "", f"Text {number}.") for number in range(1, 4)]
    path = make_campaign("users", [Topic("1", "rivers")], documents, RUNS)
    with open_campaign(path) as campaign:
        for document, grade in {"d1": 1, "d2": 0, "d3": 0}.items():
            judging_as(campaign, "Ben", "1", document, grade)
    assert says(anna.get("/c/users/online").text, "clicks.jsonl")
    log = "topic,user,run,shown,clicked\n1,u,alpha,d1,d1\n1,v,beta,d3,\n"
    (tmp_path / "clicks.csv").write_text(log)
    with open_campaign(path) as campaign:
        add_outcomes(campaign.by("anna"), [str(tmp_path / "clicks.csv")])
    text = anna.get("/c/users/online?metric=clicks").text
    assert says(text, "AP, nDCG@10")
    assert '<option value="clicks" selected>' in text
    answer = anna.get("/c/users/api/online?metric=clicks").json
    assert answer is not None
    assert [row["value"] for row in answer["runs"]] == [1, 0]
    assert [row["tau_b"] for row in answer["measures"] if row["measure"] == "AP"] == pytest.approx([1])
    assert says(anna.get("/c/users/online?metric=fame").text, "fame")
