"""Two things are shown side by side: whose they are stays hidden, and the server knows what stood left."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html

from tests.asked_answers import add_answers
from tests.fixture_types import MakeCampaign, Post
from tests.made_answers import answer
from tests.web.judging.judged_answers import TOPIC
from tests.web.judging.sent import judged, shown
from workbench.campaign.battles import battles
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import ANSWER_PAIRS, DOCUMENT_PAIRS, LIST_PAIRS
from workbench.core.battles import LEFT
from workbench.core.records import Document
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pairs

LONG = "Corals settle again after some years when the water stays cool and fish graze the algae"
SAID = {"alpha": f"{LONG}.", "omega": f"{LONG} there.", "zeta": "Nobody <b>knows</b>."}
TEXTS = {"d1": "Reefs recover slowly.", "d2": "Fish graze algae."}
NAMES = {kind: USUAL[kind].name for kind in (ANSWER_PAIRS, DOCUMENT_PAIRS, LIST_PAIRS)}


@pytest.fixture
def rag(make_campaign: MakeCampaign) -> Path:
    """Three answers, two documents and two rankings for topic 17, of which all pairs are asked about."""
    texts = [Document(name, f"On {name}", text) for name, text in TEXTS.items()]
    ranked = {"up": {"17": ["d1", "d2"]}, "down": {"17": ["d2", "d1"]}}
    path = make_campaign("rag", [TOPIC], texts, ranked)
    with open_campaign(path) as campaign:
        for run, text in SAID.items():
            add_answers(campaign, answer("17", (text, []), run=run, cites=()))
        for kind, name in NAMES.items():
            declare(campaign.by("Anna"), USUAL[kind])
            add_pool(campaign.asking(name).by("Anna"), strategy="all-pairs")
    return path


def chosen(path: Path, kind: str) -> list[str]:
    with open_campaign(path) as campaign:
        return [each.unit_id for each in pairs.chosen(campaign)[f"17!{NAMES[kind]}"]]


def sides(client: FlaskClient, kind: str, pair: str) -> list[str]:
    """The words of both sides, from left to right."""
    query = {"topic": f"17!{NAMES[kind]}", "document": pair}
    page = html.fromstring(client.get("/c/rag/document-frame", query_string=query).text)
    return [" ".join(side.text_content().split()) for side in page.find_class("pair-side")]


@pytest.mark.parametrize("kind", NAMES)
def test_both_are_shown_and_no_run_is_named(ben: FlaskClient, rag: Path, kind: str) -> None:
    for pair in chosen(rag, kind):
        left, right = sides(ben, kind, pair)
        assert left.startswith("Left") and right.startswith("Right")
        assert left.removeprefix("Left") != right.removeprefix("Right")
        assert not [run for run in (*SAID, "up", "down") if run in (left + right).split()]


def test_what_stands_left_is_what_the_server_says_and_its_key_prefers_it(
    ben: FlaskClient, rag: Path, post_json: Post
) -> None:
    topic_id = f"17!{NAMES[ANSWER_PAIRS]}"
    for number, pair in enumerate(chosen(rag, ANSWER_PAIRS)):
        document = shown(ben, pair, topic_id, "rag")
        assert document["state"] == "text"
        body = judged(document, number, topic_id=topic_id, grade=1, left=document["left"])
        other = {"first": "second", "second": "first"}[document["left"]]
        assert post_json(ben, "/c/rag/api/judgments", {**body, "left": other}).status_code == 409
        assert post_json(ben, "/c/rag/api/judgments", body).status_code == 201
        assert shown(ben, pair, topic_id, "rag")["mine"]["grade"] == 1
        left = sides(ben, ANSWER_PAIRS, pair)[0].removeprefix("Left ")
        with open_campaign(rag) as campaign:
            newest = battles(campaign, NAMES[ANSWER_PAIRS])[-1]
            assert newest.winner == LEFT
            assert SAID[newest.left_run] == left


def test_labels_are_called_by_sides(ben: FlaskClient, rag: Path) -> None:
    page = html.fromstring(ben.get(f"/c/rag/judge?topic=17!{NAMES[LIST_PAIRS]}").text)
    names = [each.text_content().strip() for each in page.find_class("grade-name")]
    assert {"Left", "Right", "Tie", "Both bad"} <= set(names)
    assert not {"First", "Second"} & set(names)


def test_near_duplicates_are_said(ben: FlaskClient, rag: Path) -> None:
    said = []
    for pair in chosen(rag, ANSWER_PAIRS):
        query = {"topic": f"17!{NAMES[ANSWER_PAIRS]}", "document": pair}
        page = html.fromstring(ben.get("/c/rag/document-frame", query_string=query).text)
        said.append((bool(page.find_class("almost")), "Nobody" in page.text_content()))
    assert sorted(said) == [(False, True), (False, True), (True, False)]
