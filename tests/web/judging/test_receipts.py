"""Which judgments a server still has, asked by the browser that made them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.fixture_types import SignIn, TokenOf
from workbench.campaign.assessing import judge, show
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

Ask = Callable[..., TestResponse]

FIRST, SECOND, NEVER = (str(UUID(int=number)) for number in (1, 2, 3))


@pytest.fixture
def ask(app: Flask, client_of: SignIn, token_of: TokenOf) -> Ask:
    def post(sent: object, who: str = "Ben", campaign: str = "small") -> TestResponse:
        client = client_of(app, who)
        headers = {"X-CSRFToken": token_of(client)}
        return client.post(f"/c/{campaign}/api/receipts", json=sent, headers=headers)

    return post


def store(path: Path, uuid: str, document_id: str, who: str) -> None:
    with open_campaign(path) as campaign:
        shown = show(campaign, "1", document_id, who)
        assert shown.text_hash is not None
        judge(campaign, shown.judged(document_id, uuid=uuid, grade=1), assessor=who)


def test_what_is_not_stored_is_named_in_the_order_asked(small: Path, ask: Ask) -> None:
    store(small, SECOND, "d2", "Ben")
    assert ask({"uuids": [NEVER, SECOND, FIRST]}).get_json()["unknown"] == [NEVER, FIRST]
    assert ask({"uuids": []}).get_json()["unknown"] == []


def test_another_persons_judgment_is_not_mine_to_know_of(small: Path, ask: Ask) -> None:
    store(small, FIRST, "d1", "Carla")
    assert ask({"uuids": [FIRST]}, "Ben").get_json()["unknown"] == [FIRST]
    assert ask({"uuids": [FIRST]}, "Carla").get_json()["unknown"] == []


def test_a_campaign_created_again_under_the_same_name_says_that_it_is_another(small: Path, ask: Ask) -> None:
    before = ask({"uuids": []}).get_json()["log"]
    store(small, FIRST, "d1", "Ben")
    assert ask({"uuids": []}).get_json()["log"] == before
    small.unlink()
    with create_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"title": "Once more"})
        members.put(campaign.by("Anna"), "Ben", "assessor")
    assert ask({"uuids": []}).get_json()["log"] != before


@pytest.mark.parametrize(
    "sent", ["", [], {}, {"uuids": FIRST}, {"uuids": [1]}, {"uuids": ["\ud800"]}, {"uuids": [FIRST] * 501}]
)
def test_whatever_is_no_list_of_uuids_is_refused(small: Path, ask: Ask, sent: object) -> None:
    answer = ask(sent)
    assert (answer.status_code, answer.get_json()["reason"]) == (422, "wrong field")


def test_five_hundred_are_taken_at_once(small: Path, ask: Ask) -> None:
    uuids = [str(UUID(int=number)) for number in range(500)]
    assert ask({"uuids": uuids}).get_json()["unknown"] == uuids


def test_a_question_nested_beyond_reason_is_refused(
    small: Path, app: Flask, client_of: SignIn, token_of: TokenOf
) -> None:
    client = client_of(app, "Ben")
    answer = client.post(
        "/c/small/api/receipts",
        data="[" * 200_000,
        headers={"X-CSRFToken": token_of(client)},
        content_type="application/json",
    )
    assert answer.status_code == 422
