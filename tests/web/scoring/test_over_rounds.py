"""Pages and data that show scores say over which rounds these are, or are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.three_rounds import three_rounds
from workbench.campaign.pools.making import add_pool
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import members
from workbench.web.pages import PAGES
from workbench.web.scoring.over_rounds import BY_ROUND, HEADER, OF_A_RUN, USUALLY_ALL

NOTE = "All 3 rounds together"

WITHOUT_SCORES = {"simulation"}
"""Of the rooms of scores: replays strategies on judgments, and is no board."""

REFUSED = {"/c/covid/board.tex", "/c/covid/publish/comparison", "/c/covid/publish/sheets"}

ARGUMENTS = {
    "api/certain/witness": "run=a1&run=b1",
    "run": "run=a1",
    "topic": "topic=1",
    "reuse": "by=team",
    "compare/topics": "run=a1&baseline=b1&topic=1",
}

VALUES = {"<name>": "topics", "<ending>": "json", "<any(csv, tex):ending>": "tex", "<kind>": "scores"}


@pytest.fixture
def covid(instance: Path) -> Iterator[Campaign]:
    with three_rounds(instance) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Anna", "organiser")
        add_pool(campaign.by("Anna"), depth=3)
        yield campaign


pytestmark = pytest.mark.usefixtures("covid")


def addresses(app: Flask) -> list[str]:
    """All addresses of the blueprints that show scores, and that a browser gets."""
    found = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint.partition(".")[0] in BY_ROUND and "GET" in (rule.methods or ()):
            path = rule.rule.replace("<campaign>", "covid")
            for word, value in VALUES.items():
                path = path.replace(word, value)
            if path.startswith("/c/"):
                found.append(path)
    return found


def test_every_room_of_scores_is_declared() -> None:
    rooms = {
        page.blueprint.name
        for page in PAGES
        if page.blueprint.import_name.split(".")[2] in {"analysis", "scoring", "release"}
    }
    assert rooms - WITHOUT_SCORES <= BY_ROUND


@pytest.mark.parametrize(
    ("asked", "note"),
    [("", "Round 3, by all judgments."), ("&round=2-own", "Round 2, by its own"), ("&round=all", NOTE)],
)
def test_every_address_of_scores_says_over_which_rounds_it_is_or_is_refused(
    app: Flask, anna: FlaskClient, asked: str, note: str
) -> None:
    said, refused = set(), set()
    for address in addresses(app):
        query = ARGUMENTS.get(address.removeprefix("/c/covid/"), "")
        if query == "run=a1&run=b1" and asked != "&round=all":
            query = "run=a2&run=b2&round=2"
        answer = anna.get(f"{address}?{query}{asked}")
        if answer.status_code == 200:
            expected = note if by_round(app, address) and "round=2" not in query else ""
            assert answer.headers.get(HEADER, "").startswith(expected or ("Round ", NOTE)), address
            if answer.mimetype == "text/html" and "<main" in answer.text:
                assert 'class="over-rounds"' in answer.text, address
            said.add(address)
        elif "would mix the rounds" in answer.text:
            assert answer.status_code == 409
            refused.add(address)
        answer.close()
    assert refused == (REFUSED if asked == "&round=all" else set())
    assert len(said) > 15


def by_round(app: Flask, address: str) -> bool:
    """Whether an address shows scores by a round."""
    endpoint = app.url_map.bind("").match(address)[0]
    return endpoint.partition(".")[0] in BY_ROUND and endpoint not in USUALLY_ALL | {OF_A_RUN}


def test_links_and_forms_of_a_page_by_a_round_keep_the_round(anna: FlaskClient) -> None:
    board, page = (anna.get(f"/c/covid/{each}?round=2-own").text for each in ("board", "compare"))
    field = '<input type="hidden" name="round" value="2-own">'  # data-plain would have the script drop it
    assert (field in board, field in page) == (True, True)
    links = set(re.findall(r'href="(/c/covid/(?:compare|figures|run|topic)[^"]*)"', page))
    assert links
    assert all("round=" in link for link in links)


def test_the_page_of_a_run_shows_the_round_of_the_run(anna: FlaskClient) -> None:
    for asked in ("", "&round=2"):
        page = anna.get(f"/c/covid/run?run=a1{asked}")
        assert page.headers[HEADER] == "Round 1, by all judgments."
        assert "Rank 2 of 2 runs by AP" in page.text


def test_what_would_be_published_of_all_rounds_is_refused_with_the_way_out(anna: FlaskClient) -> None:
    for address in (
        "/c/covid/download/board?round=all",
        "/c/covid/publish/sheets?team=x&format=html&round=all",
    ):
        answer = anna.get(address)
        assert (answer.status_code, "--round 2" in answer.text) == (409, True), address


def test_downloads_of_scores_are_of_the_open_round_or_of_the_one_that_is_asked_for(anna: FlaskClient) -> None:
    for asked, tags in (
        ("", ["c3"]),
        ("?round=2-own", ["a2", "b2"]),
        ("?round=all", ["a1", "a2", "b1", "b2", "c3"]),
    ):
        lines = anna.get(f"/c/covid/download/scores{asked}").text.splitlines()
        assert sorted(line.partition(",")[0] for line in lines[1:]) == tags
    assert anna.get("/c/covid/download/board?round=1").text.count("\\\\") == 3, "heads and two runs"
    assert anna.get("/c/covid/download/qrels?round=2").text == anna.get("/c/covid/download/qrels").text


def test_the_page_that_publishes_offers_sheets_and_tables_of_the_round(anna: FlaskClient) -> None:
    page = anna.get("/c/covid/publish?round=1").text
    assert re.findall(r'name="run" value="(.*?)"', page) == ["a1", "b1"]
    assert all("round=1" in link for link in re.findall(r'href="(/c/covid/download/[^"]*)"', page))


def test_a_campaign_of_one_round_says_nothing(anna: FlaskClient, small: Path) -> None:
    answer = anna.get(f"/c/{small.stem}/board")
    assert (HEADER in answer.headers, "rounds together" in answer.text) == (False, False)
