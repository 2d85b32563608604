"""The page of simulations: a form, a job, and its result as a table, a figure and a file."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.analysis.simulating import campaigns
from workbench.analysis.simulating.campaigns import SIMULATION
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.web.requests import campaign_jobs

pytestmark = pytest.mark.usefixtures("judged")

TOPICS = [Topic(str(number), f"topic {number}") for number in range(1, 5)]
RUNS = {
    "alpha": {topic.topic_id: ["d1", "d2", "d3"] for topic in TOPICS},
    "beta": {topic.topic_id: ["d3", "d1", "d2"] for topic in TOPICS[:3]} | {"4": ["d2", "d3", "d1"]},
}


@pytest.fixture
def judged(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Two runs over four topics; of three documents each d1 is relevant, in topic 4 d2 as well."""
    path = make_campaign("judged", TOPICS, [Document(f"d{n}", "", f"Text {n}.") for n in range(1, 4)], RUNS)
    with open_campaign(path) as campaign:
        for topic in TOPICS:
            for number in range(1, 4):
                relevant = number == 1 or (topic.topic_id, number) == ("4", 2)
                judging_as(campaign, "Ben", topic.topic_id, f"d{number}", int(relevant))
    return path


def page(anna: FlaskClient, address: str) -> str:
    answer = anna.get(address)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def test_a_simulation_has_sentences_a_table_a_figure_and_files(anna: FlaskClient) -> None:
    asked = "strategy=depth&strategy=hedge&strategy=mtf(burn_in=1);depth&budget=67%25,100%25&seeds=2"
    text = page(anna, f"/c/judged/simulation?{asked}")
    assert says(text)
    assert '<th scope="row" dir="auto">mtf(burn_in=1)</th><td class="numeric">67.00</td>' in text
    # The form asks for the same again.
    assert 'value="67%,100%"' in text
    assert 'name="strategy" value="mtf(burn_in=1)"' in text
    assert 'value="hedge" checked' in text
    assert 'value="rrf" checked' not in text
    answer = anna.get(f"/c/judged/simulation?{asked}&format=csv")
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert answer.headers["Content-Disposition"] == "attachment; filename=judged.simulation.csv"
    assert [(row["strategy"], row["judged"]) for row in rows[:2]] == [("depth", "8"), ("depth", "12")]
    drawn = anna.get(f"/c/judged/figures/simulation.json?{asked}").get_json()
    assert {row["strategy"] for row in drawn["datasets"]["rows"]} == {"depth", "hedge", "mtf(burn_in=1)"}
    numbers = anna.get(f"/c/judged/api/simulation?{asked}").get_json()
    assert [row["judged"] for row in numbers["rows"]] == [int(row["judged"]) for row in rows]


def test_the_newest_is_shown_first_and_outlives_the_server(
    anna: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "LINES", 0)
    for strategy in ("rrf", "hedge"):
        place = anna.get(f"/c/judged/simulation?strategy={strategy}&budget=67%25").location
    assert "as-of=" in place
    found = page(anna, place)
    assert says(found)
    SIMULATION.cache.clear()
    monkeypatch.setattr(campaign_jobs, "begin", None)
    assert anna.get("/c/judged/simulation").location == place
    assert page(anna, place).partition("<main")[2] == found.partition("<main")[2]


@pytest.mark.parametrize("asked", ["strategy=hegde", "budget=0%25", "seeds=many", "depth=0", "measure=XYZ"])
def test_what_cannot_be_simulated_is_refused_with_the_reason(anna: FlaskClient, asked: str) -> None:
    budget = "" if "budget" in asked else "budget=7%25&"
    answer = anna.get(f"/c/judged/simulation?{budget}strategy=depth&{asked}")
    assert (answer.status_code, says(alerts(answer.text))) == (422, True)
    assert 'value="rrf" checked' not in answer.text, "the form keeps what was asked for"
