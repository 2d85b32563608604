"""Two things are shown side by side: whose they are stays hidden, and the server knows what stood left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html

from tests.asked_answers import add_answers
from tests.fixture_types import MakeCampaign, Post
from tests.judged_pairs import judge_as
from tests.made_answers import answer
from tests.web.judging.judged_answers import TOPIC
from tests.web.judging.sent import judged, shown
from workbench.campaign.assessing import queue, show
from workbench.campaign.battles import battles
from workbench.campaign.content_changes import mark_broken, mark_not_broken
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import ANSWER_PAIRS, DOCUMENT_PAIRS, LIST_PAIRS
from workbench.core.battles import LEFT
from workbench.core.records import Document
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pairs
from workbench.storage.campaign.grades import adjudications
from workbench.storage.campaign.people.stored_about import stored_about

LONG = "Corals settle again after some years when the water stays cool and fish graze the algae"
SAID = {"alpha": f"{LONG}.", "omega": f"{LONG} there.", "zeta": "Nobody <b>knows</b>."}
TEXTS = {"d1": "Reefs recover slowly.", "d2": "Fish graze algae."}
PAGES = "document-frame", "api/document"
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
        return [each.unit_id for each in pairs.chosen(campaign, f"17!{NAMES[kind]}")]


def sides(client: FlaskClient, kind: str, pair: str, **more: int) -> list[str]:
    """The words of both sides, from left to right."""
    query = {"topic": f"17!{NAMES[kind]}", "document": pair, **more}
    page = html.fromstring(client.get("/c/rag/document-frame", query_string=query).text)
    return [" ".join(side.text_content().split()) for side in page.find_class("pair-side")]


@pytest.mark.parametrize("kind", NAMES)
def test_both_are_shown_and_no_run_is_named(ben: FlaskClient, rag: Path, kind: str) -> None:
    for pair in chosen(rag, kind):
        left, right = sides(ben, kind, pair)
        assert left.startswith("Left") and right.startswith("Right")
        assert left.removeprefix("Left") != right.removeprefix("Right")
        query = {"topic": f"17!{NAMES[kind]}", "document": pair}
        sent = [ben.get(f"/c/rag/{page}", query_string=query).text for page in (*PAGES, "judge")]
        assert not [run for run in (*SAID, "up", "down") if re.search(rf"\b{run}\b", "".join(sent))]


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


def test_words_that_only_one_of_near_duplicates_has_are_marked_on_its_side(
    ben: FlaskClient, rag: Path
) -> None:
    marked = []
    for pair in chosen(rag, ANSWER_PAIRS):
        query = {"topic": f"17!{NAMES[ANSWER_PAIRS]}", "document": pair}
        page = html.fromstring(ben.get("/c/rag/document-frame", query_string=query).text)
        marked += [each.text_content() for each in page.find_class("changed")]
        assert not page.find_class("missing")
    assert marked == ["there"]


def test_own_judgments_and_personal_data_name_the_side_that_was_on_the_screen(
    ben: FlaskClient, rag: Path
) -> None:
    topic_id, given = f"17!{NAMES[ANSWER_PAIRS]}", (1, 1, 2)
    with open_campaign(rag) as campaign:
        for pair, grade in zip(chosen(rag, ANSWER_PAIRS), given, strict=True):
            judge_as(campaign, "Ben", topic_id, pair, grade)
        rows = [row for table, found in stored_about(campaign, "Ben") if table == "judgment" for row in found]
    assert [(row["grade"], row["grade_name"]) for row in rows] == [(1, "Left"), (1, "Left"), (2, "Right")]
    assert {row["left"] for row in rows} == {"first", "second"}
    for judged_as, names in (("", ["Right", "Left", "Left"]), ("1", ["Left", "Left"]), ("2", ["Right"])):
        page = html.fromstring(ben.get(f"/c/rag/history?judged={judged_as}").text)
        assert [each.text_content().strip() for each in page.find_class("judged-as")] == names


def test_adjudicators_see_the_first_and_the_second_thing_and_settle_by_the_same_four(
    anna: FlaskClient, rag: Path
) -> None:
    topic_id, (pair, *_) = f"17!{NAMES[ANSWER_PAIRS]}", chosen(rag, ANSWER_PAIRS)
    with open_campaign(rag) as campaign:
        things = pairs.by_id(campaign, topic_id)[pair]
        assert things is not None
        texts = [pairs.things_of_runs(campaign, topic_id)[each].text for each in things[1:3]]
        for name, preferred in (("Ben", "first"), ("Carla", "second")):
            side = 1 if show(campaign, topic_id, pair, name).left == preferred else 2
            judge_as(campaign, name, topic_id, pair, side, comment=f"{name} says so")
    assert sides(anna, ANSWER_PAIRS, pair, ordered=1) == [f"First {texts[0]}", f"Second {texts[1]}"]
    address = "/c/rag/adjudicate"
    page = html.fromstring(anna.get(address, query_string={"topic": topic_id, "document": pair}).text)
    conflicts = anna.get("/c/rag/adjudication", query_string={"question": NAMES[ANSWER_PAIRS]})
    assert (conflicts.status_code, 'name="m"' in conflicts.text) == (200, False)
    assert "ordered=1" in page.get_element_by_id("frame").get("src")
    buttons = page.xpath("//button[@name='grade']")
    assert [each.get("value") for each in buttons] == ["1", "2", "3", "0"]
    assert [each.find_class("grade-name")[0].text for each in buttons] == [
        "First",
        "Second",
        "Tie",
        "Both bad",
    ]
    form = page.get_element_by_id("decide")
    sent = {each.get("name"): each.get("value") for each in form.xpath(".//input[@type='hidden']")}
    answer = anna.post(address, data={**sent, "grade": "2"})
    listed = html.fromstring(anna.get(answer.location).text)
    assert [each.text for each in listed.xpath("//*[@class='settled-last']//span[@dir]")] == ["Second"]
    with open_campaign(rag) as campaign:
        settled = adjudications.of_pair(campaign, topic_id, pair)
    assert settled is not None and settled.grade == 2


def test_a_pair_waits_while_one_of_its_documents_is_marked_as_broken(
    ben: FlaskClient, rag: Path, post_json: Post
) -> None:
    topic_id, (pair,) = f"17!{NAMES[DOCUMENT_PAIRS]}", chosen(rag, DOCUMENT_PAIRS)
    document = shown(ben, pair, topic_id, "rag")
    body = judged(document, topic_id=topic_id, left=document["left"])
    with open_campaign(rag) as campaign:
        mark_broken(campaign.by("Anna"), ["d2"], reason="cut off")
        assert queue(campaign, topic_id, "Ben") == []
    assert post_json(ben, "/c/rag/api/judgments", body).status_code == 409
    with open_campaign(rag) as campaign:
        mark_not_broken(campaign.by("Anna"), ["d2"], reason="it is whole")
        assert [each.document_id for each in queue(campaign, topic_id, "Ben")] == [pair]
    assert post_json(ben, "/c/rag/api/judgments", body).status_code == 201
