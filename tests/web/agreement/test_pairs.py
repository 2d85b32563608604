"""The page of a pair and the judgments of a topic: what stands on them, who sees them, and what they change."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn
from tests.sentences import says
from workbench.campaign import assigning
from workbench.campaign.content_changes import withdraw_runs
from workbench.core.records import Document, Topic
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import broken, runs
from workbench.storage.campaign.grades import adjudications, labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members

PAIR = "/c/small/pair?topic=1&document=d1"
LIST = "/c/small/judgments?topic=1"


@pytest.fixture
def campaign(small: Path, judging_as: JudgeAs) -> Campaign:
    """Ben and Carla differ on d1 of topic 1, Ben alone judged d2; Dora may judge."""
    opened = open_campaign(small)
    judging_as(opened, "Ben", "1", "d1", 1, comment="says it all")
    judging_as(opened, "Carla", "1", "d1", 0)
    judging_as(opened, "Ben", "1", "d2", 0)
    with opened.write():
        members.put(opened.by("Anna"), "Dora", "assessor")
    return opened


pytestmark = pytest.mark.usefixtures("campaign")


def text(client: FlaskClient, address: str) -> str:
    """A page's words without its tags and doubled blanks."""
    page = client.get(address).text
    words = " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
    return re.sub(r" (?=[.,:;])", "", words)


def form(client: FlaskClient, do: str, address: str = PAIR) -> dict[str, str]:
    """The hidden fields of the form of a page that does something."""
    page = client.get(address).text
    (found,) = [each for each in re.findall(r"<form.*?</form>", page, re.S) if f'value="{do}"' in each]
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', found)
    return {name: unescape(value) for name, value in fields}


def send(client: FlaskClient, do: str, **fields: str) -> int:
    return client.post("/c/small/pair", data={**form(client, do), **fields}).status_code


def test_the_page_of_a_pair_names_runs_ranks_voices_and_rows(anna: FlaskClient, campaign: Campaign) -> None:
    page = text(anna, PAIR)
    assert says(page)
    assert re.search(r"Relevant Ben \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC says it all", page)
    assert "1 of 2 runs with this topic has it." in page
    assert "Run Team Rank alpha 1" in page
    assert "Not judged yet." in text(anna, PAIR.replace("d1", "d3"))
    assert re.search(
        r"Ben Judged Relevant says it all \d+ \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC Carla Judged Not relevant",
        page,
    )


def test_a_document_without_text_a_pair_that_no_run_has_and_a_withdrawn_run_have_their_page(
    anna: FlaskClient, campaign: Campaign
) -> None:
    with campaign.write():
        campaign.db.conn.execute(
            "UPDATE document SET title = NULL, text = NULL, text_hash = NULL, media_type = NULL, fields = NULL "
            "WHERE document = 'd1'"
        )
    page = text(anna, PAIR)
    assert says(page)
    assert anna.get("/c/small/preview/document?topic=1&document=d1&whole=1").status_code == 200
    withdraw_runs(campaign.by("Anna"), [run.record.tag for run in runs.in_force(campaign)])
    page = text(anna, PAIR)
    assert "withdrawn" in page
    assert says(page)
    answer = anna.get("/c/small/pair?topic=1&document=nothing")
    assert answer.status_code == 404
    assert "No run has document" in unescape(answer.text)


def test_a_grade_is_overruled_with_a_reason_and_taken_back(anna: FlaskClient, campaign: Campaign) -> None:
    assert send(anna, "overrule", grade="1", comment=" ") == 422
    assert adjudications.in_force(campaign) == {}
    assert send(anna, "overrule", grade="1", comment="it does say so") == 303
    assert labels.label_of(campaign, "1", "d1") == 1
    page = text(anna, PAIR)
    assert "adjudicated by Anna" in page
    assert "Overruled Relevant it does say so" in page
    assert send(anna, "undo") == 303
    assert labels.label_of(campaign, "1", "d1") == 0


def test_of_two_tabs_the_second_is_told_what_came_meanwhile_and_keeps_what_was_typed(
    anna: FlaskClient, campaign: Campaign, judging_as: JudgeAs
) -> None:
    first, second = form(anna, "overrule"), form(anna, "overrule")
    assert first["uuid"] != second["uuid"]
    sent = {**first, "grade": "1", "comment": "one tab"}
    assert [anna.post("/c/small/pair", data=sent).status_code for _ in range(2)] == [303, 303]
    assert len(list(adjudications.in_force(campaign))) == 1
    answer = anna.post("/c/small/pair", data={**second, "grade": "0", "comment": "other tab"})
    page = unescape(answer.text)
    assert answer.status_code == 409
    assert says(page)
    assert ">other tab</textarea>" in page
    late = form(anna, "overrule")
    judging_as(campaign, "Carla", "1", "d1", 1)
    assert anna.post("/c/small/pair", data={**late, "grade": "0", "comment": "late"}).status_code == 409


def test_a_pair_is_handed_to_an_assessor_who_sees_it_open_and_no_grade(
    anna: FlaskClient, campaign: Campaign
) -> None:
    assert send(anna, "again", by="Ben") == 409
    assert send(anna, "again", by="") == 303
    assert [(each.assessor, each.is_open) for each in assigning.waiting_again(campaign)] == [("Dora", True)]
    assert says(text(anna, PAIR))
    assert send(anna, "not again") == 303
    assert assigning.waiting_again(campaign) == []


def test_a_text_is_marked_as_broken_and_the_mark_taken_back(anna: FlaskClient, campaign: Campaign) -> None:
    assert send(anna, "broken", reason=" ") == 422
    assert send(anna, "broken", reason="half of it is missing") == 303
    assert list(broken.marked(campaign)) == ["d1"]
    page = text(anna, PAIR)
    assert says(page)
    assert "Judge it yourself" not in page
    assert send(anna, "not broken") == 303
    assert broken.marked(campaign) == {}


