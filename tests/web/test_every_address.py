"""What holds for every address, asked for by going through the URL map: a new page is in here by itself."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn, TokenOf
from workbench.core.extras import EXTRAS
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.log import head
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.web.requests.headers import HEADERS

pytestmark = pytest.mark.usefixtures("hostile")

EVIL = "</script><script>alert(1)</script><b onclick=alert(2) style=color:red>\"'"
TAG = "<script>alert(1)<b>"
NOT_PAGES = {"static"}
"""Files that are the same for everybody."""

ASKED = {"run": TAG, "topic": "1", "document": "d1", "tag": TAG, "q": EVIL, "next": EVIL, "measure": EVIL}
"""What pages that are about something need to know, and what nobody has asked for."""


class Seen(HTMLParser):
    """What a page holds that could run: scripts with their content, attributes, and the forms."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.styles = 0
        self.forms: list[dict[str, str | None]] = []
        self.open_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.styles += tag == "style"
        self.open_script = tag == "script"
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "form":
            self.forms.append(dict(attrs) | {"asks for": ""})
        if tag == "input" and self.forms:
            self.forms[-1]["asks for"] = f"{self.forms[-1]['asks for']} {dict(attrs).get('type') or 'text'}"

    def handle_data(self, data: str) -> None:
        if self.open_script:
            attributes, content = self.scripts[-1]
            self.scripts[-1] = (attributes, content + data)

    def handle_endtag(self, tag: str) -> None:
        self.open_script = False


