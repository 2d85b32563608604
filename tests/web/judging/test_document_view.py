"""What an assessor is shown of a pair: the document in a frame that can do nothing, and what a judgment echoes."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeCampaign, SignIn
from tests.sentences import says
from workbench.campaign.assessor_settings import change_terms
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import near_duplicates
from workbench.storage.campaign.people import own_terms

POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
LONG = "x" * 299 + "yz"
HTML = (
    '<html lang="de"><title>x</title><p>The <b>Rhine</b><script>alert(1)</script><img src=x onerror=alert(1)>'
)
DOCUMENTS = [
    Document("a", "The Rhine", "The Rhine freezes.", fields={"url": "https://example.org/", "note": LONG}),
    Document("b", "", "The Rhine froze."),
    Document("c", "The Elbe", "The Rhine freezes."),
    Document("html", "Rhine <i>", HTML, "text/html", {"empty": " ", "language": "German"}),
    Document("nothing", "Nothing", " \n"),
    Document("shorter", "Shorter", "The Rhine"),
]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Path:
    """The campaign `shown`: a and b are near duplicates; of `missing` there is no text."""
    run = {"alpha": {"1": ["a", "b", "c", "html", "nothing", "missing", "shorter"], "2": ["a", "missing"]}}
    path = make_campaign("shown", [Topic("1", "frozen Rhine"), Topic("2", "x")], DOCUMENTS, run)
    with open_campaign(path) as campaign, campaign.write():
        near_duplicates.put(campaign, "1", [("a", "b", "shorter")], texts=6)
    return path


pytestmark = pytest.mark.usefixtures("campaign")


def frame(client: FlaskClient, document_id: str, topic_id: str = "1", **more: str) -> TestResponse:
    query = {"topic": topic_id, "document": document_id, **more}
    return client.get("/c/shown/document-frame", query_string=query)


def html_of(answer: TestResponse) -> str:
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def told(answer: TestResponse) -> Any:
    match = re.search('<meta name="shown" content="([^"]*)">', html_of(answer))
    assert match is not None
    return json.loads(unescape(match[1]))


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html))


def test_a_frame_tells_what_a_judgment_of_it_has_to_echo(ben: FlaskClient) -> None:
    shown = told(frame(ben, "a"))
    assert all(re.fullmatch("[0-9a-f]{64}", shown.pop(name)) for name in ("log", "text_hash"))
    assert shown.pop("topic_version") > 0
    assert shown == {
        "account": "Ben",
        "document_id": "a",
        "title": "The Rhine",
        "state": "text",
        "pool": 1,
        "guideline_version": 1,
        "mine": None,
        "hits": [0.22222],
        "terms": [
            {"text": "frozen", "own": False, "hits": 0, "colour": 0},
            {"text": "Rhine", "own": False, "hits": 1, "colour": 1},
        ],
        "opens_at": 0,
        "passage": False,
        "differences": [],
        "twin": None,
    }


@pytest.mark.parametrize("document_id", ["a", "html", "nothing", "missing"])
def test_the_same_is_reported_as_json(ben: FlaskClient, document_id: str) -> None:
    answer = ben.get("/c/shown/api/document", query_string={"topic": "1", "document": document_id})
    assert answer.get_json() == told(frame(ben, document_id))


def test_a_document_stands_below_its_title_and_fields_with_its_terms_marked(ben: FlaskClient) -> None:
    html = html_of(frame(ben, "a"))
    assert (
        '<h1 dir="auto" lang="en" data-field="title">The <mark class="hit" data-term="1">Rhine</mark></h1>'
        in html
    )
    assert says(html)


def test_a_field_is_text_and_a_long_one_is_cut_and_whole_in_its_title(ben: FlaskClient) -> None:
    html = html_of(frame(ben, "a"))
    assert '<dt dir="auto">url</dt><dd dir="auto">https://example.org/</dd>' in html
    assert f'<dt dir="auto">note</dt><dd dir="auto" title="{LONG}">{"x" * 299}…</dd>' in html
    assert re.findall(r'href="/static/[0-9a-f]{12}/([^"]*)"', html) == ["judging/document.bundle.css"]
    assert html.count("href=") == 1


def test_of_many_fields_the_main_ones_stand_above_and_the_others_in_a_fold(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    many = {f"meta{number}": f"value {number}" for number in range(24)}
    fields = {"meta": "first", **many, "URL": "https://example.org/", "date": "2026-03-01"}
    few = dict.fromkeys(list(fields)[:6], "x")
    nameless = {f"meta{number}": "x" for number in range(8)}
    documents = [
        Document(name, "T", "x", fields=own) for name, own in [("a", fields), ("b", few), ("c", nameless)]
    ]
    make_campaign("shown", [Topic("1", "Rhine")], documents, {"alpha": {"1": ["a", "b", "c"]}})
    ben = client_of(app, "Ben")
    names = {}
    for document_id in "abc":
        above, _, folded = html_of(frame(ben, document_id)).partition('<details class="further">')
        names[document_id] = [re.findall("<dt[^>]*>([^<]*)</dt>", part) for part in (above, folded)]
    assert names["a"] == [["URL", "date", "document"], ["meta", *many]]
    assert names["b"] == [[*few, "document"], []]
    assert names["c"] == [[*list(nameless)[:6], "document"], list(nameless)[6:]]
    assert "25 more fields" in html_of(frame(ben, "a"))


def test_a_document_without_a_title_is_headed_by_its_id(ben: FlaskClient) -> None:
    assert '<h1 dir="auto" class="untitled">b</h1>' in html_of(frame(ben, "b"))


def test_html_is_cleaned_and_its_frame_can_do_nothing(ben: FlaskClient) -> None:
    answer = frame(ben, "html")
    html = html_of(answer)
    assert 'lang="de"><p>The <b><mark class="hit" data-term="1">Rhine</mark></b>' in html
    assert ">Rhine</mark> &lt;i&gt;</h1>" in html
    assert "alert" not in html
    assert "empty" not in html
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_own_terms_are_marked_for_the_assessor_who_added_them(
    app: Flask, campaign: Path, ben: FlaskClient, client_of: SignIn
) -> None:
    with open_campaign(campaign) as opened, opened.write():
        own_terms.put(opened, "Ben", "1", "freez*", 4)
    assert told(frame(ben, "a"))["terms"][1:] == [
        {"text": "Rhine", "own": False, "hits": 1, "colour": 1},
        {"text": "freez*", "own": True, "hits": 1, "colour": 4},
    ]
    assert '<mark class="hit own" data-term="4">freezes</mark>' in html_of(frame(ben, "a"))
    assert len(told(frame(client_of(app, "Carla"), "a"))["terms"]) == 2
    assert len(told(frame(ben, "a", "2"))["terms"]) == 1


def test_a_word_of_the_topic_that_an_assessor_switched_off_is_not_marked_for_them(
    app: Flask, campaign: Path, ben: FlaskClient, client_of: SignIn
) -> None:
    before = [term["text"] for term in told(frame(ben, "a"))["terms"]]
    with open_campaign(campaign) as opened:
        change_terms(opened, "Ben", "1", off=before[1])
    assert told(frame(ben, "a"))["terms"][1] == {"text": before[1], "own": False, "hits": 0, "colour": 1}
    assert "<mark" not in html_of(frame(ben, "a"))
    assert "<mark" in html_of(frame(client_of(app, "Carla"), "a"))


def test_what_differs_from_the_near_duplicate_before_is_marked(ben: FlaskClient) -> None:
    html = html_of(frame(ben, "b", against="a"))
    assert "Near duplicate of The Rhine: 3 words missing, 1 word new; among them marked words." in text_of(
        html
    )
    assert '<del class="missing">freezes</del><mark class="changed begins replaces">froze</mark>' in html
    assert "<bdi>b</bdi>" in html_of(frame(ben, "a", against="b"))


def test_what_is_missing_is_counted_and_shown_and_why_no_grade_is_offered_is_reported(
    ben: FlaskClient,
) -> None:
    html = html_of(frame(ben, "shorter", against="a"))
    assert "The Rhine: 3 words missing, 1 word new; among them marked words." in text_of(html)
    assert 'Rhine</mark><del class="missing">freezes</del></p>' in html
    assert told(frame(ben, "shorter", against="a"))["twin"] == {
        "document_id": "a",
        "name": "The Rhine",
        "reasons": ["marked words"],
    }
    assert told(frame(ben, "shorter"))["twin"] is None


def test_a_copy_without_its_relevant_sentence_is_not_called_the_same(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    filler = "Children walked to their school on that day, and the mayor spoke of the wind. " * 8
    whole = Document("whole", "A winter", f"{filler}The Rhine froze from bank to bank. {filler}")
    copy = Document("copy", "A winter", f"{filler}{filler}")
    same = Document("same", "A WINTER", f"{filler}\nThe Rhine froze, from bank to bank.\n{filler}")
    path = make_campaign(
        "shown",
        [Topic("1", "frozen Rhine")],
        [whole, copy, same],
        {"alpha": {"1": ["whole", "copy", "same"]}},
    )
    with open_campaign(path) as campaign, campaign.write():
        near_duplicates.put(campaign, "1", [("copy", "same", "whole")], texts=3)
    ben = client_of(app, "Ben")
    html = html_of(frame(ben, "copy", against="whole"))
    assert "Near duplicate of A winter: 7 words missing, none new; among them marked words." in text_of(html)
    assert (
        '<del class="missing">The <mark class="hit" data-term="1">Rhine</mark> froze from bank to bank</del>'
        in html
    )
    shown = told(frame(ben, "copy", against="whole"))
    assert shown["twin"] == {"document_id": "whole", "name": "A winter", "reasons": ["marked words"]}
    assert shown["differences"] == [0.5]
    html = html_of(frame(ben, "same", against="whole"))
    assert "The same words as A winter." in text_of(html)
    assert told(frame(ben, "same", against="whole"))["twin"] == {
        "document_id": "whole",
        "name": "A winter",
        "reasons": [],
    }


def test_where_something_differs_the_whole_is_shown_not_the_best_passage(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    filler = "Nothing is said of it in these words, which are there to be long enough. " * 12
    text = "\n\n".join([filler, "The Rhine froze.", filler, filler])
    texts = [Document("a", "", text), Document("b", "", text + " So it ended.")]
    path = make_campaign("shown", [Topic("1", "Rhine")], texts, {"alpha": {"1": ["a", "b"]}})
    with open_campaign(path) as campaign, campaign.write():
        near_duplicates.put(campaign, "1", [("a", "b")], texts=2)
    ben = client_of(app, "Ben")
    assert '<body class="frame passage">' in html_of(frame(ben, "b"))
    assert '<body class="frame">' in html_of(frame(ben, "b", against="a"))
    assert told(frame(ben, "b", against="a"))["passage"]


@pytest.mark.parametrize("against", ["c", "a", "missing", "elsewhere", ""])
def test_only_a_near_duplicate_of_the_same_topic_is_compared_with(ben: FlaskClient, against: str) -> None:
    assert html_of(frame(ben, "a", against=against)) == html_of(frame(ben, "a"))
    assert "Almost" not in html_of(frame(ben, "a", "2", against="b"))


def test_an_empty_document_says_so_and_is_not_missing(ben: FlaskClient) -> None:
    assert says(text_of(html_of(frame(ben, "nothing"))))
    shown = told(frame(ben, "nothing"))
    assert (shown["state"], len(shown["text_hash"])) == ("empty", 64)


def test_a_page_says_what_is_not_shown_of_it_and_is_empty_only_when_it_is(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    texts = {
        "frames": "<frameset><frame src=a><noframes>The <b>Rhine</b> freezes.</noframes></frameset>",
        "images": "<img src=a><img src=b>",
        "nothing": "<p> </p>",
    }
    documents = [Document(name, "T", text, "text/html") for name, text in texts.items()]
    make_campaign("shown", [Topic("1", "Rhine")], documents, {"alpha": {"1": list(texts)}})
    ben = client_of(app, "Ben")
    frames, images, nothing = (text_of(html_of(frame(ben, name))) for name in texts)
    assert says(frames)
    assert "The Rhine freezes." in frames
    assert says(images)
    assert "This document is empty." in nothing
    states = [told(frame(ben, name))["state"] for name in texts]
    assert states == ["text", "text", "empty"]


def test_a_document_without_a_text_says_so(ben: FlaskClient) -> None:
    assert says(text_of(html_of(frame(ben, "missing"))))
    shown = told(frame(ben, "missing"))
    assert (shown["state"], shown["text_hash"]) == ("missing", None)


@pytest.mark.parametrize("address", ["document-frame", "api/document"])
def test_a_pair_outside_the_pool_is_not_found(ben: FlaskClient, address: str) -> None:
    assert ben.get(f"/c/shown/{address}?topic=2&document=b").status_code == 404
    assert ben.get(f"/c/shown/{address}").status_code == 404


def test_a_long_document_opens_at_a_passage_and_says_how_much_is_left_out(
    app: Flask, make_campaign: MakeCampaign, client_of: SignIn
) -> None:
    filler = "Nothing is said of it in these words, which are there to be long enough. " * 12
    text = "\n\n".join([filler, "The Rhine froze.", filler, filler])
    make_campaign("shown", [Topic("1", "Rhine")], [Document("a", "", text)], {"alpha": {"1": ["a"]}})
    html = html_of(frame(client_of(app, "Ben"), "a"))
    assert '<body class="frame passage">' in html
    assert re.search(r'<p class="left-out">… 1 paragraph before</p>\s*<main', html)
    assert re.search(r'</main>\s*<p class="left-out">… 1 paragraph after</p>', html)
    assert '<body class="frame">' in html_of(frame(client_of(app, "Ben"), "a", whole="1"))


def test_fields_are_shown_as_the_campaign_says_and_what_is_judged_stays(
    ben: FlaskClient, campaign: Path
) -> None:
    before = told(frame(ben, "a"))["text_hash"]
    assert LONG in frame(ben, "a").text
    with open_campaign(campaign) as opened:
        change_settings(opened.by("Olga"), {"document-fields": "url: link; note: hidden"})
    page = frame(ben, "a").text
    assert LONG[:100] not in page
    assert '<a href="https://example.org/" target="_blank" rel="noopener noreferrer">' in page
    assert told(frame(ben, "a"))["text_hash"] == before
