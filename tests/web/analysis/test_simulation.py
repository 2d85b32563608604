"""The page of simulations: a form, a job, and its result as a table, a figure and a file."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from flask import Flask

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn
from tests.sentences import says
from workbench.analysis.simulating import campaigns
from workbench.analysis.simulating.campaigns import SIMULATION
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.web.requests import campaign_jobs

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


def page(app: Flask, client_of: SignIn, address: str) -> str:
    answer = client_of(app, "Anna").get(address)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def test_the_page_begins_with_a_few_strategies(app: Flask, client_of: SignIn, judged: Path) -> None:
    text = page(app, client_of, "/c/judged/simulation")
    assert 'name="strategy" value="hedge" checked' in text
    assert 'name="strategy" value="mtc">' in text
    assert "Result" not in text
    assert '<a href="/c/judged/pool" aria-current' in text
    assert 'href="/c/judged/simulation"' in page(app, client_of, "/c/judged/pool")


def test_a_simulation_has_sentences_a_table_a_figure_and_files(
    app: Flask, client_of: SignIn, judged: Path
) -> None:
    asked = "strategy=depth&strategy=hedge&strategy=mtf(burn_in=1);depth&budget=67%25,100%25&seeds=2"
    text = page(app, client_of, f"/c/judged/simulation?{asked}")
    assert says(text)
    assert '<th scope="row" dir="auto">mtf(burn_in=1)</th><td class="numeric">67.00</td>' in text
    # The form asks for the same again.
    assert 'value="67%,100%"' in text
    assert 'name="strategy" value="mtf(burn_in=1)"' in text
    assert 'value="hedge" checked' in text
    assert 'value="rrf" checked' not in text
    assert "Plan" not in text
    answer = client_of(app, "Anna").get(f"/c/judged/simulation?{asked}&format=csv")
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert answer.headers["Content-Disposition"] == "attachment; filename=judged.simulation.csv"
    assert [(row["strategy"], row["judged"]) for row in rows[:2]] == [("depth", "8"), ("depth", "12")]
    drawn = client_of(app, "Anna").get(f"/c/judged/figures/simulation.json?{asked}").get_json()
    assert {row["strategy"] for row in drawn["datasets"]["rows"]} == {"depth", "hedge", "mtf(burn_in=1)"}
    numbers = client_of(app, "Anna").get(f"/c/judged/api/simulation?{asked}").get_json()
    assert [row["judged"] for row in numbers["rows"]] == [int(row["judged"]) for row in rows]
    assert numbers["plan"] is None


def test_the_newest_is_shown_first_and_outlives_the_server(
    app: Flask, client_of: SignIn, judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "LINES", 0)
    for strategy in ("rrf", "hedge"):
        anna = client_of(app, "Anna")
        place = anna.get(f"/c/judged/simulation?strategy={strategy}&budget=67%25&precision=0.2").location
    assert "as-of=" in place
    found = page(app, client_of, place)
    assert says(found)
    SIMULATION.cache.clear()
    monkeypatch.setattr(campaign_jobs, "begin", None)
    assert client_of(app, "Anna").get("/c/judged/simulation").location == place
    assert page(app, client_of, place).partition("<main")[2] == found.partition("<main")[2]


def test_a_plan_is_shown_where_a_precision_is_wanted(app: Flask, client_of: SignIn, judged: Path) -> None:
    asked = "strategy=depth&budget=100%25&precision=0.2&pace=30&rate_per_hour=10"
    text = page(app, client_of, f"/c/judged/simulation?{asked}")
    assert says(text)
    assert "hours at 30 judgments an hour (as given), money at 10 an hour." in text
    assert '<th class="numeric">Money</th>' in text


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("strategy=depth&strategy=hegde", "There is no pooling strategy"),
        ("strategy=depth&budget=0%25", "The budget &#39;0%&#39; is not a share of a pool"),
        ("strategy=depth&seeds=many", "Seeds is &#39;many&#39;; it must be a whole number."),
        ("strategy=depth&depth=0", "Depth is 0; it must be at least 1."),
        ("strategy=depth&measure=XYZ", "XYZ"),
        ("strategy=depth&measure=num_ret&precision=1", "is not a mean over topics"),
    ],
)
def test_what_cannot_be_simulated_is_refused_with_the_reason(
    app: Flask, client_of: SignIn, judged: Path, asked: str, message: str
) -> None:
    answer = client_of(app, "Anna").get(f"/c/judged/simulation?budget=7%25&{asked}")
    text = " ".join(answer.text.split())
    assert (answer.status_code, message in text) == (422, True)
    assert 'value="rrf" checked' not in text, "the form keeps what was asked for"


def test_a_campaign_without_judgments_has_nothing_to_simulate_on(
    app: Flask, client_of: SignIn, make_campaign: MakeCampaign
) -> None:
    make_campaign("judged", TOPICS, [], RUNS)
    answer = client_of(app, "Anna").get("/c/judged/simulation?strategy=depth")
    assert (answer.status_code, "Nothing is judged in judged yet" in answer.text) == (422, True)