@pytest.fixture
def hostile(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """A campaign in which everything that people name is called as an attacker would call it."""
    texts = {"d1": EVIL, "d2": f"<p>{EVIL}</p>", "d3": "quiet"}
    path = make_campaign(
        "hostile",
        [Topic("1", EVIL, EVIL, EVIL), Topic("2", "calm")],
        [Document(name, EVIL, text) for name, text in texts.items()],
        {TAG: {"1": ["d1", "d2", "d3"], "2": ["d1"]}, "beta": {"1": ["d3", "d1"], "2": ["d2"]}},
    )
    with open_campaign(path) as campaign:
        with campaign.write():
            settings.change(campaign.by("Anna"), {"title": EVIL, "guidelines": EVIL})
            for who, role in {"Wilma": "adjudicator", "Olga": "observer", "Paul": "participant"}.items():
                team = EVIL if role == "participant" else ""
                members.put(campaign.by("Anna"), who, role, team=team)
        for who, grade in {"Ben": 0, "Carla": 1}.items():
            judging_as(campaign, who, "1", "d1", grade, comment=EVIL)
    return path


def rules(app: Flask, method: str) -> Iterator[Rule]:
    for rule in app.url_map.iter_rules():
        if method in (rule.methods or set()) and rule.endpoint not in NOT_PAGES:
            yield rule


def address(rule: Rule) -> str:
    """The address of a rule in the campaign `hostile`; of what else may stand in it, the first that there is."""
    path = rule.rule.replace("<campaign>", "hostile").replace("<kind>", "qrels")
    return re.sub(r"<(?:any\((\w+)[^)]*\):)?[\w:]+>", lambda found: found[1] or "x", path)


def answers(client: FlaskClient, app: Flask) -> Iterator[tuple[str, TestResponse]]:
    """Every page as somebody gets it, with its address; an address that wants to know more is told."""
    for rule in rules(app, "GET"):
        for asked in ({}, ASKED):
            with client.get(address(rule), query_string=asked) as answer:
                yield f"{rule.rule} {'with' if asked else 'without'} parameters", answer


def test_no_name_of_a_campaign_breaks_an_address(app: Flask, client_of: SignIn) -> None:
    anna = client_of(app, "Anna")
    for name in (
        "a" * 300,
        "a" * 5_000,
        "%C3%A4" * 200,
        "a%00b",
        "%ff%fe",
        "%2e%2e",
        "..%2faccounts",
        "9" * 400,
    ):
        assert anna.get(f"/c/{name}/").status_code == 404
        assert anna.get(f"/c/{name}/people").status_code == 404


def test_no_part_of_an_address_breaks_the_server(app: Flask, client_of: SignIn) -> None:
    anna, asked = client_of(app, "Anna"), 0
    for rule in rules(app, "GET"):
        for part in set(re.findall(r"<(?:\w+:)?(\w+)>", rule.rule)) - {"campaign"}:
            for value in ("a" * 300, "a" * 5_000, "%00", "%ff", "%2e%2e%2f%2e%2e%2faccounts"):
                path = re.sub(rf"<(?:\w+:)?{part}>", value, rule.rule.replace("<campaign>", "robust"))
                with anna.get(re.sub(r"<[^>]+>", "x", path)) as answer:
                    assert answer.status_code in (404, 410, 422, 405), path
                asked += 1
    assert asked >= 25


@pytest.mark.slow
def test_no_address_fails_where_the_program_alone_is_installed(
    app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in EXTRAS:
        monkeypatch.setitem(sys.modules, module, None)
    failed = [where for where, answer in answers(client_of(app, "Anna"), app) if answer.status_code >= 500]
    assert failed == []


@pytest.mark.parametrize(
    "who", [pytest.param("Anna", marks=pytest.mark.slow), "Wilma", "Ben", "Paul", "Olga", None]
)
def test_no_page_holds_anything_that_could_run_but_our_own_files(
    app: Flask, client_of: SignIn, who: str | None
) -> None:
    found = 0
    for where, answer in answers(client_of(app, who), app):
        assert answer.status_code < 500, where
        assert answer.headers["Cache-Control"] == "no-store", where
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy, where
        assert policy == HEADERS["Content-Security-Policy"] or "sandbox" in policy, where
        for cookie in answer.headers.getlist("Set-Cookie"):
            assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; ")), where
        if answer.mimetype == "text/html":
            found += 1
            _check_page(where, answer.text)
    assert found > (30 if who == "Anna" else 5)


def _check_page(where: str, text: str) -> None:
    seen = Seen()
    seen.feed(text)
    for attributes, content in seen.scripts:
        if attributes.get("type") == "application/json":
            json.loads(content)
            assert "<" not in content, where
        else:
            assert content.strip() == "", where
            assert str(attributes["src"]).startswith("/static/"), where
    for tag, name, value in seen.attributes:
        assert not name.startswith("on"), (where, tag, name)
        assert name != "style", (where, tag)
        assert "javascript:" not in (value or "").lower(), (where, tag, name)
    assert seen.styles == 0, where
    for form in seen.forms:
        assert "password" not in str(form["asks for"]) or form.get("method") == "post", where


def test_every_page_of_a_campaign_whose_assessors_are_simulated_says_so_and_no_other(
    app: Flask, client_of: SignIn, hostile: Path
) -> None:
    said = 'class="simulated"'
    for simulated in (True, False):
        with open_campaign(hostile) as campaign, campaign.write():
            settings.change(campaign.by("demo"), {"assessors_simulated": simulated})
        # Wilma is an adjudicator: judging, adjudication and the pages that members read.
        pages = {
            where: said in answer.text
            for where, answer in answers(client_of(app, "Wilma"), app)
            if where.startswith("/c/") and "<title>" in answer.text and answer.status_code == 200
        }
        frames = {where for where in pages if "document-frame" in where}
        assert len(pages) > 10
        assert {where for where, has in pages.items() if has != simulated} <= frames


@pytest.mark.slow
def test_looking_at_pages_changes_nothing(app: Flask, client_of: SignIn, hostile: Path) -> None:
    with open_campaign(hostile) as campaign:
        before = head(campaign)
    for who in ("Anna", "Ben"):
        for _ in answers(client_of(app, who), app):
            pass
    with open_campaign(hostile) as campaign:
        assert head(campaign) == before


def test_every_post_wants_the_token_of_its_own_page(app: Flask, client_of: SignIn) -> None:
    posts = list(rules(app, "POST"))
    assert len(posts) > 20
    for rule in posts:
        for sent in ({}, {"X-CSRFToken": "x"}):
            client = client_of(app, "Paul" if rule.endpoint == "submitting.take" else "Anna")
            answer = client.post(address(rule), headers={"Accept": "application/json", **sent})
            assert (answer.status_code, answer.get_json()["reason"]) == (400, "csrf"), rule.rule


def test_every_post_of_a_foreign_page_is_refused_even_with_a_token(
    app: Flask, client_of: SignIn, token_of: TokenOf
) -> None:
    client = client_of(app, "Anna")
    headers = {"X-CSRFToken": token_of(client), "Origin": "https://evil.example"}
    posts = list(rules(app, "POST"))
    assert len(posts) > 20
    for rule in posts:
        assert client.post(address(rule), headers=headers).status_code == 403, rule.rule


def test_what_changes_something_is_a_post_and_nothing_else(app: Flask) -> None:
    methods = {method for rule in app.url_map.iter_rules() for method in rule.methods or set()}
    assert methods == {"GET", "HEAD", "OPTIONS", "POST"}
