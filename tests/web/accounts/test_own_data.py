"""The account page gives a person all that is stored about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeApp, SignIn, TokenOf
from workbench.storage.campaign import open_campaign
from workbench.web.monitoring.request_log import opaque

ADDRESS = "/account/stored-data"


def stored(client: FlaskClient) -> dict[str, Any]:
    with client.get(ADDRESS) as answer:
        assert (answer.status_code, answer.mimetype) == (200, "application/json")
        found: dict[str, Any] = json.loads(answer.data)
        return found


def test_a_person_downloads_what_is_stored_about_them_and_no_grade_of_another(
    app: Flask, client_of: SignIn, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1, comment="what Ben wrote")
        judging_as(campaign, "Anna", "1", "d1", 0, comment="what Anna wrote")
    with client_of(app, "Ben").get(ADDRESS) as answer:
        text = answer.text
    assert answer.headers["Content-Disposition"] == "attachment; filename=stored-data-Ben.json"
    found = json.loads(text)
    assert {
        campaign["campaign"]: [row["comment"] for row in campaign["judgment"]]
        for campaign in found["campaigns"]
    } == {"robust": [], "small": ["what Ben wrote"]}
    assert found["accounts"]["account"][0]["name"] == "Ben"
    assert found["request_log"]["account"] == opaque(app, "Ben")
    assert "what Anna wrote" not in text
    assert "password_hash" not in text


def test_a_large_document_goes_over_a_file(
    app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.web.accounts.account.IN_MEMORY", 10)
    assert stored(client_of(app, "Ben"))["name"] == "Ben"


def test_a_campaign_that_cannot_be_read_is_no_reason_for_half_a_document(
    app: Flask, client_of: SignIn, instance: Path
) -> None:
    ben = client_of(app, "Ben")
    stored(ben)
    path = instance / "robust.db"
    path.rename(path.with_suffix(".moved"))
    assert ben.get(ADDRESS).status_code == 503
    path.with_suffix(".moved").rename(path)
    assert stored(ben)["name"] == "Ben"


def test_who_is_signed_in_without_an_account_is_led_to_the_command(
    make_app: MakeApp, token_of: TokenOf
) -> None:
    client = make_app(demo=True).test_client()
    client.post("/start", data={"name": "Dora", "csrf_token": token_of(client)})
    answer = client.get(ADDRESS)
    assert answer.status_code == 409
    assert "workbench member export" in answer.text
    assert ADDRESS not in client.get("/account").text
