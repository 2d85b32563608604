"""A unit of an answer as it is shown: who answered stays hidden, and what is cited is proven."""

from __future__ import annotations

import json
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html

from tests.asked_answers import add_texts, put_bank
from tests.fixture_types import MakeCampaign, Post, SignIn
from tests.made_answers import GRAZERS, REEFS, YEARS, answer
from tests.sentences import says
from tests.web.judging.judged_answers import (
    BANK,
    COOL,
    FISH,
    SLOW,
    SPAN,
    answers_campaign,
    ask_spans,
    campaign_of,
    pool_units,
    unit_of,
)
from tests.web.judging.sent import judged, shown
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import ANSWERS, CITATIONS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import run_records, units
from workbench.web.judging.keys import grade_keys

NUMBERS = count(1)
HOSTILE = "<script>alert(1)</script> & <b>bold</b>"


@pytest.fixture
def rag(make_campaign: MakeCampaign) -> Path:
    """The campaign `rag`."""
    return answers_campaign(make_campaign)


@pytest.fixture
def send(post_json: Post) -> Post:
    """Send a judgment of a unit of support as it was shown; the status of the answer."""

    def sent(client: FlaskClient, document: dict[str, Any], topic_id: str = "17!support", **said: Any) -> int:
        body = judged(document, next(NUMBERS), topic_id=topic_id, **said)
        return post_json(client, "/c/rag/api/judgments", body).status_code

    return sent


def frame(client: FlaskClient, unit_id: str, name: str = "support") -> str:
    """The page of a unit in its frame."""
    got = client.get("/c/rag/document-frame", query_string={"topic": f"17!{name}", "document": unit_id})
    assert got.status_code == 200, got.text
    return got.text


def test_neither_run_nor_team_nor_answer_is_named(ben: FlaskClient, rag: Path) -> None:
    with open_campaign(rag) as campaign:
        found = [unit for key in ("17!support", "17!nuggets") for unit in units.of_topic(campaign, key).units]
        secret = {unit.answer_id for unit in found}
        secret |= {run.record.tag for run in run_records.all_runs(campaign) if run.record.form}
        secret |= {"zeta"}
    for name in ("support", "nuggets"):
        page = ben.get("/c/rag/judge", query_string={"topic": f"17!{name}"}).text
        own = [unit.unit_id for unit in found if bool(unit.cited) == (name == "support")]
        told = [
            page,
            *(frame(ben, each, name) + json.dumps(shown(ben, each, f"17!{name}", "rag")) for each in own),
        ]
        assert [word for word in secret if any(word in each for each in told)] == []


def test_a_sentence_is_shown_in_its_answer_with_what_it_cites(ben: FlaskClient, rag: Path) -> None:
    html = frame(ben, unit_of(rag, "17!support", COOL, YEARS).unit_id)
    assert f'id="judged" aria-current="true">{COOL}</span>' in html
    assert html.index(SLOW) < html.index(f">{COOL}</span>")
    assert '<span class="cite judged">[2]</span>' in html
    assert "occurs in 2 answers" in html
    assert 'data-term="0">Cooler</mark> years let' in html


def test_a_cited_document_without_a_text_leaves_can_t_tell(ben: FlaskClient, rag: Path, send: Post) -> None:
    unit = unit_of(rag, "17!support", FISH, GRAZERS)
    html = frame(ben, unit.unit_id)
    assert says(unescape(html.split('<main class="notice">')[1].split("</main>")[0]))
    echoed = shown(ben, unit.unit_id, "17!support", "rag")
    assert echoed["state"] == "text"
    assert send(ben, echoed, kind="can't tell", grade=None) == 201


def test_an_answer_is_shown_with_the_words_of_the_nugget_marked(ben: FlaskClient, rag: Path) -> None:
    html = frame(ben, unit_of(rag, "17!nuggets", BANK[2].text, run=2).unit_id, "nuggets")
    assert 'data-term="0">Cooler</mark>' in html
    assert "Nugget 3 of 3" in html
    assert [html.index(nugget.text) for nugget in BANK[:2]] == sorted(
        html.index(each.text) for each in BANK[:2]
    )


def test_an_answer_that_is_judged_as_a_whole_stands_there_alone(ben: FlaskClient, rag: Path) -> None:
    with open_campaign(rag) as campaign:
        declare(campaign.by("Anna"), USUAL[ANSWERS])
        pool_units(campaign, "quality")
    page = frame(ben, unit_of(rag, "17!quality", f"{SLOW}\n{COOL}").unit_id, "quality")
    assert "Nugget" not in page
    assert 'class="unit"' not in page
    (said,) = html.document_fromstring(page).xpath("//main[contains(@class, 'judged')]")
    assert [text in said.text_content() for text in (SLOW, COOL, FISH)] == [True, True, False]


