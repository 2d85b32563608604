"""No text of the pages of participants and accounts is forgotten: each is a message, or data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from lxml import html

from tests.fixture_types import SignIn
from workbench.campaign.submission_rules import Rules, change_rules
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members
from workbench.web.requests import languages

MESSAGE = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[A-Za-z]{2,}")
DATA = (
    "//script | //style | //bdi | //code | //time | //option | //*[@dir='auto'] | //header | //title | //pre"
)


class Pseudo:
    """A language in which every message is itself, between signs that no page has."""

    def ugettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ungettext(self, one: str, many: str, number: int) -> str:
        return f"⟦{one if number == 1 else many}⟧"


def left_over(text: str) -> list[str]:
    """The words of a page that are of no message and no data."""
    page = html.document_fromstring(text)
    for place in page.xpath(DATA):
        place.drop_tree()
    said = str(page.text_content())
    while MESSAGE.search(said):
        said = MESSAGE.sub("", said)
    return WORD.findall(said)


@pytest.mark.parametrize(
    ("who", "where", "data"),
    [
        ("", "/sign-in", []),
        ("Ben", "/account", ["terminal", "terminal"]),
        ("Paul", "/c/small/own-runs", []),
        ("Paul", "/c/small/submit", []),
        ("Paul", "/c/small/jobs", []),
        ("Paul", "/nowhere", []),
        ("", "/reset/nothing", []),
    ],
)
def test_every_text_of_a_page_is_a_message(
    small: Path,
    app: Flask,
    client_of: SignIn,
    monkeypatch: pytest.MonkeyPatch,
    who: str,
    where: str,
    data: list[str],
) -> None:
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
        change_rules(campaign.by("Anna"), Rules(is_open=True, limit=2))
    client = client_of(app, who) if who else app.test_client()
    monkeypatch.setattr(languages, "translations", lambda code: Pseudo())
    answer = client.get(where, headers={"Accept-Language": "de"})
    assert "⟦" in answer.text
    assert left_over(answer.text) == data
