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

FROZEN = {"text": "frozen", "own": False, "hits": 0, "colour": 0}
RHINE = {"text": "Rhine", "own": False, "hits": 1, "colour": 1}
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
        "account": "Ben", "document_id": "a", "title": "The Rhine", "state": "text", "pool": 1,
        "guideline_version": 1, "left": None, "mine": None, "hits": [0.22222], "terms": [FROZEN, RHINE], "opens_at": 0,
        "passage": False, "differences": [], "twin": None,
    }  # fmt: skip


@pytest.mark.parametrize("document_id", ["a", "html", "nothing", "missing"])
def test_the_same_is_reported_as_json(ben: FlaskClient, document_id: str) -> None:
    answer = ben.get("/c/shown/api/document", query_string={"topic": "1", "document": document_id})
    assert answer.get_json() == told(frame(ben, document_id))


def test_a_document_stands_below_its_title_and_fields_with_its_terms_marked(ben: FlaskClient) -> None:
    html = html_of(frame(ben, "a"))
    heading = 'The <mark class="hit" data-term="1">Rhine</mark></h1>'
    assert f'<h1 dir="auto" lang="en" data-field="title">{heading}' in html
    assert says(html)
    assert '<dt dir="auto">url</dt><dd dir="auto">https://example.org/</dd>' in html
    assert f'<dt dir="auto">note</dt><dd dir="auto" title="{LONG}">{"x" * 299}…</dd>' in html
    assert re.findall(r'href="(?:/static/[0-9a-f]{12}/)?([^"]*)"', html) == ["judging/document.bundle.css"]
    assert '<h1 dir="auto" class="untitled">b</h1>' in html_of(frame(ben, "b")), "its id, without a title"


@pytest.mark.parametrize(("name", "state", "length"), [("nothing", "empty", 64), ("missing", "missing", 0)])
def test_a_document_that_is_empty_or_has_no_text_says_so(
    ben: FlaskClient, name: str, state: str, length: int
) -> None:
    assert says(text_of(html_of(frame(ben, name))))
    shown = told(frame(ben, name))
    assert (shown["state"], len(shown["text_hash"] or "")) == (state, length)


def test_of_many_fields_the_main_ones_stand_above_and_the_others_in_a_fold(
    make_campaign: MakeCampaign, ben: FlaskClient
) -> None:
    many = [f"meta{number}" for number in range(24)]
    fields = {"a": ["meta", *many, "URL", "date"], "b": ["meta", *many[:5]], "c": many[:8]}
    made = [Document(name, "T", "x", fields=dict.fromkeys(own, "x")) for name, own in fields.items()]
    make_campaign("shown", [Topic("1", "Rhine")], made, {"alpha": {"1": ["a", "b", "c"]}})
    names = {}
    for document_id in "abc":
        above, _, folded = html_of(frame(ben, document_id)).partition('<details class="further">')
        names[document_id] = [re.findall("<dt[^>]*>([^<]*)</dt>", part) for part in (above, folded)]
    assert names["a"] == [["URL", "date", "document"], ["meta", *many]]
    assert names["b"] == [[*fields["b"], "document"], []]
    assert names["c"] == [[*many[:6], "document"], many[6:8]]
    assert "25 more fields" in html_of(frame(ben, "a"))


def test_html_is_cleaned_and_its_frame_can_do_nothing(ben: FlaskClient) -> None:
    answer = frame(ben, "html")
    html = html_of(answer)
    assert 'lang="de"><p>The <b><mark class="hit" data-term="1">Rhine</mark></b>' in html
    assert ">Rhine</mark> &lt;i&gt;</h1>" in html
    assert "alert" not in html
    assert "empty" not in html
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_own_terms_are_marked_and_words_switched_off_are_not_for_the_assessor_who_did_it_alone(
    ben: FlaskClient, app: Flask, campaign: Path, client_of: SignIn
) -> None:
    with open_campaign(campaign) as opened, opened.write():
        own_terms.put(opened, "Ben", "1", "freez*", 4)
    own = {"text": "freez*", "own": True, "hits": 1, "colour": 4}
    assert told(frame(ben, "a"))["terms"] == [FROZEN, RHINE, own]
    assert '<mark class="hit own" data-term="4">freezes</mark>' in html_of(frame(ben, "a"))
    with open_campaign(campaign) as opened:
        change_terms(opened, "Ben", "1", off="Rhine")
    assert told(frame(ben, "a"))["terms"] == [FROZEN, RHINE | {"hits": 0}, own]
    assert ">Rhine</mark>" not in html_of(frame(ben, "a"))
    carla = frame(client_of(app, "Carla"), "a")
    assert (told(carla)["terms"], ">Rhine</mark>" in html_of(carla)) == ([FROZEN, RHINE], True)
    assert len(told(frame(ben, "a", "2"))["terms"]) == 1