def test_a_span_is_marked_in_its_document_under_the_nugget_that_refers_to_it(
    ben: FlaskClient, rag: Path, send: Post
) -> None:
    ask_spans(rag)
    unit = unit_of(rag, "17!spans", BANK[0].text, REEFS)
    page = html.document_fromstring(frame(ben, unit.unit_id, "spans"))
    assert [each.text_content() for each in page.xpath("//main//mark")] == [SPAN]
    assert page.xpath("string(//h1[@class='unit-text'])") == BANK[0].text
    assert "passage" in page.xpath("string(//body/@class)")
    assert page.xpath("//*[contains(@class, 'answer')]") == []
    echoed = shown(ben, unit.unit_id, "17!spans", "rag")
    assert [term["hits"] for term in echoed["terms"]] == [1]
    assert send(ben, echoed, topic_id="17!spans", grade=2) == 201


def test_a_span_beyond_the_text_of_its_document_is_shown_without_a_mark(ben: FlaskClient, rag: Path) -> None:
    ask_spans(rag, (5, 10_000_000))
    unit = unit_of(rag, "17!spans", BANK[0].text, REEFS)
    page = html.document_fromstring(frame(ben, unit.unit_id, "spans"))
    assert page.xpath("//main//mark") == []
    assert SPAN in page.text_content()


def test_what_answers_say_is_text(ben: FlaskClient, make_campaign: MakeCampaign) -> None:
    path = campaign_of(make_campaign, [answer("17", (HOSTILE, [0]))], BANK[:1])
    for name, unit in (
        ("support", unit_of(path, "17!support", HOSTILE, REEFS)),
        ("nuggets", unit_of(path, "17!nuggets", BANK[0].text)),
    ):
        html = frame(ben, unit.unit_id, name)
        assert HOSTILE not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_a_judgment_of_another_text_of_what_is_cited_is_refused(
    ben: FlaskClient, rag: Path, send: Post
) -> None:
    unit = unit_of(rag, "17!support", COOL, YEARS)
    echoed = shown(ben, unit.unit_id, "17!support", "rag")
    with open_campaign(rag) as campaign:
        add_texts(campaign, {YEARS: "Warm years kill young corals."}, changed=True)
    assert send(ben, echoed, grade=2) == 409
    assert send(ben, shown(ben, unit.unit_id, "17!support", "rag"), grade=-1) == 201


def test_a_unit_that_no_answer_has_any_more_is_not_shown(ben: FlaskClient, rag: Path, send: Post) -> None:
    unit = unit_of(rag, "17!nuggets", BANK[0].text)
    echoed = shown(ben, unit.unit_id, "17!nuggets", "rag")
    with open_campaign(rag) as campaign:
        put_bank(campaign, *BANK[1:], topic_id="17")
    assert shown(ben, unit.unit_id, "17!nuggets", "rag")["reason"] == "unknown pair"
    assert send(ben, echoed, "17!nuggets", grade=2) == 422


def test_units_are_not_judged_on_cards(app: Flask, client_of: SignIn, rag: Path) -> None:
    with open_campaign(rag) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    ben = client_of(app, "Ben")
    assert 'id="cards"' in ben.get("/c/rag/judge?topic=17").text
    assert 'id="stage"' in ben.get("/c/rag/judge?topic=17!support").text


def test_every_grade_of_the_usual_scales_has_a_key_of_one_character() -> None:
    assert grade_keys(USUAL[CITATIONS].grades) == {-1: "o", 0: "0", 1: "1", 2: "2"}


def test_judgments_of_units_are_among_ones_own(ben: FlaskClient, rag: Path, send: Post) -> None:
    unit = unit_of(rag, "17!support", COOL, YEARS)
    assert send(ben, shown(ben, unit.unit_id, "17!support", "rag"), grade=-1) == 201
    page = html.document_fromstring(ben.get("/c/rag/history").text)
    assert [each.text for each in page.xpath("//*[@class='judged-title']")] == [COOL]
    assert [each.text for each in page.xpath("//*[@class='judged-as']/b")] == ["Contradicts"]
    assert page.xpath("//*[@class='judged-as']/*[@class='hint']") == []
    assert page.xpath("//select[@name='judged']/option[@value='-1']/text()") == ["Contradicts (1)"]
    names = page.xpath("//select[@name='judged']/option[@value='1']/text()")
    assert names == ["Relevant / Partial support (0)"]
