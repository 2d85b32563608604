"""The history page: what one has judged, found by filters in the address, and led back to its document."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from tests.fixture_types import JudgeAs, SignIn
from tests.log_rows import row
from tests.sentences import says
from workbench.core.records import Grade, Rationale
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades.own_judgments import JudgmentFilter
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.judging.assessor_settings import filter_of

Page = Callable[..., str]


@pytest.fixture
def page(app: Flask, client_of: SignIn, small: Path) -> Page:
    def get(query: str = "", who: str = "Ben", campaign: str = "small") -> str:
        answer = client_of(app, who).get(f"/c/{campaign}/history{query}")
        assert answer.status_code == 200
        return " ".join(answer.get_data(as_text=True).split())

    return get


@pytest.fixture
def judged(small: Path, judging_as: JudgeAs) -> None:
    """Ben judged d1 twice, d2 and d3 of topic 1, and could not tell d1 of topic 2; Anna judged d4."""
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1, comment="too quick")
        judging_as(campaign, "Ben", "1", "d1", 0, comment="<b>about lakes</b>")
        judging_as(campaign, "Ben", "1", "d2", 1, rationales=(Rationale("text", 0, 8, "The text"),))
        judging_as(campaign, "Ben", "1", "d3", 1, same_as="d2", input="same")
        judging_as(campaign, "Ben", "2", "d1", None)
        judging_as(campaign, "Anna", "1", "d4", 1, comment="Anna's own")


def titles(text: str) -> list[str]:
    return re.findall(r'class="judged-title"[^>]*>([^<]*)<', text)


def test_who_has_judged_nothing_is_told_what_to_do(page: Page) -> None:
    text = page()
    assert says(text)
    assert 'href="/c/small/judge"' in text


@pytest.mark.usefixtures("judged")
def test_ones_own_judgments_are_listed_newest_first_and_nobody_elses(page: Page) -> None:
    text = page()
    assert "You judged 4 documents." in text
    assert titles(text) == ["Document 1", "Document 3", "Document 2", "Document 1"]
    assert "Anna" not in text
    assert 'href="/c/small/judge?topic=1&amp;document=d3"' in text
    assert "warm lakes" in text
    assert "Same as <bdi>d2</bdi>" in text
    assert '<blockquote class="judged-said" dir="auto">The text</blockquote>' in text
    assert "&lt;b&gt;about lakes&lt;/b&gt;" in text
    assert '<details class="judged-earlier"> <summary>1 earlier version</summary>' in text
    assert "too quick" in text
    assert '<details class="judged-earlier" open>' in page("?versions=1")


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    ("query", "found"),
    [("?topic=1", "3 2 1"), ("?judged=1", "3 2"), ("?judged=can't tell", "1"), ("?judged=cleared", ""),
     ("?note=1", "1"), ("?rationale=1", "2"), ("?same=1", "3"), ("?q=LAKES", "1"),
     ("?topic=1&judged=0&note=1&q=about", "1"), ("?q=nowhere", "")],
)  # fmt: skip
def test_filters_leave_what_fits_and_say_how_many(page: Page, query: str, found: str) -> None:
    text = page(query)
    assert titles(text) == [f"Document {number}" for number in found.split()]
    verb = "matches" if len(found.split()) == 1 else "match"
    assert f"You judged 4 documents; {len(found.split())} {verb}." in text
    assert ('href="/c/small/history">Show all</a>' in text) >= (not found)


@pytest.mark.usefixtures("judged")
def test_the_filters_offer_what_there_is_with_its_count(page: Page) -> None:
    text = page("?topic=2&judged=can't tell")
    assert ">1 frozen rivers (3)</option>" in text
    assert re.search(r'<option value="2"[^>]* selected>2 warm lakes \(1\)</option>', text)
    assert ">Relevant (2)</option>" in text
    assert ">Not relevant (1)</option>" in text
    assert re.search(r'<option value="can&#39;t tell"[^>]* selected>Can’t tell \(1\)</option>', text)


@pytest.mark.usefixtures("judged")
def test_a_grade_that_left_the_scale_is_still_found(page: Page, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        settings.change(
            campaign.by("Anna"), {"grades": (Grade(0, "No"), Grade(3, "Yes")), "relevant_from": 3}
        )
    text = page("?judged=1")
    assert says(text)
    assert ">Yes (0)</option>" in text
    assert titles(text) == ["Document 3", "Document 2"]


def test_fifty_stand_on_a_page_and_the_filters_are_kept_on_the_way(page: Page, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        numbers = range(1, 121)
        campaign.db.conn.executemany(
            "INSERT INTO document (document) VALUES (?)", [(f"outside-{number:03}",) for number in numbers]
        )
        log.append_judgments(
            campaign, [row("Ben", "1", f"outside-{number:03}", 1, kind="import") for number in numbers]
        )
    first, last = page("?topic=1&q=outside"), page("?topic=1&q=outside&page=3")
    assert titles(first) == [f"outside-{number:03}" for number in range(120, 70, -1)]
    assert titles(last) == [f"outside-{number:03}" for number in range(20, 0, -1)]
    assert "120 match. Page 1 of 3." in first
    assert 'rel="next" href="/c/small/history?page=2&amp;topic=1&amp;q=outside"' in first
    assert "Newer" not in first
    assert 'rel="prev" href="/c/small/history?page=2&amp;topic=1&amp;q=outside"' in last
    assert "Older" not in last
    assert says(first)
    assert 'document=outside-120"' not in first


@pytest.mark.usefixtures("judged")
def test_what_is_not_understood_in_an_address_does_no_harm(page: Page) -> None:
    for query in (
        *("page=0", "page=-3", "page=99", "page=x", "judged=loud", "judged=-", "judged=99999999999999999999"),
        *("campaign=other&_external=1&_anchor=x&endpoint=y", "judged=%D9%A3%00"),
    ):
        assert len(titles(page(f"?{query}"))) == 4, query


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({"judged": "-2", "topic": "", "q": "  ice ", "note": ""}, JudgmentFilter(grade=-2, text="ice")),
        ({"judged": "1" * 11}, JudgmentFilter(grade=int("1" * 11))),
        ({"judged": "1" * 12}, JudgmentFilter()),
        ({"judged": "can't tell", "same": "1"}, JudgmentFilter(kind="can't tell", same_as=True)),
    ],
)
def test_an_address_says_what_is_wanted(args: dict[str, str], found: JudgmentFilter) -> None:
    assert filter_of(MultiDict(args)) == found
