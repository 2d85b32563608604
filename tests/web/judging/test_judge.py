"""The judging page's addresses: what an assessor is shown, and which judgments are taken."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeCampaign, Post, SignIn, TokenOf
from tests.sentences import says
from workbench.campaign.assessing import set_repeats
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Grade, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log

AWKWARD = ["a/b", "../../x", "q?a=1&b=2", "c#d", "%41%2F", "文書 と", "документ", " ", "+", "<b>"]
AWKWARD = [name.replace(" ", "\u3000") or "x" for name in AWKWARD]


def document(client: FlaskClient, document_id: str, topic_id: str = "1", campaign: str = "small") -> Any:
    query = {"topic": topic_id, "document": document_id}
    return client.get(f"/c/{campaign}/api/document", query_string=query).get_json()


def judged(shown: Mapping[str, Any], number: int = 1, **changes: object) -> dict[str, Any]:
    return {
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "topic_id": "1",
        "document_id": shown["document_id"],
        "log": shown["log"],
        "pool": shown["pool"],
        "text_hash": shown["text_hash"],
        "topic_version": shown["topic_version"],
        "guideline_version": shown["guideline_version"],
        "kind": "grade",
        "grade": 1,
        "replaces": None,
        "client_at": "2026-03-01T12:00:00Z",
        "active_seconds": 2.5,
        "comment": "",
        **changes,
    }


@pytest.fixture
def post(token_of: TokenOf) -> Post:
    def send(client: FlaskClient, body: object, campaign: str = "small") -> TestResponse:
        return client.post(
            f"/c/{campaign}/api/judgments", json=body, headers={"X-CSRFToken": token_of(client)}
        )

    return send


pytestmark = pytest.mark.usefixtures("small")


def page_data(answer: TestResponse) -> Any:
    text = answer.get_data(as_text=True)
    return json.loads(text.split('id="page-data">')[1].split("</script>")[0])


def test_the_page_a_document_and_the_answer_about_receipts_name_the_log_that_is_served(
    ben: FlaskClient, small: Path, token_of: TokenOf
) -> None:
    headers = {"X-CSRFToken": token_of(ben)}
    answered = ben.post("/c/small/api/receipts", json={"uuids": []}, headers=headers).get_json()
    page = page_data(ben.get("/c/small/judge?topic=1"))
    with open_campaign(small) as campaign:
        assert [page["log"], document(ben, "d1")["log"], answered["log"]] == [log.mark(campaign)] * 3


def test_a_judgment_for_another_log_is_refused_and_nothing_is_written(
    ben: FlaskClient, small: Path, post: Post
) -> None:
    sent = judged(document(ben, "d1"))
    refused = post(ben, {**sent, "log": "0" * 64})
    assert (refused.status_code, refused.get_json()) == (
        409,
        {
            "reason": "another campaign",
            "message": "this was judged in another campaign that had the same name",
            "current": None,
        },
    )
    with open_campaign(small) as campaign:
        assert list(judgments.log(campaign)) == []
    assert [post(ben, sent).status_code for _ in range(2)] == [201, 200]
    again = post(ben, {**sent, "log": "0" * 64})
    assert (again.status_code, again.get_json()["current"]["grade"]) == (409, 1), "under its uuid too"


def test_the_page_has_the_topic_the_grades_and_the_viewing_order(ben: FlaskClient) -> None:
    answer = ben.get("/c/small/judge?topic=1")
    text = answer.get_data(as_text=True)
    for words in ("frozen rivers", "Which rivers freeze?", "Named rivers only.", "Not relevant", "Relevant"):
        assert words in text
    assert [item["document_id"] for item in page_data(answer)["queue"]] == [
        "d1",
        "d2",
        "d3",
        "d4",
        "d5",
        "d6",
    ]


def test_too_many_judgments_of_a_document_in_a_minute_are_to_be_sent_again_later(
    ben: FlaskClient, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.campaign.assessing.storing.MOST_ROWS", 1)
    first = judged(document(ben, "d1"))
    seq = post(ben, first).get_json()["stored"]["seq"]
    refused = post(ben, judged(document(ben, "d1"), 2, replaces=seq, grade=0))
    assert (refused.status_code, says(refused.get_json()["reason"])) == (429, True)
    assert refused.headers["Retry-After"] == "60"
    assert post(ben, first).status_code == 200
    assert post(ben, judged(document(ben, "d2"), 3)).status_code == 201


def test_every_field_of_a_topic_is_on_the_page_with_its_name(
    app: Flask, client_of: SignIn, make_campaign: MakeCampaign
) -> None:
    topic = Topic("1", "ice", "", "Thick ice counts.", {"fr": "glace <b>", "domain": "winter"})
    make_campaign("fields", [topic], [Document("d1", "", "Ice.")], {"alpha": {"1": ["d1"]}})
    page = client_of(app, "Ben").get("/c/fields/judge?topic=1").text
    assert "Thick ice counts." in page
    assert '<dt dir="auto">fr</dt><dd dir="auto">glace &lt;b&gt;</dd>' in page
    assert '<dt dir="auto">domain</dt><dd dir="auto">winter</dd>' in page


def test_without_a_topic_the_page_is_the_first_one_with_something_to_judge(
    ben: FlaskClient, post: Post
) -> None:
    assert ben.get("/c/small/judge").location == "/c/small/judge?topic=1"
    for number in range(1, 7):
        assert post(ben, judged(document(ben, f"d{number}"), number)).status_code == 201
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


def test_a_topic_that_is_not_pooled_is_not_found(ben: FlaskClient) -> None:
    assert ben.get("/c/small/judge?topic=3").status_code == 404


def test_a_document_comes_with_what_a_judgment_has_to_echo(ben: FlaskClient) -> None:
    shown = document(ben, "d1")
    assert (shown["state"], shown["title"], shown["mine"], shown["pool"]) == ("text", "Document 1", None, 1)
    assert len(shown["text_hash"]) == 64


def test_a_document_outside_the_pool_is_not_found(ben: FlaskClient) -> None:
    answer = ben.get("/c/small/api/document?topic=2&document=d6")
    assert answer.status_code == 404
    assert answer.get_json()["reason"] == "unknown pair"


def test_a_judgment_is_stored_under_the_account_and_answered_with_what_was_stored(
    ben: FlaskClient, post: Post, small: Path
) -> None:
    sent = judged(document(ben, "d2"), grade=0, comment="no river")
    answer = post(ben, sent)
    assert answer.status_code == 201
    stored = answer.get_json()["stored"]
    assert stored.items() >= {name: value for name, value in sent.items() if name != "log"}.items()
    assert (stored["assessor"], stored["source"]) == ("Ben", "screen")
    with open_campaign(small) as campaign:
        row = judgments.by_uuid(campaign, stored["uuid"])
    assert row is not None
    assert row._asdict() | {"rationales": []} == stored


def test_rationales_and_the_way_of_input_are_stored_and_shown_again(ben: FlaskClient, post: Post) -> None:
    kept = {"field": "text", "start": 4, "end": 8, "text": "text"}
    sent = judged(document(ben, "d2"), grade=0, input="same", same_as="d1", rationales=[kept])
    answer = post(ben, sent)
    assert answer.status_code == 201
    stored = answer.get_json()["stored"]
    assert (stored["input"], stored["same_as"], stored["rationales"]) == ("same", "d1", [kept])
    assert document(ben, "d2")["mine"]["rationales"] == [kept]


def test_a_rationale_that_does_not_stand_in_the_text_is_refused(ben: FlaskClient, post: Post) -> None:
    elsewhere = {"field": "text", "start": 0, "end": 4, "text": "text"}  # "The text of document 2."
    answer = post(ben, judged(document(ben, "d2"), rationales=[elsewhere]))
    assert answer.status_code == 422
    assert says(answer.get_json()["message"])


def test_a_judgment_that_is_sent_again_is_stored_once(ben: FlaskClient, post: Post) -> None:
    sent = judged(document(ben, "d1"))
    first, second = post(ben, sent), post(ben, sent)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.get_json()["stored"] == second.get_json()["stored"]
    assert second.get_json()["repeated"] is True


def test_the_page_and_an_answer_name_the_account_s_newest_row_before_them(
    app: Flask, ben: FlaskClient, client_of: SignIn, post: Post
) -> None:
    assert page_data(ben.get("/c/small/judge?topic=1"))["newest"] == 0
    first = post(ben, judged(document(ben, "d1"), 1)).get_json()
    carla = client_of(app, "Carla")
    post(carla, judged(document(carla, "d2"), 2))
    seq = first["stored"]["seq"]
    assert page_data(ben.get("/c/small/judge?topic=1"))["newest"] == seq
    second = post(ben, judged(document(ben, "d3"), 3))
    assert (first["before"], second.get_json()["before"]) == (None, seq)
    assert post(ben, judged(document(ben, "d1"), 1)).get_json()["before"] is None
    assert page_data(ben.get("/c/small/judge?topic=2"))["newest"] == second.get_json()["stored"]["seq"]


def test_a_change_of_mind_replaces_and_a_stale_one_is_refused_with_what_is_stored(
    ben: FlaskClient, post: Post
) -> None:
    shown = document(ben, "d1")
    first = post(ben, judged(shown, 1)).get_json()["stored"]["seq"]
    second = post(ben, judged(shown, 2, grade=0, replaces=first, comment="oh")).get_json()["stored"]["seq"]
    stale = post(ben, judged(shown, 3, grade=1, replaces=first))
    assert stale.status_code == 409
    assert stale.get_json()["reason"] == "replaced elsewhere"
    assert stale.get_json()["current"] == {
        "seq": second,
        "kind": "grade",
        "grade": 0,
        "comment": "oh",
        "rationales": [],
    }


def test_a_judgment_can_be_cleared(ben: FlaskClient, post: Post) -> None:
    shown = document(ben, "d1")
    seq = post(ben, judged(shown, 1)).get_json()["stored"]["seq"]
    assert post(ben, judged(shown, 2, kind="cleared", grade=None, replaces=seq)).status_code == 201
    items = page_data(ben.get("/c/small/judge?topic=1"))["queue"]
    assert (items[0]["state"], items[0]["kind"], items[0]["seq"]) == ("open", None, seq + 1)


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({"text_hash": "0" * 64}, 409, "text changed"),
        ({"document_id": "d9"}, 422, "unknown pair"),
        ({"topic_id": "2", "document_id": "d6"}, 422, "unknown pair"),
        ({"pool": 2}, 422, "unknown pair"),
        ({"norming": 7}, 422, "unknown pair"),
        ({"grade": 2}, 422, "bad grade"),
        ({"grade": None}, 422, "bad value"),
        ({"kind": "cleared", "grade": None}, 422, "bad value"),
        ({"grade": "1"}, 422, "wrong field"),
        ({"assessor": "Anna"}, 422, "wrong field"),
    ],
)
def test_a_judgment_that_does_not_fit_is_refused_with_a_reason(
    ben: FlaskClient, post: Post, changes: dict[str, object], status: int, reason: str
) -> None:
    answer = post(ben, judged(document(ben, "d1"), **changes))
    assert (answer.status_code, answer.get_json()["reason"]) == (status, reason)
    assert answer.get_json()["message"]
    assert document(ben, "d1")["mine"] is None


def test_a_wrong_field_is_named(ben: FlaskClient, post: Post) -> None:
    answer = post(ben, judged(document(ben, "d1"), active_seconds="long"))
    assert answer.get_json()["field"] == "active_seconds"


@pytest.mark.parametrize("body", ["{", "[" * 100_000, '{"uuid": NaN}', "\ufeff{}", "null", ""])
def test_a_body_that_is_no_submission_is_refused(ben: FlaskClient, token_of: TokenOf, body: str) -> None:
    headers = {"X-CSRFToken": token_of(ben)}
    answer = ben.post("/c/small/api/judgments", data=body, content_type="application/json", headers=headers)
    assert answer.status_code in {400, 422}
    assert answer.get_json()["message"]


def test_a_judgment_without_the_pages_token_is_refused(ben: FlaskClient) -> None:
    answer = ben.post("/c/small/api/judgments", json=judged(document(ben, "d1")))
    assert (answer.status_code, answer.get_json()["reason"]) == (400, "csrf")


def test_a_page_that_another_account_opened_stores_nothing(ben: FlaskClient, token_of: TokenOf) -> None:
    headers = {"X-CSRFToken": token_of(ben), "X-Account": "Anna"}
    answer = ben.post("/c/small/api/judgments", json=judged(document(ben, "d1")), headers=headers)
    assert (answer.status_code, answer.get_json()["reason"]) == (401, "other account")


def test_another_persons_grade_is_in_no_answer(
    app: Flask, ben: FlaskClient, client_of: SignIn, post: Post
) -> None:
    post(ben, judged(document(ben, "d1"), comment="by Ben"))
    carla = client_of(app, "Carla")
    assert document(carla, "d1")["mine"] is None
    answer = carla.get("/c/small/judge?topic=1")
    first = page_data(answer)["queue"][0]
    assert (first["document_id"], first["state"]) == ("d1", "other")
    assert (first["kind"], first["grade"], first["seq"]) == (None, None, None)
    assert "by Ben" not in answer.get_data(as_text=True)


def test_no_run_name_is_in_any_answer_an_assessor_gets(ben: FlaskClient, post: Post) -> None:
    answers = [
        ben.get("/"),
        ben.get("/c/small/"),
        ben.get("/c/small/judge?topic=1"),
        ben.get("/c/small/api/document?topic=1&document=d4"),
        ben.get("/c/small/document-frame?topic=1&document=d4"),
        ben.get("/c/small/history"),
        post(ben, judged(document(ben, "d4"))),
        ben.get("/c/small/board"),
        ben.get("/c/small/runs"),
        ben.get("/c/small/pool"),
    ]
    for answer in answers:
        text = answer.get_data(as_text=True).lower()
        assert "alpha" not in text
        assert "beta" not in text
        assert "rank" not in text.replace("ranking", "")


@pytest.mark.parametrize("awkward", AWKWARD)
def test_an_id_is_any_text(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn, post: Post, awkward: str
) -> None:
    run = {"alpha": {awkward: [awkward, "other"]}}
    documents = [Document(awkward, "awkward", "words"), Document("other", "", "words")]
    make_campaign("odd", [Topic(awkward, "awkward")], documents, run)
    ben = client_of(app, "Ben")
    home = ben.get("/c/odd/judge", follow_redirects=True)
    data = page_data(home)
    assert data["topic_id"] == awkward
    shown = document(ben, awkward, awkward, "odd")
    assert shown["document_id"] == awkward
    assert post(ben, judged(shown, topic_id=awkward), "odd").get_json()["stored"]["document_id"] == awkward


HTML = "<title>x</title><p>The <b>Rhine</b><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def pages(app: Flask, make_campaign: MakeCampaign, client_of: SignIn) -> FlaskClient:
    """Ben before a campaign with a web page, an empty document, a Markdown document and one without a text."""
    make_campaign(
        "pages",
        [Topic("1", "rivers")],
        [
            Document("html", "Rhine", HTML, "text/html", {"url": "https://example.org/", "empty": ""}),
            Document("empty", "Nothing", " \n"),
            Document("markdown", "", "# Rhine", "text/markdown"),
        ],
        {"alpha": {"1": ["html", "empty", "markdown", "missing"]}},
        grades=[Grade(0, "No"), Grade(1, "Yes"), Grade(-2, "Spam", "Made to fool search engines")],
    )
    return client_of(app, "Ben")


def test_empty_documents_say_so_and_missing_ones_too(pages: FlaskClient) -> None:
    assert document(pages, "empty", campaign="pages")["state"] == "empty"
    missing = document(pages, "missing", campaign="pages")
    assert (missing["state"], missing["text_hash"]) == ("missing", None)


def test_an_empty_document_can_be_judged_and_a_missing_one_cannot(pages: FlaskClient, post: Post) -> None:
    empty, missing = (document(pages, name, campaign="pages") for name in ("empty", "missing"))
    assert post(pages, judged(empty), "pages").status_code == 201
    refused = post(pages, judged(missing, 2, text_hash="0" * 64), "pages")
    assert (refused.status_code, refused.get_json()["reason"]) == (409, "text changed")


def test_a_special_grade_has_a_letter_and_its_guideline(pages: FlaskClient, post: Post) -> None:
    text = pages.get("/c/pages/judge?topic=1").get_data(as_text=True)
    assert 'data-grade="-2" aria-checked="false" disabled>' in text
    assert "Made to fool search engines" in text
    spam = judged(document(pages, "empty", campaign="pages"), grade=-2)
    assert post(pages, spam, "pages").get_json()["stored"]["grade"] == -2


def test_nothing_in_a_topic_can_leave_the_pages_data(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    title = "</script><script>alert(1)</script>"
    document_id = "<!--<script>"
    make_campaign(
        "bad",
        [Topic("1", title, title, title)],
        [Document(document_id, "", "x")],
        {"alpha": {"1": [document_id]}},
    )
    answer = client_of(app, "Ben").get("/c/bad/judge?topic=1")
    assert page_data(answer)["queue"][0]["document_id"] == document_id
    assert "<script>alert" not in answer.get_data(as_text=True)


def test_while_another_process_writes_a_judgment_is_asked_to_come_back_and_reading_goes_on(
    app: Flask, client_of: SignIn, token_of: TokenOf, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.web.requests.connections.PATIENCE", 0.05)
    client = client_of(app, "Ben")
    sent = judged(document(client, "d1"))
    headers = {"X-CSRFToken": token_of(client)}
    with open_campaign(small) as other, other.write():
        answer = client.post("/c/small/api/judgments", json=sent, headers=headers)
        assert (answer.status_code, answer.get_json()["reason"]) == (503, "unavailable")
        assert client.get("/c/small/judge?topic=1").status_code == 200
    assert client.post("/c/small/api/judgments", json=sent, headers=headers).status_code == 201


@pytest.mark.parametrize(
    ("cards", "script"), [("off", "judging/judge.bundle.js"), ("on", "judging/cards.bundle.js")]
)
def test_the_page_loads_one_script_and_two_sheets(
    app: Flask, small: Path, client_of: SignIn, cards: str, script: str
) -> None:
    with open_campaign(small) as campaign:
        change_settings(campaign.by("Anna"), {"cards": cards})
    page = client_of(app, "Ben").get("/c/small/judge?topic=1").text
    static = f"/static/{app.config['EDITION']}"
    assert re.findall(r'<script type="module" src="([^"]+)"', page) == [f"{static}/{script}"]
    assert len(re.findall('rel="stylesheet"', page)) == 2
    assert "modulepreload" not in page
