"""The list of topics and the page of one, through the client."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn
from tests.sentences import says
from workbench.campaign.ingest import add_qrels
from workbench.core.records import Topic
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
    page = client.get(address).get_data(as_text=True)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_list_names_the_hardest_and_the_easiest(judged: FlaskClient) -> None:
    # AP on topic 1 is 1 (alpha: d1 first) and 0 (beta lacks d1); on topic 2 it is 1/2 and 1.
    words = text_of(judged, "/c/small/topics")
    assert says(words)
    assert "the median AP of 2 runs is 0.50 and 0.75" in words


def test_where_medians_are_equal_no_topic_is_called_the_hardest(
    client: FlaskClient, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 0)
        judging_as(campaign, "Ben", "2", "d1", 0)
    words = text_of(client, "/c/small/topics")
    assert says(words)


def test_each_topic_has_its_counts_and_scores(judged: FlaskClient) -> None:
    words = text_of(judged, "/c/small/topics")
    assert "1 frozen rivers 2 6 2 4 1 0.5000 0.5000" in words
    assert "2 warm lakes 2 2 2 1 0.7500 0.7500" in words


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("topic", "1"),
        ("-topic", "2"),
        ("median", "1"),
        ("-median", "2"),
        ("-waiting", "1"),
        ("nonsense", "1"),
    ],
)
def test_the_list_is_ordered_as_asked(judged: FlaskClient, order: str, first: str) -> None:
    page = judged.get(f"/c/small/topics?sort={order}").get_data(as_text=True)
    rows = re.findall(r'<th scope="row"><a href="/c/small/topic\?topic=(\w+)"', page)
    assert rows[0] == first
    assert sorted(rows) == ["1", "2"]


def test_the_measure_can_be_chosen(judged: FlaskClient) -> None:
    page = judged.get("/c/small/topics?m=RR").get_data(as_text=True)
    assert "median RR of 2 runs" in re.sub(r"\s+", " ", page)
    assert "figures/topics.json?measure=RR" in page


def test_a_measure_that_does_not_exist_is_reported_and_stays_in_its_field(judged: FlaskClient) -> None:
    answer = judged.get("/c/small/topics?m=XYZ")
    assert answer.status_code == 200
    page = answer.get_data(as_text=True)
    assert 'role="alert"' in page
    assert 'value="XYZ"' in page


def test_a_campaign_without_judgments_says_what_is_missing(client: FlaskClient) -> None:
    words = text_of(client, "/c/small/topics")
    assert says(words)
    assert "no judgments yet" in words


def test_a_campaign_without_topics_says_how_to_add_some(app: Flask, client_of: SignIn) -> None:
    words = text_of(client_of(app, "Anna"), "/c/robust/topics")
    assert "No topics yet." in words
    assert "workbench add topics robust TOPICS" in words


def test_the_page_of_a_topic_answers_how_it_stands(judged: FlaskClient) -> None:
    words = text_of(judged, "/c/small/topic?topic=1")
    assert says(words)
    assert "The median AP of 2 runs is 0.5000; difficulty rank 1 of 2 (1 is hardest)." in words
    assert "Which rivers freeze?" in words
    assert "Named rivers only." in words


def test_documents_on_which_runs_and_assessors_differ_are_named(judged: FlaskClient) -> None:
    words = text_of(judged, "/c/small/topic?topic=1")
    assert "d4 Document 4 Not relevant 2 of 2 3" in words
    assert says(words)


def test_a_document_leads_to_the_page_of_its_pair_and_the_topic_to_its_judgments(judged: FlaskClient) -> None:
    page = judged.get("/c/small/topic?topic=1").get_data(as_text=True)
    assert '<a href="/c/small/pair?topic=1&amp;document=d4" dir="auto">d4</a>' in page
    assert '<a href="/c/small/judgments?topic=1">Judgments</a>' in page


def test_a_document_without_a_text_has_its_page_and_is_not_judged(
    app: Flask, client_of: SignIn, make_campaign: MakeCampaign
) -> None:
    path = make_campaign("bare", [Topic("1", "rivers")], [], {"alpha": {"1": ["d1"]}})
    (path.parent / "qrels").write_text("1 0 d1 0\n", encoding="utf-8")
    with open_campaign(path) as campaign:
        add_qrels(campaign.by("Anna"), [str(path.parent / "qrels")])
    page = client_of(app, "Anna").get("/c/bare/topic?topic=1").get_data(as_text=True)
    assert '<a href="/c/bare/pair?topic=1&amp;document=d1" dir="auto">d1</a>' in page
    assert "/c/bare/judge?" not in page


def test_one_can_go_from_topic_to_topic(judged: FlaskClient) -> None:
    assert 'href="/c/small/topic?topic=2" rel="next"' in judged.get("/c/small/topic?topic=1").get_data(
        as_text=True
    )
    assert 'href="/c/small/topic?topic=1" rel="prev"' in judged.get("/c/small/topic?topic=2").get_data(
        as_text=True
    )


def test_a_topic_without_judgments_shows_its_pool(client: FlaskClient) -> None:
    words = text_of(client, "/c/small/topic?topic=2")
    assert "No judgments yet; 2 documents are pooled." in words
    assert "Relevant documents over time" not in words


def figures_of(client: FlaskClient, address: str) -> list[str]:
    """The figures of a page, each of which can be drawn."""
    found = re.findall('data-figure="([^"]*)"', client.get(address).get_data(as_text=True))
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


def test_only_what_lies_between_0_and_1_is_drawn_on_a_line() -> None:
    assert is_share(parse_measure("AP"))
    assert not is_share(parse_measure("NumRet"))


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


def test_topics_are_found_by_their_words_and_by_how_far_they_are_judged(judged: FlaskClient) -> None:
    assert "1 of 2 topics matches." in text_of(judged, "/c/small/topics?q=RIVERS+frozen")
    assert "1 of 2 topics matches." in text_of(judged, "/c/small/topics?state=done")
    page = judged.get("/c/small/topics?state=done&m=RR").get_data(as_text=True)
    assert re.findall(r'<th scope="row"><a href="/c/small/topic\?topic=(\w+)"', page) == ["2"]
    assert 'href="/c/small/topics?m=RR&amp;state=done&amp;sort=-median"' in page
