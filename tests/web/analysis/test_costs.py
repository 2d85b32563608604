"""The page of scores and costs says how costs come in, then shows the front, and a run's page has its own."""

from __future__ import annotations

from pathlib import Path

from flask.testing import FlaskClient

from tests.fixture_types import MakeCampaign
from tests.sentences import says
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

RUNS = {"alpha": {"1": ["d1"]}, "beta": {"1": ["d1"]}}


def test_costs_are_shown_once_they_are_there(anna: FlaskClient, make_campaign: MakeCampaign) -> None:
    path: Path = make_campaign("priced", [Topic("1", "rivers")], [Document("d1", "", "It flows.")], RUNS)
    assert says(anna.get("/c/priced/costs").text, "costs.csv")
    with open_campaign(path) as campaign:
        correct_run(
            campaign.by("Olga"), "alpha", Correction(costs={"energy": 12.0, "hardware": "<b>2 cores"})
        )
    shown = anna.get("/c/priced/costs").text
    assert '<option value="energy" selected>' in shown and '<td class="numeric">12</td>' in shown
    assert anna.get("/c/priced/costs?cost=hardware").status_code == 422
    assert anna.get("/c/priced/api/costs?cost=energy").json["runs"][0]["cost"] == 12.0
    run = anna.get("/c/priced/run?run=alpha").text
    assert '<dt>Energy</dt><dd dir="auto">12 J</dd>' in run and "&lt;b&gt;2 cores" in run
