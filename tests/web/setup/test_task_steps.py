"""The page "From runs to qrels" marks the next step, and every step leads to a page that is there."""

from __future__ import annotations

import re
from pathlib import Path

from flask.testing import FlaskClient

from tests.judged_pairs import judge_as
from workbench.analysis.dashboard.task_steps import STEPS, steps_of
from workbench.campaign import assigning
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

PAGE = "/c/small/steps"


def next_way(client: FlaskClient) -> str:
    """Where the button above the steps leads."""
    (found,) = re.findall(r'<a class="button" href="([^"]*)"', client.get(PAGE).text)
    return str(found)


def test_every_step_leads_to_a_page_and_one_is_next(small: Path, anna: FlaskClient) -> None:
    page = anna.get(PAGE).text
    addresses = re.findall(r'<p class="step-way"><a class="turn" href="([^"]*)"', page)
    assert len(addresses) == len(STEPS)
    assert [anna.get(address).status_code for address in addresses] == [200] * len(STEPS)
    assert page.count('aria-current="step"') == 1
    for step in STEPS:
        assert step.title in page


def test_an_organiser_without_assessors_is_led_to_their_topics_from_the_dashboard(
    small: Path, anna: FlaskClient
) -> None:
    way = '<a class="turn" href="/c/small/own-topics">'
    assert way not in anna.get("/c/small/dashboard").text
    with open_campaign(small) as campaign, campaign.write():
        for name in ("Ben", "Carla", "Wilma"):
            members.put(campaign.by("Anna"), name, members.NO_ROLE)
    assert way in anna.get("/c/small/dashboard").text


def test_the_button_leads_where_the_organiser_can_do_something(small: Path, anna: FlaskClient) -> None:
    assert next_way(anna) == "/c/small/own-topics"
    with open_campaign(small) as campaign:
        by = campaign.by("Anna")
        assigning.assign(by, ["1"], ["Ben"])
        assert next_way(anna) == "/c/small/assignments"
        assigning.assign(by, ["2"], ["Carla"])
        assert next_way(anna) == "/c/small/assessors", "nothing is Anna's to judge"
        assigning.assign(by, ["2"], ["Anna"])
        assert next_way(anna) == "/c/small/own-topics"
        assigning.assign(by, ["1"], ["Ben", "Carla"])
        judge_as(campaign, "Ben", "1", "d1", 1)
        judge_as(campaign, "Carla", "1", "d1", 0)
        assigning.close(by, ["1", "2"])
        assert next_way(anna) == "/c/small/adjudication"


def test_the_dashboard_says_the_same_next_step(small: Path, anna: FlaskClient) -> None:
    button = f'<a class="button" href="{next_way(anna)}">'
    assert button in anna.get("/c/small/dashboard").text


def test_programs_get_the_steps_as_json(small: Path, anna: FlaskClient, ben: FlaskClient) -> None:
    found = anna.get("/c/small/api/steps").get_json()
    with open_campaign(small) as campaign:
        expected = [step.state for step in steps_of(campaign).steps]
    assert [step["state"] for step in found["steps"]] == expected
    assert found["steps"][0]["command"] == "workbench add topics small FILE"
    assert [ben.get(address).status_code for address in (PAGE, "/c/small/api/steps")] == [403, 403]
