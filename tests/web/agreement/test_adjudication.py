"""The pages of conflicts: what stands on them, what must not, and what becomes of a decision."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask, g
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign
from tests.sentences import says
from workbench.core.records import Document, Rationale, Topic
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades import adjudications
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.agreement import adjudication

PAIR = "/c/small/adjudicate?topic=1&document=d1"
ANOTHER = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def campaign(small: Path, judging_as: JudgeAs) -> Campaign:
    """Ben and Carla differ on d1 and d2 of topic 1, and agree on d3."""
    opened = open_campaign(small)
    for document_id, grades in {"d1": (1, 0), "d2": (0, 1), "d3": (1, 1)}.items():
        for name, grade in zip(("Ben", "Carla"), grades, strict=True):
            judging_as(opened, name, "1", document_id, grade, comment=f"says {grade} of {document_id}")
    return opened


pytestmark = pytest.mark.usefixtures("campaign")


def fields(page: str, form: str = 'id="decide"') -> dict[str, str]:
    """The hidden fields of a form of a page."""
    inside = page[page.index(form) :]
    inside = inside[: inside.index("</form>")]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', inside))


def text(client: FlaskClient, address: str) -> str:
    return client.get(address).text


def decide(client: FlaskClient, **changes: str) -> tuple[int, str]:
    """Give d1 a grade as the page would; status and where it leads."""
    sent = {**fields(text(client, PAIR)), "grade": "1", **changes}
    answer = client.post("/c/small/adjudicate", data=sent)
    return answer.status_code, answer.location or answer.get_data(as_text=True)


def test_the_list_is_searched_and_sorted_and_neither_it_nor_a_conflict_names_a_run_or_an_assessor(
    anna: FlaskClient, campaign: Campaign, judging_as: JudgeAs
) -> None:
    reason = Rationale("text", 4, 8, "text")
    judging_as(campaign, "Ben", "1", "d1", 1, rationales=(reason,), comment="says 1 of d1")
    page = text(anna, "/c/small/adjudication")
    assert says(page, "2 documents")
    assert ("document=d1" in page, "document=d3" in page) == (True, False)
    assert says(text(anna, "/c/small/adjudication?open-q=document+2"), "1 of 2")
    turned = text(anna, "/c/small/adjudication?open-sort=-document")
    assert turned.index(">Document 2<") < turned.index(">Document 1<")
    pair = text(anna, PAIR)
    for shown in ("Assessor A", "Assessor B", "says 1 of d1", "says 0 of d1", "document=d1&amp;whole=1"):
        assert shown in pair
    found = re.findall(r"data-mark=\"(\d)\" data-rationale='([^']*)'", pair)
    assert [json.loads(unescape(stored)) for _, stored in found] == [reason._asdict()]
    for hidden in ("Ben", "Carla", "alpha", "beta", "says 1 of d3"):
        assert hidden not in page + pair


def test_a_campaign_without_conflicts_says_where_they_come_from(anna: FlaskClient) -> None:
    assert says(text(anna, "/c/robust/adjudication"), "No conflicts")
    assert anna.get("/c/robust/adjudicate").location == "/c/robust/adjudication"


@pytest.mark.parametrize("name", ["nonsense", "AP(mean=geometric)", "x" * 300])
def test_a_measure_that_does_not_exist_is_refused_with_a_reason(anna: FlaskClient, name: str) -> None:
    answer = anna.get("/c/small/adjudication", query_string={"m": name})
    assert (answer.status_code, name[:200] in unescape(answer.text)) == (422, True)
    assert f"'{'x' * 201}" not in unescape(answer.text)


def test_a_decision_is_stored_and_leads_to_the_next_conflict_and_the_last_one_to_the_list(
    anna: FlaskClient, campaign: Campaign
) -> None:
    status, address = decide(anna, comment="A is right", input="key", seconds="12")
    assert (status, address) == (303, "/c/small/adjudicate?topic=1&document=d2")
    found = adjudications.of_pair(campaign, "1", "d1")
    assert found is not None
    assert (found.grade, found.adjudicator, found.comment) == (1, "Anna", "A is right")
    page = text(anna, address)
    assert "Document 1</bdi> is" in page
    assert says(text(anna, "/c/small/adjudication"), "1 document")
    answer = anna.post("/c/small/adjudicate", data={**fields(page), "grade": "0"})
    assert answer.location == "/c/small/adjudication"
    page = text(anna, answer.location)
    assert says(page, "2 documents")
    answer = anna.post("/c/small/adjudicate", data=fields(page, 'class="settled-last"'))
    assert answer.location == address


def test_a_decision_and_an_undo_for_another_log_are_refused_and_nothing_is_written(
    anna: FlaskClient, campaign: Campaign
) -> None:
    asks = {"Accept": "application/json"}
    decision = {**fields(text(anna, PAIR)), "grade": "1"}
    for form in (decision, fields(text(anna, decide(anna)[1]), 'id="undo"')):
        head = log.newest_seq(campaign)
        refused = anna.post("/c/small/adjudicate", data={**form, "log": "0" * 64}, headers=asks)
        assert (refused.status_code, refused.get_json()["reason"]) == (409, "another campaign")
        assert log.newest_seq(campaign) == head


def test_a_form_sent_twice_stores_nothing_twice_and_pages_are_told_where_to_go_or_why_it_was_not_stored(
    anna: FlaskClient, campaign: Campaign
) -> None:
    asks = {"Accept": "application/json"}
    sent = {**fields(text(anna, PAIR)), "grade": "1"}
    answers = [anna.post("/c/small/adjudicate", data=sent, headers=asks) for _ in range(2)]
    told = {"next": "/c/small/adjudicate?topic=1&document=d2", "seq": log.newest_seq(campaign)}
    assert [(answer.status_code, answer.get_json()) for answer in answers] == [
        (200, {**told, "repeated": repeated}) for repeated in (False, True)
    ]
    late = anna.post("/c/small/adjudicate", data={**sent, "uuid": ANOTHER}, headers=asks)
    assert (late.status_code, late.get_json()["reason"]) == (409, "replaced elsewhere")
    assert anna.post("/c/small/adjudicate", data=sent).status_code == 303
    assert sum(row.kind == "adjudication" for row, _ in log.hashed_judgments(campaign)) == 1


def test_undo_takes_a_decision_back_and_shows_it_again(anna: FlaskClient, campaign: Campaign) -> None:
    _, address = decide(anna)
    sent = fields(text(anna, address), 'id="undo"')
    answer = anna.post("/c/small/adjudicate", data=sent)
    assert (answer.status_code, answer.location) == (303, PAIR)
    assert adjudications.of_pair(campaign, "1", "d1") is None
    assert anna.post("/c/small/adjudicate", data=sent).status_code == 303
    assert anna.post("/c/small/adjudicate", data={**sent, "undo": "1"}).status_code == 404
    again = anna.post("/c/small/adjudicate", data={**sent, "uuid": ANOTHER})
    assert again.status_code == 409
    assert "Nothing was stored: " in again.text
    assert fields(again.text)["document"] == "d1"


def test_what_changed_meanwhile_is_reported_with_what_holds_now(
    anna: FlaskClient, campaign: Campaign, judging_as: JudgeAs
) -> None:
    sent = {**fields(text(anna, PAIR)), "grade": "1", "comment": "my reasons"}
    judging_as(campaign, "Ben", "1", "d1", 1, comment="a second look")
    answer = anna.post("/c/small/adjudicate", data=sent)
    assert (answer.status_code, says(answer.text)) == (409, True)
    assert ("a second look" in answer.text, "my reasons" in answer.text) == (True, True)
    judging_as(campaign, "Carla", "1", "d1", 1)
    assert anna.post("/c/small/adjudicate", data=sent).status_code == 409
    assert anna.get(PAIR).status_code == 404
    assert "do not disagree" in text(anna, PAIR)


def test_a_reason_that_is_too_long_is_refused_and_comes_back_whole(
    anna: FlaskClient, campaign: Campaign
) -> None:
    before = log.head(campaign)
    status, page = decide(anna, comment="x" * 10_000 + "end")
    assert status == 422
    assert says(page)
    assert "xend</textarea>" in page
    assert log.head(campaign) == before
    # A browser sends each line break as two characters, of which one is stored.
    assert decide(anna, comment="x" * 9_998 + "\r\ny")[0] == 303


def test_a_form_that_is_not_ours_is_refused(anna: FlaskClient, campaign: Campaign) -> None:
    before = log.head(campaign)
    for wrong in ({"grade": "x"}, {"grade": ""}, {"pool": "9" * 30}, {"uuid": "1"}, {"newest": "²"}):
        assert decide(anna, **wrong)[0] == 422
    assert log.head(campaign) == before


@pytest.mark.parametrize("rule", ["newest", "adjudicated first", "median"])
def test_the_list_says_whether_an_adjudication_counts(
    anna: FlaskClient, campaign: Campaign, rule: str
) -> None:
    with campaign.write():
        settings.change(campaign.by("Anna"), {"label_rule": rule})
    page = text(anna, "/c/small/adjudication")
    assert says(re.findall("[^>]*campaign’s label rule[^<]*", page)[0])


def test_hostile_names_and_notes_stay_text(
    anna: FlaskClient, make_campaign: MakeCampaign, judging_as: JudgeAs
) -> None:
    document_id, topic_id = 'd"1&<b>é', "1'>&x"
    path = make_campaign(
        "hostile",
        [Topic(topic_id, "<script>alert(1)</script>")],
        [Document(document_id, "<img src=x>", "Rivers freeze.")],
        {"alpha": {topic_id: [document_id]}},
    )
    with open_campaign(path) as campaign:
        for name, grade in (("Ben", 1), ("Carla", 0)):
            judging_as(campaign, name, topic_id, document_id, grade, comment="</textarea><script>")
        page = text(anna, anna.get("/c/hostile/adjudicate").location)
        assert "<script>" not in page
        assert "<img" not in page
        sent = {name: unescape(value) for name, value in fields(page).items()}
        answer = anna.post("/c/hostile/adjudicate", data={**sent, "grade": "1", "comment": "</p><b>"})
        assert answer.location == "/c/hostile/adjudication"
        assert "</p><b>" not in text(anna, answer.location)
        found = adjudications.of_pair(campaign, topic_id, document_id)
        assert found is not None
        assert found.comment == "</p><b>"


def test_the_page_leads_round_all_conflicts_in_their_order(
    app: Flask, campaign: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ben", "1", "d4", 1)
    judging_as(campaign, "Carla", "1", "d4", 0)
    pairs = [("1", "d1"), ("1", "d2"), ("1", "d4")]
    with app.test_request_context():
        g.campaign = campaign
        assert [adjudication._after(*pair) for pair in pairs] == [pairs[1], pairs[2], pairs[0]]
        assert [adjudication._after(*pair, -1) for pair in pairs] == [pairs[2], pairs[0], pairs[1]]
        assert adjudication._after("1", "d3") == pairs[0], "after all others the first"