def test_what_differs_from_the_near_duplicate_before_is_marked_and_why_no_grade_is_offered_is_reported(
    ben: FlaskClient,
) -> None:
    html = html_of(frame(ben, "b", against="a"))
    assert says(text_of(html), "The Rhine", "3 words missing, 1 word new")
    assert '<del class="missing">freezes</del><mark class="changed begins replaces">froze</mark>' in html
    assert "<bdi>b</bdi>" in html_of(frame(ben, "a", against="b"))
    shorter = frame(ben, "shorter", against="a")
    assert 'Rhine</mark><del class="missing">freezes</del></p>' in html_of(shorter)
    assert told(shorter)["twin"] == {"document_id": "a", "name": "The Rhine", "reasons": ["marked words"]}
    assert told(frame(ben, "shorter"))["twin"] is None


def test_a_copy_without_its_relevant_sentence_is_not_called_the_same(
    make_campaign: MakeCampaign, ben: FlaskClient
) -> None:
    filler = "Children walked to their school on that day, and the mayor spoke of the wind. " * 8
    texts = {
        "whole": f"{filler}The Rhine froze from bank to bank. {filler}",
        "copy": f"{filler}{filler}",
        "same": f"{filler}\nThe Rhine froze, from bank to bank.\n{filler}",
    }
    made = [
        Document(name, "A WINTER" if name == "same" else "A winter", text) for name, text in texts.items()
    ]
    path = make_campaign("shown", [Topic("1", "frozen Rhine")], made, {"alpha": {"1": list(texts)}})
    with open_campaign(path) as campaign, campaign.write():
        near_duplicates.put(campaign, "1", [("copy", "same", "whole")], texts=3)
    copy, same = (frame(ben, name, against="whole") for name in ("copy", "same"))
    assert says(text_of(html_of(copy)), "A winter", "7 words missing")
    lost = 'The <mark class="hit" data-term="1">Rhine</mark> froze from bank to bank'
    assert f'<del class="missing">{lost}</del>' in html_of(copy)
    assert told(copy)["differences"] == [0.5]
    twin = {"document_id": "whole", "name": "A winter"}
    assert told(copy)["twin"] == twin | {"reasons": ["marked words"]}
    assert told(same)["twin"] == twin | {"reasons": []}
    assert says(text_of(html_of(same)), "The same words")


def test_a_long_document_opens_at_a_passage_but_where_something_differs_it_is_shown_whole(
    make_campaign: MakeCampaign, ben: FlaskClient
) -> None:
    filler = "Nothing is said of it in these words, which are there to be long enough. " * 12
    text = "\n\n".join([filler, "The Rhine froze.", filler, filler])
    texts = [Document("a", "", text), Document("b", "", text + " So it ended.")]
    path = make_campaign("shown", [Topic("1", "Rhine")], texts, {"alpha": {"1": ["a", "b"]}})
    with open_campaign(path) as campaign, campaign.write():
        near_duplicates.put(campaign, "1", [("a", "b")], texts=2)
    html = html_of(frame(ben, "b"))
    assert '<body class="frame passage">' in html
    assert re.search(r'<p class="left-out">… 1 paragraph before</p>\s*<main', html)
    assert re.search(r'</main>\s*<p class="left-out">… 1 paragraph after</p>', html)
    for whole in ({"against": "a"}, {"whole": "1"}):
        assert '<body class="frame">' in html_of(frame(ben, "b", **whole))
    assert told(frame(ben, "b", against="a"))["passage"]


def test_only_a_near_duplicate_of_the_same_topic_is_compared_with(ben: FlaskClient) -> None:
    for against in ("c", "a", "missing", "elsewhere", ""):
        assert html_of(frame(ben, "a", against=against)) == html_of(frame(ben, "a"))
    assert told(frame(ben, "a", "2", against="b"))["twin"] is None


def test_a_page_says_what_is_not_shown_of_it_and_is_empty_only_when_it_is(
    make_campaign: MakeCampaign, ben: FlaskClient
) -> None:
    texts = {
        "frames": "<frameset><frame src=a><noframes>The <b>Rhine</b> freezes.</noframes></frameset>",
        "images": "<img src=a><img src=b>",
        "nothing": "<p> </p>",
    }
    documents = [Document(name, "T", text, "text/html") for name, text in texts.items()]
    make_campaign("shown", [Topic("1", "Rhine")], documents, {"alpha": {"1": list(texts)}})
    frames, images, nothing = (text_of(html_of(frame(ben, name))) for name in texts)
    assert says(frames)
    assert "The Rhine freezes." in frames
    assert says(images)
    assert "document is empty." in nothing
    assert [told(frame(ben, name))["state"] for name in texts] == ["text", "text", "empty"]


def test_a_pair_outside_the_pool_is_not_found(ben: FlaskClient) -> None:
    for address in ("document-frame", "api/document"):
        for query in ("?topic=2&document=b", ""):
            assert ben.get(f"/c/shown/{address}{query}").status_code == 404


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
