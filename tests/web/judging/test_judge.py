"""The judging page's addresses: what an assessor is shown, and which judgments are taken."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeCampaign, Post, SignIn, TokenOf
from tests.sentences import says
from tests.web.judging.sent import judged, shown
from workbench.campaign.assessing import set_repeats
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.questions import declare
from workbench.core.records import Document, Grade, Question, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log

AWKWARD = ["a/b", "../../x", "q?a=1&b=2", "c#d", "%41%2F", "文書\u3000と", "документ", "\u3000", "+", "<b>"]


@pytest.fixture
def post(post_json: Post) -> Post:
    return lambda client, body, campaign="small": post_json(client, f"/c/{campaign}/api/judgments", body)


pytestmark = pytest.mark.usefixtures("small")


def page_data(answer: TestResponse) -> Any:
    text = answer.text
    return json.loads(text.split('id="page-data">')[1].split("</script>")[0])


def test_the_page_a_document_and_the_answer_about_receipts_name_the_log_that_is_served(
    ben: FlaskClient, small: Path, post_json: Post
) -> None:
    answered = post_json(ben, "/c/small/api/receipts", {"uuids": []}).get_json()
    page = page_data(ben.get("/c/small/judge?topic=1"))
    with open_campaign(small) as campaign:
        assert [page["log"], shown(ben, "d1")["log"], answered["log"]] == [log.mark(campaign)] * 3


def test_a_judgment_for_another_log_is_refused_and_nothing_is_written(
    ben: FlaskClient, small: Path, post: Post
) -> None:
    sent = judged(shown(ben, "d1"))
    refused = post(ben, {**sent, "log": "0" * 64})
    told = refused.get_json()
    assert (refused.status_code, told["reason"], told["current"]) == (409, "another campaign", None)
    assert says(told["message"])
    with open_campaign(small) as campaign:
        assert list(judgments.log(campaign)) == []
    assert [post(ben, sent).status_code for _ in range(2)] == [201, 200]
    again = post(ben, {**sent, "log": "0" * 64})
    assert (again.status_code, again.get_json()["current"]["grade"]) == (409, 1), "under its uuid too"


def test_the_page_has_the_topic_the_grades_and_the_viewing_order(ben: FlaskClient) -> None:
    answer = ben.get("/c/small/judge?topic=1")
    for words in ("frozen rivers", "Which rivers freeze?", "Named rivers only.", "Not relevant", "Relevant"):
        assert words in answer.text
    assert [item["document_id"] for item in page_data(answer)["queue"]] == "d1 d2 d3 d4 d5 d6".split()
    assert ben.get("/c/small/judge?topic=3").status_code == 404


def test_too_many_judgments_of_a_document_in_a_minute_are_to_be_sent_again_later(
    ben: FlaskClient, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.campaign.assessing.storing.MOST_ROWS", 1)
    first = judged(shown(ben, "d1"))
    seq = post(ben, first).get_json()["stored"]["seq"]
    refused = post(ben, judged(shown(ben, "d1"), 2, replaces=seq, grade=0))
    assert (refused.status_code, says(refused.get_json()["reason"])) == (429, True)
    assert refused.headers["Retry-After"] == "60"
    assert post(ben, first).status_code == 200
    assert post(ben, judged(shown(ben, "d2"), 3)).status_code == 201


def test_every_field_of_a_topic_is_on_the_page_with_its_name(
    ben: FlaskClient, make_campaign: MakeCampaign
) -> None:
    topic = Topic("1", "ice", "", "Thick ice counts.", {"fr": "glace <b>", "domain": "winter"})
    make_campaign("fields", [topic], [Document("d1", "", "Ice.")], {"alpha": {"1": ["d1"]}})
    page = ben.get("/c/fields/judge?topic=1").text
    assert "Thick ice counts." in page
    assert '<dt dir="auto">fr</dt><dd dir="auto">glace &lt;b&gt;</dd>' in page
    assert '<dt dir="auto">domain</dt><dd dir="auto">winter</dd>' in page


def test_without_a_topic_the_page_is_the_first_one_with_something_to_judge(
    ben: FlaskClient, post: Post
) -> None:
    assert ben.get("/c/small/judge").location == "/c/small/judge?topic=1"
    for number in range(1, 7):
        assert post(ben, judged(shown(ben, f"d{number}"), number)).status_code == 201
    assert ben.get("/c/small/judge").location == "/c/small/judge?topic=2"


def test_a_page_that_is_fetched_ahead_offers_the_topic_it_comes_after_no_more(ben: FlaskClient) -> None:
    ahead = {"Sec-Purpose": "prefetch"}
    assert "Next topic: <bdi>frozen rivers<" in ben.get("/c/small/judge?topic=2&after=1").text
    assert "Next topic: <bdi>frozen rivers<" in ben.get("/c/small/judge?topic=2", headers=ahead).text
    assert "Next topic" not in ben.get("/c/small/judge?topic=2&after=1", headers=ahead).text
    assert "Next topic: <bdi>warm lakes<" in ben.get("/c/small/judge?topic=1&after=1", headers=ahead).text


def test_a_page_is_not_fetched_ahead_where_judgments_bring_documents_into_other_topics(
    ben: FlaskClient, small: Path
) -> None:
    assert page_data(ben.get("/c/small/judge?topic=1"))["early"] is True
    with open_campaign(small) as campaign:
        set_repeats(campaign.by("Anna"), 0.1, 10, 1)
    assert page_data(ben.get("/c/small/judge?topic=1"))["early"] is False


def test_a_judgment_is_stored_once_under_the_account_and_answered_with_what_was_stored(
    ben: FlaskClient, post: Post, small: Path
) -> None:
    kept = {"field": "text", "start": 4, "end": 8, "text": "text"}
    more = {"comment": "no river", "input": "same", "same_as": "d1", "rationales": [kept]}
    sent = judged(shown(ben, "d2"), grade=0, **more)
    first, second = post(ben, sent), post(ben, sent)
    assert (first.status_code, second.status_code, second.get_json()["repeated"]) == (201, 200, True)
    stored = first.get_json()["stored"]
    assert second.get_json()["stored"] == stored
    assert stored.items() >= {name: value for name, value in sent.items() if name != "log"}.items()
    assert (stored["assessor"], stored["source"]) == ("Ben", "screen")
    with open_campaign(small) as campaign:
        (row,) = judgments.log(campaign)
    assert row._asdict() | {"rationales": [kept]} == stored
    assert shown(ben, "d2")["mine"]["rationales"] == [kept]


def test_the_page_and_an_answer_name_the_account_s_newest_row_before_them(
    ben: FlaskClient, app: Flask, client_of: SignIn, post: Post
) -> None:
    assert page_data(ben.get("/c/small/judge?topic=1"))["newest"] == 0
    first = post(ben, judged(shown(ben, "d1"), 1)).get_json()
    carla = client_of(app, "Carla")
    post(carla, judged(shown(carla, "d2"), 2))
    seq = first["stored"]["seq"]
    assert page_data(ben.get("/c/small/judge?topic=1"))["newest"] == seq
    second = post(ben, judged(shown(ben, "d3"), 3))
    assert (first["before"], second.get_json()["before"]) == (None, seq)
    assert post(ben, judged(shown(ben, "d1"), 1)).get_json()["before"] is None
    assert page_data(ben.get("/c/small/judge?topic=2"))["newest"] == second.get_json()["stored"]["seq"]


def test_a_change_of_mind_replaces_and_a_stale_one_is_refused_with_what_is_stored(
    ben: FlaskClient, post: Post
) -> None:
    document = shown(ben, "d1")
    first = post(ben, judged(document, 1)).get_json()["stored"]["seq"]
    second = post(ben, judged(document, 2, grade=0, replaces=first, comment="oh")).get_json()["stored"]["seq"]
    stale = post(ben, judged(document, 3, grade=1, replaces=first))
    assert (stale.status_code, stale.get_json()["reason"]) == (409, "replaced elsewhere")
    current = {"seq": second, "kind": "grade", "grade": 0, "comment": "oh", "rationales": [], "chosen": None}
    assert stale.get_json()["current"] == current
    assert post(ben, judged(document, 4, kind="cleared", grade=None, replaces=second)).status_code == 201
    item = page_data(ben.get("/c/small/judge?topic=1"))["queue"][0]
    assert (item["state"], item["kind"], item["seq"]) == ("open", None, second + 1)


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({"text_hash": "0" * 64}, 409, "text changed"),
        *(
            ({name: value}, 422, "unknown pair")
            for name, value in (("document_id", "d9"), ("pool", 2), ("norming", 7))
        ),
        ({"topic_id": "2", "document_id": "d6"}, 422, "unknown pair"),
        ({"grade": 2}, 422, "bad grade"),
        *(({"kind": kind, "grade": None}, 422, "bad value") for kind in ("grade", "cleared")),
        ({"rationales": [{"field": "text", "start": 0, "end": 4, "text": "text"}]}, 422, "bad value"),
        *(({name: "1"}, 422, "wrong field") for name in ("grade", "active_seconds", "assessor")),
    ],
)
def test_a_judgment_that_does_not_fit_is_refused_with_a_reason(
    ben: FlaskClient, post: Post, changes: dict[str, object], status: int, reason: str
) -> None:
    answer = post(ben, judged(shown(ben, "d1"), **changes))
    told = answer.get_json()
    assert (answer.status_code, told["reason"]) == (status, reason)
    assert told["message"]
    assert (told.get("field") in changes) == (reason == "wrong field")
    assert shown(ben, "d1")["mine"] is None


@pytest.mark.parametrize("body", ["{", "[" * 100_000, '{"uuid": NaN}', "\ufeff{}", "null", ""])
def test_a_body_that_is_no_submission_is_refused(ben: FlaskClient, token_of: TokenOf, body: str) -> None:
    headers = {"X-CSRFToken": token_of(ben)}
    answer = ben.post("/c/small/api/judgments", data=body, content_type="application/json", headers=headers)
    assert answer.status_code in {400, 422}
    assert answer.get_json()["message"]
    assert answer.get_json().get("field", "body") in ("body", "uuid")


def test_a_judgment_without_the_pages_token_or_of_another_accounts_page_is_refused(
    ben: FlaskClient, token_of: TokenOf
) -> None:
    other = {"X-CSRFToken": token_of(ben), "X-Account": "Anna"}
    for headers, status, reason in (({}, 400, "csrf"), (other, 401, "other account")):
        answer = ben.post("/c/small/api/judgments", json=judged(shown(ben, "d1")), headers=headers)
        assert (answer.status_code, answer.get_json()["reason"]) == (status, reason)


def test_another_persons_grade_is_in_no_answer(
    ben: FlaskClient, app: Flask, client_of: SignIn, post: Post
) -> None:
    post(ben, judged(shown(ben, "d1"), comment="by Ben"))
    carla = client_of(app, "Carla")
    assert shown(carla, "d1")["mine"] is None
    answer = carla.get("/c/small/judge?topic=1")
    told = {"document_id": "d1", "state": "other", "kind": None, "grade": None, "seq": None}
    assert page_data(answer)["queue"][0].items() >= told.items()
    assert "by Ben" not in answer.text


def test_no_run_name_is_in_any_answer_an_assessor_gets(ben: FlaskClient, post: Post) -> None:
    pages = "judge?topic=1 api/document?topic=1&document=d4 document-frame?topic=1&document=d4 history board runs pool"
    answers = [ben.get(f"/c/small/{page}") for page in ["", *pages.split()]]
    for answer in (*answers, ben.get("/"), post(ben, judged(shown(ben, "d4")))):
        text = answer.text.lower().replace("ranking", "")
        assert [word for word in ("alpha", "beta", "rank") if word in text] == []


@pytest.mark.parametrize("awkward", AWKWARD)
def test_an_id_is_any_text(ben: FlaskClient, make_campaign: MakeCampaign, post: Post, awkward: str) -> None:
    make_campaign(
        "odd", [Topic(awkward, "awkward")], [Document(awkward, "", "words")], {"alpha": {awkward: [awkward]}}
    )
    assert page_data(ben.get("/c/odd/judge", follow_redirects=True))["topic_id"] == awkward
    sent = judged(shown(ben, awkward, awkward, "odd"), topic_id=awkward)
    assert post(ben, sent, "odd").get_json()["stored"]["document_id"] == awkward


def test_empty_documents_and_special_grades_can_be_judged_and_missing_documents_cannot(
    ben: FlaskClient, make_campaign: MakeCampaign, post: Post
) -> None:
    make_campaign(
        "pages",
        [Topic("1", "rivers")],
        [Document("empty", "Nothing", " \n")],
        {"alpha": {"1": ["empty", "missing"]}},
        grades=[Grade(0, "No"), Grade(1, "Yes"), Grade(-2, "Spam", "Made to fool search engines")],
    )
    empty, missing = (shown(ben, name, campaign="pages") for name in ("empty", "missing"))
    assert (empty["state"], missing["state"], missing["text_hash"]) == ("empty", "missing", None)
    page = ben.get("/c/pages/judge?topic=1").text
    assert 'data-grade="-2" aria-checked="false" disabled>' in page
    assert "Made to fool search engines" in page
    assert post(ben, judged(empty, grade=-2), "pages").get_json()["stored"]["grade"] == -2
    refused = post(ben, judged(missing, 2, text_hash="0" * 64), "pages")
    assert (refused.status_code, refused.get_json()["reason"]) == (409, "text changed")


def test_nothing_in_a_topic_can_leave_the_pages_data(ben: FlaskClient, make_campaign: MakeCampaign) -> None:
    title = "</script><script>alert(1)</script>"
    document_id = "<!--<script>"
    make_campaign(
        "bad",
        [Topic("1", title, title, title)],
        [Document(document_id, "", "x")],
        {"alpha": {"1": [document_id]}},
    )
    answer = ben.get("/c/bad/judge?topic=1")
    assert page_data(answer)["queue"][0]["document_id"] == document_id
    assert "<script>alert" not in answer.text


def test_while_another_process_writes_a_judgment_is_asked_to_come_back_and_reading_goes_on(
    ben: FlaskClient, post: Post, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.web.requests.connections.PATIENCE", 0.05)
    sent = judged(shown(ben, "d1"))
    with open_campaign(small) as other, other.write():
        answer = post(ben, sent)
        assert (answer.status_code, answer.get_json()["reason"]) == (503, "unavailable")
        assert ben.get("/c/small/judge?topic=1").status_code == 200
    assert post(ben, sent).status_code == 201


@pytest.mark.parametrize(
    ("cards", "script"), [("off", "judging/judge.bundle.js"), ("on", "judging/cards.bundle.js")]
)
def test_the_page_loads_one_script_and_two_sheets(
    ben: FlaskClient, app: Flask, small: Path, cards: str, script: str
) -> None:
    with open_campaign(small) as campaign:
        change_settings(campaign.by("Anna"), {"cards": cards})
    page = ben.get("/c/small/judge?topic=1").text
    static = f"/static/{app.config['EDITION']}"
    assert re.findall(r'<script type="module" src="([^"]+)"', page) == [f"{static}/{script}"]
    assert len(re.findall('rel="stylesheet"', page)) == 2
    assert "modulepreload" not in page


def test_cards_say_that_they_ask_no_further_question(ben: FlaskClient, small: Path) -> None:
    with open_campaign(small) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
        assert "cards-asked" not in ben.get("/c/small/judge?topic=1").text
        declare(campaign.by("Anna"), Question("trust", "Trust?", (Grade(0, "No"), Grade(1, "Yes"))))
    (hint,) = re.findall(r'<p class="cards-asked">(.*?)</p>', ben.get("/c/small/judge?topic=1").text)
    assert says(re.sub("<[^>]+>", "", hint))
    assert "cards-asked" not in ben.get("/c/small/judge?topic=1&alone=1").text
