"""The page that corrects a topic keeps what another organiser wrote meanwhile, and withdraws and restores topics."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign.content_changes import correct_topic
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import topic_withdrawals, topics
from workbench.storage.campaign.log import log

ADDRESS = "/c/rivers/topic/edit?topic=1"
TOPICS = [Topic("1", "ice", "Which?", "Named.", {"lang <b>": "en"}), Topic("2", "lakes")]


@pytest.fixture
def rivers(make_campaign: MakeCampaign) -> Path:
    return make_campaign("rivers", TOPICS, [Document("d1", "", "Ice.")], {"a": {"1": ["d1"], "2": ["d1"]}})


pytestmark = pytest.mark.usefixtures("rivers")


def send(anna: FlaskClient, token_of: TokenOf, address: str, **fields: object) -> TestResponse:
    return anna.post(
        f"/c/rivers/topic/{address}", data={"csrf_token": token_of(anna), "topic": "1", **fields}
    )


def version_of(path: Path) -> int:
    with open_campaign(path) as campaign:
        stored = topics.find(campaign, "1")
    assert stored is not None
    return stored.version


def test_a_correction_is_saved_as_a_new_version_that_the_page_lists(
    rivers: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    first = version_of(rivers)
    saved = send(anna, token_of, "edit", version=first, title="أنهار", **{"field:lang <b>": "ar"})
    assert saved.status_code == 303
    page = anna.get(ADDRESS).text
    assert 'value="أنهار"' in page
    assert f"as-of={first}" in page
    with open_campaign(rivers) as campaign:
        stored = topics.find(campaign, "1")
    assert stored is not None
    assert (stored.topic.description, stored.topic.fields["lang <b>"]) == ("Which?", "ar")
    assert "ice" in anna.get(f"/c/rivers/topic?topic=1&as-of={first}").text


def test_of_two_corrections_at_once_the_second_shows_both_texts_and_stores_nothing(
    rivers: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    first = version_of(rivers)
    with open_campaign(rivers) as campaign:
        second = correct_topic(campaign.by("Olga"), "1", {"title": "snow <i>"})
    refused = send(anna, token_of, "edit", version=first, title="frost")
    assert refused.status_code == 409
    assert 'value="frost"' in refused.text
    assert "snow &lt;i&gt;" in refused.text
    assert version_of(rivers) == second
    assert send(anna, token_of, "edit", version=second, title="frost").status_code == 303


@pytest.mark.parametrize(
    "fields",
    [{"narrative": "x" * 100_001}, {"title": "", "description": "", "narrative": ""}],
    ids=["long", "empty"],
)
def test_a_wrong_correction_says_what_is_wrong(
    rivers: Path, anna: FlaskClient, token_of: TokenOf, fields: dict[str, str]
) -> None:
    first = version_of(rivers)
    refused = send(anna, token_of, "edit", version=first, **fields)
    assert (refused.status_code, says(alerts(refused.text))) == (422, True)
    assert version_of(rivers) == first


def test_a_topic_is_withdrawn_and_restored_and_its_page_says_so(
    rivers: Path, anna: FlaskClient, token_of: TokenOf, judging_as: JudgeAs, ben: FlaskClient
) -> None:
    with open_campaign(rivers) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    assert send(anna, token_of, "withdraw", reason=" nothing\nthere ").status_code == 303
    with open_campaign(rivers) as campaign:
        seq = topic_withdrawals.withdrawn(campaign)["1"]
        assert [event.content["reason"] for event in log.events(campaign, at=seq)] == ["nothing there"]
    assert says(anna.get("/c/rivers/topic?topic=1").text)
    assert "topic=1" not in ben.get("/c/rivers/").text
    judging = ben.get("/c/rivers/judge?topic=1")
    assert (judging.status_code, "was withdrawn" in judging.text) == (404, True)
    assert 'href="/c/rivers/judge?topic=2"' in judging.text
    withdrawn = '<span class="hint">withdrawn</span>'
    assert [anna.get(f"/c/rivers/{page}").text.count(withdrawn) for page in ("topics", "dashboard")] == [1, 0]
    for page in ("dashboard", "board", "topics", "pool", "assignments", "agreement", "history"):
        assert anna.get(f"/c/rivers/{page}").status_code == 200, page
    again = send(anna, token_of, "withdraw")
    assert again.status_code == 409
    assert "is withdrawn already" in again.text
    assert send(anna, token_of, "withdraw", do="restore").status_code == 303
    assert "Withdrawn since" not in anna.get("/c/rivers/topic?topic=1").text
    assert "topic=1" in ben.get("/c/rivers/").text


def test_a_topic_that_nothing_refers_to_can_be_deleted_on_its_page(
    rivers: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    with open_campaign(rivers) as campaign, campaign.write():
        topics.put(campaign.by("Olga"), [Topic("nr", "Thema")], files=[])
    offered = 'formaction="/c/rivers/delete/topic"'
    assert offered in anna.get("/c/rivers/topic/edit?topic=nr").text
    assert offered not in anna.get(ADDRESS).text
    assert "Correct or withdraw topic" in anna.get("/c/rivers/topic?topic=nr").text
    sent = {"csrf_token": token_of(anna), "ids": "nr", "reason": " a  header "}
    form = html.fromstring(anna.post("/c/rivers/delete/topic", data=sent).text).forms[-1]
    deleted = anna.post("/c/rivers/delete/topic", data={**dict(form.form_values()), "do": "delete"})
    assert says(anna.get(deleted.location).text, "1 topic deleted")
    assert anna.get("/c/rivers/topic?topic=nr").status_code == 404
    with open_campaign(rivers) as campaign:
        newest = log.events(campaign, topics.TOPICS)[-1]
    assert (newest.actor, newest.content["removed"], newest.content["reason"]) == ("Anna", ["nr"], "a header")
    assert anna.get(f"/c/rivers/topic?topic=nr&as-of={newest.seq - 1}").status_code == 200


def test_the_list_of_topics_offers_those_that_nothing_is_tied_to(
    rivers: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    assert "/delete/topic" not in anna.get("/c/rivers/topics").text
    with open_campaign(rivers) as campaign, campaign.write():
        topics.put(campaign.by("Olga"), [Topic("nr", "Thema"), Topic("<9>", "Ice")], files=[])
    page = html.fromstring(anna.get("/c/rivers/topics").text)
    assert set(page.xpath("//input[@name='ids']/@value")) == {"nr", "<9>"}
    sent = {"csrf_token": token_of(anna), "ids": ["<9>", "1"]}
    shown = html.fromstring(anna.post("/c/rivers/delete/topic", data=sent).text)
    assert [row.text_content() for row in shown.findall(".//tr")] == ["Pooled1"]
    every = html.fromstring(anna.post("/c/rivers/delete/topic", data={**sent, "every": "1"}).text)
    anna.post("/c/rivers/delete/topic", data={**dict(every.forms[-1].form_values()), "do": "delete"})
    with open_campaign(rivers) as campaign:
        assert topics.topic_ids(campaign) == ["1", "2"]
