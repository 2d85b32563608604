"""No text of the pages of participants and accounts is forgotten: each is a message, or data."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from tests.fixture_types import SignIn
from tests.web.brackets import Brackets, outside
from workbench.campaign.submission_rules import Rules, change_rules
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members
from workbench.web.requests import languages


@pytest.mark.parametrize(
    ("who", "where", "data"),
    [
        ("", "/sign-in", []),
        ("Ben", "/account", ["terminal", "robust", "small", "terminal"]),
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
    monkeypatch.setattr(languages, "translations", lambda _: Brackets())
    answer = client.get(where, headers={"Accept-Language": "de"})
    assert "⟦" in answer.text
    assert outside(answer.text) == data
