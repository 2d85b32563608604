"""The list of topics and the page of one, through the client."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, SignIn
from tests.sentences import says
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.log import newest_seq
from workbench.storage.campaign.organising import settings
from workbench.web.analysis.topics import is_share


@pytest.fixture
def client(app: Flask, small: Path, client_of: SignIn) -> FlaskClient:
    return client_of(app, "Anna")


@pytest.fixture
def judged(client: FlaskClient, small: Path, judging_as: JudgeAs) -> FlaskClient:
    """Topic 1: alpha ranks d1 (relevant) first, beta has d3 (relevant) last. Topic 2: d2 is relevant, d1 not."""
    with open_campaign(small) as campaign:
        for topic_id, document_id, grade in [("1", "d1", 1), ("1", "d4", 0), ("2", "d2", 1), ("2", "d1", 0)]:
            judging_as(campaign, "Ben", topic_id, document_id, grade)
    return client


def text_of(client: FlaskClient, address: str) -> str:
    """The page's words, one space between them."""
    page = client.get(address).text
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_measure_that_does_not_exist_is_reported_and_stays_in_its_field(judged: FlaskClient) -> None:
    answer = judged.get("/c/small/topics?m=XYZ")
    assert answer.status_code == 200
    page = answer.text
    assert 'role="alert"' in page
    assert 'value="XYZ"' in page


def figures_of(client: FlaskClient, address: str) -> list[str]:
    """The figures of a page, each of which can be drawn."""
    found = re.findall('data-figure="([^"]*)"', client.get(address).text)
    assert [client.get(unescape(figure)).status_code for figure in found] == [200] * len(found)
    return [figure.partition("figures/")[2].partition(".")[0] for figure in found]


def test_a_topic_shows_the_curves_of_its_best_runs_once_something_is_relevant(
    client: FlaskClient, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d4", 0)
        assert figures_of(client, "/c/small/topic?topic=1") == ["topic-map", "topic-history"]
        judging_as(campaign, "Ben", "1", "d1", 1)
    curves = ["topic-precision-recall", "topic-roc", "topic-gain", "topic-gain"]
    assert figures_of(client, "/c/small/topic?topic=1") == ["topic-map", *curves, "topic-history"]
    before = figures_of(client, f"/c/small/topic?topic=1&as-of={row_before(small)}")
    assert before == ["topic-map", "topic-history"]


def row_before(path: Path) -> int:
    with open_campaign(path) as campaign:
        return newest_seq(campaign) - 1


@pytest.mark.parametrize("address", ["/c/small/topic", "/c/small/topic?topic=77"])
def test_a_topic_that_is_not_there_is_not_there(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_topic_as_of_a_row_of_the_log_is_what_it_was_then(
    judged: FlaskClient, small: Path, judging_as: JudgeAs
) -> None:
    address = "/c/small/topic?topic=1"
    before = re.sub(r".*?(?=Description|Grades by rank)", "", text_of(judged, address), count=1)
    with open_campaign(small) as campaign:
        then = newest_seq(campaign)
        judging_as(campaign, "Ben", "1", "d2", 1)
        with campaign.write():
            settings.change(campaign.by("Olga"), {"relevant_from": 2})
        newest = newest_seq(campaign)
    now, past = text_of(judged, address), text_of(judged, f"{address}&as-of={then}")
    assert says(past)
    assert says(now)
    assert past.endswith(before)
    page = judged.get(f"{address}&as-of={then}").text
    assert f"as_of={then}" in page
    assert f"as-of={then}" in page
    for wrong in (newest + 1, "then", "-1"):
        assert judged.get(f"{address}&as-of={wrong}").status_code == 422
    assert judged.get(f"{address}&as-of=0").status_code == 404


def test_one_goes_from_topic_to_topic_and_a_measure_that_was_chosen_stays(judged: FlaskClient) -> None:
    for here, rel, there in (("1", "next", "2"), ("2", "prev", "1")):
        page = judged.get(f"/c/small/topic?topic={here}").text
        assert re.findall(r'href="/c/small/topic\?topic=(\d)" rel="(next|prev)"', page) == [(there, rel)]
    page = judged.get("/c/small/topics?m=RR&state=done").text
    assert re.findall(r'<th scope="row"><a href="/c/small/topic\?topic=(\w+)"', page) == ["2"]
    assert "figures/topics.json?measure=RR" in page
    assert 'href="/c/small/topics?m=RR&amp;state=done&amp;sort=-median"' in page


def test_only_what_lies_between_0_and_1_is_drawn_on_a_line() -> None:
    assert [is_share(parse_measure(name)) for name in ("AP", "NumRet", "DCG")] == [True, False, False]