def test_what_is_not_ours_is_refused_and_stores_nothing(anna: FlaskClient, campaign: Campaign) -> None:
    head = log.newest_seq(campaign)
    whole = form(anna, "overrule")
    for changes, status in (
        ({"do": "everything"}, 422),
        ({"grade": "7", "comment": "x"}, 422),
        ({"grade": "1", "comment": "x", "newest": "x"}, 422),
        ({"grade": "1", "comment": "x", "uuid": "short"}, 422),
        ({"grade": "1", "comment": "x", "text_hash": "of another text"}, 409),
        ({"grade": "1", "comment": "x", "log": "0" * 64}, 409),
        ({"grade": "1", "comment": "x", "document": "nothing"}, 404),
    ):
        assert anna.post("/c/small/pair", data={**whole, **changes}).status_code == status, changes
    assert log.newest_seq(campaign) == head


def test_no_assessor_or_adjudicator_learns_who_said_what_from_these_pages(
    anna: FlaskClient, ben: FlaskClient, app: Flask, campaign: Campaign, client_of: SignIn
) -> None:
    with campaign.write():
        members.put(campaign.by("Anna"), "Wilma", "adjudicator")
    for client in (ben, client_of(app, "Wilma")):
        assert [client.get(address).status_code for address in (PAIR, LIST)] == [403, 403]
        assert client.post("/c/small/pair", data=form(anna, "again")).status_code == 403
        for address in ("adjudication", "adjudicate", "judge?topic=1", "history"):
            assert "/pair?" not in client.get(f"/c/small/{address}").text


def test_the_list_is_filtered_and_sorted_by_its_address(anna: FlaskClient) -> None:
    def shown(query: str) -> list[str]:
        page = anna.get(f"{LIST}&{query}").text
        return re.findall(r'<th scope="row"><a href="[^"]*document=(\w+)"', page)

    assert shown("sort=document")[:2] == ["d1", "d2"]
    assert shown("look=conflict") == ["d1"]
    assert sorted(shown("grade=0")) == ["d1", "d2"]
    assert shown("by=Carla") == ["d1"]
    assert shown("grade=none&sort=document") == [
        each for each in shown("sort=document") if each not in ("d1", "d2")
    ]
    assert shown("q=says+it+all") == ["d1"]
    assert anna.get("/c/small/judgments?topic=none").status_code == 404
    assert says(text(anna, LIST.replace("topic=1", "topic=2")))


@pytest.mark.parametrize(
    ("words", "addresses"),
    [
        (
            "there are 1, 2.",
            "judgments judgments?topic= judgments?topic=7 pair topic topic/edit preview/document",
        ),
        ("there are 1, 2.", "run?run=alpha&topic="),
        ("there are alpha, beta.", "run"),
    ],
)
def test_an_address_that_names_no_topic_or_run_says_that_one_must_be_chosen(
    anna: FlaskClient, words: str, addresses: str
) -> None:
    for address in addresses.split():
        answer = anna.get(f"/c/small/{address}")
        (told,) = re.findall(r'<p class="error-message">(.*?)</p>', answer.text)
        assert (answer.status_code, told.endswith(words)) == (404, True), told


def test_ticked_pairs_are_handed_out_together_or_not_at_all(anna: FlaskClient, campaign: Campaign) -> None:
    page = anna.get(LIST).text
    token = re.findall(r'name="csrf_token" value="([^"]+)"', page)[0]
    sent = {"csrf_token": token, "topic": "1", "list": "look=yes", "by": "Carla"}
    assert anna.post("/c/small/judgments", data=sent).status_code == 422
    refused = anna.post("/c/small/judgments", data={**sent, "documents": ["d2", "d1"]})
    assert refused.status_code == 409
    assert "Carla has judged document 'd1'" in unescape(refused.text)
    assert assigning.waiting_again(campaign) == []
    stored = anna.post("/c/small/judgments", data={**sent, "documents": ["d2"], "reason": "doubtful"})
    assert stored.status_code == 303
    assert stored.location.endswith("/c/small/judgments?topic=1&look=yes")
    assert says(text(anna, LIST))


def test_pairs_in_arabic_with_awkward_ids_have_their_pages(
    anna: FlaskClient, make_campaign: MakeCampaign, judging_as: JudgeAs
) -> None:
    odd = 'وثيقة"1"&<b>#?'
    path = make_campaign(
        "arabic",
        [Topic("موضوع/1", "أنهار متجمدة")],
        [Document(odd, "تجمد النهر", "تجمد النهر في الشتاء")],
        {"alpha": {"موضوع/1": [odd]}},
    )
    with open_campaign(path) as opened:
        judging_as(opened, "Ben", "موضوع/1", odd, 1)
    found = anna.get("/c/arabic/judgments", query_string={"topic": "موضوع/1"})
    (link,) = re.findall(r'<th scope="row"><a href="([^"]+)"', found.text)
    page = anna.get(unescape(link)).text
    assert "تجمد النهر" in page
    assert odd in unescape(page)
    assert "<b>#?" not in page


def test_a_row_of_the_log_that_a_finding_names_leads_to_its_pair(
    anna: FlaskClient, campaign: Campaign
) -> None:
    last = log.newest_event(campaign, ["member"]).seq - 1  # Ben's judgment of d2 is the last before Dora came
    answer = anna.get(f"/c/small/pair?row={last}")
    assert (answer.status_code, answer.location) == (302, "/c/small/pair?topic=1&document=d2")
    assert anna.get("/c/small/pair?row=1").status_code == 404
    assert anna.get("/c/small/pair?row=x").status_code == 422
