"""Which judgments a server still has, asked by the browser that made them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.fixture_types import Post, SignIn
from workbench.campaign.assessing import judge, show
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

Ask = Callable[..., TestResponse]

FIRST, SECOND, NEVER = (str(UUID(int=number)) for number in (1, 2, 3))


@pytest.fixture
def ask(app: Flask, client_of: SignIn, post_json: Post) -> Ask:
    return lambda sent, who="Ben": post_json(client_of(app, who), "/c/small/api/receipts", sent)


def store(path: Path, uuid: str, document_id: str, who: str) -> None:
    with open_campaign(path) as campaign:
        shown = show(campaign, "1", document_id, who)
        assert shown.text_hash is not None
        judge(campaign, shown.judged(document_id, uuid=uuid, grade=1), assessor=who)


def test_what_is_not_stored_or_anothers_is_named_in_the_order_asked(small: Path, ask: Ask) -> None:
    store(small, SECOND, "d2", "Ben")
    store(small, FIRST, "d1", "Carla")
    assert ask({"uuids": [NEVER, SECOND, FIRST]}).get_json()["unknown"] == [NEVER, FIRST]
    assert ask({"uuids": [FIRST]}, "Carla").get_json()["unknown"] == []
    many = [str(UUID(int=number)) for number in range(10, 510)]
    assert ask({"uuids": many}).get_json()["unknown"] == many


def test_a_campaign_created_again_under_the_same_name_says_that_it_is_another(small: Path, ask: Ask) -> None:
    before = ask({"uuids": []}).get_json()["log"]
    store(small, FIRST, "d1", "Ben")
    assert ask({"uuids": []}).get_json()["log"] == before
    small.unlink()
    with create_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"title": "Once more"})
        members.put(campaign.by("Anna"), "Ben", "assessor")
    assert ask({"uuids": []}).get_json()["log"] != before


@pytest.mark.parametrize("uuids", [FIRST, [1], ["\ud800"], [FIRST] * 501])
def test_whatever_is_no_list_of_uuids_is_refused(small: Path, ask: Ask, uuids: object) -> None:
    for sent in ({"uuids": uuids}, uuids, {}):
        answer = ask(sent)
        assert (answer.status_code, answer.get_json()["reason"]) == (422, "wrong field")
